// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokenizer.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

using namespace stillroom::text;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path sharedData = STILLROOM_SHARED_DATA;

json readJson(const fs::path &path)
{
    std::ifstream stream(path);
    REQUIRE(stream);
    return json::parse(stream);
}

// A list of {text, ids, ids_special, decoded}.
void checkCases(const Tokenizer &tokenizer, const json &cases)
{
    REQUIRE(!cases.empty());
    for (const json &entry : cases) {
        const auto text = entry.at("text").get<std::string>();
        CAPTURE(text);
        const auto ids = entry.at("ids").get<std::vector<TokenId>>();
        CHECK(tokenizer.encode(text) == ids);
        CHECK(tokenizer.encode(text, true) == entry.at("ids_special").get<std::vector<TokenId>>());
        CHECK(tokenizer.decode(ids) == entry.at("decoded").get<std::string>());
    }
}

}  // namespace

TEST_CASE("real tokenizers give Hugging Face's ids")
{
    for (const char *name : {"gpt2", "qwen3"}) {
        const fs::path folder = sharedData / "tokenizers" / name;
        if (!fs::exists(folder)) {
            MESSAGE("skipped: " << folder.string() << " is not there");
            continue;
        }
        CAPTURE(name);
        const auto tokenizer = loadTokenizer(folder);
        checkCases(*tokenizer, readJson(sharedData / "golden" / "tokenizers" / (std::string(name) + ".json")));
    }
}
