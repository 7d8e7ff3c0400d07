// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/runreference.h"
#include "lines.h"
#include "refusal.h"
#include "store/runartifacts.h"
#include "temporaryfolder.h"

namespace runreference_tests {

using namespace stillroom;
using namespace stillroom::store;
using nlohmann::json;

namespace {

/// A pipeline of a scoring and, under this key, a distillation.
void writePipeline(const std::filesystem::path &folder, int number, const std::string &key)
{
    LineWriter writer(folder, runName(number), goneProcess(), 1764480000.0 + 1000.0 * number);
    const json stages = json::array({{{"task", "scoring"}, {"spec", {{"kind", "score"}, {"seed", number}}}}, {{"task", "hybrid"}, {"spec", {{"kind", "distill"}, {"seed", 1}}}}});
    const json spec = {{"kind", "pipeline"}, {"name", "run " + std::to_string(number)}, {"stages", stages}};
    const auto begin = [&](const std::string &task, const std::string &kind, const std::string &ownKey, const json &own) {
        writer.say(experiment::Started{.kind = kind, .key = ownKey, .specJson = own.dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, task);
    };
    begin("pipeline", "pipeline", "", spec);
    begin("scoring", "score", "score-key-" + std::to_string(number), stages[0]["spec"]);
    begin("hybrid", "distill", key, stages[1]["spec"]);
    writer.say(experiment::Finished{.resultJson = R"({"selected":[1,2]})", .seconds = 1.0}, "hybrid");
}

}  // namespace

TEST_CASE("a stage is found by its name, its key or the beginning of one; equal stages of several runs are one")
{
    const TemporaryFolder folder;
    for (const int number : {1, 2})
        writePipeline(folder.path(), number, "hybrid-key");
    const Workspace workspace(folder.path());
    const auto stage = [&](const std::string &text) { return findReference(workspace, text).run.uuid + ' ' + findReference(workspace, text).task; };
    CHECK(stage(runName(1)) == runName(1) + ' ');
    CHECK(stage("run 2") == runName(2) + ' ');
    CHECK(stage("run 1 > scoring") == runName(1) + " scoring");
    CHECK(stage("run 1>hybr") == runName(1) + " hybrid");
    CHECK(stage("score-key-1") == runName(1) + " scoring");
    for (const char *text : {"hybrid", "hybrid-key", "hybr"})
        CHECK(stage(text) == runName(2) + " hybrid");      // the newest of equal ones
    const RunReference hybrid = findReference(workspace, "hybrid");
    CHECK(hybrid.kind == "distill");
    CHECK(hybrid.key == "hybrid-key");
    CHECK(json::parse(hybrid.specJson)["seed"] == 1);
    CHECK(json::parse(hybrid.resultJson)["selected"] == json{1, 2});
}

TEST_CASE("a run and its stage are two names with a > between")
{
    for (const char *text : {"run 1 > hybrid", "run 1>hybrid", "  run 1  >  hybrid  "}) {
        const auto name = runAndStage(text);
        REQUIRE(name.has_value());
        CHECK(name->run == "run 1");
        CHECK(name->stage == "hybrid");
    }
    CHECK(runAndStage("a > b > c")->run == "a > b");
    CHECK(runAndStage(">")->stage.empty());
    CHECK_FALSE(runAndStage("run 1").has_value());
}

TEST_CASE("where a stage lacks what is wanted, the others that have it are named, or when it comes")
{
    const TemporaryFolder folder;
    writePipeline(folder.path(), 1, "hybrid-key");
    const Workspace workspace(folder.path());
    const auto found = [&](const std::string &text) { return findReference(workspace, text); };
    const auto wanted = [](const std::string &kind) { return Wanted{"things", {kind == "score" ? "score" : kind == "align" ? "align" : "distill"}, [=](const RunReference &one) { return one.kind == kind && one.isFinished(); }}; };
    CHECK(whereElse(workspace, found("run 1 > scoring"), wanted("distill")) == "name a stage that has things (hybrid)");
    CHECK(whereElse(workspace, found("run 1 > hybrid"), wanted("distill")) == "nothing in this run has things yet; run it to its end with --resume (demo: by the same command again, without --resume)");
    CHECK(whereElse(workspace, found("run 1 > scoring"), wanted("score")).starts_with("it has not finished; run it to its end"));
    CHECK(whereElse(workspace, found("run 1 > hybrid"), wanted("align")) == "nothing in this run has things, so name another one");
    const Wanted ofTheRun{"things", {}, [](const RunReference &one) { return !one.isStage(); }};
    CHECK(whereElse(workspace, found("run 1 > hybrid"), ofTheRun) == "name the run alone, as its things are of no stage of it");
    CHECK(holds(refusal(ErrorCode::Usage, [&] { refuseStage(workspace, {"run 1", "nothing"}, found("run 1"), wanted("distill")); }), "the run \"run 1\" has no stage \"nothing\": name a stage that has things (hybrid)"));
}

TEST_CASE("what fits several things is refused with their names, and so is what fits none")
{
    const TemporaryFolder folder;
    for (const int number : {1, 2})
        writePipeline(folder.path(), number, "hybrid-key-" + std::to_string(number));
    const Workspace workspace(folder.path());
    for (const char *text : {"scoring", "hybrid", "score-key", "aaaabbbb"}) {
        const std::string said = refusal(ErrorCode::Usage, [&] { (void)findReference(workspace, text); });
        CHECK(holds(said, runName(1)));
        CHECK(holds(said, runName(2)));
        CHECK(refusal(ErrorCode::Usage, [&] { (void)findReferenceIfAny(workspace, text); }) == said);
    }
    for (const char *text : {"", "hyb", "nothing", "run 1 > nothing", "run 3 > hybrid", ">", "%"}) {
        CHECK(holds(refusal(ErrorCode::Usage, [&] { (void)findReference(workspace, text); }), "no run or stage"));
        CHECK_FALSE(findReferenceIfAny(workspace, text).has_value());
    }
}

TEST_CASE("a name with which another run's UUID begins is refused, and means neither where a run has it all the same")
{
    const TemporaryFolder folder;
    LineWriter(folder.path(), runName(1)).start(R"({"kind":"score","name":"aaaabbbb"})");
    LineWriter(folder.path(), "0b5bd1ee-4bd0-4a52-9c2f-0f4b7a0c9d11").start(R"({"kind":"score","name":"aaaabbbb-c"})");
    Workspace workspace(folder.path());
    CHECK(findReference(workspace, "aaaabbbb").run.uuid == runName(1));      // one run by both
    const std::string several = refusal(ErrorCode::Usage, [&] { (void)findReference(workspace, "aaaabbbb-c"); });
    CHECK(holds(several, runName(1)));
    CHECK(holds(several, "0b5bd1ee-4bd0-4a52-9c2f-0f4b7a0c9d11 (aaaabbbb-c)"));
    CHECK(holds(refusal(ErrorCode::Usage, [&] { (void)workspace.findRun("aaaabbbb-c"); }), "Several runs"));
    CHECK(findReference(workspace, "0b5b").run.name == "aaaabbbb-c");
    CHECK(holds(refusal(ErrorCode::Usage, [&] { workspace.setName(runName(1), "0b5bd1"); }), "so begins the UUID of the run 0b5bd1ee-"));
    CHECK(holds(refusal(ErrorCode::Usage, [&] { workspace.checkName("aaaa"); }), runName(1)));
    CHECK(holds(refusal(ErrorCode::Usage, [&] { workspace.setName(runName(1), "demo"); }), "read that as the demo's teacher"));
    workspace.setName(runName(1), "aaaa");      // its own UUID
    workspace.setName(runName(1), "0b5");       // too short to stand for a UUID
    CHECK(findReference(workspace, "0b5").run.uuid == runName(1));
    workspace.setTrashed(runName(1), true);
    CHECK(findReference(workspace, "aaaabbbb-c").run.name == "aaaabbbb-c");
}

TEST_CASE("a name of a run in the trash is refused with how it comes back, unless another run or stage has it")
{
    const TemporaryFolder folder;
    for (const int number : {1, 2, 3})
        writePipeline(folder.path(), number, "hybrid-key-" + std::to_string(number));
    Workspace workspace(folder.path());
    workspace.setTrashed(runName(1), true);
    for (const std::string text : {"run 1", "run 1 > hybrid"}) {
        const std::string said = refusal(ErrorCode::Usage, [&] { (void)findReference(workspace, text); });
        CHECK(holds(said, "is in the trash"));
        CHECK(holds(said, "`stillroom-cli runs restore " + runName(1) + "`"));
    }
    CHECK(holds(refusal(ErrorCode::Usage, [&] { (void)workspace.findRun("run 1"); }), "is in the trash"));
    CHECK(holds(refusal(ErrorCode::Usage, [&] { (void)runCalled("run 1", folder.path()); }), "is in the trash"));
    CHECK_FALSE(runCalled("nothing", folder.path()).has_value());
    CHECK_FALSE(findReferenceIfAny(workspace, "run 1").has_value());
    CHECK(findReference(workspace, runName(1)).run.trashed);        // a UUID means it wherever it lies
    for (const std::string &text : {std::string("run 1"), runName(1)})
        CHECK(findTrashedIfAny(workspace, text)->uuid == runName(1));
    for (const std::string &text : {std::string("run 2"), runName(2), std::string(), std::string("nothing")})
        CHECK_FALSE(findTrashedIfAny(workspace, text).has_value());
    workspace.setName(runName(2), "run 1");
    CHECK(findReference(workspace, "run 1").run.uuid == runName(2));
    workspace.setTrashed(runName(2), true);
    const std::string said = refusal(ErrorCode::Usage, [&] { (void)findReference(workspace, "run 1"); });
    CHECK(holds(said, runName(1)));
    CHECK(holds(said, runName(2)));
}

}  // namespace runreference_tests
