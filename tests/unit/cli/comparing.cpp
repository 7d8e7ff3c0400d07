// SPDX-License-Identifier: GPL-3.0-or-later
// compare: how alike layer sets are, whatever they are named by.
#include "cli/program.h"
#include "cli/scorefile.h"
#include "temporaryfolder.h"

#include <cstddef>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <string>

namespace comparing_tests {

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::refused;
using stillroom::test::runProgram;
using stillroom::test::ScoreFile;
using doctest::Approx;

TEST_CASE("compare says how alike two published rankings are, and against what chance")
{
    const Answer answer = runProgram({"compare", "--json", "--curve", "published:qwen2.5-3b/gdn/25/ga-s2", "published:qwen2.5-3b/gla/25/ga-s2-gla"});
    REQUIRE(answer.status == 0);
    const json pair = answer.json()["pairs"][0];
    CHECK(pair["jaccard"] == 0.5);
    CHECK(pair["shared"] == 6);
    CHECK(pair["num_layers"] == 36);
    CHECK(pair["p_value"].get<double>() == Approx(258580.0 / 94143280.0));
    CHECK(pair["overlap_coefficient"].get<double>() == Approx(6.0 / 9.0));
    CHECK(pair["only_a"] == json({5, 17, 19}));
    CHECK(pair["only_b"] == json({27, 30, 31}));
    CHECK(pair["differing"] == json({5, 17, 19, 27, 30, 31}));
    CHECK(pair["kendall_layers"] == 6);       // 20,32,33,21,22,25 against 33,32,20,25,21,22: ten of fifteen pairs agree
    CHECK(pair["kendall_tau"].get<double>() == Approx(1.0 / 3.0));
    CHECK(pair["rbo"].get<double>() > 0.5);
    CHECK(pair["curve"].size() == 9);
    CHECK(pair["curve"][2]["jaccard"] == 1.0);
    const Answer text = runProgram({"compare", "--curve", "published:qwen2.5-3b/gdn/25/ga-s2", "published:qwen2.5-3b/gla/25/ga-s2-gla"});
    CHECK(text.out.find("only the first: [5,17,19]") != std::string::npos);
}

TEST_CASE("compare takes lists, files, grids and random sets, which keep as many as the others")
{
    const ScoreFile scores;
    const std::string chosen = scores.beside("chosen.json", R"({"selected": [0, 4], "num_layers": 6, "ranking": [4, 0, 3, 1, 2, 5]})");
    const Answer answer = runProgram({"compare", "--json", "0,3", scores.path(), chosen, "uniform-start", "random"});
    CAPTURE(answer.err);
    REQUIRE(answer.status == 0);
    const json pairs = answer.json()["pairs"];
    CHECK(pairs.size() == 10);
    CHECK(pairs[0]["jaccard"].get<double>() == Approx(1.0 / 3.0));
    CHECK(pairs[0]["chance_jaccard"].get<double>() == Approx((8.0 / 3.0 + 1.0) / 15.0));       // of 15 pairs one is the same, eight share one layer of three
    CHECK(pairs[2]["jaccard"] == 1.0);        // {0,3} and the grid
    CHECK(pairs[4]["jaccard"] == 1.0);        // the scores' best two and the chosen ones
    CHECK(pairs[4]["kendall_tau"] == 1.0);
    CHECK(pairs[4]["rbo"].get<double>() == Approx(1.0));
    CHECK(pairs[3]["layers_b"].size() == 2);
    const json drawn = runProgram({"compare", "--json", "-k", "2", "--layers", "6", "random", "random", "random"}).json()["pairs"];      // each word is a draw of its own
    REQUIRE(drawn.size() == 3);
    for (const json &pair : drawn)
        CHECK(pair["layers_a"] != pair["layers_b"]);
    CHECK(drawn[0]["a"] == "random");
    CHECK(drawn[0]["b"] == "random, draw 2");
    CHECK(drawn[0]["layers_a"] == pairs[3]["layers_b"]);
    CHECK(runProgram({"compare", "--json", "-k", "6", "--layers", "6", "random", "random"}).json()["pairs"][0]["jaccard"] == 1.0);       // there is but one set
    const std::string byHand = scores.beside("byhand.json", "[0, 4]");
    const json written = runProgram({"compare", "--json", byHand, chosen}).json()["pairs"][0];
    CHECK(written["layers_a"] == json({0, 4}));
    CHECK(written["jaccard"] == 1.0);
    refused({"compare", scores.beside("words.json", R"([0, "four"])"), chosen}, "words.json", 4);
    const Answer three = runProgram({"compare", "--json", "-k", "3", scores.path(), chosen});
    CHECK(three.json()["pairs"][0]["layers_a"] == json({0, 3, 4}));
    CHECK(three.json()["pairs"][0]["layers_b"] == json({0, 3, 4}));
}

TEST_CASE("all against all in one table")
{
    const Answer answer = runProgram({"compare", "--matrix", "--json", "published:llama-3.2-3b/gdn/25/ga-s2", "published:llama-3.2-3b/gdn/25/smart", "0,3,5", "uniform-end"});
    CAPTURE(answer.err);
    REQUIRE(answer.status == 2);              // the list keeps three, the others seven: the grid must be told
    CHECK(answer.err.find("-k K") != std::string::npos);
    const Answer told = runProgram({"compare", "--matrix", "--json", "-k", "7", "published:llama-3.2-3b/gdn/25/ga-s2", "published:llama-3.2-3b/gdn/25/smart", "0,3,5", "uniform-end"});
    REQUIRE(told.status == 0);
    const json table = told.json();
    CHECK(table["num_layers"] == 28);
    CHECK(table["sets"].size() == 4);
    CHECK(table["sets"][3]["layers"] == json({3, 7, 11, 15, 19, 23, 27}));
    for (const char *measure : {"jaccard", "chance_jaccard", "p_value", "overlap_coefficient", "kendall_tau", "rbo"}) {
        REQUIRE(table[measure].size() == 4);
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j)
                CHECK(table[measure][i][j] == table[measure][j][i]);
    }
    CHECK(table["jaccard"][0][0] == 1.0);
    CHECK(table["kendall_tau"][0][1].is_null());        // SMART ranks nothing
    const Answer text = runProgram({"compare", "--matrix", "-k", "7", "published:llama-3.2-3b/gdn/25/ga-s2", "uniform-end"});
    CHECK(text.out.find("1.00") != std::string::npos);
    CHECK(text.out.find("   2  uniform-end  [3,7,11,15,19,23,27]") != std::string::npos);
}

TEST_CASE("compare finds all choices that there are for a teacher")
{
    const TemporaryFolder folder;
    const std::filesystem::path workspace = folder.path() / "workspace";
    std::filesystem::create_directories(workspace);
    std::filesystem::copy(std::filesystem::path(std::getenv("STILLROOM_RESOURCES")) / "demo" / "workspace" / "runs", workspace / "runs", std::filesystem::copy_options::recursive);
    REQUIRE(runProgram({"reindex", "--workspace", workspace.string()}).status == 0);
    const Answer answer = runProgram({"compare", "--teacher", "demo", "--matrix", "--json", "-k", "2", "--workspace", workspace.string(), "0,4"});
    INFO(answer.err);
    REQUIRE(answer.status == 0);
    std::map<std::string, json> layers;
    const json result = answer.json();
    for (const json &set : result["sets"])
        layers[set["name"]] = set["layers"];
    CHECK(layers.size() == 9);         // residuals, GA-S2 and its SMART; four grids, random, and the list
    CHECK(layers["6eedea9f/score/ga-s2/gdn"] == json({3, 4}));
    CHECK(layers["uniform-start"] == json({0, 3}));
    CHECK(result["jaccard"].size() == 9);
    const Answer four = runProgram({"compare", "--teacher", "demo", "--matrix", "--json", "-k", "4", "--workspace", workspace.string()});
    CHECK(four.json()["sets"].size() == 7);
    CHECK(four.err.find("uniform-latter-half has no set of 4 layers") != std::string::npos);
    refused({"compare", "--teacher", "demo", "-k", "7", "--workspace", workspace.string()}, "has 6 layers");
    refused({"compare", "0,1"}, "two sets at least");
}

TEST_CASE("options of compare that would not be read are refused by name")
{
    const ScoreFile scores;
    const std::string ranking = "published:qwen2.5-3b/gdn/25/ga-s2";
    refused({"compare", "0,1", "2,3", "--seed", "3"}, "--seed is of random sets, and none is named");
    refused({"compare", "0,1", "2,3", "-k", "1"}, "-k takes the best of rankings, and these are sets");
    CHECK(runProgram({"compare", "0,1", "2,3", "-k", "2"}).status == 0);
    refused({"compare", "0,1", "2,3", "--layers", "6", "--curve"}, "--curve is of two rankings, and there are none");
    refused({"compare", ranking, "2,3", "--rbo-p", "0.5"}, "--rbo-p is of two rankings, and there is one");
    refused({"compare", ranking, ranking, "--rbo-p", "0.5", "--matrix"}, "--rbo-p is of rank-biased overlap");
    refused({"compare", ranking, ranking, "--curve", "--matrix"}, "--matrix excludes --curve");
    CHECK(runProgram({"compare", ranking, ranking, "--rbo-p", "0.5", "--matrix", "--json"}).status == 0);
    CHECK(runProgram({"compare", "0,1", "random", "--layers", "6", "--seed", "3"}).status == 0);
}

TEST_CASE("sets that cannot be compared are refused in a sentence")
{
    const ScoreFile scores;
    refused({"compare", "published:llama-3.2-3b/gdn/25/ga-s2", "published:qwen2.5-3b/gdn/25/ga-s2"}, "different models");
    refused({"compare", "0,40", "published:qwen2.5-3b/gdn/25/ga-s2"}, "Layer 40");
    refused({"compare", "0,0", "1,2"}, "named twice");
    refused({"compare", "0,1", "uniform-start"}, "--layers L");
    refused({"compare", "0,1", "published:qwen"}, "TEACHER/PROBE/BUDGET/SELECTOR");
    refused({"compare", "0,1", scores.beside("bad.json", "{\"selected\": [\"a\"]}")}, "must be a whole number", 4);
    refused({"compare", "0,1", scores.beside("worse.json", "{\"selected\": [0")}, "worse.json", 4);
    refused({"compare", "0,1", scores.beside("none.json", "{}"), "--workspace", "/nonexistent"}, "no scores", 4);
}

}  // namespace comparing_tests
