// SPDX-License-Identifier: GPL-3.0-or-later
// select: which layers, and what they cost.
#include "cli/program.h"
#include "cli/scorefile.h"
#include "temporaryfolder.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace choosing_tests {

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::refused;
using stillroom::test::runProgram;
using stillroom::test::ScoreFile;
using stillroom::test::selected;
using doctest::Approx;

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

TEST_CASE("options of select that would not be read are refused by name")
{
    const ScoreFile scores;
    refused({"select", scores.path(), "-k", "2", "--seed", "3"}, "--seed is of random sets: leave it out, or choose --selector random");
    refused({"select", "uniform-start", "--layers", "6", "-k", "2", "--draws", "1"}, "--draws is of random sets");
    refused({"select", "uniform-start", "--layers", "6", "-k", "2", "--scores-of", "ga-s2"}, "--scores-of says what smart takes");
    refused({"select", scores.path(), "--selector", "uniform-start", "-k", "2", "--scores-of", "ga-s2"}, "--scores-of says what smart takes");
    refused({"select", "uniform-start", "--layers", "6", "-k", "2", "--mixer", "gla"}, "--mixer says of what the costs are");
    refused({"select", scores.path(), "-k", "2", "--context", "1k"}, "--context says of what the costs are");
    refused({"select", "--list-published", "-k", "2"}, "--keep excludes --list-published");
    CHECK(runProgram({"select", "--list-published", "--json", "--workspace", "/nonexistent"}).status == 0);
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
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "-k", "2", "--context", "0"}, "no number of tokens");
    refused({"select", "--selector", "uniform-start", "--layers", "6", "-k", "2", "--context", "many"}, "no number of tokens");
    CHECK(runProgram({"select", "--selector", "uniform-start", "--teacher", "demo", "-k", "2", "--context", "1"}).out.find("at 1 token: cache") != std::string::npos);
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--kv-bytes", "-5", "--context", "1k"}, "no number of bytes");
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--state-bytes", "1KiB", "--context", "1k"}, "the least is");
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--state-bytes", "1KiB", "--context", "1.5"}, "no number of tokens");
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--mixer", "gnd", "-k", "2"}, "gdn");
    const Answer text = runProgram({"select", "--selector", "uniform-start", "--teacher", "demo", "-k", "2"});
    CHECK(text.status == 0);
    CHECK(text.out.find("keep 2 of 6 layers: [0,3]") != std::string::npos);
    CHECK(text.out.find("32 KiB of state") != std::string::npos);
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

TEST_CASE("a run that used equal scores of an earlier one is chosen from like that one")
{
    const TemporaryFolder folder;
    const std::string workspace = (folder.path() / "workspace").string();
    for (const char *name : {"first", "again"})
        REQUIRE(runProgram({"score", "--teacher", "demo", "--selector", "ga-s1", "--alignment.steps", "2", "--alignment.batch-sequences", "2", "--data.held-out-sequences", "2", "--name", name, "--workspace", workspace}).status == 0);
    const Answer first = runProgram({"select", "first", "-k", "2", "--json", "--workspace", workspace}), again = runProgram({"select", "again", "-k", "2", "--json", "--workspace", workspace});
    CAPTURE(again.err);
    REQUIRE(again.status == 0);
    CHECK(again.json().at("selected") == first.json().at("selected"));
    refused({"select", "again:halo", "-k", "2", "--workspace", workspace}, "run again holds no scores of the selector halo: it holds those of ga-s1");
    refused({"select", "again:ga-s1:gla", "-k", "2", "--workspace", workspace}, "with the mixer gla");
}

TEST_CASE("looking makes no workspace")
{
    const TemporaryFolder folder;
    const std::string nowhere = (folder.path() / "nowhere").string();
    CHECK(runProgram({"runs", "list", "--workspace", nowhere}).status == 0);
    CHECK(runProgram({"runs", "list", "--json", "--workspace", nowhere}).json().empty());
    refused({"runs", "show", "demo", "--workspace", nowhere}, "there is no workspace");
    CHECK(std::filesystem::is_empty(folder.path()));
    std::filesystem::create_directory_symlink("circle", folder.path() / "circle");      // like a folder that may not be entered, but for the superuser too
    for (const char *action : {"list", "show"})
        refused({"runs", action, "demo", "--workspace", (folder.path() / "circle" / "workspace").string()}, "cannot be looked for", 4);
}

}  // namespace choosing_tests
