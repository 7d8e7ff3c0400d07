// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/klagainstk.h"

#include "store/lines.h"
#include "store/recorder.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

namespace klagainstk_tests {

using namespace stillroom;
using namespace stillroom::comparison;
using doctest::Approx;
using nlohmann::json;

const experiment::Ranking ranking{4, 0, 3, 1, 2, 5};

/// Stages in a workspace, as they lie there.
struct Stages {
    TemporaryFolder folder;
    void put(const std::string &key, const std::string &file, const json &content) const
    {
        std::filesystem::create_directories((folder.path() / "artifacts" / key / file).parent_path());
        std::ofstream(folder.path() / "artifacts" / key / file) << content;
    }
    static json curve(const std::vector<int> &kept, const std::vector<std::vector<double>> &kl_ES, std::int64_t tokens, std::int64_t counted = 10)
    {
        return {{"kept", kept}, {"tokens", std::vector<std::int64_t>(kl_ES.size(), tokens)}, {"counted_tokens", std::vector<std::int64_t>(kl_ES.front().size(), counted)}, {"kl_nats", kl_ES}};
    }
    void hybrid(const std::string &key, const std::vector<int> &kept, double kl, std::int64_t tokens = 500, const std::string &teacher = "t", const std::string &mixer = "gdn", std::int64_t counted = 10) const
    {
        put(key, "curve.json", curve(kept, {{kl - 0.01, kl + 0.01}}, tokens, counted));
        put(key, "result.json", {{"kind", "distill"}, {"mixer", mixer}, {"teacher_hash", teacher}, {"tokens", tokens}, {"held_out_hash", "h"}, {"aligned", "a"}});
        put(key, "model/spec.json", spec());
    }
    static json spec()
    {
        return {{"kind", "distill"}, {"mixer", {{"kind", "gdn"}}}, {"data", {{"source", "recall-task"}}}, {"alignment", {{"steps", 10}}}, {"seed", 1}, {"temperature", 1}, {"ce_weight", 0}, {"reverse_kl_weight", 0}};
    }
    /// A hybrid whose stage says otherwise.
    void hybridWith(const std::string &key, const std::vector<int> &kept, const json &result, const json &spec) const
    {
        hybrid(key, kept, 0.1);
        json said = {{"kind", "distill"}, {"mixer", "gdn"}, {"teacher_hash", "t"}, {"tokens", 500}, {"held_out_hash", "h"}, {"aligned", "a"}}, own = Stages::spec();
        said.merge_patch(result);
        own.merge_patch(spec);
        put(key, "result.json", said);
        put(key, "model/spec.json", own);
    }
    [[nodiscard]] ComparableHybrids compared() const { return comparable(distilledHybrids(folder.path(), "t", "gdn", ranking)); }
    [[nodiscard]] std::vector<std::string> chosen(const LeftOut &leftOut = {}) const
    {
        std::vector<std::string> keys;
        for (const DistilledHybrid &one : comparable(distilledHybrids(folder.path(), "t", "gdn", ranking, leftOut)).byKeep)
            keys.push_back(one.key);
        return keys;
    }
};

/// Students that keep one layer alone, or none, in two evaluations; the last layer only in one where `race`.
json keptAlone(bool race)
{
    const std::vector<double> alone{0.8, 0.9, 0.95, 0.85, 0.3, 0.96};
    json curves = json::array({Stages::curve({}, {{2.0, 2.2}, {0.99, 1.01}}, 100)});
    for (int layer = 0; layer < 6; ++layer) {
        const double kl = alone[static_cast<std::size_t>(layer)];
        std::vector<std::vector<double>> kl_ES{{kl + 1.0, kl + 1.2}, {kl - 0.01, kl + 0.01}};
        if (race && layer == 5)
            kl_ES.pop_back();
        curves.push_back(Stages::curve({layer}, kl_ES, 100));
    }
    curves.push_back(Stages::curve({0, 1}, {{0.2, 0.3}}, 100));      // of a set: passed over
    return {{"schema", 1}, {"curves", curves}};
}

store::Scoring scoringOf(const std::string &artifact)
{
    store::Scoring scoring;
    scoring.run = "aaaabbbb";
    scoring.selector = "ga-s2";
    scoring.mixer = "gdn";
    scoring.ranking = ranking;
    scoring.artifact = artifact;
    return scoring;
}

TEST_CASE("hybrids of the best K are compared where they were trained on as many tokens and measured on the same sequences")
{
    const Stages stages;
    stages.hybrid("k1", {4}, 0.25);
    stages.hybrid("k2", {0, 4}, 0.1);
    stages.hybrid("k4", {0, 1, 3, 4}, 0.05);
    stages.hybrid("uniform", {0, 3}, 0.6);                            // not the best two
    stages.hybrid("longer", {0, 4}, 0.08, 900);
    stages.hybrid("stranger", {0, 3, 4}, 0.01, 500, "u");
    stages.hybrid("gla", {0, 3, 4}, 0.01, 500, "t", "gla");
    stages.hybrid("elsewhere", {0, 3, 4}, 0.01, 500, "t", "gdn", 12);
    stages.hybrid("untrained", {0, 3, 4}, 0.9, 0);
    stages.hybrid(".draft-0123456789abcdef", {0, 3, 4}, 0.04);        // not committed
    const std::string cut(64, 'c');
    stages.hybrid(cut, {0, 3, 4}, 0.04);
    stages.put(cut, "DONE", {{"files", {{"model/model.safetensors", 9}}}});      // its weights are gone
    CHECK(stages.chosen() == std::vector<std::string>{"k1", "k2", "k4"});
    stages.hybrid("a-second-k2", {0, 4}, 0.2);                        // of two of one size the first by key, whatever order the folder is listed in
    CHECK(stages.chosen() == std::vector<std::string>{"k1", "a-second-k2", "k4"});
    const Stages tied;
    tied.hybrid("short", {4}, 0.25);
    tied.hybrid("long", {0, 4}, 0.1, 900);
    CHECK(tied.chosen() == std::vector<std::string>{"long"});         // of as many sizes those that were trained longest
    for (const auto &[key, kept] : {std::pair{"longer-1", std::vector<int>{4}}, {"longer-3", {0, 3, 4}}, {"longer-5", {0, 1, 2, 3, 4}}})
        stages.hybrid(key, kept, 0.1, 900);                           // now there are more sizes of these
    CHECK(stages.chosen() == std::vector<std::string>{"longer-1", "longer", "longer-3", "longer-5"});
}

TEST_CASE("two starts, held-out sets, mixers or losses never meet in one curve, and what is left out is counted by why")
{
    const Stages stages;
    stages.hybrid("k1", {4}, 0.25);
    stages.hybrid("k2", {0, 4}, 0.1);
    stages.hybrid("k2-again", {0, 4}, 0.1);
    stages.hybridWith("calibrated", {0, 3, 4}, {{"aligned", "b"}}, json::object());
    stages.hybridWith("elsewhere", {0, 3, 4}, {{"held_out_hash", "i"}}, json::object());                     // as many tokens in each sequence
    stages.hybridWith("wide", {0, 3, 4}, json::object(), {{"mixer", {{"options", {{"expand", 2}}}}}});
    stages.hybridWith("reverse", {0, 3, 4}, json::object(), {{"reverse_kl_weight", 0.5}});
    stages.hybrid("longer", {0, 3, 4}, 0.1, 900);
    const ComparableHybrids found = stages.compared();
    REQUIRE(found.byKeep.size() == 2);
    CHECK(found.byKeep[0].key == "k1");
    CHECK(found.byKeep[1].key == "k2");
    CHECK(leftOutText(found.leftOut) == "1 measured on other sequences, 1 of another start, 1 with other mixer options, 1 trained with another loss, 1 trained on another number of tokens, 1 a second one of its size");
    CHECK(found.leftOut.total() == 6);
    CHECK(leftOutText({}).empty());
}

TEST_CASE("hybrids of a scoring's own start and seed come before others, however many and however long those were trained")
{
    const Stages stages;
    stages.put("score", "scores.json", {{"scores", json::array()}, {"teacher_hash", "t"}, {"aligned", "b"}});
    stages.hybridWith("first-k1", {4}, {{"aligned", "a"}, {"tokens", 900}}, json::object());
    stages.hybridWith("first-k2", {0, 4}, {{"aligned", "a"}, {"tokens", 900}}, json::object());
    stages.hybridWith("second-k2", {0, 4}, {{"aligned", "b"}}, {{"seed", 2}});
    stages.hybridWith("other-seed-k3", {0, 3, 4}, {{"aligned", "b"}}, json::object());
    const store::Workspace workspace(stages.folder.path());
    store::Scoring scoring = scoringOf("artifacts/score");
    store::describeBySpec(scoring, {{"kind", "score"}, {"teacher", "demo"}, {"seed", 2}});
    const MeasuredKl found = measuredKl(workspace, scoring, "demo");
    REQUIRE(found.hybrids.size() == 1);
    CHECK(found.hybrids[0].key == "second-k2");
    CHECK(found.isOwn);
    CHECK(found.seed == 2);
    CHECK(leftOutText(found.leftOut) == "2 of another start, 1 of another seed");
    store::describeBySpec(scoring, {{"kind", "score"}, {"teacher", "demo"}, {"seed", 3}});
    const MeasuredKl others = measuredKl(workspace, scoring, "demo");
    REQUIRE(others.hybrids.size() == 2);
    CHECK(others.hybrids[0].key == "first-k1");
    CHECK_FALSE(others.isOwn);
    CHECK(others.seed == 1);
    CHECK(leftOutText(others.leftOut) == "2 of another start");
}

TEST_CASE("hybrids of versions that kept no hashes are known by the settings that their sequences and start came of")
{
    const Stages stages;
    const json older{{"held_out_hash", nullptr}, {"aligned", nullptr}};
    stages.hybridWith("k1", {4}, older, json::object());
    stages.hybridWith("k2", {0, 4}, older, json::object());
    stages.hybridWith("k3", {0, 3, 4}, older, {{"alignment", {{"steps", 20}}}});
    stages.hybridWith("k4", {0, 1, 3, 4}, older, {{"alignment", nullptr}, {"init", "b"}});
    CHECK(stages.chosen() == std::vector<std::string>{"k1", "k2"});
    CHECK(stages.compared().leftOut.otherStart == 2);
}

TEST_CASE("a damaged hybrid is told and left out")
{
    const Stages stages;
    stages.hybrid("k1", {4}, 0.25);
    for (const char *broken : {"broken-curve", "broken-result", "unequal"})
        stages.hybrid(broken, {0, 4}, 0.1);
    stages.put("broken-curve", "curve.json", json::array());
    stages.put("broken-result", "result.json", {{"kind", "distill"}, {"mixer", "gdn"}, {"teacher_hash", "t"}, {"tokens", "many"}});
    json unequal = Stages::curve({0, 4}, {{0.1, 0.2}}, 500);
    unequal["kl_nats"] = {{0.1}};
    stages.put("unequal", "curve.json", unequal);
    std::map<std::string, std::string> told;
    CHECK(stages.chosen([&](const std::filesystem::path &folder, const std::string &why) { told[folder.filename().string()] = why; }) == std::vector<std::string>{"k1"});
    REQUIRE(told.size() == 3);
    CHECK(told["broken-curve"].find("lacks kept, tokens, kl_nats or counted_tokens") != std::string::npos);
    CHECK(told["broken-result"] == "its result.json or model/spec.json is not as this program writes it.");
    CHECK(told["unequal"].find("unequal length") != std::string::npos);
}

TEST_CASE("the prediction is of the students that keep one layer, at the last evaluation that all have, and stops at 0")
{
    const Stages stages;
    stages.put("score", "curves.json", keptAlone(false));
    const auto shown = predictedKl(stages.folder.path(), "artifacts/score", ranking);
    REQUIRE(shown.points.size() == 3);                               // 1, 0.3, 0.1, and then 0.1 - 0.15
    CHECK(shown.points[0].klNats.mean == Approx(1.0));
    CHECK(shown.points[1].klNats.mean == Approx(0.3));
    CHECK(shown.points[2].klNats.mean == Approx(0.1));
    CHECK(shown.points[2].klNats.n == 2);
    REQUIRE(shown.elbow);
    CHECK(shown.elbow->keep == 2);
    stages.put("race", "curves.json", keptAlone(true));
    CHECK(predictedKl(stages.folder.path(), "artifacts/race", ranking).points.front().klNats.mean == Approx(2.1));      // the first evaluation
}

TEST_CASE("where a student is missing, a file is damaged or a path leads out of the workspace, there is no prediction")
{
    const Stages stages;
    const auto isEmpty = [&](const std::string &artifact) { return predictedKl(stages.folder.path(), artifact, ranking).points.empty(); };
    CHECK(isEmpty(""));
    CHECK(isEmpty("artifacts/nothing"));
    json curves = keptAlone(false);
    stages.put("score", "curves.json", curves);
    CHECK_FALSE(isEmpty("artifacts/score"));
    CHECK(isEmpty("artifacts/../artifacts/score"));
    CHECK(isEmpty((stages.folder.path() / "artifacts/score").string()));
    curves["curves"].erase(0);                                        // the all-linear one
    stages.put("score", "curves.json", curves);
    CHECK(isEmpty("artifacts/score"));
    curves = keptAlone(false);
    curves["curves"].erase(3);
    stages.put("score", "curves.json", curves);
    CHECK(isEmpty("artifacts/score"));
    for (const json &damaged : {json::array(), json{{"curves", 1}}, json{{"curves", {1}}}, json{{"curves", {{{"layer", 0}}}}}}) {
        stages.put("score", "curves.json", damaged);
        CHECK(isEmpty("artifacts/score"));
    }
}

TEST_CASE("measured hybrids are of the teacher that the scoring's stage names, else of that of its distillations")
{
    const Stages stages;
    stages.hybrid("k1", {4}, 0.25);
    stages.hybrid("k2", {0, 4}, 0.1);
    stages.put("score", "curves.json", keptAlone(false));
    {
        LineWriter writer(stages.folder.path(), runName(1), goneProcess());
        writer.say(experiment::Started{.kind = "distill", .key = "k1", .specJson = R"({"kind": "distill", "teacher": "demo", "keep": [4]})"}, "distill");
        writer.say(experiment::Artifact{.role = "distill", .hash = "k1", .path = "artifacts/k1"}, "distill");
        writer.say(experiment::Finished{.resultJson = "{}", .seconds = 1.0}, "distill");
        store::Recorder recorder(stages.folder.path());
        REQUIRE(recorder.flush());
    }
    const store::Workspace workspace(stages.folder.path());
    const KlAgainstK found = klAgainstK(workspace, scoringOf("artifacts/score"), "demo");      // its stage says no teacher
    CHECK(found.predicted.points.size() == 3);
    REQUIRE(found.measured.hybrids.size() == 2);
    CHECK(found.measured.hybrids[0].key == "k1");
    CHECK(found.measured.hybrids[0].run == runName(1));
    CHECK(found.measured.hybrids[1].key == "k2");
    CHECK(found.measured.hybrids[1].run.empty());                     // no run here says that it made it
    CHECK(found.measured.tokens == 500);
    REQUIRE(found.measured.curve.points.size() == 2);
    CHECK(found.measured.curve.points[1].keep == 2);
    CHECK(found.measured.curve.points[1].klNats.mean == Approx(0.1));
    CHECK_FALSE(found.measured.curve.elbow);                          // of two points
    CHECK(klAgainstK(workspace, scoringOf({}), "demo").measured.hybrids.size() == 2);             // a scoring that kept nothing
    CHECK(klAgainstK(workspace, scoringOf({}), "another").measured.hybrids.empty());
    stages.put("score", "scores.json", {{"scores", json::array()}, {"teacher_hash", "u"}});
    CHECK(klAgainstK(workspace, scoringOf("artifacts/score"), "demo").measured.hybrids.empty());
    store::Scoring underWay = scoringOf("artifacts/score");
    underWay.ranking.reset();
    CHECK(klAgainstK(workspace, underWay, "demo").predicted.points.empty());
}

}  // namespace klagainstk_tests
