// SPDX-License-Identifier: GPL-3.0-or-later
#include "lines.h"
#include "refusal.h"
#include "store/experimentquery.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace experiments_tests {

using namespace stillroom;
using namespace stillroom::store;
using nlohmann::json;

namespace {

json distillSpec(int seed, const json &keep) { return {{"kind", "distill"}, {"name", "hybrid"}, {"teacher", "demo"}, {"mixer", {{"kind", "gdn"}}}, {"keep", keep}, {"seed", seed}, {"steps", 10}}; }

void writeDistillation(const std::filesystem::path &workspace, int number, int seed, const json &keep, double kl)
{
    LineWriter writer(workspace, runName(number), thisProcess(), 1764480000.0 + 100.0 * number);
    writer.say(experiment::Started{.kind = "distill", .key = "k", .specJson = distillSpec(seed, keep).dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "distill");
    writer.say(experiment::Finished{.resultJson = json{{"kind", "distill"}, {"selected", keep}, {"tokens", 61440}, {"measures", {{"kl_nats", kl}, {"recall", 1.0 - kl}}}}.dump(), .seconds = 3}, "distill");
}

std::vector<std::string> names(const std::vector<ExperimentRow> &rows, const std::string &query)
{
    const ExperimentQuery wanted(query, {"kl_nats", "recall", "perplexity"});
    std::vector<std::string> found;
    for (const ExperimentRow &row : rows)
        if (wanted.matches(row))
            found.push_back(row.name);
    return found;
}

ExperimentRow row(const std::string &name, double kl)
{
    ExperimentRow made;
    made.name = name;
    made.kind = "distill";
    made.status = RunStatus::Finished;
    made.teacher = "demo";
    made.mixer = "gdn";
    made.keep = 2;
    made.measures["kl_nats"] = kl;
    return made;
}

}  // namespace

TEST_CASE("a run is one row with its settings and its measures; repetitions with other seeds share the settings")
{
    const TemporaryFolder folder;
    writeDistillation(folder.path(), 1, 1, {3, 4}, 0.25);
    writeDistillation(folder.path(), 2, 2, {3, 4}, 0.5);
    writeDistillation(folder.path(), 3, 1, {0, 4}, 0.125);
    Workspace workspace(folder.path());
    workspace.setNotes(runName(3), "look again");
    workspace.addTag(runName(3), "odd");
    const auto rows = experimentRows(workspace);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].uuid == runName(3));       // newest first
    CHECK(rows[0].notes == "look again");
    CHECK(rows[0].tags == std::vector<std::string>{"odd"});
    CHECK(rows[2].keep == 2);
    CHECK(rows[2].layers == experiment::LayerSet{3, 4});
    CHECK(rows[2].seed == 1);
    CHECK(rows[2].teacher == "demo");
    CHECK(rows[2].mixer == "gdn");
    CHECK(rows[2].tokens == 61440);
    CHECK(rows[2].seconds == doctest::Approx(0.5));
    CHECK(rows[2].measures.at("kl_nats") == 0.25);
    CHECK(rows[1].settings == rows[2].settings);
    CHECK(rows[0].settings != rows[2].settings);
    using Told = std::vector<experiment::SpecValue>;      // of one name
    CHECK(rows[0].distinction == Told{{"keep", "[0,4]"}, {"seed", "1"}});
    CHECK(rows[2].distinction == Told{{"keep", "[3,4]"}, {"seed", "1"}});

    workspace.setTrashed(runName(3), true);
    CHECK(experimentRows(workspace).size() == 2);
    REQUIRE(experimentRows(workspace, true).size() == 1);
    CHECK(experimentRows(workspace, true)[0].uuid == runName(3));
}

TEST_CASE("experiments of one title are told apart by whatever differs between them")
{
    const TemporaryFolder folder;
    const auto begin = [&](int number, const json &spec) {
        LineWriter writer(folder.path(), runName(number), thisProcess(), 1764480000.0 + number);
        writer.say(experiment::Started{.kind = spec.at("kind"), .key = "k" + std::to_string(number), .specJson = spec.dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, spec.at("kind"));
    };
    const auto score = [](int seed, int steps) { return json{{"kind", "score"}, {"teacher", "demo"}, {"selector", "ga-s2"}, {"mixer", {{"kind", "gdn"}}}, {"stage1", {{"steps", steps}}}, {"seed", seed}}; };
    begin(1, score(2, 100));
    begin(2, score(3, 100));
    using Told = std::vector<experiment::SpecValue>;
    auto rows = experimentRows(Workspace(folder.path()));
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].distinction == Told{{"seed", "3"}});
    CHECK(rows[1].distinction == Told{{"seed", "2"}});

    begin(3, score(2, 200));
    json other = score(2, 100);
    other["mixer"]["kind"] = "gla";
    begin(4, other);      // no repetition: it has a title of its own
    rows = experimentRows(Workspace(folder.path()));
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].distinction.empty());
    CHECK(rows[1].distinction == Told{{"stage1.steps", "200"}, {"seed", "2"}});
    CHECK(rows[2].distinction == Told{{"stage1.steps", "100"}, {"seed", "3"}});

    Workspace workspace(folder.path());
    workspace.setName(runName(3), "long");
    rows = experimentRows(workspace);
    CHECK(rows[1].distinction.empty());
    CHECK(rows[3].distinction == Told{{"seed", "2"}});
    workspace.setName(runName(4), "long");      // two of that name
    rows = experimentRows(workspace);
    CHECK(rows[0].distinction == Told{{"mixer.kind", "\"gla\""}});
    CHECK(rows[1].distinction == Told{{"mixer.kind", "\"gdn\""}});
}

TEST_CASE("a pipeline is as many rows as stages of its spec have begun")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    const json score = {{"kind", "score"}, {"teacher", "demo"}, {"selector", "ga-s2"}, {"mixer", {{"kind", "gla"}}}, {"seed", 7}};
    const json pipeline = {{"kind", "pipeline"}, {"name", "both"}, {"stages", {{{"task", "rank"}, {"spec", score}}, {{"task", "final"}, {"spec", distillSpec(7, {1})}}, {{"task", "never"}, {"spec", score}}}}};
    writer.say(experiment::Started{.kind = "pipeline", .key = {}, .specJson = pipeline.dump(), .device = "auto", .computeType = "auto", .version = "0.1.0"}, "pipeline");
    writer.say(experiment::Started{.kind = "score", .key = "k1", .specJson = score.dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "rank");
    writer.say(experiment::Started{.kind = "align", .key = "k0", .specJson = "{}", .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "align");
    writer.say(experiment::Finished{.resultJson = R"({"all_linear":{"kl_nats":0.5},"ranking":[1,0]})", .seconds = 1}, "rank");
    writer.say(experiment::Started{.kind = "distill", .key = "k2", .specJson = distillSpec(7, {1}).dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "final");
    const Workspace workspace(folder.path());
    const auto rows = experimentRows(workspace);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].task == "rank");
    CHECK(rows[0].name == "both");
    CHECK(rows[0].selector == "ga-s2");
    CHECK(rows[0].mixer == "gla");
    CHECK(rows[0].status == RunStatus::Finished);
    CHECK(rows[0].measures.at("all_linear_kl_nats") == 0.5);
    CHECK(rows[1].task == "final");
    CHECK(rows[1].status == RunStatus::Running);
    CHECK(rows[1].layers == experiment::LayerSet{1});
}

TEST_CASE("what a database holds that is no result leaves a row empty instead of ending the list")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.say(experiment::Started{.kind = "distill", .key = "k", .specJson = R"({"kind":"distill","teacher":7,"mixer":[],"keep":[-1,"x"],"seed":1.5})", .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "distill");
    writer.say(experiment::Finished{.resultJson = R"({"selected":[99999999999],"measures":["no"],"tokens":-0.5,"all_linear":3})", .seconds = 1}, "distill");
    const auto rows = experimentRows(Workspace(folder.path()));
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].teacher.empty());
    CHECK_FALSE(rows[0].layers);
    CHECK_FALSE(rows[0].keep);
    CHECK_FALSE(rows[0].seed);
    CHECK(rows[0].measures.empty());
}

TEST_CASE("experiments are found by words, text fields and numbers")
{
    std::vector<ExperimentRow> rows{row("First Try", 0.5), row("second", 0.1), row("unmeasured", 0.0)};
    rows[0].tags = {"Baseline", "old run"};
    rows[1].mixer = "gla";
    rows[1].uuid = "abcd-1";
    rows[2].measures.clear();
    rows[2].keep.reset();
    rows[2].status = RunStatus::Failed;
    using Names = std::vector<std::string>;
    CHECK(names(rows, "").size() == 3);
    CHECK(names(rows, "first") == Names{"First Try"});
    CHECK(names(rows, "demo FIRST") == Names{"First Try"});
    CHECK(names(rows, "\"first try\"") == Names{"First Try"});
    CHECK(names(rows, "\"try first\"").empty());
    CHECK(names(rows, "\"kl<0.2\"").empty());      // in quotes it is a word
    CHECK(names(rows, "abcd") == Names{"second"});
    CHECK(names(rows, "tag:base") == Names{"First Try"});
    CHECK(names(rows, "tag=base").empty());
    CHECK(names(rows, "tag=\"old run\"") == Names{"First Try"});
    CHECK(names(rows, "tag!=baseline") == Names{"second", "unmeasured"});
    CHECK(names(rows, "probe:gla") == Names{"second"});
    CHECK(names(rows, "mixer=gla") == Names{"second"});
    CHECK(names(rows, "mixer:gla teacher=demo").size() == names(rows, "probe:gla").size());
    CHECK(names(rows, "-probe:gla") == Names{"First Try", "unmeasured"});
    CHECK(names(rows, "status=failed") == Names{"unmeasured"});
    CHECK(names(rows, "kl<0.2") == Names{"second"});
    CHECK(names(rows, "kl_nats<=0.5 kl>=0.1") == Names{"First Try", "second"});
    CHECK(names(rows, "kl>0.1") == Names{"First Try"});
    CHECK(names(rows, "-kl>0.1") == Names{"second", "unmeasured"});
    CHECK(names(rows, "k=2").size() == 2);
    CHECK(names(rows, "K:2").size() == 2);
    CHECK(names(rows, "k!=3").size() == 2);      // one without a number is not found by it
    CHECK(names(rows, "perplexity<100").empty());
}

TEST_CASE("what cannot be understood in a query is named")
{
    const auto says = [](const std::string &query, const std::string &words) {
        CAPTURE(query);
        CHECK(refusal(ErrorCode::Usage, [&] { (void)ExperimentQuery(query, {"kl_nats", "recall"}); }).find(words) != std::string::npos);
    };
    says("recal>0.9", "did you mean \"recall\"");
    says("teachr=demo", "did you mean \"teacher\"");
    says("kl<small", "\"small\" is none");
    says("kl<", "is none");
    says("kl<nan", "is none");
    says("name<3", "is a text");
    says("http://x", "in quotes");
    says("is:lockt", "No experiment is ever \"lockt\": behind \"is\" stands one of locked, pinned, running, finished, failed, cancelled, interrupted.");
    says("-is=fail", "No experiment is ever \"fail\"");
    says("status:locked", "behind \"status\" stands one of running, finished, failed, cancelled, interrupted.");
    CHECK_NOTHROW(ExperimentQuery("is:fail is: -status:interr"));
    says("colour:red", "the fields are name, notes, tag, kind, status, teacher, mixer, probe, selector, stage, is, locked, pinned, k, seed, tokens, seconds, kl, recall");
    for (const std::string &state : ExperimentQuery::states())
        CHECK_NOTHROW(ExperimentQuery("is:" + state));
    CHECK(ExperimentQuery::states() == std::vector<std::string>{"locked", "pinned", "running", "finished", "failed", "cancelled", "interrupted"});
}

TEST_CASE("a query finds a row by the words that its reader is shown")
{
    ExperimentRow one = row("first", 0.1);
    one.status = RunStatus::Cancelled;
    const ExperimentQuery::Shown shown = [](const ExperimentRow &, const std::string &field) { return field == "status" ? std::vector<std::string>{"paused", "angehalten"} : std::vector<std::string>(); };
    const std::vector<std::string> words{"paused", "angehalten"};
    CHECK(ExperimentQuery("status:paused", {}, words).matches(one, shown));
    CHECK(ExperimentQuery("status=angehalten", {}, words).matches(one, shown));
    CHECK(ExperimentQuery("is:angehalten", {}, words).matches(one, shown));
    CHECK(ExperimentQuery("paused first").matches(one, shown));
    CHECK_FALSE(ExperimentQuery("status:cancelled").matches(one, shown));      // the store's word is not what is shown
    CHECK(ExperimentQuery("-status:cancelled kind:distill").matches(one, shown));
    CHECK(ExperimentQuery("status:cancelled").matches(one));
    CHECK_FALSE(ExperimentQuery("status:paused", {}, words).matches(one));
}

TEST_CASE("looks at a model are found where a kind is asked for, or where somebody marked them")
{
    ExperimentRow look;
    look.kind = "inspect";
    look.teacher = "demo";
    CHECK_FALSE(ExperimentQuery().matches(look));
    CHECK_FALSE(ExperimentQuery("demo").matches(look));
    CHECK(ExperimentQuery("kind:inspect").matches(look));
    CHECK(ExperimentQuery("kind=inspect teacher=demo").matches(look));
    CHECK_FALSE(ExperimentQuery("-kind:inspect").matches(look));
    look.pinned = true;
    CHECK(ExperimentQuery("demo").matches(look));
    look.pinned = false;
    look.tags = {"first"};
    CHECK(ExperimentQuery("tag:first").matches(look));
}

}  // namespace experiments_tests
