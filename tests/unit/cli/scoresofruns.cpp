// SPDX-License-Identifier: GPL-3.0-or-later
// Scores that are named by the run which made them.
#include "cli/program.h"
#include "cli/scorefile.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

namespace scoresofruns_tests {

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::refused;
using stillroom::test::runProgram;

TEST_CASE("select and compare take what a run is about, not what its stage 1 said on the way, and another of its selectors by name")
{
    const TemporaryFolder workspace;
    const std::string folder = workspace.path().string();
    const Answer scored = runProgram({"score", "--name", "small", "--teacher", "demo", "--selector", "zero-shot-ga", "--data.sequence-length", "64", "--data.recall.pairs", "8", "--data.held-out-sequences", "4",
                                      "--alignment.steps", "2", "--alignment.batch-sequences", "2", "--json", "--workspace", folder});
    INFO(scored.err);
    REQUIRE(scored.status == 0);
    const auto chosen = [&](const std::string &source) {
        const Answer answer = runProgram({"select", source, "-k", "2", "--json", "--workspace", folder});
        INFO(answer.err);
        REQUIRE(answer.status == 0);
        return answer.json();
    };
    const json own = chosen("small"), first = chosen("small:ga-s1"), probe = chosen("small:ga-s1:gdn");
    CHECK(own["ranking"] == scored.json()["ranking"]);
    CHECK(own["scores"][0]["kl_nats"].is_number());
    CHECK(first["scores"][0]["kl_nats"].is_null());
    CHECK(probe["ranking"] == first["ranking"]);
    const Answer table = runProgram({"compare", "--matrix", "small", "small:ga-s1", "published:qwen2.5-3b/gdn/25/ga-s2", "-k", "2", "--json", "--workspace", folder});
    CHECK(table.status == 2);                                            // of another teacher
    const Answer matrix = runProgram({"compare", "--matrix", "small", "small:ga-s1", "small:zero-shot-ga:gdn", "uniform-start", "-k", "2", "--json", "--workspace", folder});
    INFO(matrix.err);
    REQUIRE(matrix.status == 0);
    const json pairs = matrix.json();
    CHECK(pairs["sets"].size() == 4);
    CHECK(pairs["jaccard"][0][2] == 1.0);
    CHECK(pairs["sets"][1]["layers"] == first["selected"]);
    refused({"select", "small:gr-s2", "-k", "2", "--workspace", folder}, "of the selector gr-s2");
    refused({"select", "small:ga-s1:gla", "-k", "2", "--workspace", folder}, "with the mixer gla");
}

TEST_CASE("a distillation takes the scores of a run, by its name or the beginning of its UUID")
{
    const TemporaryFolder workspace;
    REQUIRE(runProgram({"score", "--teacher", "demo", "--selector", "kl-bypass", "--data.sequence-length", "64", "--data.recall.pairs", "8", "--data.held-out-sequences", "2", "--name", "one", "--workspace", workspace.path().string()}).status == 0);
    const Answer chosen = runProgram({"select", "one", "-k", "2", "--json", "--workspace", workspace.path().string()});
    REQUIRE(chosen.status == 0);
    const std::vector<std::string> distillation{"distill", "--teacher", "demo", "--alignment.steps", "1", "--alignment.data.sequence-length", "32", "--alignment.data.recall.pairs", "4", "--steps", "1", "--data.sequence-length", "32",
                                                "--data.recall.pairs", "4", "--data.held-out-sequences", "2", "--evaluations", "1", "--keep-count", "2", "--json", "--workspace", workspace.path().string(), "--scores"};
    const auto distilled = [&](const std::string &scores) {
        std::vector<std::string> words = distillation;
        words.push_back(scores);
        return runProgram(words);
    };
    const json runs = runProgram({"runs", "list", "--json", "--workspace", workspace.path().string()}).json();
    for (const std::string &name : {std::string("one"), runs[0]["uuid"].get<std::string>().substr(0, 8)}) {
        const Answer hybrid = distilled(name);
        CAPTURE(hybrid.err);
        REQUIRE(hybrid.status == 0);
        CHECK(hybrid.json()["selected"] == chosen.json()["selected"]);
    }
    const Answer unknown = distilled("nosuch");
    CHECK(unknown.status == 2);
    CHECK(unknown.err.find("no run or stage \"nosuch\"") != std::string::npos);
}

TEST_CASE("each of two scorings in one run is read from its own stage")
{
    const TemporaryFolder workspace;
    const std::vector<std::pair<std::string, int>> tasks{{"last", 5}, {"all", 0}};       // how many first layers are ranked last
    json stages = json::array();
    for (const auto &[task, skipped] : tasks)
        stages.push_back({{"task", task}, {"spec", {{"kind", "score"}, {"teacher", "demo"}, {"selector", "kl-bypass"}, {"skip_first", skipped}, {"data", {{"sequence_length", 64}, {"recall", {{"pairs", 8}}}, {"held_out_sequences", 2}}}}}});
    const Answer ran = runProgram({"run", json{{"kind", "pipeline"}, {"name", "both"}, {"stages", stages}}.dump(), "--workspace", workspace.path().string()});
    CAPTURE(ran.err);
    REQUIRE(ran.status == 0);
    std::vector<json> rankings;
    for (const auto &[task, skipped] : tasks) {
        const std::string stage = "both > " + task;
        const json shown = runProgram({"runs", "show", stage, "--workspace", workspace.path().string()}).json();
        const Answer chosen = runProgram({"select", stage, "-k", "2", "--json", "--workspace", workspace.path().string()});
        CAPTURE(chosen.err);
        REQUIRE(chosen.status == 0);
        CHECK(chosen.json()["ranking"] == shown["result"]["ranking"]);
        rankings.push_back(shown["result"]["ranking"]);
    }
    CHECK(rankings[0] != rankings[1]);
}

TEST_CASE("where a stage has no scores, an align stage that has is named, and so is one that used equal scores")
{
    const TemporaryFolder workspace;
    const json data{{"sequence_length", 32}, {"recall", {{"pairs", 4}}}, {"held_out_sequences", 2}};
    const json align{{"kind", "align"}, {"teacher", "demo"}, {"steps", 1}, {"batch_sequences", 1}, {"data", data}}, score{{"kind", "score"}, {"teacher", "demo"}, {"selector", "kl-bypass"}, {"data", data}};
    const json inspect{{"kind", "inspect"}, {"model", "demo"}};
    const auto run = [&](const std::string &name, const json &first) {
        const json stages = json::array({{{"task", "first"}, {"spec", first}}, {{"task", "look"}, {"spec", inspect}}});
        const Answer ran = runProgram({"run", json{{"kind", "pipeline"}, {"name", name}, {"stages", stages}}.dump(), "--workspace", workspace.path().string()});
        CAPTURE(ran.err);
        REQUIRE(ran.status == 0);
    };
    run("aligned", align);
    run("scored", score);
    run("again", score);
    for (const std::string name : {"aligned", "scored", "again"})
        refused({"select", name + " > look", "-k", "2", "--workspace", workspace.path().string()}, "holds no scores: name a stage that has scores (first)");
    refused({"select", "aligned > first:halo", "-k", "2", "--workspace", workspace.path().string()}, "it holds those of ga-s1");
    refused({"select", "again > first:halo", "-k", "2", "--workspace", workspace.path().string()}, "it holds those of kl-bypass");
}

}  // namespace scoresofruns_tests
