// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/run.h"
#include "events.h"
#include "store/reindex.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace stillroom;
using experiment::Event;
using nlohmann::json;

namespace {

jobs::RunContext contextIn(const TemporaryFolder &folder, const std::string &run)
{
    jobs::RunContext context;
    context.workspace = folder.path();
    context.run = run;
    return context;
}

const experiment::Metric point{.series = "loss", .step = 1, .tokens = 1, .value = 1, .unit = ""};

/// Runs a procedure that throws; returns what the run says.
Event outcomeOf(const std::function<void()> &work)
{
    const TemporaryFolder folder;
    Heard heard;
    const std::string run = jobs::newUuid();
    const Event last = jobs::run(alignSpec(), contextIn(folder, run), [&](const json &, jobs::RunContext &) { work(); return json(); }, heard.observer());
    CHECK(types(heard.events()).substr(0, 8) == "started ");
    CHECK(numLast(heard.events(), "align") == 1);
    CHECK(types(eventsInFile(folder.path(), run)) == types(heard.events()));
    return last;
}

}  // namespace

TEST_CASE("a run is framed by started and finished, numbered, and in its file before the observer hears of it")
{
    const TemporaryFolder folder;
    const std::string run = jobs::newUuid();
    std::vector<Event> heard;
    const auto observer = [&](const Event &event) {
        heard.push_back(event);
        CHECK(eventsInFile(folder.path(), run).size() == heard.size());
    };
    const Event last = jobs::run(alignSpec(), contextIn(folder, run), [](const json &spec, jobs::RunContext &context) {
        for (int step = 1; step <= 3; ++step)
            context.sink(experiment::Metric{.series = "loss", .step = step, .value = 1, .unit = ""});
        return json{{"kind", spec.at("kind")}};
    }, observer);
    CHECK(types(heard) == "started metric metric metric finished");
    CHECK(json::parse(std::get<experiment::Finished>(last.body).resultJson).at("kind") == "align");
    for (std::size_t i = 0; i < heard.size(); ++i) {
        CHECK(heard[i].seq == static_cast<std::int64_t>(i) + 1);
        CHECK(heard[i].task == "align");
        CHECK(heard[i].run == run);
        CHECK(heard[i].timeSeconds > 1.7e9);
    }
    CHECK(json::parse(std::get<experiment::Started>(heard[0].body).specJson) == alignSpec());
}

TEST_CASE("stages count their own numbers and say their own started and finished")
{
    const TemporaryFolder folder;
    const std::string run = jobs::newUuid();
    Heard heard;
    const auto procedure = [](const json &, jobs::RunContext &context) {
        const auto stage = context.taskSink("distill:ga-s2");
        stage(experiment::Started{.kind = "distill", .key = {}, .specJson = {}, .device = {}, .computeType = {}, .version = {}});
        stage(point);
        stage(experiment::Finished{});
        const auto own = context.taskSink("align");              // the run's own task: its finished is left to the run
        own(point);
        own(experiment::Finished{});
        return json();
    };
    jobs::run(alignSpec(), contextIn(folder, run), procedure, heard.observer());
    const auto events = heard.events();
    CHECK(types(events) == "started started metric finished metric finished");
    CHECK(events[1].seq == 1);
    CHECK(events[3].seq == 3);
    CHECK(events[3].task == "distill:ga-s2");
    CHECK(events[4].seq == 2);
    CHECK(numLast(events, "align") == 1);
}

TEST_CASE("whatever a procedure throws becomes one last event")
{
    const auto failed = [](const std::function<void()> &work) { return std::get<experiment::Failed>(outcomeOf(work).body); };
    CHECK(failed([] { throw Error(ErrorCode::NonFinite, "The loss is not finite.", "step 3"); }).code == "non-finite");
    CHECK(failed([] { throw Error(ErrorCode::NonFinite, "The loss is not finite.", "step 3"); }).message == "The loss is not finite.");
    CHECK(failed([] { throw Error(ErrorCode::NonFinite, "The loss is not finite.", "step 3"); }).detail == "step 3");
    CHECK(failed([] { throw std::bad_alloc(); }).code == "out-of-memory");
    CHECK(failed([] { throw std::runtime_error("odd"); }).detail == "odd");
    CHECK(failed([] { throw 3; }).code == "failed");
    CHECK(std::get<experiment::Cancelled>(outcomeOf([] { throw Error(ErrorCode::Cancelled, "Stopped on request."); }).body).message == "Stopped on request.");
}

TEST_CASE("a stage that says failed itself is a failure that names it")
{
    const TemporaryFolder folder;
    for (const bool isStage : {false, true}) {
        const auto procedure = [&](const json &, jobs::RunContext &context) {
            (isStage ? context.taskSink("inner") : context.sink)(experiment::Failed{.code = {}, .message = {}, .detail = {}});
            return json();
        };
        const Event last = jobs::run(alignSpec(), contextIn(folder, jobs::newUuid()), procedure, {});
        CHECK(std::get<experiment::Failed>(last.body).message.find("must throw") != std::string::npos);
    }
}

TEST_CASE("a resumed run goes on in its file, with its numbers, past a torn line")
{
    const TemporaryFolder folder;
    const std::string run = jobs::newUuid();
    const auto procedure = [](const json &, jobs::RunContext &context) { context.sink(point); return json{{"resumed", context.resume}}; };
    jobs::run(alignSpec(), contextIn(folder, run), [&](const json &spec, jobs::RunContext &context) -> json { procedure(spec, context); throw Error(ErrorCode::Cancelled, "Stopped."); }, {});
    std::ofstream(store::eventsFile(folder.path(), run), std::ios::app) << R"({"schema":1,"run":")";
    auto context = contextIn(folder, run);
    context.resume = true;
    Heard heard;
    const Event last = jobs::run(alignSpec(), context, procedure, heard.observer());
    CHECK(heard.events().front().seq == 4);
    CHECK(std::get<experiment::Started>(heard.events().front().body).resumed);
    CHECK(json::parse(std::get<experiment::Finished>(last.body).resultJson).at("resumed") == true);
    std::ifstream stream(store::eventsFile(folder.path(), run));
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    REQUIRE(lines.size() == 7);
    CHECK(lines[3] == R"({"schema":1,"run":")");
    CHECK(experiment::fromLine(lines[4]).seq == 4);
    CHECK(experiment::fromLine(lines[6]).seq == 6);
}

namespace {

/// What became of a run's file in a power cut: its lines reach the disk later than the rows that were made of them.
struct PowerCut {
    std::string name;
    std::function<std::string(const std::string &)> left;
};

const std::vector<PowerCut> powerCuts{
    {"whole lines are gone", [](const std::string &bytes) { return bytes.substr(0, bytes.find('\n', bytes.size() / 2) + 1); }},
    {"cut within a line", [](const std::string &bytes) { return bytes.substr(0, bytes.find('\n', bytes.size() / 2) + 30); }},
    {"cut behind a line but for its end", [](const std::string &bytes) { return bytes.substr(0, bytes.find('\n', bytes.size() / 2)); }},
    {"cut within the first line", [](const std::string &bytes) { return bytes.substr(0, 20); }},
    {"empty", [](const std::string &) { return std::string(); }},
    {"zeros in place of the end", [](const std::string &bytes) { return bytes.substr(0, bytes.size() / 2) + std::string(bytes.size() - bytes.size() / 2, '\0'); }},
};

/// One point for each step, and then an end, or a stop.
jobs::Procedure steps(int first, int last, bool isStopped)
{
    return [=](const json &, jobs::RunContext &context) -> json {
        for (int step = first; step <= last; ++step)
            context.sink(experiment::Metric{.series = "loss", .step = step, .tokens = step, .value = 1.0 / step, .unit = ""});
        if (isStopped)
            throw Error(ErrorCode::Cancelled, "Stopped.");
        return json::object();
    };
}

/// A run of 50 steps that was stopped and taken into the database.
std::vector<Event> stoppedRun(const TemporaryFolder &folder, const std::string &run)
{
    Heard heard;
    jobs::run(alignSpec(), contextIn(folder, run), steps(1, 50, true), heard.observer());
    CHECK(store::Workspace(folder.path()).metric(run, "align", "loss").size() == 50);
    return heard.events();
}

std::vector<Event> resumedRun(const TemporaryFolder &folder, const std::string &run, int lastStep)
{
    Heard heard;
    auto context = contextIn(folder, run);
    context.resume = true;
    jobs::run(alignSpec(), context, steps(51, lastStep, false), heard.observer());
    return heard.events();
}

std::size_t numWarnedOfLoss(const store::Workspace &workspace, const std::string &run)
{
    const auto warnings = workspace.warnings(run);
    return static_cast<std::size_t>(std::count_if(warnings.begin(), warnings.end(), [](const store::StoredWarning &warning) { return warning.message.find("has lost its last") != std::string::npos; }));
}

}  // namespace

TEST_CASE("a resumed run whose file was cut gives no number twice, and neither what the database had nor what follows is lost")
{
    for (const PowerCut &cut : powerCuts) {
        for (const bool isLookedAt : {false, true}) {      // else the file is longer than it ever was before somebody looks
            CAPTURE(cut.name);
            CAPTURE(isLookedAt);
            const TemporaryFolder folder;
            const std::string run = jobs::newUuid();
            const auto before = stoppedRun(folder, run);
            const auto file = store::eventsFile(folder.path(), run);
            std::string bytes;
            std::getline(std::ifstream(file, std::ios::binary), bytes, '\0');
            std::ofstream(file, std::ios::binary) << cut.left(bytes);
            if (isLookedAt)
                CHECK(store::Workspace(folder.path()).metric(run, "align", "loss").size() == 50);
            const auto after = resumedRun(folder, run, 250);
            for (std::size_t i = 0; i < after.size(); ++i)
                CHECK(after[i].seq == before.back().seq + 1 + static_cast<std::int64_t>(i));
            {
                const store::Workspace workspace(folder.path());
                const auto points = workspace.metric(run, "align", "loss");
                REQUIRE(points.size() == 250);
                for (std::size_t i = 0; i < points.size(); ++i)
                    CHECK(points[i].step == static_cast<std::int64_t>(i) + 1);
                CHECK(workspace.run(run)->status == store::RunStatus::Finished);
                CHECK(numWarnedOfLoss(workspace, run) == 1);
            }
            CHECK(store::reindex(folder.path()).kept == std::vector<std::string>{run});
            CHECK(store::Workspace(folder.path()).metric(run, "align", "loss").size() == 250);
        }
    }
}

TEST_CASE("a run whose whole folder is gone goes on behind what the database holds")
{
    const TemporaryFolder folder;
    const std::string run = jobs::newUuid();
    const auto before = stoppedRun(folder, run);
    std::filesystem::remove_all(store::runFolder(folder.path(), run));
    CHECK(resumedRun(folder, run, 60).front().seq == before.back().seq + 1);
    CHECK(store::Workspace(folder.path()).metric(run, "align", "loss").size() == 60);
}

TEST_CASE("of a file that lost nothing no loss is said, and a damaged database leaves the numbers to the lines")
{
    const TemporaryFolder folder;
    const std::string run = jobs::newUuid();
    const auto before = stoppedRun(folder, run);
    const auto after = resumedRun(folder, run, 60);
    CHECK(after.front().seq == before.back().seq + 1);
    CHECK(numWarnedOfLoss(store::Workspace(folder.path()), run) == 0);
    std::ofstream(store::databaseFile(folder.path()), std::ios::binary) << "no database";
    CHECK(resumedRun(folder, run, 70).front().seq == after.back().seq + 1);
}

TEST_CASE("numbers that leave none to go on with are refused")
{
    const TemporaryFolder folder;
    const std::string run = jobs::newUuid();
    std::filesystem::create_directories(store::runFolder(folder.path(), run));
    const Event last{.run = run, .task = "align", .seq = std::numeric_limits<std::int64_t>::max(), .timeSeconds = 1764480000.0, .body = point};
    std::ofstream(store::eventsFile(folder.path(), run)) << experiment::toLine(last) << '\n';
    try {
        resumedRun(folder, run, 60);
        FAIL("went on behind the last number there is");
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::BadFile);
        CHECK(std::string(error.what()).find("--fresh") != std::string::npos);
    }
}

TEST_CASE("a run is written by one at a time")
{
    const TemporaryFolder folder;
    const std::string run = jobs::newUuid();
    const auto inner = [&](const json &, jobs::RunContext &) -> json {
        jobs::run(alignSpec(), contextIn(folder, run), [](const json &, jobs::RunContext &) { return json(); }, {});
        return json();
    };
    const Event last = jobs::run(alignSpec(), contextIn(folder, run), inner, {});
    CHECK(std::get<experiment::Failed>(last.body).code == "usage");
    CHECK(std::get<experiment::Failed>(last.body).message.find("another process") != std::string::npos);
}

TEST_CASE("events from several threads are whole lines with every number once")
{
    const TemporaryFolder folder;
    const std::string run = jobs::newUuid();
    const auto procedure = [](const json &, jobs::RunContext &context) {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&context] {
                for (int step = 0; step < 250; ++step)
                    context.sink(point);
            });
        }
        return json();
    };
    jobs::run(alignSpec(), contextIn(folder, run), procedure, {});
    const auto events = eventsInFile(folder.path(), run);
    CHECK(events.size() >= 1001);
    for (std::size_t i = 0; i < events.size(); ++i)
        CHECK(events[i].seq == static_cast<std::int64_t>(i) + 1);
}

TEST_CASE("a full disk stops the run and leaves whole lines")
{
    const TemporaryFolder folder;
    const std::string run = jobs::newUuid();
    struct rlimit before {};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    Heard heard;
    const auto procedure = [&](const json &, jobs::RunContext &context) {
        struct rlimit small = before;
        small.rlim_cur = 20'000;
        setrlimit(RLIMIT_FSIZE, &small);
        for (int step = 0; step < 1000; ++step)
            context.sink(point);
        return json();
    };
    const Event last = jobs::run(alignSpec(), contextIn(folder, run), procedure, heard.observer());
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(std::get<experiment::Failed>(last.body).code == "io");
    CHECK(numLast(heard.events(), "align") == 1);
    const auto events = eventsInFile(folder.path(), run);        // every line can be read
    CHECK(events.size() > 50);
    CHECK(events.size() < 1000);
}

TEST_CASE("that the events of a run cannot be kept is said by its last event alone")
{
    const TemporaryFolder folder;
    const std::string run = jobs::newUuid();
    const std::filesystem::path said = folder.path() / "said";
    struct rlimit whole {};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &whole) == 0);
    const int before = dup(STDERR_FILENO), file = open(said.c_str(), O_CREAT | O_WRONLY, 0600);
    dup2(file, STDERR_FILENO);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const auto procedure = [&](const json &, jobs::RunContext &context) {
        struct rlimit small = whole;
        small.rlim_cur = 20'000;
        setrlimit(RLIMIT_FSIZE, &small);
        for (int step = 0; step < 1000; ++step)
            context.sink(point);
        return json();
    };
    const Event last = jobs::run(alignSpec(), contextIn(folder, run), procedure, {});
    setrlimit(RLIMIT_FSIZE, &whole);
    std::signal(SIGXFSZ, handler);
    dup2(before, STDERR_FILENO);
    close(before);
    close(file);
    CHECK(std::get<experiment::Failed>(last.body).message.find("Cannot write") != std::string::npos);
    CHECK(std::filesystem::file_size(said) == 0);
}

TEST_CASE("what cannot be run at all is refused")
{
    const TemporaryFolder folder;
    const auto nothing = [](const json &, jobs::RunContext &) { return json(); };
    CHECK_THROWS_AS(jobs::run(alignSpec(), contextIn(folder, "../../x"), nothing, {}), Error);
    CHECK_THROWS_AS(jobs::run(json::object(), contextIn(folder, jobs::newUuid()), nothing, {}), Error);
    jobs::RunContext nowhere;
    nowhere.workspace = "/proc/nowhere";
    nowhere.run = jobs::newUuid();
    CHECK_THROWS_AS(jobs::run(alignSpec(), nowhere, nothing, {}), Error);
}
