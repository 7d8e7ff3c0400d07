// SPDX-License-Identifier: GPL-3.0-or-later
// kill -9 at random points: the store opens, is whole, and holds everything that was committed.
#include "lines.h"
#include "refusal.h"
#include "store/recorder.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <csignal>
#include <memory>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

namespace killed_tests {

using namespace stillroom;
using namespace stillroom::store;

namespace {

/// Records in a loop until it is killed; after every flush it says how many points are committed.
[[noreturn]] void recordForever(const std::filesystem::path &folder, int run, int reports)
{
    try {
        Recorder recorder(folder);
        LineWriter writer(folder, runName(run));
        writer.start();
        for (std::int64_t step = 1;; ++step) {
            writer.say(experiment::Metric{.series = "loss", .step = step, .tokens = step, .value = static_cast<double>(step), .unit = ""});
            if (step % 3 == 0)
                writer.say(scoreOf(static_cast<int>(step % 30), 0.5, step));
            recorder.notice(writer.run());
            if (step % 7 == 0) {
                recorder.flush();
                if (write(reports, &step, sizeof step) != static_cast<ssize_t>(sizeof step))
                    _exit(1);
            }
        }
    } catch (...) {
        _exit(2);
    }
}

/// The last number that the child reported; -1 when it reported none.
std::int64_t lastReport(int reports)
{
    std::int64_t last = -1, next = 0;
    while (read(reports, &next, sizeof next) == static_cast<ssize_t>(sizeof next))
        last = next;
    return last;
}

}  // namespace

TEST_CASE("a recording process killed at 30 random points loses nothing that was committed")
{
    const TemporaryFolder folder;
    std::mt19937 generator(9);
    int numWithReports = 0;
    for (int round = 1; round <= 30; ++round) {
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            close(ends[0]);
            recordForever(folder.path(), round, ends[1]);
        }
        close(ends[1]);
        std::int64_t firstReport = -1;
        if (round % 3 != 0)                                  // the others may die while they open the workspace
            REQUIRE(read(ends[0], &firstReport, sizeof firstReport) == static_cast<ssize_t>(sizeof firstReport));
        usleep(static_cast<useconds_t>(generator() % 150'000));
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFSIGNALED(status));
        const std::int64_t committed = std::max(firstReport, lastReport(ends[0]));
        close(ends[0]);
        numWithReports += committed > 0 ? 1 : 0;

        const Workspace workspace(folder.path());
        workspace.checkIntegrity();
        const auto loss = workspace.metric(runName(round), "score", "loss");
        CHECK(static_cast<std::int64_t>(loss.size()) >= committed);
        for (std::size_t i = 0; i < loss.size(); ++i) {
            CHECK(loss[i].step == static_cast<std::int64_t>(i) + 1);
            CHECK(loss[i].value == static_cast<double>(i + 1));
        }
        if (const auto run = workspace.run(runName(round)))
            CHECK(run->status == RunStatus::Interrupted);
        CHECK_MESSAGE(workspace.warnings(runName(round)).empty(), "a torn line must wait, not be called damaged");
    }
    CHECK(numWithReports >= 20);
}

}  // namespace killed_tests
