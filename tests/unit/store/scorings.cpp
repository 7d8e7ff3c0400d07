// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/scorings.h"
#include "lines.h"
#include "refusal.h"
#include "temporaryfolder.h"

#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <limits>

namespace scorings_tests {

using namespace stillroom;
using namespace stillroom::store;
using experiment::LayerScore;
using experiment::Ranking;
using nlohmann::json;

namespace {

constexpr const char *spec = R"({"kind":"score","name":"first","teacher":"demo","seed":3,"threads":2,"steps":10,"data":{"source":"recall-task"}})";

void startStage(LineWriter &writer, const std::string &key, const std::string &specJson = spec)
{
    writer.say(experiment::Started{.kind = "score", .key = key, .specJson = specJson, .device = "cpu", .computeType = "float32", .version = "0.1.0"});
}

void scoreLayers(LineWriter &writer, const std::vector<double> &kl, std::int64_t tokens = 1000)
{
    for (std::size_t layer = 0; layer < kl.size(); ++layer)
        writer.say(scoreOf(static_cast<int>(layer), kl[layer], tokens));
}

std::vector<Scoring> scoringsIn(const std::filesystem::path &folder, const std::string &teacher = "demo")
{
    return scorings(Workspace(folder), teacher);
}

void writeCurves(const std::filesystem::path &folder, const std::string &text)
{
    std::filesystem::create_directories(folder / "artifacts" / "k");
    std::ofstream(folder / "artifacts" / "k" / "curves.json") << text;
}

/// Of three layers, in a workspace of its own, by a stage with that result.
Scoring scoringThatEndedWith(const std::string &result)
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.start(spec);
    startStage(writer, "k");
    scoreLayers(writer, {0.1, 0.2, 0.3});
    writer.say(experiment::Finished{.resultJson = result, .seconds = 1});
    const auto found = scoringsIn(folder.path());
    REQUIRE(found.size() == 1);
    return found.front();
}

}  // namespace

TEST_CASE("a scoring is the latest of every layer, with the seed and the stage it came from")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.start(spec);
    startStage(writer, "k");
    scoreLayers(writer, {0.1, 0.2, 0.3}, 1000);
    scoreLayers(writer, {0.3, 0.2, 0.1}, 2000);
    writer.say(scoreOf(-1, 0.9, 2000));
    writer.say(experiment::Artifact{.role = "score", .hash = "k", .path = "artifacts/k"});
    writer.say(experiment::Finished{.resultJson = "{}", .seconds = 1});
    const auto found = scoringsIn(folder.path());
    REQUIRE(found.size() == 1);
    const Scoring &one = found.front();
    CHECK(one.run == runName(1));
    CHECK(one.task == "score");
    CHECK(one.key == "k");
    CHECK(one.artifact == "artifacts/k");
    CHECK(one.selector == "ga-s2");
    CHECK(one.mixer == "gdn");
    CHECK(one.seed == 3);
    REQUIRE(one.scores.size() == 4);
    CHECK(one.scores[0].layer == -1);
    CHECK(one.scores[1].score == 0.3);
    REQUIRE(one.evaluations.size() == 7);
    CHECK(one.evaluations[0].score == 0.1);
    CHECK(one.evaluations[2].tokens == 1000);
    CHECK(one.evaluations[3].layer == -1);
    CHECK(one.evaluations[6].score == 0.1);
    CHECK(*one.ranking == Ranking{2, 1, 0});
    CHECK(scoringsIn(folder.path(), "another").empty());
}

TEST_CASE("one that was stopped says so, and never takes the place of an equal one that ended")
{
    const TemporaryFolder folder;
    const auto run = [&](int number, const std::string &key, const experiment::EventBody &end) {
        LineWriter writer(folder.path(), runName(number), thisProcess(), 1764480000.0 + 100.0 * number);
        writer.start(spec);
        startStage(writer, key);
        scoreLayers(writer, {0.1, 0.2 + number});
        writer.say(end);
    };
    run(1, "k", experiment::Finished{.resultJson = "{}", .seconds = 1});
    run(2, "k", experiment::Cancelled{});
    run(3, "other", experiment::Cancelled{});
    const auto found = scoringsIn(folder.path());
    REQUIRE(found.size() == 2);
    CHECK(found[0].run == runName(1));
    CHECK(found[0].status == RunStatus::Finished);
    CHECK(found[0].name == "first");
    CHECK(found[1].run == runName(3));
    CHECK(found[1].status == RunStatus::Cancelled);
}

TEST_CASE("repeats over seeds have equal settings, other experiments do not")
{
    const TemporaryFolder folder;
    const auto run = [&](int number, const json &change) {
        json changed = json::parse(spec);
        changed.merge_patch(change);
        LineWriter writer(folder.path(), runName(number), thisProcess(), 1764480000.0 + 100.0 * number);
        writer.start(changed.dump());
        startStage(writer, "k" + std::to_string(number), changed.dump());
        scoreLayers(writer, {0.1, 0.2});
        writer.say(experiment::Finished{.resultJson = "{}", .seconds = 1});
    };
    run(1, json::object());
    run(2, {{"seed", 4}, {"name", "second"}, {"threads", 1}});
    run(3, {{"steps", 11}});
    run(4, {{"data", {{"held_out_sequences", 77}}}});
    const auto found = scoringsIn(folder.path());
    REQUIRE(found.size() == 4);
    CHECK(found[1].seed == 4);
    CHECK(found[0].settings == found[1].settings);
    CHECK(found[0].settings != found[2].settings);
    CHECK(found[0].heldOut == found[1].heldOut);      // a seed orders training alone
    CHECK(found[0].heldOut == found[2].heldOut);
    CHECK(found[0].heldOut != found[3].heldOut);
}

TEST_CASE("a scoring that is under way is described by the spec of its run as the stored one is")
{
    const TemporaryFolder folder;
    const json pipeline{{"kind", "pipeline"}, {"stages", {{{"task", "one"}, {"spec", json::parse(spec)}}, {{"task", "two"}, {"spec", {{"kind", "score"}, {"teacher", "demo"}, {"seed", 9}, {"steps", 20}}}}}}};
    LineWriter writer(folder.path(), runName(1));
    writer.start(pipeline.dump());
    writer.say(scoreOf(0, 0.1, 1000), "one");
    writer.say(scoreOf(0, 0.1, 1000), "two");
    const auto stored = scoringsIn(folder.path());
    REQUIRE(stored.size() == 2);
    for (const Scoring &one : stored) {
        Scoring live;
        live.task = one.task;
        describeBySpec(live, pipeline);
        CHECK(live.settings == one.settings);
        CHECK(live.heldOut == one.heldOut);
        CHECK(live.seed == (one.task == "one" ? 3 : 9));
        CHECK_FALSE(live.settings.empty());
    }
    Scoring unknown;
    describeBySpec(unknown, json(json::value_t::discarded));
    CHECK(unknown.settings.empty());
}

TEST_CASE("the stages of a pipeline are told apart by their tasks, and stage 1 belongs to the stage that scores")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    json scoring = json::parse(spec);
    scoring["selector"] = "ga-s2";            // as in every spec that was completed
    const json pipeline = {{"kind", "pipeline"}, {"seed", 8}, {"stages", {{{"task", "score"}, {"spec", scoring}}, {{"task", "final"}, {"spec", {{"kind", "distill"}, {"teacher", "demo"}}}}}}};
    writer.start(pipeline.dump());
    scoreLayers(writer, {0.1, 0.2});
    for (int layer = 0; layer < 2; ++layer) {
        LayerScore residual = scoreOf(layer, 0.5 + layer, 500);
        residual.selector = "ga-s1";
        residual.higherIsBetter = true;
        residual.klNats.reset();
        writer.say(residual, "align");
    }
    const auto found = scoringsIn(folder.path());
    REQUIRE(found.size() == 2);
    CHECK(found[0].selector == "ga-s1");
    CHECK(*found[0].ranking == Ranking{1, 0});
    CHECK_FALSE(isOwnScoring(found[0]));      // measured on the way
    CHECK(isOwnScoring(found[1]));
    for (const Scoring &one : found) {
        CHECK(one.seed == 3);
        CHECK(one.key.empty());
        CHECK(one.settings == found.front().settings);
    }
}

TEST_CASE("a score without an error bar stays one, and is not mistaken for one without error")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.start(spec);
    LayerScore exact = scoreOf(0, 1.0, 0), without = scoreOf(1, 2.0, 0);
    exact.se = 0.0;
    without.se = std::numeric_limits<double>::quiet_NaN();
    writer.say(exact, "score");
    writer.say(without, "score");
    const auto found = scoringsIn(folder.path());
    REQUIRE(found.size() == 1);
    CHECK(found.front().scores[0].se == 0.0);
    CHECK(std::isnan(found.front().scores[1].se));
}

TEST_CASE("the stage's own ranking counts, where it is one of these layers by this selector")
{
    const std::vector<std::pair<std::string, Ranking>> results = {
        {R"({"selector":"ga-s2","mixer":"gdn","ranking":[1,2,0]})", {1, 2, 0}},      // a race dropped layer 0 first
        {R"({"selector":"gr-s2","mixer":"gdn","ranking":[1,2,0]})", {0, 1, 2}},
        {R"({"selector":"ga-s2","mixer":"gdn","ranking":[1,1,0]})", {0, 1, 2}},
        {R"({"selector":"ga-s2","mixer":"gdn","ranking":[1,2]})", {0, 1, 2}},
        {R"({"selector":"ga-s2","mixer":"gdn","ranking":"best"})", {0, 1, 2}},
    };
    for (const auto &[result, ranking] : results) {
        CAPTURE(result);
        CHECK(*scoringThatEndedWith(result).ranking == ranking);
    }
}

TEST_CASE("of equal stages the first that ended is taken; failed and trashed runs are not")
{
    const TemporaryFolder folder;
    const auto run = [&](int number, const std::vector<double> &kl, bool ends) {
        LineWriter writer(folder.path(), runName(number), thisProcess(), 1764480000.0 + 100.0 * number);
        writer.start(spec);
        startStage(writer, "k");
        scoreLayers(writer, kl);
        if (ends)
            writer.say(experiment::Artifact{.role = "score", .hash = "k", .path = "artifacts/k"});
    };
    run(1, {0.1}, false);
    run(2, {0.1, 0.2}, true);
    run(3, {0.1, 0.2, 0.3}, true);
    LineWriter failed(folder.path(), runName(4));
    failed.start(spec);
    scoreLayers(failed, {0.1, 0.2});
    failed.say(experiment::Failed{.code = "failed", .message = "no"});
    auto found = scoringsIn(folder.path());
    REQUIRE(found.size() == 1);
    CHECK(found.front().run == runName(2));
    Workspace(folder.path()).setTrashed(runName(2), true);
    found = scoringsIn(folder.path());
    REQUIRE(found.size() == 1);
    CHECK(found.front().run == runName(3));
}

TEST_CASE("of equal stages one that runs goes before one that was stopped, one that ended before both, one with its results before all")
{
    const TemporaryFolder folder;
    const auto run = [&](int number, const std::optional<experiment::EventBody> &end, bool keepsResults = false) {
        LineWriter writer(folder.path(), runName(number), thisProcess(), 1764480000.0 + 100.0 * number);
        writer.start(spec);
        startStage(writer, "k");
        scoreLayers(writer, {0.1, 0.2});
        if (keepsResults)
            writer.say(experiment::Artifact{.role = "score", .hash = "k", .path = "artifacts/k"});
        if (end)
            writer.say(*end);
        const auto found = scoringsIn(folder.path());
        REQUIRE(found.size() == 1);
        return found.front().run;
    };
    const experiment::Finished finished{.resultJson = "{}", .seconds = 1};
    CHECK(run(1, experiment::Cancelled{}) == runName(1));
    CHECK(run(2, experiment::Cancelled{}) == runName(1));
    CHECK(run(3, std::nullopt) == runName(3));
    CHECK(run(4, std::nullopt) == runName(3));
    CHECK(run(5, experiment::Cancelled{}) == runName(3));
    CHECK(run(6, finished) == runName(6));
    CHECK(run(7, finished) == runName(6));
    CHECK(run(8, std::nullopt) == runName(6));
    CHECK(run(9, finished, true) == runName(9));
    CHECK(run(10, finished, true) == runName(9));
}

TEST_CASE("a layer without a score leaves no ranking")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.start(spec);
    writer.say(scoreOf(0, 0.1, 10));
    writer.say(scoreOf(2, 0.2, 10));
    const auto found = scoringsIn(folder.path());
    REQUIRE(found.size() == 1);
    CHECK_FALSE(found.front().ranking);
}

TEST_CASE("held-out values are those of the last evaluation, of every layer at the same tokens")
{
    const TemporaryFolder folder;
    writeCurves(folder.path(), R"({"schema":1,"curves":[{"layer":-1,"tokens":[0],"kl_nats":[[9,9]],"counted_tokens":[5,5]},{"layer":1,"tokens":[0,20],"kl_nats":[[1,2],[3,4]],"counted_tokens":[5,5]},{"layer":0,"tokens":[0,20],"kl_nats":[[5,6],[7,8]],"counted_tokens":[5,5]},{"kept":[0,1],"tokens":[0],"kl_nats":[[1,1]],"counted_tokens":[5,5]}]})");
    const auto values = heldOutValues(folder.path(), "artifacts/k", 2);
    REQUIRE(values);
    CHECK(values->values_LS == std::vector<std::vector<double>>{{7, 8}, {3, 4}});
    CHECK_FALSE(values->higherIsBetter);
    CHECK_FALSE(heldOutValues(folder.path(), "artifacts/k", 3));
    CHECK_FALSE(heldOutValues(folder.path(), "artifacts/none", 2));
    CHECK_FALSE(heldOutValues(folder.path(), "", 2));
    writeCurves(folder.path(), R"({"curves":[{"layer":0,"tokens":[0,20],"kl_nats":[[5],[7]],"counted_tokens":[5]},{"layer":1,"tokens":[0],"kl_nats":[[1]],"counted_tokens":[5]}]})");
    CHECK_FALSE(heldOutValues(folder.path(), "artifacts/k", 2));      // layer 1 dropped out of a race
    // A selector that measures something else keeps it apart.
    writeCurves(folder.path(), R"({"curves":[],"samples":{"higher_is_better":true,"layers":[{"layer":1,"values":[0.5,0.25]},{"layer":0,"values":[1,0]}]}})");
    const auto samples = heldOutValues(folder.path(), "artifacts/k", 2);
    REQUIRE(samples);
    CHECK(samples->values_LS == std::vector<std::vector<double>>{{1, 0}, {0.5, 0.25}});
    CHECK(samples->higherIsBetter);
    for (const char *damaged : {"", "{", "[]", R"({"curves":[],"samples":{"layers":[]}})", R"({"curves":[],"samples":{"higher_is_better":1,"layers":[{"layer":0,"values":[1]}]}})", R"({"curves":[{"layer":0,"tokens":[],"kl_nats":[],"counted_tokens":[]}]})", R"({"curves":[{"layer":"0","tokens":[1],"kl_nats":[[1]],"counted_tokens":[5]}]})",
                                R"({"curves":[{"layer":0,"tokens":[0,20],"kl_nats":[[1]],"counted_tokens":[5]}]})"}) {
        writeCurves(folder.path(), damaged);
        CHECK_FALSE(heldOutValues(folder.path(), "artifacts/k", 1));
    }
}

TEST_CASE("no path leads out of the workspace, and no file of brackets into memory")
{
    const TemporaryFolder folder;
    writeCurves(folder.path(), R"({"curves":[{"layer":0,"tokens":[0],"kl_nats":[[5]],"counted_tokens":[5]}]})");
    const auto inner = folder.path() / "inner";
    std::filesystem::create_directories(inner);
    CHECK(heldOutValues(folder.path(), "artifacts/k", 1));
    CHECK_FALSE(heldOutValues(inner, "../artifacts/k", 1));
    CHECK_FALSE(heldOutValues(inner, (folder.path() / "artifacts" / "k").string(), 1));
    writeCurves(folder.path(), R"({"curves":[{"layer":0,"tokens":[0],"kl_nats":[[5]],"counted_tokens":[5]},)" + std::string(300'000, '[') + std::string(300'000, ']') + "]}");
    CHECK_FALSE(heldOutValues(folder.path(), "artifacts/k", 1));
}

TEST_CASE("sets that a search found come with its scoring, those of other layers do not")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.start(spec);
    startStage(writer, "k");
    scoreLayers(writer, {0.1, 0.2, 0.3});
    writer.say(experiment::Finished{.resultJson = R"({"selector":"ga-s2","mixer":"gdn","sets":[{"keep":2,"layers":[2,0]},{"keep":1,"layers":[3]},{"keep":1},7]})", .seconds = 1});
    const auto found = scoringsIn(folder.path());
    REQUIRE(found.size() == 1);
    CHECK(found.front().sets == std::vector<experiment::LayerSet>{{0, 2}});
}

TEST_CASE("what stopping early saved comes with its scoring, where the stage says it of these scores")
{
    const auto savedBy = [](const std::string &result) { return scoringThatEndedWith(result).earlyStop; };
    const auto saved = savedBy(R"({"selector":"ga-s2","mixer":"gdn","notes":{"early_stop":{"stopped":true,"tokens":2560,"planned_tokens":5120,"saved_fraction":0.25}}})");
    REQUIRE(saved);
    CHECK(saved->stopped);
    CHECK(saved->tokens == 2560);
    CHECK(saved->plannedTokens == 5120);
    CHECK(saved->savedFraction == 0.25);
    CHECK(savedBy(R"({"selector":"ga-s2","mixer":"gdn","notes":{"early_stop":{"stopped":true,"saved_fraction":0.25}}})")->plannedTokens == 0);
    for (const char *none : {R"({"selector":"gr-s2","mixer":"gdn","notes":{"early_stop":{"stopped":true,"saved_fraction":0.25}}})", R"({"selector":"ga-s2","mixer":"gdn","notes":{"early_stop":null}})",
                             R"({"selector":"ga-s2","mixer":"gdn","notes":[]})", R"({"selector":"ga-s2","mixer":"gdn","notes":{"early_stop":{"stopped":1,"saved_fraction":"x"}}})",
                             R"({"selector":"ga-s2","mixer":"gdn","notes":{"early_stop":{"stopped":true,"saved_fraction":7}}})", R"({"selector":"ga-s2","mixer":"gdn"})"})
        CHECK_FALSE(savedBy(none));
}

}  // namespace scorings_tests
