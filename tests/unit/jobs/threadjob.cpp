// SPDX-License-Identifier: GPL-3.0-or-later
#include "events.h"
#include "temporaryfolder.h"

#include <chrono>
#include <thread>

using namespace stillroom;
using nlohmann::json;

namespace {

/// Works until it is asked to stop.
json untilStopped(const json &, jobs::RunContext &context)
{
    context.sink(experiment::Metric{.series = "loss", .step = 1, .value = 1, .unit = ""});
    while (!context.stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw Error(ErrorCode::Cancelled, "Stopped on request.");
}

jobs::LaunchOptions optionsIn(const TemporaryFolder &folder, jobs::Procedure procedure, Heard &heard)
{
    jobs::LaunchOptions options;
    options.workspace = folder.path();
    options.procedure = std::move(procedure);
    options.observer = heard.observer();
    return options;
}

}  // namespace

TEST_CASE("a job in a thread finishes")
{
    const TemporaryFolder folder;
    Heard heard;
    const auto job = jobs::launch(alignSpec(), optionsIn(folder, [](const json &, jobs::RunContext &) { return json{{"done", true}}; }, heard));
    job->wait();
    CHECK(job->finished());
    CHECK(types(heard.events()) == "started finished");
    CHECK(types(eventsInFile(folder.path(), job->runId())) == "started finished");
}

TEST_CASE("a stop cancels it, and so does its destruction")
{
    const TemporaryFolder folder;
    for (const bool isAsked : {true, false}) {
        Heard heard;
        auto job = jobs::launch(alignSpec(), optionsIn(folder, untilStopped, heard));
        heard.waitFor("metric");
        CHECK_FALSE(job->finished());
        if (isAsked) {
            job->requestStop();
            job->wait();
        }
        job.reset();
        CHECK(types(heard.events()) == "started metric cancelled");
    }
}

TEST_CASE("resume and fresh reach the procedure, and a given run keeps its name")
{
    const TemporaryFolder folder;
    Heard heard;
    auto options = optionsIn(folder, [](const json &, jobs::RunContext &context) { return json{{"resume", context.resume}, {"fresh", context.fresh}}; }, heard);
    options.runId = jobs::newUuid();
    options.resume = options.fresh = true;
    const std::string run = options.runId;
    const auto job = jobs::launch(alignSpec(), std::move(options));
    job->wait();
    CHECK(job->runId() == run);
    const json result = json::parse(std::get<experiment::Finished>(heard.events().back().body).resultJson);
    CHECK(result == json{{"resume", true}, {"fresh", true}});
}

TEST_CASE("a job that cannot open its file says so once")
{
    const TemporaryFolder folder;
    Heard heard;
    auto options = optionsIn(folder, untilStopped, heard);
    options.workspace = "/proc/nowhere";
    const auto job = jobs::launch(alignSpec(), std::move(options));
    job->wait();
    CHECK(types(heard.events()) == "failed");
}

TEST_CASE("options that do not fit are refused")
{
    const TemporaryFolder folder;
    Heard heard;
    CHECK_THROWS_AS((void)jobs::launch(alignSpec(), optionsIn(folder, {}, heard)), Error);
    auto child = optionsIn(folder, untilStopped, heard);
    child.place = jobs::Place::ChildProcess;
    CHECK_THROWS_AS((void)jobs::launch(alignSpec(), std::move(child)), Error);
    auto named = optionsIn(folder, untilStopped, heard);
    named.runId = "not a uuid";
    CHECK_THROWS_AS((void)jobs::launch(alignSpec(), std::move(named)), Error);
}
