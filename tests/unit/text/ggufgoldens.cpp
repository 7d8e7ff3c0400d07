// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/temporaryfolder.h"
#include "ggufarrays.h"
#include "hostilestrings.h"
#include "text/tokenizer.h"
#include "reducedtests.h"
#include "testdata.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <nlohmann/json.hpp>
#include <sentencepiece_processor.h>

namespace ggufgoldens_tests {

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

const fs::path ownData = stillroom::test::testData() / "text" / "tokenizers";

// The vocabulary that tests/golden/tokenizers/make_gguf.py makes of gpt2.tokenizer.json.
GgufBuilder bytePairs(const std::string &pre)
{
    const json data = json::parse(readAll(ownData / "gpt2.tokenizer.json"));
    std::vector<std::string> tokens;
    std::vector<std::int32_t> types;
    const auto place = [&](const std::string &token, std::size_t id, std::int32_t type) {
        tokens.resize(std::max(tokens.size(), id + 1));
        types.resize(tokens.size(), 1);
        tokens[id] = token;
        types[id] = type;
    };
    for (const auto &[token, id] : data.at("model").at("vocab").items()) {
        const bool gone = id.get<std::size_t>() % 23 == 11;
        place(gone ? "gone" + std::to_string(id.get<int>()) : token, id.get<std::size_t>(), id == 11 ? 4 : 1);
    }
    for (const json &token : data.at("added_tokens")) {
        place(token.at("content").get<std::string>(), token.at("id").get<std::size_t>(), 3);
    }
    std::vector<std::string> merges;
    for (const json &merge : data.at("model").at("merges")) {
        merges.push_back(merge.is_string() ? merge.get<std::string>() : merge.at(0).get<std::string>() + " " + merge.at(1).get<std::string>());
    }
    GgufBuilder file;
    file.setText("general.architecture", "llama");
    file.setText("tokenizer.ggml.model", "gpt2");
    file.setText("tokenizer.ggml.pre", pre);
    test::setTexts(file, "tokenizer.ggml.tokens", tokens);
    test::setArray(file, "tokenizer.ggml.token_type", types);
    test::setTexts(file, "tokenizer.ggml.merges", merges);
    file.setInteger("tokenizer.ggml.bos_token_id", 5);
    file.setInteger("tokenizer.ggml.eos_token_id", 6);
    return file;
}

// The same of sp_bpe.model.
GgufBuilder sentencePieces()
{
    sentencepiece::SentencePieceProcessor processor;
    REQUIRE(processor.LoadFromSerializedProto(readAll(ownData / "sp_bpe.model")).ok());
    std::vector<std::string> tokens;
    std::vector<float> scores;
    std::vector<std::int32_t> types;
    for (int id = 0; id < processor.GetPieceSize(); ++id) {
        tokens.push_back(processor.IdToPiece(id));
        scores.push_back(processor.GetScore(id));
        types.push_back(processor.IsUnknown(id) ? 2 : processor.IsControl(id) ? 3 : processor.IsByte(id) ? 6 : 1);
    }
    GgufBuilder file;
    file.setText("general.architecture", "llama");
    file.setText("tokenizer.ggml.model", "llama");
    test::setTexts(file, "tokenizer.ggml.tokens", tokens);
    test::setArray(file, "tokenizer.ggml.scores", scores);
    test::setArray(file, "tokenizer.ggml.token_type", types);
    file.setRaw("tokenizer.ggml.add_eos_token", 7, std::string(1, '\1'));
    return file;
}

// The hash of the ids of texts first … end-1.
template <class TextAt>
std::string groupHash(const Tokenizer &tokenizer, std::size_t first, std::size_t end, TextAt textAt)
{
    std::string joined;
    for (std::size_t i = first; i < end; ++i) {
        std::string text = textAt(i);
        std::erase(text, '\0');
        joined += i == first ? "" : "|";
        const std::vector<TokenId> ids = tokenizer.encode(text, true);
        for (std::size_t k = 0; k < ids.size(); ++k) {
            joined += (k == 0 ? "" : ",") + std::to_string(ids[k]);
        }
    }
    return test::hex8(test::fnv1a(joined));
}

// `expected` holds one hash for every `group` of the `count` texts.
template <class TextAt>
void checkGroups(const Tokenizer &tokenizer, const std::string &expected, std::size_t count, std::size_t group, TextAt textAt)
{
    REQUIRE(expected.size() == 8 * ((count + group - 1) / group));
    const std::size_t step = reducedStep(16);
    for (std::size_t first = 0; first < count; first += step * group) {
        CAPTURE(first);
        CHECK(groupHash(tokenizer, first, std::min(count, first + group), textAt) == expected.substr(8 * (first / group), 8));
    }
}

}  // namespace

TEST_CASE("every way of splitting in a GGUF gives llama.cpp's ids on hostile strings")
{
    const test::HostileStrings hostile(ownData / "hostile.json");
    const std::vector<std::uint64_t> blocks = test::HostileStrings::characterBlocks();
    const json results = json::parse(readAll(ownData / "gguf_results.json"));
    CHECK(results.size() >= 24);
    const TemporaryFolder folder;
    for (const auto &[name, expected] : results.items()) {
        CAPTURE(name);
        (name == "llama" ? sentencePieces() : bytePairs(name)).write(folder / "vocabulary.gguf");
        const auto tokenizer = loadTokenizer(folder / "vocabulary.gguf");
        checkGroups(*tokenizer, expected.at("strings").get<std::string>(), 1200, 4, [&](std::size_t i) { return hostile.string(i); });
        checkGroups(*tokenizer, expected.at("characters").get<std::string>(), blocks.size(), 16, [&](std::size_t i) { return test::HostileStrings::characters(blocks[i]); });
    }
}

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
    const fs::path golden = stillroom::test::sharedData() / "golden" / "smollm2_135m" / "tokenizer_cases.json";
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

}  // namespace ggufgoldens_tests
