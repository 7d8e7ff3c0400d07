// SPDX-License-Identifier: GPL-3.0-or-later
// select and compare: which layers, what they cost, how alike sets are.
#include "cli/program.h"
#include "temporaryfolder.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <map>

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::runProgram;
using doctest::Approx;

namespace {

/// Scores of six layers as `score` prints them; the ranking is 4, 0, 3, 1, 2, 5.
class ScoreFile final {
public:
    ScoreFile()
    {
        json scores = json::array();
        const double kl[] = {0.807, 0.929, 0.940, 0.919, 0.292, 0.953};
        for (int layer = 0; layer < 6; ++layer)
            scores.push_back({{"layer", layer}, {"score", kl[layer]}, {"kl_nats", kl[layer]}, {"higher_is_better", false}, {"se_nats", 0.01}, {"n", 64}});
        std::ofstream(path()) << json{{"scores", scores}, {"num_layers", 6}, {"selector", "ga-s2"}};
    }
    [[nodiscard]] std::string path() const { return (m_folder.path() / "scores.json").string(); }
    [[nodiscard]] std::string beside(const std::string &name, const std::string &text) const
    {
        std::ofstream(m_folder.path() / name) << text;
        return (m_folder.path() / name).string();
    }

private:
    TemporaryFolder m_folder;
};

json selected(const std::vector<std::string> &arguments)
{
    std::vector<std::string> all{"select", "--json", "--workspace", "/nonexistent"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Answer answer = runProgram(all);
    CHECK(answer.status == 0);
    INFO(answer.err);
    REQUIRE_FALSE(answer.out.empty());
    return answer.json();
}

/// Refused with status 2 in one sentence that holds `words`.
void refused(const std::vector<std::string> &arguments, const std::string &words, int status = 2)
{
    const Answer answer = runProgram(arguments);
    CAPTURE(answer.err);
    CHECK(answer.status == status);
    CHECK(answer.out.empty());
    CHECK(answer.err.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("select ranks scores, and knows K as a number or a percentage")
{
    const ScoreFile scores;
    const json two = selected({scores.path(), "-k", "2"});
    CHECK(two["selected"] == json({0, 4}));
    CHECK(two["ranking"] == json({4, 0, 3, 1, 2, 5}));
    CHECK(two["scores"].size() == 6);
    CHECK(selected({scores.path(), "--budget-percent", "25"})["keep"] == 2);       // 1.5 rounds up
    CHECK(selected({scores.path(), "--percent", "50"})["keep"] == 3);
    refused({"select", scores.path(), "-k", "7"}, "there are 6 layers");
    refused({"select", scores.path(), "-k", "2", "--selector", "zero-shot-ga"}, "holds other scores");
    refused({"select", scores.path(), "-k", "2", "--scores-of", "ga-s2"}, "--scores-of says what smart takes");
    CHECK(runProgram({"select", scores.path(), "-k", "2"}).err.find("--teacher MODEL") != std::string::npos);
    CHECK(runProgram({"compare", scores.path(), "0,4"}).out.find("(no interval: ") != std::string::npos);
    refused({"select", scores.path()}, "say how many layers to keep");
    refused({"select", "/nonexistent.json", "-k", "1", "--workspace", "/nonexistent"}, "no scores", 4);
}

TEST_CASE("rules need no run")
{
    CHECK(selected({"--selector", "uniform-start", "--layers", "36", "-k", "9"})["selected"] == json({0, 4, 8, 12, 16, 20, 24, 28, 32}));
    CHECK(selected({"--selector", "uniform-end", "--layers", "28", "-k", "4"})["selected"] == json({6, 13, 20, 27}));
    CHECK(selected({"--selector", "uniform-rounded", "--teacher", "demo", "-k", "2"})["selected"] == json({0, 5}));
    CHECK(selected({"--selector", "uniform-latter-half", "--layers", "28", "--percent", "25"})["selected"] == json({14, 16, 18, 20, 22, 24, 26}));
    const json random = selected({"--selector", "random", "--layers", "28", "-k", "7", "--draws", "5", "--seed", "3"});
    CHECK(random["draws"].size() == 5);
    CHECK(random["selected"] == random["draws"][0]);
    CHECK(selected({"--selector", "random", "--layers", "28", "-k", "7", "--seed", "3"})["selected"] == random["selected"]);
    refused({"select", "--selector", "uniform-start", "-k", "2"}, "--layers L");
    // A rule is named where scores are, too.
    CHECK(selected({"uniform-start", "--keep-count", "8", "--layers", "36"})["selected"] == selected({"--selector", "uniform-start", "-k", "8", "--layers", "36"})["selected"]);
    CHECK(selected({"random", "--layers", "28", "-k", "7", "--seed", "3"})["selected"] == random["selected"]);
    CHECK(selected({"published:qwen2.5-3b/gdn/25/ga-s2"})["keep"] == 9);
    refused({"select", "uniform-start", "--keep-count", "8"}, "stillroom-cli select uniform-start -k 8 --teacher MODEL");
    refused({"select", "uniform-start", "--selector", "random", "-k", "2", "--layers", "6"}, "both say how to choose");
    refused({"select", "-k", "2"}, "name a RUN");
    refused({"select", "--selector", "smart", "-k", "2"}, "name a RUN");
    refused({"select", "--selector", "uniform-start", "--layers", "6", "--teacher", "demo", "-k", "7"}, "there are 6 layers");
    refused({"select", "--selector", "uniform-start", "--layers", "7", "--teacher", "demo", "-k", "2"}, "both must be of one model");
}

TEST_CASE("SMART takes the sensitivities of scores")
{
    const ScoreFile scores;
    // windows of three: most sensitive are 0 and 4 for K = 2
    const json smart = selected({scores.path(), "--selector", "smart", "-k", "2"});
    CHECK(smart["selected"] == json({0, 4}));
    CHECK(smart["note"] == "sensitivities: the ga-s2 scores");
    CHECK(selected({scores.path(), "--selector", "smart", "-k", "1"})["selected"] == json({4}));
    CHECK(selected({scores.path(), "--selector", "smart", "-k", "3"})["selected"] == json({0, 2, 4}));
}

TEST_CASE("published sets are chosen by name, as they are or cut to a smaller K")
{
    const json set = selected({"--selector", "published:qwen2.5-3b/gdn/25/ga-s2"});
    CHECK(set["selected"] == json({5, 17, 19, 20, 21, 22, 25, 32, 33}));
    CHECK(set["ranking"] == json({20, 32, 33, 21, 22, 25, 17, 19, 5}));
    CHECK(set["num_layers"] == 36);
    CHECK(set["note"].get<std::string>().find("fla-org/hybrid-distillation") != std::string::npos);
    CHECK(selected({"--selector", "published:qwen2.5-3b/gdn/25/ga-s2", "-k", "5"})["selected"] == json({20, 21, 22, 32, 33}));
    CHECK(selected({"--selector", "published:qwen2_3b/gdn_v4/0.5/ga_s2", "--percent", "12.5"})["selected"] == json({20, 21, 22, 32, 33}));
    refused({"select", "--selector", "published:qwen2.5-3b/gdn/25/ga-s2", "-k", "10"}, "does not say which 10");
    refused({"select", "--selector", "published:qwen2.5-3b/gdn/25/smart", "-k", "5"}, "does not say which 5");
    refused({"select", "--selector", "published:qwen2.5-3b/gdn/25/ga-s3"}, "did you mean ga-s2 (stillroom-cli select --list-published lists them all)?");
    refused({"select", "--selector", "published:qwen2.5-3b/gdn/25/ga-s2", "--teacher", "demo"}, "both must be of one model");
    const Answer list = runProgram({"select", "--list-published", "--json"});
    CHECK(list.status == 0);
    CHECK(list.json()["published"].size() == 108);
}

TEST_CASE("budgets in bytes are those of the model, and the answer says what the choice costs")
{
    // The demo: 6 layers, 2 heads of 32; a bf16 cache of 256 bytes a token and layer, and 2·32·32 fp32 numbers of state and a position: 8200 bytes a linear layer
    const json two = selected({"--selector", "uniform-start", "--teacher", "demo", "--kv-bytes", "512KiB", "--context", "1k"});
    CHECK(two["keep"] == 2);
    CHECK(two["costs"]["cache_bytes_per_token"] == 512);
    CHECK(two["costs"]["state_bytes"] == 4 * 8200);
    CHECK(two["costs"]["break_even_tokens"] == 8200.0 / 256.0);
    CHECK(two["costs"]["decode_bytes"][0]["context"] == 1024);
    CHECK(two["costs"]["decode_bytes"][0]["cache_bytes"] == 512 * 1024);
    CHECK(selected({"--selector", "uniform-start", "--teacher", "demo", "--state-bytes", std::to_string(2 * 256 * 1024 + 4 * 8200), "--context", "1024"})["keep"] == 2);
    CHECK(selected({"--selector", "uniform-start", "--teacher", "demo", "--state-bytes", std::to_string(2 * 256 * 1024 + 4 * 8200 - 1), "--context", "1024"})["keep"] == 1);
    const double bytes = two["costs"]["decode_bytes"][0]["bytes"].get<double>();
    CHECK(selected({"--selector", "uniform-start", "--teacher", "demo", "--decode-bytes", std::to_string(static_cast<long long>(bytes)), "--context", "1k"})["keep"] == 2);
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--kv-bytes", "512KiB"}, "--context TOKENS");
    refused({"select", "--selector", "uniform-start", "--layers", "6", "--kv-bytes", "512KiB", "--context", "1k"}, "--teacher MODEL");
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--kv-bytes", "many", "--context", "1k"}, "no number of bytes");
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--kv-bytes", "-5", "--context", "1k"}, "no number of bytes");
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--state-bytes", "1KiB", "--context", "1k"}, "the least is");
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--state-bytes", "1KiB", "--context", "1.5"}, "no number of tokens");
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--mixer", "gnd", "-k", "2"}, "gdn");
    const Answer text = runProgram({"select", "--selector", "uniform-start", "--teacher", "demo", "-k", "2"});
    CHECK(text.status == 0);
    CHECK(text.out.find("keep 2 of 6 layers: [0,3]") != std::string::npos);
    CHECK(text.out.find("32 KiB of state") != std::string::npos);
}

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

TEST_CASE("a score stage that kept its curves says how sure the choice is")
{
    // Artifacts of a score stage by hand: layers 0 and 1 can be told apart, layers 1 and 2 cannot.
    const TemporaryFolder workspace;
    const std::filesystem::path folder = workspace.path() / "artifacts" / "abc123";
    std::filesystem::create_directories(folder);
    const std::vector<std::vector<double>> kl{{0.1, 0.2, 0.3, 0.2}, {0.5, 0.7, 0.9, 0.6}, {0.6, 0.7, 0.8, 0.7}};
    json curves = json::array(), scores = json::array();
    for (int layer = 0; layer < 3; ++layer) {
        const auto &values = kl[static_cast<std::size_t>(layer)];
        curves.push_back({{"layer", layer}, {"tokens", {0, 100}}, {"kl_nats", {{9.0, 9.0, 9.0, 9.0}, values}}, {"counted_tokens", {5, 5, 5, 5}}});
        scores.push_back({{"layer", layer}, {"score", (values[0] + values[1] + values[2] + values[3]) / 4}, {"higher_is_better", false}});
    }
    std::ofstream(folder / "curves.json") << json{{"schema", 1}, {"curves", curves}};
    std::ofstream(folder / "scores.json") << json{{"scores", scores}, {"num_layers", 3}};
    const auto chosen = [&](const char *keep) { return runProgram({"select", "abc123", "-k", keep, "--json", "--workspace", workspace.path().string()}).json(); };
    const json one = chosen("1")["certainty"];
    CHECK(one["settled"] == true);
    CHECK(one["tie_band"].empty());
    CHECK(one["chance_of_top"] == json({1.0, 0.0, 0.0}));
    const json two = chosen("2")["certainty"];
    CHECK(two["settled"] == false);
    CHECK(two["tie_band"] == json({1, 2}));
    CHECK(two["margin"]["nats"].get<double>() == Approx(0.025));
    CHECK(two["chance_of_top"][0] == 1.0);
    CHECK_FALSE(chosen("3").contains("certainty"));
    CHECK(runProgram({"select", "abc123", "-k", "2", "--workspace", workspace.path().string()}).out.find("not settled") != std::string::npos);
    std::ofstream(folder / "curves.json") << "{}";
    refused({"select", "abc123", "-k", "2", "--workspace", workspace.path().string()}, "it holds no list of curves; run the score stage again with --fresh", 4);
}

TEST_CASE("the demo's run: its scores, its own teacher's costs, SMART on the scores that were named")
{
    const TemporaryFolder folder;
    const std::string workspace = (folder.path() / "workspace").string();
    std::filesystem::copy(std::filesystem::path(std::getenv("STILLROOM_RESOURCES")) / "demo" / "workspace", workspace, std::filesystem::copy_options::recursive);
    REQUIRE(runProgram({"reindex", "--workspace", workspace}).status == 0);
    const auto chosen = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"select", "demo, seed 1", "--json", "--workspace", workspace});
        const Answer answer = runProgram(arguments);
        INFO(answer.err);
        REQUIRE(answer.status == 0);
        return answer.json();
    };
    const json two = chosen({"--selector", "ga-s2", "-k", "2"});
    CHECK(two["selected"].size() == 2);
    CHECK(two["ranking"][0] == 4);
    CHECK(two["costs"]["cache_bytes_per_token"] == 512);
    CHECK(chosen({"--selector", "ga-s2", "--kv-bytes", "512KiB", "--context", "1k"})["keep"] == 2);
    CHECK(chosen({"--selector", "smart", "--scores-of", "ga-s2", "-k", "1"})["selected"] == json({4}));
    refused({"select", "demo, seed 1", "--selector", "smart", "--scores-of", "ga-s1", "-k", "1", "--workspace", workspace}, "which the ga-s1 scores are not");      // harm of being linear
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

TEST_CASE("score lists its selectors, and answers a wrong name with the nearest before it starts anything")
{
    const Answer list = runProgram({"score", "--list-selectors", "--json"});
    REQUIRE(list.status == 0);
    std::vector<std::string> names;
    const json table = list.json();
    for (const json &one : table["selectors"]) {
        names.push_back(one["name"]);
        for (const char *field : {"help", "source", "cost"})
            CHECK_FALSE(one[field].get<std::string>().empty());
    }
    for (const char *name : {"ga-s2", "gr-s2", "avg-s2", "exhaustive", "greedy-replace", "zero-shot-ga", "zero-shot-gr", "ga-s1", "gr-s1", "ppl-bypass", "kl-bypass", "mse-bypass", "ar", "ar-mh", "halo"})
        CHECK(std::find(names.begin(), names.end(), name) != names.end());
    CHECK(runProgram({"score", "--list-selectors"}).out.find("arXiv 2512.20569") != std::string::npos);
    const TemporaryFolder workspace;
    refused({"score", "--teacher", "demo", "--selector", "kl-bypas", "--workspace", workspace.path().string()}, "did you mean \"kl-bypass\"?");
    CHECK(std::filesystem::is_empty(workspace.path()));
    refused({"score", "--teacher", "demo", "--selector", "kl-bypass", "--score-by", "perplexity", "--workspace", workspace.path().string()}, "does not read --score-by: it is for");
}

TEST_CASE("a word that is no command or option is named, with the nearest that is")
{
    refused({"scoer", "--teacher", "demo"}, "there is no command \"scoer\"; did you mean score?");
    refused({"frobnicate"}, "there is no command \"frobnicate\": stillroom-cli --help lists them");
    refused({"score", "--teacher", "demo", "--stepz", "3"}, "score does not take \"--stepz\"; did you mean --steps?");
    refused({"inspect", "demo", "text", "more"}, "inspect does not take \"more\"");
    CHECK(runProgram({"--help"}).status == 0);
    CHECK(runProgram({"--version"}).status == 0);
    CHECK(runProgram({"score", "--help"}).status == 0);
}

TEST_CASE("a list may be written as one word or word by word, and a field as in a spec")
{
    const auto spec = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"score", "--teacher", "demo", "--print-spec"});
        const Answer answer = runProgram(words);
        CAPTURE(answer.err);
        REQUIRE(answer.status == 0);
        return answer.json();
    };
    CHECK(spec({"--data.files", "a.txt", "--data.files", "b.txt"})["data"]["files"] == json({"a.txt", "b.txt"}));
    CHECK(spec({"--layers", "1,3", "--layers=4"})["layers"] == json({1, 3, 4}));
    CHECK(spec({"--data.held_out_sequences", "5", "--batch_sequences=3"}) == spec({"--data.held-out-sequences", "5", "--batch-sequences", "3"}));
    CHECK(spec({"--name", "with_underscore"})["name"] == "with_underscore");
    CHECK(spec({"--name=with_underscore"})["name"] == "with_underscore");
}

TEST_CASE("sequences are no longer than the model was made for, unless somebody says so")
{
    const auto length = [](std::vector<std::string> words) {
        words.insert(words.end(), {"--print-spec"});
        return runProgram(words).json()["data"]["sequence_length"];
    };
    CHECK(length({"score", "--teacher", "demo"}) == 96);
    CHECK(length({"evaluate", "--model", "demo"}) == 96);
    CHECK(length({"score", "--teacher", "demo", "--data.sequence-length", "512"}) == 512);
    CHECK(length({"score", "--teacher", "/not/there"}) == 512);
    CHECK(length({"run", R"({"kind": "score", "teacher": "demo"})"}) == 512);       // a spec means the same everywhere
}

TEST_CASE("a text that the tokenizer cannot spell is refused")
{
    const ScoreFile scores;
    const TemporaryFolder workspace;
    std::string prose;
    for (int i = 0; i < 4000; ++i)
        prose += "The tokenizer of the demo knows none of these words.\n" + std::string(i % 40 == 0 ? "\n" : "");
    refused({"align", "--teacher", "demo", "--steps", "1", "--data.source", "text", "--data.files", scores.beside("prose.txt", prose), "--workspace", workspace.path().string()}, "cannot spell 100 % of the held-out text");
}

TEST_CASE("run takes the spec itself as well as a file of it")
{
    const json spec = {{"kind", "score"}, {"teacher", "demo"}, {"notes", "it's \"here\""}, {"steps", 12}};
    const Answer printed = runProgram({"run", spec.dump(), "--print-spec"});
    REQUIRE(printed.status == 0);
    CHECK(printed.json().at("steps") == 12);
    CHECK(printed.json().at("notes") == spec.at("notes"));
    CHECK(runProgram({"run", " \n" + spec.dump(), "--print-spec"}).out == printed.out);
    refused({"run", "[1]", "--print-spec"}, "must be a JSON object");
    refused({"run", "{\"kind\": \"score\",", "--print-spec"}, "The spec is not JSON", 4);
    refused({"run", "{\"kind\": \"score\", \"teacher\": \"demo\", \"stepz\": 1}", "--print-spec"}, "did you mean \"steps\"?");
}

TEST_CASE("score without training: what it says beforehand is what it says it took, and select and compare read it")
{
    const TemporaryFolder workspace;
    const std::vector<std::string> scoring{"score", "--teacher", "demo", "--selector", "kl-bypass", "--data.sequence-length", "96", "--data.held-out-sequences", "8", "--json", "--workspace", workspace.path().string()};
    std::vector<std::string> dry = scoring;
    dry.push_back("--dry-run");
    const Answer estimate = runProgram(dry);
    REQUIRE(estimate.status == 0);
    CHECK(estimate.json()["training_tokens"] == 0);                       // no stage 1 either
    const Answer scored = runProgram(scoring);
    INFO(scored.err);
    REQUIRE(scored.status == 0);
    const json result = scored.json();
    CHECK(estimate.json()["forward_tokens"] == result["cost"]["spent"]["forward_tokens"]);
    CHECK(estimate.json()["reused"].empty());
    CHECK(runProgram(dry).json()["reused"] == json::array({"score"}));
    std::erase(dry, "--json");
    CHECK(runProgram(dry).out.find("nothing is left to compute") == 0);
    CHECK(result["cost"]["spent"]["block_passes"] == 6 + 5 + 6 * 7 / 2);
    const std::string key = result["key"];
    const Answer chosen = runProgram({"select", key, "-k", "2", "--json", "--workspace", workspace.path().string()});
    REQUIRE(chosen.status == 0);
    const json two = chosen.json();
    CHECK(two["selected"].size() == 2);
    // A higher KL speaks for a layer here; how sure the boundary is comes from the values by sequence.
    const json &margin = two["certainty"]["margin"];
    CHECK(margin["last_kept"] == two["ranking"][1]);
    const auto score = [&](const json &layer) { return two["scores"][layer.get<std::size_t>()]["score"].get<double>(); };
    CHECK(margin["difference"].get<double>() == Approx(score(margin["last_kept"]) - score(margin["first_dropped"])));
    CHECK(margin["nats"] == margin["difference"]);
    CHECK(two["ranking"] == result["ranking"]);
    // What score printed says the same while its stage is in the workspace: how sure, and what it costs on the teacher that it was measured on.
    const ScoreFile files;
    const Answer printed = runProgram({"select", files.beside("printed.json", scored.out), "-k", "2", "--json", "--workspace", workspace.path().string()});
    CAPTURE(printed.err);
    REQUIRE(printed.status == 0);
    CHECK(printed.json()["selected"] == two["selected"]);
    CHECK(printed.json()["certainty"] == two["certainty"]);
    CHECK(printed.json()["costs"] == selected({"uniform-start", "--teacher", "demo", "-k", "2"})["costs"]);
    // A run that is one stage may be named with it.
    const auto run = runProgram({"runs", "list", "--json", "--workspace", workspace.path().string()}).json()[0]["uuid"].get<std::string>();
    CHECK(runProgram({"select", run + " > score", "-k", "2", "--json", "--workspace", workspace.path().string()}).json()["selected"] == two["selected"]);
    refused({"select", run + " > scoring", "-k", "2", "--workspace", workspace.path().string()}, "has no stage \"scoring\": name one that it has, score");
    const Answer compared = runProgram({"compare", key, "uniform-start", "-k", "2", "--json", "--workspace", workspace.path().string()});
    REQUIRE(compared.status == 0);
    CHECK(compared.json()["pairs"][0]["layers_a"] == two["selected"]);
    CHECK(compared.json()["pairs"][0]["jaccard_interval"].is_null());      // a grid was not measured

    // Each layer's rank lies within its interval, which BootstrapRanks' own tests hold to the truth.
    const json &intervals = two["certainty"]["rank_intervals"];
    REQUIRE(intervals.size() == 6);
    for (std::size_t place = 0; place < 6; ++place) {
        CHECK(intervals[place]["layer"] == two["ranking"][place]);
        CHECK(intervals[place]["rank"] == place + 1);
        CHECK(intervals[place]["low"] <= intervals[place]["high"]);
        CHECK(intervals[place]["low"] >= 1);
        CHECK(intervals[place]["high"] <= 6);
    }
    CHECK(runProgram({"select", key, "-k", "2", "--workspace", workspace.path().string()}).out.find("ranks (95 % of draws): layer " + two["ranking"][0].dump() + " ") != std::string::npos);
}

TEST_CASE("why nothing is said of what a choice costs is said once")
{
    const TemporaryFolder folder;
    const std::string teacher = (folder.path() / "teacher").string(), workspace = (folder.path() / "workspace").string();
    std::filesystem::copy(std::filesystem::path(std::getenv("STILLROOM_RESOURCES")) / "demo" / "teacher", teacher);
    const Answer scored = runProgram({"score", "--teacher", teacher, "--selector", "kl-bypass", "--data.sequence-length", "96", "--data.held-out-sequences", "2", "--json", "--workspace", workspace});
    CAPTURE(scored.err);
    REQUIRE(scored.status == 0);
    const std::string key = scored.json()["key"];
    const auto selecting = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"select", key, "--workspace", workspace});
        return runProgram(words);
    };
    CHECK(selecting({"-k", "2"}).err.empty());
    std::filesystem::remove_all(teacher);
    for (const std::vector<std::string> &words : {std::vector<std::string>{"-k", "2"}, std::vector<std::string>{"-k", "2", "--json"}}) {
        const Answer answer = selecting(words);
        CAPTURE(answer.err);
        CHECK(answer.status == 0);
        CHECK(answer.err.starts_with("What the choice costs is not known, since the run's teacher cannot be opened: "));
        CHECK(std::count(answer.err.begin(), answer.err.end(), '\n') == 1);
    }
    const Answer bytes = selecting({"--kv-bytes", "512KiB", "--context", "1k"});
    CHECK(bytes.status == 2);
    CHECK(bytes.err.find("and the run's teacher cannot be opened (") != std::string::npos);
    CHECK(std::count(bytes.err.begin(), bytes.err.end(), '\n') == 1);
}

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

TEST_CASE("consensus is the mean rank over rankings, and makes scores that select takes")
{
    const ScoreFile first;
    const std::string second = first.beside("second.json", R"({"ranking": [4, 3, 0, 1, 2, 5], "scores": [], "num_layers": 6})");
    const std::string third = first.beside("third.json", R"({"ranking": [4, 3, 1, 0, 5, 2], "scores": [], "num_layers": 6})");
    const Answer answer = runProgram({"consensus", "--json", "--workspace", "/nonexistent", first.path(), second, third});
    INFO(answer.err);
    REQUIRE(answer.status == 0);
    const json result = answer.json();
    CHECK(result["ranking"] == json({4, 3, 0, 1, 2, 5}));           // mean ranks of layers 0 … 5: 3, 11/3, 16/3, 7/3, 1, 17/3
    CHECK(result["kemeny"] == json({4, 3, 0, 1, 2, 5}));
    CHECK(result["scores"][0]["score"].get<double>() == Approx(3.0));
    CHECK(result["scores"][3]["score"].get<double>() == Approx(7.0 / 3.0));
    CHECK(result["scores"][3]["se"].get<double>() == Approx(1.0 / 3.0));
    CHECK(result["pairs_against"] == 3);                            // 0 before 3 in the first; 1 before 0 and 5 before 2 in the third
    CHECK(selected({first.beside("consensus.json", answer.out), "-k", "2"})["selected"] == json({3, 4}));

    refused({"consensus", first.path(), "0,4"}, "ranks not all layers");
    refused({"consensus", first.path(), second, first.path()}, "is the same scoring as " + first.path());
    refused({"consensus", first.path(), first.beside("other.json", R"({"ranking": [1, 0], "scores": [], "num_layers": 2})")}, "of one model");
}

TEST_CASE("advise says where further layers pay less, predicted and measured")
{
    const ScoreFile scores;
    const TemporaryFolder workspace;
    const auto put = [&](const std::string &key, const std::string &file, const json &content) {
        std::filesystem::create_directories((workspace.path() / "artifacts" / key / file).parent_path());
        std::ofstream(workspace.path() / "artifacts" / key / file) << content;
    };
    const auto curve = [](const std::vector<int> &kept, double kl, std::int64_t tokens) {
        json one = {{"kept", kept}, {"layer", kept.empty() ? -1 : kept.front()}, {"tokens", {tokens}}, {"counted_tokens", {10, 10}}, {"kl_nats", {{kl - 0.01, kl + 0.01}}}};
        return one;
    };
    const std::vector<double> alone{0.8, 0.9, 0.95, 0.85, 0.3, 0.96};
    json curves = json::array({curve({}, 1.0, 100)});
    json list = json::array();
    for (int layer = 0; layer < 6; ++layer) {
        curves.push_back(curve({layer}, alone[static_cast<std::size_t>(layer)], 100));
        list.push_back({{"layer", layer}, {"score", alone[static_cast<std::size_t>(layer)]}, {"higher_is_better", false}});
    }
    put("score-key", "curves.json", {{"schema", 1}, {"curves", curves}});
    put("score-key", "scores.json", {{"scores", list}, {"num_layers", 6}, {"mixer", "gdn"}, {"teacher_hash", "t"}});
    const auto hybrid = [&](const std::string &key, const std::vector<int> &kept, double kl, std::int64_t tokens, const std::string &teacher) {
        put(key, "curve.json", curve(kept, kl, tokens));
        put(key, "result.json", {{"kind", "distill"}, {"mixer", "gdn"}, {"teacher_hash", teacher}, {"tokens", tokens}, {"held_out_hash", "h"}, {"aligned", key == "calibrated" ? "b" : "a"}});
        put(key, "model/spec.json", {{"mixer", {{"kind", "gdn"}}}, {"temperature", 1}, {"ce_weight", 0}, {"reverse_kl_weight", 0}});
    };
    hybrid("k1", {4}, 0.25, 500, "t");
    hybrid("k2", {0, 4}, 0.1, 500, "t");
    hybrid("k4", {0, 1, 3, 4}, 0.05, 500, "t");
    hybrid("uniform", {0, 3}, 0.6, 500, "t");          // not the best two
    hybrid("longer", {0, 4}, 0.08, 900, "t");          // other tokens
    hybrid("stranger", {0, 3, 4}, 0.01, 500, "u");
    hybrid("calibrated", {0, 3, 4}, 0.07, 500, "t");   // another start
    put("broken", "curve.json", json::array());
    put("broken", "result.json", {{"kind", "distill"}, {"mixer", "gdn"}, {"teacher_hash", "t"}, {"tokens", 500}});

    const Answer answer = runProgram({"advise", "score-key", "--json", "--workspace", workspace.path().string()});
    INFO(answer.err);
    REQUIRE(answer.status == 0);
    const json result = answer.json();
    CHECK(result["ranking"] == json({4, 0, 3, 1, 2, 5}));
    const json &predicted = result["predicted"]["points"];
    REQUIRE(predicted.size() == 6);                                 // with all six it is the teacher
    CHECK(predicted[0]["kl_nats"].get<double>() == Approx(1.0));
    CHECK(predicted[1]["kl_nats"].get<double>() == Approx(0.3));
    CHECK(predicted[2]["kl_nats"].get<double>() == Approx(0.1));    // 1 - 0.7 - 0.2
    CHECK(predicted[3]["kl_nats"].is_null());                       // 0.1 - 0.15: more than there was to gain
    CHECK(predicted[3]["high"].is_null());
    CHECK(runProgram({"advise", "score-key", "--workspace", workspace.path().string()}).out.find("no guess") != std::string::npos);
    CHECK(result["predicted"]["elbow"]["share_of_fall"].get<double>() == Approx(0.9));
    CHECK(result["predicted"]["elbow"]["fall_to"] == 6);
    CHECK(result["hybrids_left_out"]["other_start"] == 1);
    CHECK(result["hybrids_left_out"]["other_tokens"] == 1);
    CHECK(result["hybrids_left_out"]["unreadable"] == 1);
    CHECK(runProgram({"advise", "score-key", "--workspace", workspace.path().string()}).out.find("3 hybrids of these layers are left out: 1 of another start, 1 trained on another number of tokens, 1 unreadable.") != std::string::npos);
    CHECK(result["predicted"]["elbow"]["keep"] == 2);               // 0.9 of the fall at a third of the way; at one 0.7 at a sixth
    const json &measured = result["measured"]["points"];
    REQUIRE(measured.size() == 3);
    CHECK(measured[2]["keep"] == 4);
    CHECK(measured[1]["kl_nats"].get<double>() == Approx(0.1));
    CHECK(result["measured"]["elbow"]["keep"] == 2);
    CHECK(result["hybrids"][1]["key"] == "k2");
    refused({"advise", scores.path(), "--workspace", workspace.path().string()}, "held-out sequence");

    // A hybrid that is its teacher has KL 0, and rounding may put it below: that was measured, it is no guess that failed.
    hybrid("k5", {0, 1, 2, 3, 4}, -1e-9, 500, "t");
    hybrid("k6", {0, 1, 2, 3, 4, 5}, 0.0, 500, "t");
    const json whole = runProgram({"advise", "score-key", "--json", "--workspace", workspace.path().string()}).json()["measured"]["points"];
    REQUIRE(whole.size() == 5);
    CHECK(whole[3]["kl_nats"].get<double>() == Approx(-1e-9));
    CHECK(whole[4]["kl_nats"].get<double>() == Approx(0.0));
    CHECK(whole[4]["low"].get<double>() < 0.0);
    const std::string table = runProgram({"advise", "score-key", "--workspace", workspace.path().string()}).out;
    CHECK(table.find("no guess") < table.find("Measured"));
    CHECK(table.find("no guess", table.find("Measured")) == std::string::npos);
}

TEST_CASE("numbers that are no layers are refused, neither wrapped nor cut")
{
    const ScoreFile scores;
    const auto file = [&](const std::string &name, const std::string &layer, const std::string &more) {
        std::string list;
        for (int i = 0; i < 5; ++i)
            list += R"({"layer": )" + std::to_string(i) + R"(, "score": )" + std::to_string(i + 1) + "}, ";
        return scores.beside(name, R"({"scores": [)" + list + R"({"layer": )" + layer + R"(, "score": 9}])" + more + "}");
    };
    for (const char *layer : {"4294967301", "5.5", "-1", "\"5\"", "1e300", "null"})
        for (const std::vector<std::string> &rule : {std::vector<std::string>{}, {"--selector", "smart"}}) {
            std::vector<std::string> call{"select", file("layer.json", layer, ""), "-k", "2", "--workspace", "/nonexistent"};
            call.insert(call.end(), rule.begin(), rule.end());
            const Answer answer = runProgram(call);
            CAPTURE(layer);
            CHECK((answer.status == 4 || answer.status == 2));
            CHECK(answer.out.empty());
            CHECK(answer.err.find("json.exception") == std::string::npos);
        }
    refused({"select", file("count.json", "5", R"(, "num_layers": 4294967302)"), "-k", "2", "--workspace", "/nonexistent"}, "whole number", 4);
    refused({"select", file("ranking.json", "5", R"(, "ranking": [0, 1, 2, 3, 4, 4294967301])"), "-k", "2", "--workspace", "/nonexistent"}, "ranking", 4);
    refused({"compare", scores.beside("wrapped.json", R"({"selected": [4294967296, 1], "num_layers": 6})"), "0,1"}, "whole number", 4);
    refused({"compare", scores.beside("cut.json", R"({"selected": [0.7, 1.2], "num_layers": 6})"), "0,1"}, "whole number", 4);
    refused({"score", "--teacher", "demo", "--name", "bad\xff name", "--dry-run"}, "UTF-8");
}

TEST_CASE("sizes that no model has are refused at once, and large ones are answered")
{
    for (const char *layers : {"4097", "100000", "2000000000"}) {
        refused({"select", "--selector", "random", "-k", "2", "--layers", layers}, "4096");
        refused({"compare", "0,1", "random", "-k", "2", "--layers", layers}, "4096");
    }
    refused({"select", "--selector", "random", "--draws", "10000", "--layers", "4096", "-k", "2000"}, "ask for fewer sets");
    const Answer drawn = runProgram({"select", "--selector", "random", "--draws", "10000", "--layers", "4096", "-k", "100", "--json"});
    REQUIRE(drawn.status == 0);
    CHECK(drawn.json()["draws"].size() == 10000);
    const ScoreFile scores;
    refused({"select", scores.beside("huge.json", R"({"scores": [{"layer": 0, "score": 1}], "num_layers": 2000000000})"), "-k", "1", "--workspace", "/nonexistent"}, "from 1 to 4096");
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--kv-bytes", "1MiB", "--context", "1000000000001"}, "that a context may have");
    std::vector<std::string> many{"compare", "--curve", "-k", "2", "--layers", "4096"};
    many.insert(many.end(), 20, "random");
    refused(many, "name fewer sets");
}

TEST_CASE("names from files are printed without what a terminal obeys")
{
    const TemporaryFolder workspace;
    const std::string hostile = "evil\x1b]0;title\x07\xc2\x9b" "2J\xe2\x80\xae";
    const auto hasControl = [](const std::string &text) {
        return text.find('\x1b') != std::string::npos || text.find('\x07') != std::string::npos || text.find("\xc2\x9b") != std::string::npos || text.find("\xe2\x80\xae") != std::string::npos;
    };
    const auto folder = workspace.path() / "artifacts" / "abc123";
    std::filesystem::create_directories(folder);
    json curves = json::array(), scores = json::array();
    for (int layer = 0; layer < 3; ++layer) {
        curves.push_back({{"layer", layer}, {"values", {0.1 * layer, 0.1 * layer + 0.01, 0.1 * layer + 0.02}}});
        scores.push_back({{"layer", layer}, {"score", 0.1 * layer + 0.01}, {"kl_nats", 0.1 * layer + 0.01}, {"unit", hostile}, {"higher_is_better", false}});
    }
    std::ofstream(folder / "curves.json") << json{{"schema", 1}, {"curves", json::array()}, {"samples", {{"higher_is_better", false}, {"layers", curves}}}};
    std::ofstream(folder / "scores.json") << json{{"scores", scores}, {"num_layers", 3}, {"selector", hostile}, {"mixer", hostile}, {"notes", {{"ranking", hostile}}}};
    const std::string file = (workspace.path() / (hostile + ".json")).string();
    std::filesystem::copy_file(folder / "scores.json", file);
    const std::string there = workspace.path().string();
    for (const std::vector<std::string> &call : std::vector<std::vector<std::string>>{{"select", "abc123", "-k", "1"}, {"select", "abc123", "-k", "1", "--selector", "smart"}, {"select", file, "-k", "1"}, {"select", file + "x", "-k", "1"},
                                                  {"compare", file, "0,1"}, {"compare", "--matrix", file, "0,1"}, {"compare", file, hostile}, {"consensus", file, file}, {"advise", file}, {"select", hostile, "-k", "1"},
                                                  {"select", "--selector", hostile, "abc123", "-k", "1"}, {"select", "--selector", "published:" + hostile + "/gdn/25/ga-s2"}, {"select", hostile, hostile, hostile}, {hostile}, {"select", "abc123", "--kv-bytes", hostile, "--context", "1"},
                                                  {"score", "--teacher", hostile}, {"score", "--teacher", "demo", "--selector", hostile}, {"score", "--teacher", "demo", "--mixer.kind", hostile, "--dry-run"}, {"runs", "show", hostile}, {"run", hostile}, {"inspect", hostile}}) {
        std::vector<std::string> all = call;
        if (call.size() > 1 && call[0] != "inspect")
            all.insert(all.end(), {"--workspace", there});
        const Answer answer = runProgram(all);
        CAPTURE(call[0]);
        CAPTURE(answer.status);
        CHECK_FALSE(hasControl(answer.out));
        CHECK_FALSE(hasControl(answer.err));
        CHECK_FALSE((answer.out + answer.err).empty());
    }
}

TEST_CASE("damaged curves say which file it is, what is wrong and what to do")
{
    const TemporaryFolder workspace;
    const auto folder = workspace.path() / "artifacts" / "abc123";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "scores.json") << R"({"scores": [{"layer": 0, "score": 0.1}, {"layer": 1, "score": 0.2}], "num_layers": 2})";
    for (const char *content : {"", "{", "[]", "{}", R"({"curves": 1})", R"({"curves": [1]})", R"({"curves": [{"layer": 0}]})", R"({"curves": [{"layer": 0, "tokens": [0], "kl_nats": [[1]], "counted_tokens": [1, 2]}]})",
                                R"({"curves": [{"layer": 0.5, "tokens": [0], "kl_nats": [[1]], "counted_tokens": [1]}]})", R"({"curves": [{"layer": 0, "tokens": [0], "kl_nats": [["x"]], "counted_tokens": [1]}]})",
                                R"({"curves": [{"layer": 0, "tokens": [0], "kl_nats": [[1]], "counted_tokens": [1]}, {"layer": 1, "tokens": [0], "kl_nats": [[1, 2]], "counted_tokens": [1, 2]}, {"layer": -1, "tokens": [0], "kl_nats": [[1]], "counted_tokens": [1]}]})"}) {
        std::ofstream(folder / "curves.json") << content;
        CAPTURE(content);
        for (const std::vector<std::string> &call : {std::vector<std::string>{"select", "abc123", "-k", "1", "--workspace", workspace.path().string()}, {"advise", "abc123", "--workspace", workspace.path().string()}}) {
            const Answer answer = runProgram(call);
            CAPTURE(call[0]);
            CAPTURE(answer.err);
            CHECK(answer.status == 4);
            CHECK(answer.err.find("The stored curves \"" + (folder / "curves.json").string() + "\" cannot be used: ") != std::string::npos);
            CHECK(answer.err.find("run the score stage again with --fresh") != std::string::npos);
        }
    }
}

TEST_CASE("what is measured on one sequence has no error in the tables either")
{
    const TemporaryFolder workspace;
    const Answer scored = runProgram({"score", "--teacher", "demo", "--selector", "kl-bypass", "--data.sequence-length", "64", "--data.recall.pairs", "8", "--data.held-out-sequences", "1", "--name", "one", "--workspace", workspace.path().string()});
    INFO(scored.err);
    REQUIRE(scored.status == 0);
    CHECK(scored.out.find("0.0000 ") == std::string::npos);
    CHECK(scored.out.find("–") != std::string::npos);
    const Answer chosen = runProgram({"select", "one", "-k", "2", "--json", "--workspace", workspace.path().string()});
    REQUIRE(chosen.status == 0);
    CHECK(chosen.json()["scores"][0]["se_nats"].is_null());
    CHECK_FALSE(chosen.json().contains("certainty"));
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

TEST_CASE("looking makes no workspace")
{
    const TemporaryFolder folder;
    const std::string nowhere = (folder.path() / "nowhere").string();
    CHECK(runProgram({"runs", "list", "--workspace", nowhere}).status == 0);
    CHECK(runProgram({"runs", "list", "--json", "--workspace", nowhere}).json().empty());
    refused({"runs", "show", "demo", "--workspace", nowhere}, "there is no workspace");
    CHECK(std::filesystem::is_empty(folder.path()));
}
