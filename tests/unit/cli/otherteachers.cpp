// SPDX-License-Identifier: GPL-3.0-or-later
// An evaluation may name any teacher: it is measured against where both mean the same tokens by the same ids, and refused where they do not.
#include "cli/program.h"
#include "temporaryfolder.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace otherteachertests {

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::runProgram;
namespace fs = std::filesystem;

namespace {

/// A copy of the demo's teacher with another tokenizer, and a longer context, so that it is another model.
std::string teacherWith(const fs::path &folder, const std::function<void(json &vocabulary)> &change)
{
    fs::copy(fs::path(std::getenv("STILLROOM_RESOURCES")) / "demo" / "teacher", folder);
    json tokenizer = json::parse(std::ifstream(folder / "tokenizer.json"));
    change(tokenizer["model"]["vocab"]);
    std::ofstream(folder / "tokenizer.json") << tokenizer;
    json config = json::parse(std::ifstream(folder / "config.json"));
    config["max_position_embeddings"] = 128;
    std::ofstream(folder / "config.json") << config;
    return folder.string();
}

Answer evaluated(const std::string &model, const std::string &teacher, const fs::path &workspace, const std::vector<std::string> &more = {})
{
    std::vector<std::string> words{"evaluate", "--model", model, "--teacher", teacher, "--measures", "kl", "--data.held-out-sequences", "4", "--json", "--workspace", workspace.string()};
    words.insert(words.end(), more.begin(), more.end());
    return runProgram(words);
}

}  // namespace

TEST_CASE("a teacher whose ids stand for other tokens is refused, whatever the data")
{
    const TemporaryFolder folder;
    const auto swap = [](json &vocabulary) {
        for (int i = 0; i < 64; ++i) {
            const std::string number = (i < 10 ? "0" : "") + std::to_string(i);
            std::swap(vocabulary["k" + number], vocabulary["v" + number]);
        }
    };
    const std::string swapped = teacherWith(folder.path() / "swapped", swap), same = teacherWith(folder.path() / "same", [](json &) {});
    const std::string text = (folder.path() / "text.txt").string();
    for (int i = 0; i < 600; ++i)
        std::ofstream(text, std::ios::app) << "k00 v01 k02 v03 ";
    const std::vector<std::string> onText{"--data.source", "text", "--data.files", text, "--data.held-out-files", text, "--data.sequence-length", "32"};
    for (const std::vector<std::string> &more : {std::vector<std::string>(), onText}) {
        CAPTURE(more.size());
        const Answer refused = evaluated("demo", swapped, folder.path() / "ws", more);
        CAPTURE(refused.err);
        CHECK(refused.status == 2);
        CHECK(refused.err.find("the teacher has other tokens than the model: id ") != std::string::npos);
        CHECK(refused.err.find("to the model and \"") != std::string::npos);
        CHECK(evaluated("demo", same, folder.path() / "ws", more).json()["measures"]["kl_nats"] == 0.0);
    }
    CHECK(runProgram({"runs", "list", "--json", "--workspace", (folder.path() / "ws").string()}).json().size() == 4);
}

TEST_CASE("a token that is named otherwise, and a folder without a tokenizer, forbid no comparison")
{
    const TemporaryFolder folder;
    const auto rename = [](json &vocabulary) {
        vocabulary["extra"] = vocabulary["k07"];
        vocabulary.erase("k07");
    };
    const std::string renamed = teacherWith(folder.path() / "renamed", rename), bare = teacherWith(folder.path() / "bare", rename);
    fs::remove(fs::path(bare) / "tokenizer.json");
    for (const std::string &teacher : {renamed, bare}) {
        CAPTURE(teacher);
        const Answer answer = evaluated("demo", teacher, folder.path() / "ws");
        CAPTURE(answer.err);
        REQUIRE(answer.status == 0);
        CHECK(answer.json()["measures"]["kl_nats"] == 0.0);
    }
}

}  // namespace otherteachertests
