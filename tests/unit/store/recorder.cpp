// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/recorder.h"
#include "lines.h"
#include "refusal.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <atomic>
#include <future>

namespace recorder_tests {

using namespace stillroom;
using namespace stillroom::store;

TEST_CASE("what was flushed is in the database, each line once")
{
    const TemporaryFolder folder;
    Recorder recorder(folder.path());
    CHECK(recorder.isRecording());
    CHECK(recorder.holder().empty());
    const Workspace reader(folder.path());
    LineWriter writer(folder.path(), runName(1));
    writer.start();
    for (int step = 1; step <= 2500; ++step) {
        writer.say(experiment::Metric{.series = "loss", .step = step, .tokens = step, .value = 1.0 / step, .unit = ""});
        recorder.notice(writer.run());
        if (step % 500 == 0) {
            CHECK(recorder.flush());
            CHECK(reader.metric(runName(1), "score", "loss").size() == static_cast<std::size_t>(step));
        }
    }
    // The same numbers again, as after a copied file: they are not taken in twice, even with other values.
    writer.append(experiment::toLine({.run = runName(1), .task = "score", .seq = 5, .timeSeconds = 1, .body = experiment::Metric{.series = "loss", .step = 4, .value = 77, .unit = ""}}) + "\n");
    CHECK(recorder.flush());
    CHECK(reader.metric(runName(1), "score", "loss").at(3).value == 0.25);
}

TEST_CASE("a file that lost all its whole lines is read from its beginning, also once it is longer than it was")
{
    for (const std::string left : {"", R"({"schema":1,"ru)"}) {
        const TemporaryFolder folder;
        LineWriter writer(folder.path(), runName(1));
        writer.start();
        const auto sayPoints = [&](int first, int last) {
            for (int step = first; step <= last; ++step)
                writer.say(experiment::Metric{.series = "loss", .step = step, .value = 1.0, .unit = ""});
        };
        sayPoints(1, 20);
        const Workspace reader(folder.path());
        std::ofstream(eventsFile(folder.path(), runName(1)), std::ios::binary) << left;
        { const Workspace looked(folder.path()); }
        writer.append("\n");
        sayPoints(21, 80);
        { const Workspace looked(folder.path()); }
        CHECK(reader.metric(runName(1), "score", "loss").size() == 80);
        CHECK(reader.warnings(runName(1)).size() == (left.empty() ? 0U : 1U));
    }
}

TEST_CASE("a commit is announced with its runs, also without flushing")
{
    const TemporaryFolder folder;
    std::promise<std::string> announced;
    std::atomic<bool> isFirst{true};
    Recorder recorder(folder.path(), [&](const std::vector<std::string> &runs) {
        if (isFirst.exchange(false))
            announced.set_value(runs.at(0));
    });
    LineWriter writer(folder.path(), runName(1));
    writer.start();
    recorder.notice(writer.run());
    CHECK(announced.get_future().get() == runName(1));
    CHECK(Workspace(folder.path()).runs().size() == 1);
}

TEST_CASE("a run of another process is found without being noticed")
{
    const TemporaryFolder folder;
    std::promise<void> announced;
    std::atomic<bool> isFirst{true};
    Recorder recorder(folder.path(), [&](const std::vector<std::string> &) {
        if (isFirst.exchange(false))
            announced.set_value();
    });
    LineWriter(folder.path(), runName(1)).start();
    announced.get_future().get();
    CHECK(Workspace(folder.path()).runs().size() == 1);
}

TEST_CASE("a line is taken in when it is complete, and a damaged one becomes a warning")
{
    const TemporaryFolder folder;
    Recorder recorder(folder.path());
    const Workspace reader(folder.path());
    LineWriter writer(folder.path(), runName(1));
    writer.start();
    const std::string line = experiment::toLine({.run = runName(1), .task = "score", .seq = 2, .timeSeconds = 5, .body = experiment::Metric{.series = "loss", .step = 1, .value = 1, .unit = ""}});
    writer.append(line.substr(0, 40));
    CHECK(recorder.flush());
    CHECK(reader.metric(runName(1), "score", "loss").empty());
    CHECK(reader.warnings(runName(1)).empty());
    writer.append(line.substr(40) + "\n{\"torn\n\nnot json\n" + experiment::toLine({.run = runName(2), .task = "score", .seq = 3, .timeSeconds = 5, .body = experiment::Warning{.message = "stray"}}) + "\n");
    CHECK(recorder.flush());
    CHECK(reader.metric(runName(1), "score", "loss").size() == 1);
    const auto warnings = reader.warnings(runName(1));
    REQUIRE(warnings.size() == 3);
    std::string all;
    for (const auto &warning : warnings)
        all += warning.message;
    CHECK(holds(all, "Line 3 "));
    CHECK(holds(all, "Line 5 "));
    CHECK(holds(all, "Line 6 of events.jsonl could not be read: The line belongs to another run."));
}

TEST_CASE("what the recorder did not live to take in is there at the next opening")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    {
        Recorder recorder(folder.path());
        writer.start();
        CHECK(recorder.flush());
        writer.say(experiment::Metric{.series = "loss", .step = 1, .value = 1, .unit = ""});
    }                                                               // the end of a recorder takes in what is there
    {
        const Workspace workspace(folder.path());
        CHECK(workspace.metric(runName(1), "score", "loss").size() == 1);
    }
    writer.say(experiment::Metric{.series = "loss", .step = 2, .value = 1, .unit = ""});
    const Workspace workspace(folder.path());
    CHECK(workspace.metric(runName(1), "score", "loss").size() == 2);
}

TEST_CASE("the second recorder of a workspace stands by, says who records, and takes over")
{
    const TemporaryFolder folder;
    auto first = std::make_unique<Recorder>(folder.path());
    Recorder second(folder.path());
    CHECK_FALSE(second.isRecording());
    CHECK(holds(second.holder(), "process " + std::to_string(thisProcess().pid)));
    CHECK_FALSE(second.flush());
    first.reset();
    LineWriter writer(folder.path(), runName(1));
    writer.start();
    CHECK(second.flush());                                          // takes the lock that is free now
    CHECK(second.isRecording());
    CHECK(Workspace(folder.path()).runs().size() == 1);
}

TEST_CASE("names of runs that are none are harmless")
{
    const TemporaryFolder folder;
    Recorder recorder(folder.path());
    std::filesystem::create_directories(folder.path() / "runs" / "not a run");
    std::filesystem::create_directories(folder.path() / "runs" / runName(2));      // a run that has said nothing yet
    LineWriter writer(folder.path(), runName(1));
    writer.start();
    CHECK(recorder.flush());
    CHECK(Workspace(folder.path()).runs().size() == 1);
    (void)refusal(ErrorCode::Usage, [&] { recorder.notice("../../etc"); });
    CHECK(recorder.flush());
}

TEST_CASE("many runs at once")
{
    const TemporaryFolder folder;
    Recorder recorder(folder.path());
    for (int i = 1; i <= 200; ++i) {
        LineWriter writer(folder.path(), runName(i));
        writer.start();
        writer.say(experiment::Finished{});
    }
    CHECK(recorder.flush());
    CHECK(Workspace(folder.path()).runs({.kind = {}, .key = {}, .tag = {}, .status = RunStatus::Finished}).size() == 200);
}

}  // namespace recorder_tests
