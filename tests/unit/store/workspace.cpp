// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/workspace.h"
#include "experiment/digest.h"
#include "lines.h"
#include "refusal.h"
#include "store/recorder.h"
#include "temporaryfolder.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cmath>
#include <functional>
#include <limits>

namespace workspace_tests {

using namespace stillroom;
using namespace stillroom::store;
using nlohmann::json;

namespace {

/// A workspace with one run that holds one of everything.
void writeFullRun(LineWriter &writer)
{
    writer.start();
    writer.say(experiment::Started{.kind = "align", .key = "k-align", .specJson = R"({"kind":"align"})", .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "align");
    writer.say(experiment::Metric{.series = "loss", .step = 1, .tokens = 100, .value = 2.5, .unit = ""}, "align");
    writer.say(experiment::Metric{.series = "loss", .step = 2, .tokens = 200, .value = 1.25, .unit = ""}, "align");
    writer.say(experiment::Finished{.resultJson = R"({"layers":6})", .seconds = 1}, "align");
    writer.say(experiment::Started{.kind = "score", .key = "k-score", .specJson = R"({"kind":"score","name":"first","teacher":"demo"})", .device = "cpu", .computeType = "float32", .threads = 2, .version = "0.1.0"});
    writer.say(experiment::Progress{.phase = "stage 2", .done = 1, .total = 30, .tokens = 10, .seconds = 0.5, .etaSeconds = 9.0});
    writer.say(experiment::Progress{.phase = "stage 2", .done = 5, .total = 30, .tokens = 50, .seconds = 2.5, .etaSeconds = 8.0});
    for (const std::int64_t tokens : {1000, 2000}) {
        for (int layer = -1; layer < 3; ++layer)
            writer.say(scoreOf(layer, 1.0 - 0.25 * layer - 1e-4 * static_cast<double>(tokens), tokens));
    }
    writer.say(experiment::Table{.name = "finals", .columns = {"set", "kl"}, .units = {"", "nats"}, .rowsJson = R"([["{0}",0.5]])"});
    writer.say(experiment::Artifact{.role = "student", .hash = "abc", .path = "artifacts/abc"});
    writer.say(experiment::Artifact{.role = "curves", .hash = "def", .path = "artifacts/def"});
    writer.say(experiment::Text{.name = "sample", .text = "Once"});
    writer.say(experiment::CheckpointSaved{.step = 3, .tokens = 30, .path = "checkpoints/x"});
    writer.say(experiment::Warning{.message = "careful"});
    writer.say(experiment::Metric{.series = "odd", .step = 1, .value = std::nan(""), .unit = "nats"});
    writer.say(experiment::Metric{.series = "odd", .step = 2, .value = std::numeric_limits<double>::infinity(), .unit = "nats"});
    writer.say(experiment::Metric{.series = "odd", .step = 3, .value = -std::numeric_limits<double>::infinity(), .unit = "nats"});
    writer.say(experiment::Finished{.resultJson = R"({"ranking":[2,1,0]})", .seconds = 3});
}

}  // namespace

TEST_CASE("the last scores of a race are each layer's own last")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.start();
    writer.say(experiment::Started{.kind = "score", .key = "k", .specJson = R"({"kind":"score","teacher":"demo"})", .device = "cpu", .computeType = "float32", .version = "0.1.0"});
    for (int layer = -1; layer < 3; ++layer)
        writer.say(scoreOf(layer, 0.5 + 0.1 * layer, 1000));
    for (const int layer : {-1, 0, 2})                // layer 1 left
        writer.say(scoreOf(layer, 0.25 + 0.1 * layer, 2000));
    writer.say(experiment::Finished{.resultJson = "{}", .seconds = 1});
    const auto last = Workspace(folder.path()).lastScores(runName(1));
    REQUIRE(last.size() == 4);
    CHECK(last[1].tokens == 2000);
    CHECK(last[2].layer == 1);
    CHECK(last[2].tokens == 1000);
    CHECK(last[2].score == 0.6);
}

TEST_CASE("the curves of a stage whose result was there already are those of the run that made it")
{
    const TemporaryFolder folder;
    const auto started = [](const char *key) { return experiment::Started{.kind = "distill", .key = key, .specJson = R"({"kind":"distill"})", .device = "cpu", .computeType = "float32", .version = "0.1.0"}; };
    LineWriter first(folder.path(), runName(1)), again(folder.path(), runName(2)), other(folder.path(), runName(3));
    first.say(started("k"), "final");
    first.say(experiment::Metric{.series = "loss", .step = 1, .value = 2.5, .unit = "nats"}, "final");
    again.say(started("k"), "distill");
    other.say(started("another"), "distill");
    for (LineWriter *writer : {&again, &other})
        writer->say(experiment::Finished{.resultJson = "{}", .seconds = 0}, "distill");
    const Workspace workspace(folder.path());
    CHECK(workspace.curveHolder(runName(2), "distill") == CurveHolder{runName(1), "final"});
    CHECK(workspace.curveHolder(runName(1), "final") == CurveHolder{runName(1), "final"});
    CHECK_FALSE(workspace.curveHolder(runName(3), "distill").has_value());
    CHECK_FALSE(workspace.curveHolder(runName(2), "score").has_value());
    CHECK_FALSE(workspace.curveHolder(runName(4), "distill").has_value());
    again.say(experiment::Metric{.series = "loss", .step = 1, .value = 2.0, .unit = "nats"}, "distill");      // computed anew: its own
    CHECK(Workspace(folder.path()).curveHolder(runName(2), "distill") == CurveHolder{runName(2), "distill"});
}

TEST_CASE("a new workspace is empty and opens again")
{
    const TemporaryFolder folder;
    for (int i = 0; i < 2; ++i) {
        const Workspace workspace(folder.path() / "deep" / "workspace");
        CHECK(workspace.runs().empty());
        CHECK_FALSE(workspace.run(runName(1)).has_value());
        CHECK_FALSE(workspace.latestFinished("score").has_value());
        workspace.checkIntegrity();
    }
    CHECK(std::filesystem::is_directory(folder.path() / "deep" / "workspace" / "artifacts"));
    (void)refusal(ErrorCode::Io, [] { const Workspace nowhere("/proc/stillroom"); });
}

TEST_CASE("everything that a run said can be asked for")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writeFullRun(writer);
    const Workspace workspace(folder.path());
    const std::string uuid = runName(1);

    const auto run = workspace.run(uuid);
    REQUIRE(run.has_value());
    CHECK(run->name == "first");
    CHECK(run->kind == "score");
    CHECK(run->key == "k-score");
    CHECK(run->status == RunStatus::Finished);
    CHECK(json::parse(run->specJson).at("teacher") == "demo");
    CHECK(run->device == "cpu");
    CHECK(run->threads == 2);
    CHECK(run->startedSeconds == 1764480000.5);
    CHECK(run->finishedSeconds.value_or(0) == run->heartbeatSeconds);
    CHECK(run->progress.done == 5);
    CHECK(run->progress.etaSeconds == 8.0);
    CHECK(json::parse(run->resultJson).at("ranking") == json{2, 1, 0});
    CHECK(run->process.pid == thisProcess().pid);

    const auto tasks = workspace.tasks(uuid);
    REQUIRE(tasks.size() == 2);
    CHECK(tasks[0].task == "score");
    CHECK(tasks[1].key == "k-align");
    CHECK(tasks[1].finishedSeconds.has_value());
    CHECK(json::parse(tasks[1].resultJson).at("layers") == 6);

    const auto scores = workspace.scores(uuid);
    REQUIRE(scores.size() == 8);
    CHECK(scores[0].score.layer == -1);
    CHECK(scores[0].score.tokens == 1000);
    CHECK(scores[3].score.score == 1.0 - 0.5 - 0.1);
    CHECK(scores[3].score.klNats == 1.0 - 0.5 - 0.1);
    const auto last = workspace.lastScores(uuid);
    REQUIRE(last.size() == 4);
    CHECK(last[0].tokens == 2000);
    CHECK(experiment::rank(last, 3) == experiment::Ranking{2, 1, 0});
    CHECK(workspace.lastScores(uuid, "ga-s1").empty());
    CHECK(workspace.lastScores(uuid, "ga-s2", "gdn").size() == 4);

    const auto curves = workspace.series(uuid);
    REQUIRE(curves.size() == 2);
    CHECK(curves[0].task == "align");
    CHECK(curves[0].last.value == 1.25);
    CHECK(curves[1].unit == "nats");
    CHECK(curves[1].last.value == -std::numeric_limits<double>::infinity());
    const auto loss = workspace.metric(uuid, "align", "loss");
    REQUIRE(loss.size() == 2);
    CHECK(loss[0].value == 2.5);
    CHECK(loss[0].tokens == 100);
    const auto odd = workspace.metric(uuid, "score", "odd");
    REQUIRE(odd.size() == 3);
    CHECK(std::isnan(odd[0].value));
    CHECK(odd[1].value == std::numeric_limits<double>::infinity());
    CHECK(workspace.metric(uuid, "score", "loss").empty());

    CHECK(workspace.tables(uuid).at(0).table.rowsJson == R"([["{0}",0.5]])");
    CHECK(workspace.artifacts(uuid).size() == 2);
    CHECK(workspace.artifacts(uuid, "student").at(0).artifact.path == "artifacts/abc");
    CHECK(workspace.texts(uuid).at(0).text.text == "Once");
    CHECK(workspace.warnings(uuid).at(0).message == "careful");
}

TEST_CASE("runs are found by UUID, prefix and name, and listed newest first by filter")
{
    const TemporaryFolder folder;
    for (int i = 1; i <= 3; ++i) {
        LineWriter writer(folder.path(), runName(i), thisProcess(), 1764480000.0 + 100 * i);
        writer.start(R"({"kind":"score","name":"run )" + std::to_string(i % 2) + R"("})");
        if (i < 3)
            writer.say(experiment::Finished{});
        else
            writer.say(experiment::Failed{.code = "non-finite", .message = "The loss is not finite.", .detail = "step 3"});
    }
    Workspace workspace(folder.path());
    const auto all = workspace.runs();
    REQUIRE(all.size() == 3);
    CHECK(all[0].uuid == runName(3));
    CHECK(all[0].status == RunStatus::Failed);
    CHECK(all[0].failureMessage == "The loss is not finite.");
    CHECK(workspace.runs({.kind = {}, .key = {}, .tag = {}, .status = RunStatus::Finished}).size() == 2);
    CHECK(workspace.runs({.kind = "align", .key = {}, .tag = {}, .status = {}}).empty());
    CHECK(workspace.runs({.kind = {}, .key = {}, .tag = {}, .status = {}, .trashed = false, .limit = 1}).size() == 1);
    CHECK(workspace.latestFinished("score").value().uuid == runName(2));
    CHECK(workspace.findRun(runName(2)).uuid == runName(2));
    CHECK(workspace.findRun("run 0").uuid == runName(2));
    CHECK(holds(refusal(ErrorCode::Usage, [&] { (void)workspace.findRun("run 1"); }), "Several runs"));
    CHECK(holds(refusal(ErrorCode::Usage, [&] { (void)workspace.findRun("aaaa"); }), "Several runs"));
    CHECK(holds(refusal(ErrorCode::Usage, [&] { (void)workspace.findRun("ffff"); }), "no run"));
    CHECK(holds(refusal(ErrorCode::Usage, [&] { (void)workspace.findRun("%"); }), "no run"));
    CHECK(workspace.findRun(runName(1).substr(0, 36)).uuid == runName(1));
}

TEST_CASE("a tag of an older version that is not UTF-8 hinders no reading")
{
    const TemporaryFolder folder;
    LineWriter(folder.path(), runName(1)).start();
    { const Workspace made(folder.path()); }
    {
        SQLite::Database database((folder.path() / "stillroom.db").string(), SQLite::OPEN_READWRITE);
        database.exec("INSERT INTO tags (run, tag) SELECT id, CAST(x'61ff' AS TEXT) FROM runs");
    }
    Workspace workspace(folder.path());
    CHECK(workspace.run(runName(1))->tags == std::vector<std::string>{"a\xEF\xBF\xBD"});
    CHECK(holds(refusal(ErrorCode::Usage, [&] { workspace.addTag(runName(1), "b\xff"); }), "not UTF-8"));
    CHECK(workspace.run(runName(1))->tags.size() == 1);
}

TEST_CASE("names, notes, tags, pins and the trash")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.start();
    Workspace workspace(folder.path());
    const std::string uuid = runName(1);
    workspace.setName(uuid, "better");
    workspace.setNotes(uuid, "longer\ntext");
    workspace.addTag(uuid, "paper");
    workspace.addTag(uuid, "paper");
    workspace.addTag(uuid, "a tag");
    CHECK(workspace.run(uuid)->name == "better");
    CHECK(workspace.run(uuid)->notes == "longer\ntext");
    CHECK(workspace.run(uuid)->tags == std::vector<std::string>{"a tag", "paper"});
    CHECK(workspace.runs({.kind = {}, .key = {}, .tag = "paper", .status = {}}).size() == 1);
    workspace.removeTag(uuid, "paper");
    CHECK(workspace.runs({.kind = {}, .key = {}, .tag = "paper", .status = {}}).empty());
    workspace.setPinned(uuid, true);
    CHECK(holds(refusal(ErrorCode::Usage, [&] { workspace.setTrashed(uuid, true); }), "pinned"));
    CHECK(holds(refusal(ErrorCode::Usage, [&] { workspace.purge(uuid); }), "in the trash"));
    workspace.setPinned(uuid, false);
    workspace.setTrashed(uuid, true);
    CHECK(workspace.runs().empty());
    CHECK(workspace.runs({.kind = {}, .key = {}, .tag = {}, .status = {}, .trashed = true}).size() == 1);
    workspace.setTrashed(uuid, false);
    CHECK(workspace.runs().size() == 1);
    workspace.setTrashed(uuid, true);
    CHECK(holds(refusal(ErrorCode::Usage, [&] { workspace.purge(uuid); }), "still being computed"));
    CHECK(std::filesystem::exists(runFolder(folder.path(), uuid)));
    writer.say(experiment::Finished{});
    (void)workspace.markInterrupted();      // takes the line in
    workspace.purge(uuid);
    CHECK_FALSE(workspace.run(uuid).has_value());
    CHECK_FALSE(std::filesystem::exists(runFolder(folder.path(), uuid)));
    CHECK(Workspace(folder.path()).runs({.kind = {}, .key = {}, .tag = {}, .status = {}, .trashed = true}).empty());
    (void)refusal(ErrorCode::Usage, [&] { workspace.setName(runName(2), "nobody"); });
}

TEST_CASE("a locked run is neither renamed nor thrown away nor purged, and what it shares with others stays")
{
    const TemporaryFolder folder;
    for (const int number : {1, 2})
        LineWriter(folder.path(), runName(number), goneProcess()).start();
    Workspace workspace(folder.path());
    const std::string locked = runName(1), other = runName(2), key = experiment::sha256Hex("shared");
    workspace.stages().commitStage(workspace.stages().beginStage(key), nlohmann::json{{"kind", "align"}});
    workspace.setLocked(locked, true);
    for (const auto &deed : std::vector<std::function<void()>>{[&] { workspace.setName(locked, "x"); }, [&] { workspace.setTrashed(locked, true); }, [&] { workspace.purge(locked); }}) {
        const std::string said = refusal(ErrorCode::Usage, deed);
        CHECK(holds(said, "is locked"));
        CHECK(holds(said, "runs unlock"));
    }
    CHECK(workspace.run(locked)->name == "first");
    workspace.addTag(locked, "paper");      // what a person says about it is not the run
    CHECK(workspace.run(locked)->tags.size() == 1);
    workspace.setTrashed(other, true);
    workspace.purge(other);
    CHECK(workspace.stages().findStage(key).has_value());
    CHECK(std::filesystem::exists(runFolder(folder.path(), locked)));
    // Also one that lies in the trash already.
    workspace.setLocked(locked, false);
    workspace.setTrashed(locked, true);
    workspace.setLocked(locked, true);
    CHECK(holds(refusal(ErrorCode::Usage, [&] { workspace.purge(locked); }), "is locked"));
    CHECK(std::filesystem::exists(runFolder(folder.path(), locked)));
}

TEST_CASE("a run whose process is gone is interrupted at open, one that lives is not")
{
    const TemporaryFolder folder;
    LineWriter(folder.path(), runName(1), goneProcess()).start();
    LineWriter(folder.path(), runName(2)).start();
    auto elsewhere = thisProcess();
    elsewhere.host += ".far";
    LineWriter(folder.path(), runName(3), elsewhere).start();          // its last event is long ago
    auto earlierBoot = thisProcess();
    earlierBoot.boot = "another";
    LineWriter(folder.path(), runName(4), earlierBoot).start();
    LineWriter finished(folder.path(), runName(5), goneProcess());
    finished.start();
    finished.say(experiment::Finished{});
    const Workspace workspace(folder.path());
    const auto status = [&](int number) { return std::string(statusName(workspace.run(runName(number))->status)); };
    CHECK(status(1) == "interrupted");
    CHECK(status(2) == "running");
    CHECK(status(3) == "interrupted");
    CHECK(status(4) == "interrupted");
    CHECK(status(5) == "finished");
}

TEST_CASE("an interrupted run can be found by its stage's key and runs again when it says so")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1), goneProcess());
    writer.start();
    writer.say(experiment::Started{.kind = "align", .key = "the-key", .specJson = {}, .device = "cpu", .computeType = "float32", .version = {}}, "align");
    {
        const Workspace workspace(folder.path());
        REQUIRE(workspace.resumable("the-key").size() == 1);
        CHECK(workspace.resumable("other").empty());
    }
    std::ofstream(runFolder(folder.path(), runName(1)) / "process.json") << toJson(thisProcess()).dump();
    writer.say(experiment::Started{.kind = "score", .key = {}, .specJson = {}, .device = "cpu", .computeType = "float32", .resumed = true, .version = {}});
    const Workspace workspace(folder.path());
    CHECK(workspace.run(runName(1))->status == RunStatus::Running);
    CHECK(workspace.run(runName(1))->resumed);
    CHECK(workspace.run(runName(1))->numResumed == 1);
    CHECK(workspace.resumable("the-key").empty());
    writer.say(experiment::Started{.kind = "score", .key = {}, .specJson = {}, .device = "cpu", .computeType = "float32", .resumed = true, .version = {}});
    CHECK(Workspace(folder.path()).run(runName(1))->numResumed == 2);      // whoever follows it sees that it went on again
    CHECK(json::parse(workspace.run(runName(1))->specJson).at("teacher") == "demo");
}

TEST_CASE("a run's name cannot lead out of the workspace")
{
    for (const char *name : {"", ".", "..", "../../etc", "aaaabbbb-cccc-4ddd-8eee-10000000000", "AAAABBBB-CCCC-4DDD-8EEE-100000000001", "aaaabbbb/cccc-4ddd-8eee-100000000001"})
        (void)refusal(ErrorCode::Usage, [&] { (void)runFolder("/workspace", name); });
    CHECK(eventsFile("/workspace", runName(1)) == "/workspace/runs/" + runName(1) + "/events.jsonl");
}

}  // namespace workspace_tests
