// SPDX-License-Identifier: GPL-3.0-or-later
// Two processes on one workspace: both work, one records.
#include "lines.h"
#include "refusal.h"
#include "store/recorder.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <sys/wait.h>
#include <unistd.h>

namespace twoprocesses_tests {

using namespace stillroom;
using namespace stillroom::store;

namespace {

/// Writes a run, renames and tags it as soon as it is in the database, reads it back. Exit status 0: all went well.
int workBeside(const std::filesystem::path &folder, int number)
{
    Workspace workspace(folder);
    Recorder recorder(folder);
    LineWriter writer(folder, runName(number));
    writer.start();
    for (int step = 1; step <= 300; ++step) {
        writer.say(experiment::Metric{.series = "loss", .step = step, .value = static_cast<double>(step), .unit = ""});
        recorder.notice(writer.run());
        if (step % 50 == 0)
            recorder.flush();
    }
    writer.say(experiment::Finished{});
    for (int attempt = 0; attempt < 600; ++attempt) {        // the other process takes the lines in within a second
        recorder.flush();
        const auto run = workspace.run(writer.run());
        if (run && run->status == RunStatus::Finished) {
            workspace.setName(writer.run(), "named by " + std::to_string(number));
            workspace.addTag(writer.run(), "both");
            return workspace.metric(writer.run(), "score", "loss").size() == 300 ? 0 : 3;
        }
        usleep(50'000);
    }
    return 4;
}

}  // namespace

TEST_CASE("several processes record, rename and read on one workspace")
{
    const TemporaryFolder folder;
    std::vector<pid_t> children;
    for (int number = 1; number <= 4; ++number) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            try {
                _exit(workBeside(folder.path(), number));
            } catch (const Error &error) {
                static_cast<void>(!write(2, error.what(), std::string(error.what()).size()));
                _exit(5);
            }
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
    const Workspace workspace(folder.path());
    workspace.checkIntegrity();
    CHECK(workspace.runs({.kind = {}, .key = {}, .tag = "both", .status = RunStatus::Finished}).size() == 4);
    for (int number = 1; number <= 4; ++number) {
        CHECK(workspace.run(runName(number))->name == "named by " + std::to_string(number));
        CHECK(workspace.metric(runName(number), "score", "loss").size() == 300);
    }
}

TEST_CASE("the second process is told who records, and its lines are taken in by the first")
{
    const TemporaryFolder folder;
    int ready[2];
    REQUIRE(pipe(ready) == 0);
    const pid_t child = fork();              // before anything is opened: SQLite's connections must not be carried through a fork
    REQUIRE(child >= 0);
    if (child == 0) {
        try {
            char go = 0;
            if (read(ready[0], &go, 1) != 1)
                _exit(3);
            Recorder second(folder.path());
            const bool isTold = !second.isRecording() && holds(second.holder(), "process " + std::to_string(getppid()));
            LineWriter writer(folder.path(), runName(1));
            writer.start();
            writer.say(experiment::Finished{});
            _exit(isTold ? 0 : 1);
        } catch (...) {
            _exit(2);
        }
    }
    Recorder recorder(folder.path());
    REQUIRE(write(ready[1], "x", 1) == 1);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WEXITSTATUS(status) == 0);
    close(ready[0]);
    close(ready[1]);
    CHECK(recorder.flush());
    CHECK(Workspace(folder.path()).run(runName(1))->status == RunStatus::Finished);
}

TEST_CASE("data_version changes when another connection writes")
{
    const TemporaryFolder folder;
    LineWriter(folder.path(), runName(1)).start();
    Workspace first(folder.path()), second(folder.path());
    const auto before = first.dataVersion();
    CHECK(first.dataVersion() == before);
    second.setName(runName(1), "other");
    CHECK(first.dataVersion() != before);
}

}  // namespace twoprocesses_tests
