// SPDX-License-Identifier: GPL-3.0-or-later
#include "events.h"
#include "process.h"
#include "temporaryfolder.h"

#include <array>
#include <chrono>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace stillroom;
using nlohmann::json;

namespace {

std::unique_ptr<jobs::Job> launchChild(const TemporaryFolder &folder, const json &options, Heard &heard, bool resume = false, std::chrono::milliseconds grace = std::chrono::minutes(1), const std::string &runId = {})
{
    jobs::LaunchOptions launch;
    launch.place = jobs::Place::ChildProcess;
    launch.workspace = folder.path();
    launch.cliProgram = JOBS_CHILDPROGRAM;
    launch.resume = resume;
    launch.stopGrace = grace;
    launch.runId = runId;
    launch.observer = heard.observer();
    return jobs::launch(alignSpec(options), std::move(launch));
}

/// The job's events after its end; they must equal the file's.
std::vector<experiment::Event> eventsOf(const TemporaryFolder &folder, const json &options)
{
    Heard heard;
    const auto job = launchChild(folder, options, heard);
    job->wait();
    CHECK(job->finished());
    const auto inFile = eventsInFile(folder.path(), job->runId());
    CHECK(types(inFile) == types(heard.events()));
    CHECK(numLast(inFile, "align") == 1);
    for (std::size_t i = 0; i < inFile.size(); ++i)
        CHECK(inFile[i].seq == static_cast<std::int64_t>(i) + 1);
    return heard.events();
}

experiment::Failed failureOf(const std::vector<experiment::Event> &events)
{
    REQUIRE(std::holds_alternative<experiment::Failed>(events.back().body));
    return std::get<experiment::Failed>(events.back().body);
}

ProcessIdentity childOf(const TemporaryFolder &folder, const std::string &run)
{
    return processFromJson(json::parse(std::ifstream(store::runFolder(folder.path(), run) / "process.json")));
}

}  // namespace

TEST_CASE("a child process says the same lines as a thread")
{
    const TemporaryFolder folder;
    CHECK(types(eventsOf(folder, json::object())) == "started metric metric metric finished");
    CHECK(eventsOf(folder, {{"steps", 5000}}).size() == 5002);
    CHECK(failureOf(eventsOf(folder, {{"behaviour", "fail"}})).code == "non-finite");
}

TEST_CASE("a child that dies without a word becomes failed, with the signal's or the status's name")
{
    const TemporaryFolder folder;
    CHECK(failureOf(eventsOf(folder, {{"behaviour", "killed"}})).message.find("SIGKILL") != std::string::npos);
    CHECK(failureOf(eventsOf(folder, {{"behaviour", "exit"}})).message.find("status 7") != std::string::npos);
    const auto crash = failureOf(eventsOf(folder, {{"behaviour", "crash"}})).message;
    CHECK((crash.find("SIGSEGV") != std::string::npos || crash.find("status") != std::string::npos));    // a sanitizer ends it with a status
}

TEST_CASE("a child that refuses its spec before it begins leaves a run with a kind, a spec and the sentence it said")
{
    const TemporaryFolder folder;
    const auto events = eventsOf(folder, {{"behaviour", "refuse"}});
    CHECK(types(events) == "started failed");
    CHECK(std::get<experiment::Started>(events.front().body).kind == "align");
    CHECK(json::parse(std::get<experiment::Started>(events.front().body).specJson)["mixer"]["options"]["behaviour"] == "refuse");
    CHECK(failureOf(events).code == "usage");
    CHECK(failureOf(events).message == "that cannot be: say something else");
}

TEST_CASE("what is no event on the child's output is passed over, and its messages are kept")
{
    const TemporaryFolder folder;
    CHECK(types(eventsOf(folder, {{"behaviour", "garbage"}})) == "started metric metric metric finished");
    Heard heard;
    const auto job = launchChild(folder, {{"behaviour", "messages"}}, heard);
    job->wait();
    std::ifstream stream(store::runFolder(folder.path(), job->runId()) / "stderr.log");
    std::string line;
    std::getline(stream, line);
    CHECK(line == "words for the log");
}

TEST_CASE("a stop interrupts the child, which ends as cancelled")
{
    const TemporaryFolder folder;
    Heard heard;
    auto job = launchChild(folder, {{"behaviour", "wait"}}, heard);
    heard.waitFor("metric");
    job->requestStop();
    job->requestStop();
    job->wait();
    CHECK(types(heard.events()) == "started metric metric metric cancelled");
    const ProcessIdentity child = childOf(folder, job->runId());
    CHECK(livenessOf(child) == Liveness::Gone);
}

TEST_CASE("a child that does not listen is killed, also by the job's destruction")
{
    const TemporaryFolder folder;
    Heard heard;
    auto job = launchChild(folder, {{"behaviour", "deaf"}}, heard, false, std::chrono::milliseconds(50));
    heard.waitFor("metric");
    const std::string run = job->runId();
    const ProcessIdentity child = childOf(folder, run);
    CHECK(child.pid != thisProcess().pid);
    CHECK(livenessOf(child) == Liveness::Alive);
    job.reset();
    CHECK(livenessOf(child) == Liveness::Gone);
    CHECK(failureOf(heard.events()).message.find("SIGKILL") != std::string::npos);
}

TEST_CASE("resume reaches the child")
{
    const TemporaryFolder folder;
    Heard heard;
    const auto job = launchChild(folder, json::object(), heard, true);
    job->wait();
    const json result = json::parse(std::get<experiment::Finished>(heard.events().back().body).resultJson);
    CHECK(result == json{{"resume", true}, {"fresh", false}});
}

TEST_CASE("a resumed child's reason is its own, not that of an earlier attempt")
{
    const TemporaryFolder folder;
    const std::string run = jobs::newUuid();
    std::filesystem::create_directories(store::runFolder(folder.path(), run));
    std::ofstream(store::runFolder(folder.path(), run) / "stderr.log") << "stillroom-cli: that was refused long ago\n";
    Heard heard;
    launchChild(folder, {{"behaviour", "exit"}}, heard, true, std::chrono::minutes(1), run)->wait();
    CHECK(failureOf(heard.events()).message.find("status 7") != std::string::npos);
}

TEST_CASE("a program that cannot be started is said at once")
{
    const TemporaryFolder folder;
    jobs::LaunchOptions launch;
    launch.place = jobs::Place::ChildProcess;
    launch.workspace = folder.path();
    launch.cliProgram = folder.path() / "absent";
    try {
        (void)jobs::launch(alignSpec(), std::move(launch));
        FAIL("started what is not there");
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::Failed);
        CHECK(std::string(error.what()).find("absent") != std::string::npos);
    }
}

TEST_CASE("a child does not outlive a killed parent")
{
    const TemporaryFolder folder;
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const pid_t parent = fork();
    REQUIRE(parent >= 0);
    if (parent == 0) {
        Heard heard;
        const auto job = launchChild(folder, {{"behaviour", "deaf"}}, heard);
        heard.waitFor("metric");
        const std::string run = job->runId();
        static_cast<void>(!write(ends[1], run.data(), run.size()));
        pause();
        _exit(0);
    }
    std::string run(36, ' ');
    REQUIRE(read(ends[0], run.data(), run.size()) == 36);
    const ProcessIdentity child = childOf(folder, run);
    CHECK(child.pid != parent);
    CHECK(livenessOf(child) == Liveness::Alive);
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    while (livenessOf(child) == Liveness::Alive)         // the test's own time limit is the limit
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    CHECK(livenessOf(child) == Liveness::Gone);
    close(ends[0]);
    close(ends[1]);
}
