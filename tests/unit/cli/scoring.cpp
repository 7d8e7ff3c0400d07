// SPDX-License-Identifier: GPL-3.0-or-later
// score: its selectors, what it measures on, and what it says beforehand.
#include "cli/program.h"
#include "cli/scorefile.h"
#include "temporaryfolder.h"

#include <algorithm>
#include <cstddef>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <vector>

namespace scoring_tests {

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::refused;
using stillroom::test::runProgram;
using stillroom::test::ScoreFile;
using stillroom::test::selected;
using doctest::Approx;

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
    refused({"run", "{\"kind\": \"score\",", "--print-spec"}, "The spec is not JSON: correct the error at line 1, column ");
    refused({"run", "{\"kind\":", "--print-spec"}, "The spec is not JSON: correct the error at line 1, column ");
    refused({"run", "{\"kind\": \"score\", \"kind\": \"align\"}"}, "The spec holds the name \"kind\" twice");
    refused({"run", ""}, "the spec is empty: name SPEC.json");
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
    refused({"select", run + " > scoring", "-k", "2", "--workspace", workspace.path().string()}, "has no stage \"scoring\": it is a single stage, score");
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

}  // namespace scoring_tests
