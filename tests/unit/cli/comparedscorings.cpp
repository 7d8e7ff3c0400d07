// SPDX-License-Identifier: GPL-3.0-or-later
// What select and compare make of values by held-out sequence, and of stopping early.
#include "cli/program.h"
#include "temporaryfolder.h"

#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace comparedscorings_tests {

using doctest::Approx;
using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::runProgram;

namespace {

/// A score stage's folder in a workspace: `values_LS` by layer and sequence, a high one good.
std::string sampledScoring(const std::filesystem::path &workspace, const std::string &key, const std::vector<std::vector<double>> &values_LS, const json &notes = json::object(), const json &data = nullptr)
{
    const auto folder = workspace / "artifacts" / key;
    std::filesystem::create_directories(folder);
    json scores = json::array(), layers = json::array();
    std::vector<std::pair<double, int>> order;
    for (std::size_t layer = 0; layer < values_LS.size(); ++layer) {
        double mean = 0.0;
        for (const double value : values_LS[layer])
            mean += value / static_cast<double>(values_LS[layer].size());
        scores.push_back({{"layer", layer}, {"score", mean}, {"higher_is_better", true}, {"unit", "points"}, {"se", 0.1}, {"n", values_LS[layer].size()}});
        layers.push_back({{"layer", layer}, {"values", values_LS[layer]}});
        order.emplace_back(-mean, static_cast<int>(layer));
    }
    std::sort(order.begin(), order.end());
    json ranking = json::array();
    for (const auto &[mean, layer] : order)
        ranking.push_back(layer);
    json result{{"key", key}, {"selector", "ppl-bypass"}, {"mixer", "none"}, {"num_layers", values_LS.size()}, {"scores", scores}, {"ranking", ranking}, {"notes", notes}};
    if (!data.is_null())
        result["data"] = data;
    std::ofstream(folder / "scores.json") << result;
    std::ofstream(folder / "curves.json") << json{{"schema", 1}, {"curves", json::array()}, {"samples", {{"higher_is_better", true}, {"layers", layers}}}};
    return key;
}

}  // namespace

TEST_CASE("compare gives the overlap of two scorings an interval over their sequences, and a dash where there is none")
{
    const TemporaryFolder folder;
    const std::string workspace = folder.path().string();
    // Sure: layers 0 and 1 are best on every sequence. Unsure: layer 0 is, 1 and 2 by turns.
    const std::string sure = sampledScoring(folder.path(), "sure", {{9, 9, 9, 9}, {8, 8, 8, 8}, {1, 1, 1, 1}, {0, 0, 0, 0}});
    const std::string unsure = sampledScoring(folder.path(), "unsure", {{9, 9, 9, 9}, {9, 0, 8, 1}, {0, 8, 1, 8}, {0, 0, 0, 0}});
    const auto pairOf = [&](const std::vector<std::string> &sets) {
        std::vector<std::string> arguments{"compare", "-k", "2", "--json", "--workspace", workspace};
        arguments.insert(arguments.end(), sets.begin(), sets.end());
        const Answer answer = runProgram(arguments);
        INFO(answer.err);
        REQUIRE(answer.status == 0);
        return answer.json()["pairs"][0];
    };
    const json same = pairOf({sure, sure})["jaccard_interval"];
    CHECK(same["low"] == 1.0);
    CHECK(same["high"] == 1.0);
    CHECK(same["paired"] == true);
    const json self = pairOf({unsure, unsure})["jaccard_interval"];      // the same draws of both
    CHECK(self["low"] == 1.0);
    const json pair = pairOf({sure, unsure});
    CHECK(pair["jaccard_interval"]["low"].get<double>() == Approx(1.0 / 3.0));
    CHECK(pair["jaccard_interval"]["high"] == 1.0);
    CHECK(pair["jaccard_interval"]["paired"] == false);
    const json curve = pairOf({"--curve", sure, unsure})["curve"];
    REQUIRE(curve.size() == 4);
    CHECK(curve[0]["jaccard_low"] == 1.0);
    CHECK(curve[1]["jaccard_low"].get<double>() == Approx(1.0 / 3.0));
    CHECK(pairOf({sure, "0,1"})["jaccard_interval"].is_null());
    CHECK(pairOf({sure, "0,1"})["no_interval"] == "0,1 has no values by held-out sequence");
    const std::string text = runProgram({"compare", "-k", "2", "--workspace", workspace, sure, unsure}).out;
    CHECK(text.find("(95 % 0.333-1.000 over held-out sequences)") != std::string::npos);
    CHECK(runProgram({"compare", "-k", "2", "--workspace", workspace, sure, "0,1"}).out.find("Jaccard 1.000 (no interval: 0,1 has no values by held-out sequence)") != std::string::npos);
    const Answer matrix = runProgram({"compare", "--matrix", "-k", "2", "--json", "--workspace", workspace, sure, unsure});
    REQUIRE(matrix.status == 0);
    CHECK(matrix.json()["jaccard_interval"][0][1]["high"] == 1.0);
}

TEST_CASE("figures show what a run's own selector found, of the run that is named, else of the newest that ended")
{
    const TemporaryFolder folder;
    const std::string workspace = (folder.path() / "workspace").string();
    std::map<std::string, std::string> uuids;
    for (const char *name : {"first", "second"}) {
        const Answer scored = runProgram({"score", "--teacher", "demo", "--name", name, "--seed", std::string(name) == "first" ? "1" : "2", "--selector", "zero-shot-ga", "--alignment.steps", "1", "--alignment.batch-sequences", "1",
                                          "--data.held-out-sequences", "2", "--workspace", workspace});
        CAPTURE(scored.err);
        REQUIRE(scored.status == 0);
    }
    for (const json &run : runProgram({"runs", "list", "--json", "--workspace", workspace}).json())
        uuids[run["name"]] = run["uuid"];
    std::ofstream(folder.path() / "figures.json") << R"({"figures": [{"plot": "layer-scores", "file": "newest", "formats": ["csv"]}, {"plot": "layer-scores", "run": "first", "file": "named", "formats": ["csv"]},
        {"plot": "layer-scores", "run": "first", "selector": "ga-s1", "file": "looked", "formats": ["csv"]}, {"plot": "layer-scores", "selector": "gates", "file": "none", "formats": ["csv"]}]})";
    const Answer made = runProgram({"figures", "--spec", (folder.path() / "figures.json").string(), "--out", folder.path().string(), "--workspace", workspace});
    CHECK(made.status == 2);
    CHECK(made.err.find("figures[3]: the figure none cannot be made: the workspace holds no such scoring of the teacher demo") != std::string::npos);
    const auto shows = [&](const std::string &file, const std::string &run, const std::string &selector) {
        const json from = json::parse(std::ifstream(folder.path() / (file + ".json")));
        CAPTURE(from.dump());
        CHECK(from["runs"] == json::array({uuids.at(run)}));
        CHECK(from.dump().find('"' + selector + '"') != std::string::npos);
    };
    shows("newest", "second", "zero-shot-ga");
    shows("named", "first", "zero-shot-ga");
    shows("looked", "first", "ga-s1");
}

TEST_CASE("a scoring of some layers that has ended is left out as such, and named where it is to be ranked")
{
    const TemporaryFolder folder;
    const std::string workspace = (folder.path() / "workspace").string();
    for (const char *layers : {"2", "0,1,2,3,4,5"}) {
        const Answer aligned = runProgram({"align", "--teacher", "demo", "--name", std::string("layers ") + layers, "--layers", layers, "--steps", "1", "--batch-sequences", "1", "--data.held-out-sequences", "2", "--workspace", workspace});
        CAPTURE(aligned.err);
        REQUIRE(aligned.status == 0);
    }
    const Answer compared = runProgram({"compare", "--teacher", "demo", "--matrix", "--workspace", workspace});
    CHECK(compared.status == 0);
    CAPTURE(compared.err);
    CHECK(compared.err.find("/align/ga-s1/gdn scored 1 of 6 layers: left out") != std::string::npos);
    CHECK(compared.err.find("still being scored") == std::string::npos);
    const Answer chosen = runProgram({"select", "layers 2", "-k", "1", "--workspace", workspace});
    CAPTURE(chosen.err);
    CHECK(chosen.status == 2);
    CHECK(chosen.err.find("the run layers 2 has no score of layer 0") != std::string::npos);
    const std::string partial = compared.err.substr(0, compared.err.find(' '));
    std::ofstream(folder.path() / "figures.json") << json{{"figures", {{{"plot", "agreement"}, {"choices", {partial, "uniform-start"}}, {"formats", {"csv"}}}}}};
    const Answer made = runProgram({"figures", "--spec", (folder.path() / "figures.json").string(), "--out", folder.path().string(), "--workspace", workspace});
    CAPTURE(made.err);
    CHECK(made.status == 2);
    CHECK(made.err.find(partial + " scored 1 of 6 layers") != std::string::npos);
}

TEST_CASE("figures write neither over their own file nor into the workspace's store")
{
    const TemporaryFolder folder;
    const std::filesystem::path workspace = folder.path() / "workspace", spec = folder.path() / "overlap.json";
    std::filesystem::create_directories(workspace);
    const std::string text = json{{"figures", {{{"plot", "overlap"}, {"keep", 2}, {"formats", {"csv"}}}}}}.dump();
    std::ofstream(spec) << text;
    const auto made = [&](const std::filesystem::path &out) { return runProgram({"figures", "--spec", spec.string(), "--out", out.string(), "--workspace", workspace.string()}); };
    const Answer over = made(folder.path());
    CAPTURE(over.err);
    CHECK(over.status == 2);
    CHECK(over.err.find("is the one that the figures are read from") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "overlap.csv"));
    std::ifstream left(spec);
    CHECK(std::string(std::istreambuf_iterator<char>(left), {}) == text);
    for (const char *place : {"runs", "artifacts/paper", "checkpoints"}) {
        const Answer stored = made(workspace / place);
        CAPTURE(stored.err);
        CHECK(stored.status == 2);
        CHECK(stored.err.find("--out is where the workspace keeps what runs made") != std::string::npos);
        CHECK_FALSE(std::filesystem::exists(workspace / place / "overlap.csv"));
    }
    CHECK(made(workspace / "paper").status == 0);
}

TEST_CASE("scorings that say the same data are paired, sequence by sequence, and others are not")
{
    const TemporaryFolder folder;
    // Layer 0 wins where the sequence is easy, layer 1 where it is hard, in both: the sets differ only where they are drawn apart.
    const std::vector<std::vector<double>> values{{9, 0, 9, 0, 5}, {0, 9, 0, 9, 4}};
    const json austen{{"files", {"emma.txt"}}}, other{{"files", {"persuasion.txt"}}};
    sampledScoring(folder.path(), "one", values, {}, austen);
    sampledScoring(folder.path(), "two", values, {}, austen);
    sampledScoring(folder.path(), "elsewhere", values, {}, other);
    const auto intervalWith = [&](const std::string &second) {
        return runProgram({"compare", "-k", "1", "--json", "--workspace", folder.path().string(), "one", second}).json()["pairs"][0]["jaccard_interval"];
    };
    const json paired = intervalWith("two"), apart = intervalWith("elsewhere");
    CHECK(paired["paired"] == true);
    CHECK(paired["low"] == 1.0);
    CHECK(apart["paired"] == false);
    CHECK(apart["low"] == 0.0);
}

TEST_CASE("the intervals of a pair are the same whatever stands beside it and in which order; a damaged file costs its own and is said")
{
    const TemporaryFolder folder;
    const std::string workspace = folder.path().string();
    std::uint32_t state = 1;
    const auto noisy = [&](const std::string &key) {
        std::vector<std::vector<double>> values_LS(24, std::vector<double>(5));
        for (std::vector<double> &layer : values_LS)
            for (double &value : layer)
                value = static_cast<double>((state = state * 1664525U + 1013904223U) >> 8);
        return sampledScoring(folder.path(), key, values_LS);
    };
    const std::string a = noisy("a"), b = noisy("b"), c = noisy("c");
    const auto intervals = [&](const std::vector<std::string> &sets) {      // of a and b, at every K
        std::vector<std::string> arguments{"compare", "-k", "6", "--json", "--curve", "--workspace", workspace};
        arguments.insert(arguments.end(), sets.begin(), sets.end());
        std::vector<double> all;
        const json answer = runProgram(arguments).json();
        for (const json &pair : answer["pairs"])
            if (std::set<std::string>{pair["a"], pair["b"]} == std::set<std::string>{"a", "b"})
                for (const json &point : pair["curve"])
                    all.insert(all.end(), {point["jaccard_low"].get<double>(), point["jaccard_high"].get<double>()});
        REQUIRE(all.size() == 48);
        return all;
    };
    const auto alone = intervals({a, b});
    CHECK(intervals({b, a}) == alone);
    CHECK(intervals({c, b, a}) == alone);
    std::ofstream(folder.path() / "artifacts" / "c" / "curves.json") << "{";
    const Answer damaged = runProgram({"compare", "-k", "6", "--workspace", workspace, a, c});
    CHECK(damaged.status == 0);
    CHECK(damaged.out.find("(no interval: c has no values by held-out sequence that can be read)") != std::string::npos);
    CHECK(damaged.err.find("c has no interval") != std::string::npos);
}

TEST_CASE("select and compare say what stopping early saved")
{
    const TemporaryFolder folder;
    const std::string workspace = folder.path().string();
    const std::vector<std::vector<double>> values{{2, 2}, {1, 1}, {0, 0}};
    const auto stopped = [](const json &note) { return json{{"early_stop", note}}; };
    sampledScoring(folder.path(), "raced", values, stopped({{"rule", "race"}, {"stopped", true}, {"tokens", 262144}, {"planned_tokens", 524288}, {"saved_fraction", 0.4123}}));
    sampledScoring(folder.path(), "older", values, stopped({{"rule", "race"}, {"stopped", true}, {"tokens", 262144}, {"saved_fraction", 0.4123}}));
    sampledScoring(folder.path(), "whole", values, stopped({{"rule", "race"}, {"stopped", false}, {"tokens", 524288}, {"planned_tokens", 524288}, {"saved_fraction", 0.0}}));
    sampledScoring(folder.path(), "plain", values, stopped(nullptr));
    const std::string line = "early stop at 262144 of 524288 tokens: 41 % of the tokens saved";
    const auto says = [&](const std::vector<std::string> &arguments, const std::string &words) {
        std::vector<std::string> all = arguments;
        all.insert(all.end(), {"-k", "1", "--workspace", workspace});
        const Answer answer = runProgram(all);
        CAPTURE(answer.out);
        CHECK(answer.status == 0);
        CHECK(answer.out.find(words) != std::string::npos);
    };
    says({"select", "raced"}, line);
    says({"select", "older"}, "early stop at 262144 tokens: 41 % of the tokens saved");
    says({"select", "whole"}, "no tokens saved");
    says({"compare", "raced", "plain"}, "raced: " + line);
    says({"compare", "--matrix", "raced", "plain"}, "raced: " + line);
    for (const std::vector<std::string> &form : {std::vector<std::string>{"compare"}, {"compare", "--matrix"}}) {      // one form of the same fact
        std::vector<std::string> all = form;
        all.insert(all.end(), {"raced", "plain", "-k", "1", "--json", "--workspace", workspace});
        CHECK(runProgram(all).json()["early_stop"] == nlohmann::json::array({{{"name", "raced"}, {"text", line}}}));
    }
    CHECK(runProgram({"select", "plain", "-k", "1", "--workspace", workspace}).out.find("early stop") == std::string::npos);
    const Answer json = runProgram({"select", "raced", "-k", "1", "--json", "--workspace", workspace});
    CHECK(json.json()["early_stop"]["saved_fraction"] == 0.4123);
}

}  // namespace comparedscorings_tests
