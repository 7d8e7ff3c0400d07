// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokenizer.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <nlohmann/json.hpp>

using namespace stillroom::text;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::string readAll(const fs::path &path)
{
    std::ifstream stream(path, std::ios::binary);
    REQUIRE(stream);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// $STILLROOM_SMOLLM2, or where `stillroom-cli fetch smollm2` puts it.
fs::path smollm2()
{
    if (const char *given = std::getenv("STILLROOM_SMOLLM2")) {
        return given;
    }
    const char *cache = std::getenv("XDG_CACHE_HOME");
    const char *home = std::getenv("HOME");
    const fs::path folder = cache != nullptr ? fs::path(cache) : fs::path(home != nullptr ? home : "/") / ".cache";
    return folder / "stillroom" / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf";
}

std::vector<std::string> inputsOf(const fs::path &vocabulary)
{
    const std::string text = readAll(vocabulary.string() + ".inp");
    const std::string separator = "\n__ggml_vocab_test__\n";
    std::vector<std::string> inputs;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        inputs.push_back(text.substr(begin, end - begin));
        begin = end + separator.size();
    }
    return inputs;
}

}  // namespace

TEST_CASE("ggml's vocabularies give llama.cpp's ids")
{
    const char *folder = std::getenv("STILLROOM_GGML_VOCABS");
    if (folder == nullptr) {
        MESSAGE("skipped: STILLROOM_GGML_VOCABS does not name the folder models/ of llama.cpp");
        return;
    }
    int read = 0;
    for (const char *name : {"command-r", "deepseek-coder", "deepseek-llm", "falcon", "gpt-2", "llama-bpe", "llama-spm", "mpt", "phi-3", "qwen2", "qwen35", "refact", "starcoder"}) {
        const fs::path file = fs::path(folder) / ("ggml-vocab-" + std::string(name) + ".gguf");
        if (!fs::exists(file)) {
            continue;
        }
        CAPTURE(name);
        const auto tokenizer = loadTokenizer(file);
        std::istringstream outputs(readAll(file.string() + ".out"));
        for (const std::string &input : inputsOf(file)) {
            CAPTURE(input);
            std::string line;
            REQUIRE(std::getline(outputs, line));
            std::istringstream numbers(line);
            const std::vector<TokenId> expected{std::istream_iterator<TokenId>(numbers), {}};
            CHECK(tokenizer->encode(input) == expected);
        }
        ++read;
    }
    CHECK(read >= 10);
}

TEST_CASE("SmolLM2's GGUF gives the golden ids, texts and chats")
{
    const fs::path golden = fs::path(STILLROOM_SHARED_DATA) / "golden" / "smollm2_135m" / "tokenizer_cases.json";
    if (!fs::exists(smollm2()) || !fs::exists(golden)) {
        MESSAGE("skipped: needs " << smollm2().string() << " and " << golden.string());
        return;
    }
    const auto tokenizer = loadTokenizer(smollm2());
    const json data = json::parse(readAll(golden));
    for (const json &entry : data.at("cases")) {
        const auto text = entry.at("text").get<std::string>();
        CAPTURE(text);
        const auto ids = entry.at("ids").get<std::vector<TokenId>>();
        CHECK(tokenizer->encode(text) == ids);
        CHECK(tokenizer->encode(text, true) == entry.at("ids_special").get<std::vector<TokenId>>());
        CHECK(tokenizer->decode(ids) == entry.at("decoded").get<std::string>());
    }
    for (const json &chat : data.at("chat")) {
        CHECK(tokenizer->encode(chat.at("rendered").get<std::string>()) == chat.at("ids").get<std::vector<TokenId>>());
    }
    for (const json &partial : data.at("decode_partial")) {
        CHECK(tokenizer->decode(partial.at("ids").get<std::vector<TokenId>>()) == partial.at("decoded").get<std::string>());
    }
    for (const auto &[token, id] : data.at("special_tokens").items()) {
        CHECK(tokenizer->idOf(token) == id.get<TokenId>());
        CHECK(tokenizer->decode(std::vector<TokenId>{id.get<TokenId>()}, true).empty());
    }
    CHECK(tokenizer->eosIds().front() == 2);
    REQUIRE(tokenizer->chatTemplate());
    CHECK(tokenizer->chatTemplate()->find("<|im_start|>") != std::string::npos);
}
