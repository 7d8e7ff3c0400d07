// SPDX-License-Identifier: GPL-3.0-or-later
// consensus: the mean rank over rankings, which counts each scoring once, whatever it is called.
#include "cli/program.h"
#include "cli/scorefile.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace consensus_tests {

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::refused;
using stillroom::test::runProgram;
using stillroom::test::ScoreFile;
using stillroom::test::selected;
using doctest::Approx;

TEST_CASE("a scoring is the same by name, UUID, prefix, key, printed JSON and any path to its file")
{
    const TemporaryFolder folder;
    const std::string workspace = (folder.path() / "workspace").string();
    const auto scored = [&](const std::string &name, const std::string &sequences) {
        const Answer answer = runProgram({"score", "--teacher", "demo", "--selector", "kl-bypass", "--data.sequence-length", "64", "--data.recall.pairs", "8", "--data.held-out-sequences", sequences,
                                          "--name", name, "--json", "--workspace", workspace});
        CAPTURE(answer.err);
        REQUIRE(answer.status == 0);
        return answer.json();
    };
    const json printed = scored("first one", "2");
    (void)scored("second", "3");
    const json list = runProgram({"runs", "list", "first one", "--json", "--workspace", workspace}).json();
    REQUIRE(list.size() == 1);
    const std::string uuid = list[0]["uuid"], key = printed.at("key"), file = workspace + "/artifacts/" + key + "/scores.json", copy = (folder.path() / "printed.json").string();
    std::ofstream(copy) << printed;
    for (const std::string &other : {uuid, uuid.substr(0, 8), std::string("first one:kl-bypass"), key, file, workspace + "/../workspace/artifacts/" + key + "/scores.json", copy}) {
        CAPTURE(other);
        const Answer answer = runProgram({"consensus", "first one", other, "--workspace", workspace});
        CAPTURE(answer.err);
        CHECK(answer.status == 2);
        CHECK(answer.err.find("is the same scoring as first one") != std::string::npos);
    }
    CHECK(runProgram({"consensus", "first one", "second", "--workspace", workspace}).status == 0);
}

TEST_CASE("a file without a key is the same by any path to it")
{
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "below");
    for (const char *name : {"one.json", "two.json"})
        std::ofstream(folder.path() / name) << R"({"num_layers": 2, "scores": [{"layer": 0, "score": 1.0, "higher_is_better": false}, {"layer": 1, "score": 2.0, "higher_is_better": false}]})";
    std::ofstream(folder.path() / "set.json") << R"({"selected": [0], "ranking": [0, 1], "num_layers": 2})";
    const std::string at = folder.path().string();
    for (const char *name : {"one.json", "set.json"}) {
        CAPTURE(name);
        const Answer answer = runProgram({"consensus", at + "/" + name, at + "/below/../" + name});
        CHECK(answer.status == 2);
        CHECK(answer.err.find("is the same scoring as") != std::string::npos);
    }
    CHECK(runProgram({"consensus", at + "/one.json", at + "/two.json"}).status == 0);      // equal values of other seeds may be
}

TEST_CASE("consensus is the mean rank over rankings, and makes scores that select takes")
{
    const ScoreFile first;
    const std::string second = first.ranked("second.json", {4, 3, 0, 1, 2, 5}), third = first.ranked("third.json", {4, 3, 1, 0, 5, 2});
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
    refused({"consensus", first.path(), first.ranked("other.json", {1, 0})}, "of one model");
}

}  // namespace consensus_tests
