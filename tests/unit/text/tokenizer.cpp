// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokenizer.h"

#include "checkpoint/expecterror.h"
#include "checkpoint/temporaryfolder.h"
#include "hostilestrings.h"
#include "text/bpemerges.h"
#include "text/normalizer.h"
#include "text/textregex.h"
#include "text/utf8.h"
#include "reducedtests.h"
#include "testdata.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include <nlohmann/json.hpp>

namespace tokenizer_tests {

using namespace stillroom;
using namespace stillroom::text;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path ownData = stillroom::test::testData() / "text" / "tokenizers";

std::shared_ptr<const Tokenizer> own(const std::string &name)
{
    return loadTokenizer(ownData / (name + ".tokenizer.json"));
}

json ownJson(const std::string &name)
{
    std::ifstream stream(ownData / (name + ".tokenizer.json"));
    REQUIRE(stream);
    return json::parse(stream);
}

void write(const fs::path &path, const std::string &text)
{
    std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> matchesOf(const std::string &pattern, const std::string &text)
{
    RegexScratch scratch;
    std::vector<std::string> found;
    TextRegex(pattern).forEach(text, scratch, [&](std::size_t begin, std::size_t end) { found.push_back(text.substr(begin, end - begin)); });
    return found;
}

using Strings = std::vector<std::string>;

// Byte-pair merging as its definition reads: again and again the pair of lowest rank, leftmost first.
std::vector<std::uint32_t> mergedSlowly(std::vector<std::uint32_t> symbols, const std::map<std::pair<std::uint32_t, std::uint32_t>, MergeTable::Merge> &merges)
{
    while (true) {
        std::size_t best = symbols.size();
        std::uint32_t bestRank = ~0U;
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
            const auto found = merges.find({symbols[i], symbols[i + 1]});
            if (found != merges.end() && found->second.rank < bestRank) {
                best = i;
                bestRank = found->second.rank;
            }
        }
        if (best == symbols.size()) {
            return symbols;
        }
        symbols[best] = merges.at({symbols[best], symbols[best + 1]}).id;
        symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best + 1));
    }
}

}  // namespace

TEST_CASE("byte-pair merging equals the definition")
{
    text::test::SplitMix random(3);
    MergeScratch scratch;
    for (int round = 0; round < 300; ++round) {
        const auto letters = static_cast<std::uint32_t>(2 + random.below(4));
        MergeTable table;
        std::map<std::pair<std::uint32_t, std::uint32_t>, MergeTable::Merge> merges;
        for (std::uint32_t rank = 0; rank < 40; ++rank) {
            const auto known = letters + rank;
            const std::pair pair{static_cast<std::uint32_t>(random.below(known)), static_cast<std::uint32_t>(random.below(known))};
            const MergeTable::Merge merge{rank, known};
            if (merges.emplace(pair, merge).second) {
                table.insert(pair.first, pair.second, merge, false);
            }
        }
        std::vector<std::uint32_t> symbols(random.below(200));
        std::ranges::generate(symbols, [&] { return static_cast<std::uint32_t>(random.below(letters)); });
        const std::vector<std::uint32_t> expected = mergedSlowly(symbols, merges);
        mergeSymbols(symbols, table, scratch);
        CHECK(symbols == expected);
    }
}

TEST_CASE("ill-formed UTF-8 becomes one U+FFFD for each maximal part")
{
    CHECK(repairUtf8("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64") == "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd");   // Unicode, table 3-8
    CHECK(repairUtf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41") == "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD" "A");
    CHECK(repairUtf8("\xED\xA0\x80\xF4\x91\x92\x93\xFF\x41\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD" "A\uFFFD");
    CHECK_FALSE(isValidUtf8("\xED\xA0\x80"));
    CHECK(isValidUtf8("\xF4\x8F\xBF\xBF"));
    const auto tokenizer = own("llama3");
    CHECK(tokenizer->encode("caf\xC3 \xFF!") == tokenizer->encode("caf\uFFFD \uFFFD!"));
}

TEST_CASE("patterns mean what Oniguruma takes them for")
{
    CHECK(matchesOf(R"(\s)", "a\u180Eb\u0085c\u2003\u200B") == Strings{"\u0085", "\u2003"});
    CHECK(matchesOf(R"([^\S\n]+)", "a \t\nb\u3000") == Strings{" \t", "\u3000"});
    CHECK(matchesOf(R"(\w+)", "a\u0301\u00B2_b-c") == Strings{"a\u0301\u00B2_b", "c"});
    CHECK(matchesOf(R"(\h+)", "xfFz09") == Strings{"fF", "09"});
    CHECK(matchesOf(R"(^b$)", "a\nb\nc") == Strings{"b"});
    CHECK(matchesOf(R"(b{,2}c)", "bbbc") == Strings{"bbc"});
    CHECK(matchesOf(R"(a{x)", "a{x") == Strings{"a{x"});
    CHECK(matchesOf(R"(\p{^L}+|\P{N})", "a1") == Strings{"a", "1"});
    CHECK(matchesOf(R"((?i:'s|'ll))", "'S 'lL '\u017F") == Strings{"'S", "'lL", "'\u017F"});
    CHECK(matchesOf(R"(x*)", "axb") == Strings{"", "x", ""});
    CHECK(matchesOf(R"(\p{L})", "\U000323AF\U0002EBF0\u1C89") == Strings{"\U000323AF", "\U0002EBF0", "\u1C89"});   // newer than Unicode 14
    CHECK(matchesOf(R"(\p{Han}+)", "\u4E00\u3042\u3005") == Strings{"\u4E00", "\u3005"});
    for (const char *pattern : {"[a[bc]]", "[a&&b]", R"(\X)", R"(\1)", R"(\p{Greek_Extended})", "(?<n>a)", "a{1,2}+", R"([\P{L}])"}) {
        expectError(ErrorCode::Unsupported, "which is not understood", [&] { TextRegex{pattern}; });
    }
    for (const char *pattern : {"(", "[", R"(\)", "*"}) {
        CHECK_THROWS_AS(TextRegex{pattern}, Error);
    }
}

TEST_CASE("a pattern that backtracks without end is an error, not a wrong split")
{
    RegexScratch scratch;
    const TextRegex regex("(?:a+)+b|(?:a|aa)+$c");
    expectError(ErrorCode::Failed, "too much backtracking", [&] { (void)regex.find(std::string(60, 'a') + "c", 0, scratch); });
    CHECK(regex.find("aab", 0, scratch)->end == 3);
    // A group that repeats a million times leaves the machine code's stack and still finds its match.
    const TextRegex deep("(?:(?![a-z])\\p{L}|(?![A-Z])x)*\\z");
    const std::string text(1'500'000, 'X');
    CHECK(deep.find(text, 0, scratch)->end == text.size());
}

TEST_CASE("a megabyte of one thing comes back whole")
{
    const auto size = static_cast<std::size_t>(reduced(1'000'000, 50'000));
    for (const char *name : {"gpt2", "llama3", "qwen2", "o200k", "deepseek", "llama2", "mistral"}) {
        CAPTURE(name);
        const auto tokenizer = own(name);
        for (const char *unit : {"a", "1", " ", "!", "\n", "\u4E00", "aB", "\xCC\x81"}) {
            CAPTURE(unit);
            std::string text = "x";
            while (text.size() < size) {
                text += unit;
            }
            const auto ids = tokenizer->encode(text);
            CHECK(ids.size() > 1000);
            if (std::string(name) != "qwen2" || std::string_view(unit) != "\xCC\x81") {   // NFC reorders nothing here but composes with the x's neighbour
                CHECK(tokenizer->decode(ids) == text);
            }
        }
    }
}

TEST_CASE("one tokenizer serves many threads")
{
    const auto tokenizer = own("qwen2");
    const text::test::HostileStrings hostile(ownData / "hostile.json");
    std::vector<std::vector<TokenId>> expected;
    for (std::uint64_t i = 0; i < 500; ++i) {
        expected.push_back(tokenizer->encode(hostile.string(i)));
    }
    std::vector<int> wrong(8, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t) {
        threads.emplace_back([&, t] {
            for (std::uint64_t i = 0; i < 500; ++i) {
                const std::uint64_t at = (i * 7 + t * 61) % 500;
                wrong[t] += tokenizer->encode(hostile.string(at)) == expected[at] ? 0 : 1;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    CHECK(wrong == std::vector<int>(8, 0));
}

TEST_CASE("the identity follows what decides encoding and nothing else")
{
    const TemporaryFolder folder;
    const json data = ownJson("llama3");
    const std::string identity = own("llama3")->identity();
    CHECK(identity.size() == 64);
    const auto identityOf = [&](const json &changed) {
        write(folder / "tokenizer.json", changed.dump(2));
        return loadTokenizer(folder / "tokenizer.json")->identity();
    };
    CHECK(identityOf(data) == identity);
    json changed = data;
    changed["decoder"] = nullptr;
    changed["truncation"] = {{"max_length", 3}};
    CHECK(identityOf(changed) == identity);
    for (const auto &[pointer, value] : std::map<std::string, json>{{"/normalizer", {{"type", "NFC"}}}, {"/model/ignore_merges", false}, {"/model/fuse_unk", true},
                                                                    {"/pre_tokenizer/pretokenizers/0/behavior", "Removed"}, {"/post_processor", nullptr}, {"/added_tokens/0/lstrip", true}}) {
        CAPTURE(pointer);
        changed = data;
        changed[json::json_pointer(pointer)] = value;
        CHECK(identityOf(changed) != identity);
    }
    changed = data;
    std::swap(changed["model"]["merges"][0], changed["model"]["merges"][1]);
    CHECK(identityOf(changed) != identity);
}

TEST_CASE("the files beside a tokenizer.json name its ends and its chat template")
{
    const TemporaryFolder folder;
    fs::copy_file(ownData / "llama3.tokenizer.json", folder / "tokenizer.json");
    auto tokenizer = loadTokenizer(folder.path());
    CHECK_FALSE(tokenizer->bosId());
    CHECK(tokenizer->eosIds().empty());
    CHECK_FALSE(tokenizer->chatTemplate());
    write(folder / "tokenizer_config.json", R"({"bos_token": {"content": "<|begin_of_text|>"}, "eos_token": "<|im_end|>", "chat_template": [{"name": "tool", "template": "T"}, {"name": "default", "template": "D"}]})");
    write(folder / "special_tokens_map.json", R"({"eos_token": "<|endoftext|>"})");
    write(folder / "generation_config.json", R"({"eos_token_id": [703, 701, 12]})");
    tokenizer = loadTokenizer(folder / "tokenizer.json");
    const TokenId end = *tokenizer->idOf("<|im_end|>");
    CHECK(tokenizer->bosId() == tokenizer->idOf("<|begin_of_text|>"));
    CHECK(tokenizer->eosIds().front() == end);
    CHECK(tokenizer->eosIds().size() == 3 + (end == 703 || end == 701 ? 0 : 1));
    CHECK(tokenizer->chatTemplate() == "D");
    write(folder / "chat_template.jinja", "{{ messages }}");
    CHECK(loadTokenizer(folder.path())->chatTemplate() == "{{ messages }}");
}

TEST_CASE("vocab.json with merges.txt is the tokenizer that its class says")
{
    const TemporaryFolder folder;
    const json data = ownJson("qwen2");
    std::string merges = "#version: 0.2\n";
    for (const json &merge : data.at("model").at("merges")) {
        merges += merge.is_string() ? merge.get<std::string>() : merge.at(0).get<std::string>() + " " + merge.at(1).get<std::string>();
        merges += '\n';
    }
    json vocabulary = data.at("model").at("vocab");
    write(folder / "vocab.json", vocabulary.dump());
    write(folder / "merges.txt", merges);
    json added = json::object();
    for (const json &token : data.at("added_tokens")) {
        added[std::to_string(token.at("id").get<int>())] = token;
    }
    write(folder / "tokenizer_config.json", json{{"tokenizer_class", "Qwen2Tokenizer"}, {"added_tokens_decoder", added}, {"eos_token", "<|im_end|>"}}.dump());
    const auto older = loadTokenizer(folder.path());
    const auto newer = own("qwen2");
    const text::test::HostileStrings hostile(ownData / "hostile.json");
    for (std::uint64_t i = 0; i < 600; ++i) {
        CAPTURE(hostile.string(i));
        CHECK(older->encode(hostile.string(i)) == newer->encode(hostile.string(i)));
    }
    CHECK(older->eosIds() == std::vector<TokenId>{*newer->idOf("<|im_end|>")});
    write(folder / "tokenizer_config.json", R"({"tokenizer_class": "CodeGenTokenizer"})");
    expectError(ErrorCode::Unsupported, "CodeGenTokenizer", [&] { (void)loadTokenizer(folder.path()); });
}

TEST_CASE("what is not understood is refused by name")
{
    const TemporaryFolder folder;
    const auto refusal = [&](const std::string &pointer, const json &value, const std::string &part) {
        json data = ownJson("llama2");
        data[json::json_pointer(pointer)] = value;
        write(folder / "tokenizer.json", data.dump());
        expectError(ErrorCode::Unsupported, part, [&] { (void)loadTokenizer(folder.path()); });
    };
    refusal("/normalizer", {{"type", "Precompiled"}, {"precompiled_charsmap", ""}}, "normalizer is or uses 'Precompiled'");
    refusal("/normalizer", {{"type", "BertNormalizer"}}, "'BertNormalizer'");
    refusal("/pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", {{{"type", "UnicodeScripts"}}}}}, "pre-tokenizer is or uses 'UnicodeScripts'");
    refusal("/decoder", {{"type", "CTC"}}, "decoder is or uses 'CTC'");
    refusal("/model/type", "Unigram", "'Unigram'");
    refusal("/model/type", "WordPiece", "'WordPiece'");
    refusal("/model/dropout", 0.1, "dropout");
    refusal("/post_processor", {{"type", "Fancy"}}, "post-processor is or uses 'Fancy'");
    expectError(ErrorCode::BadFile, "does not exist", [&] { (void)loadTokenizer(folder / "nothing"); });
    fs::create_directory(folder / "empty");
    expectError(ErrorCode::BadFile, "holds no tokenizer", [&] { (void)loadTokenizer(folder / "empty"); });
}

TEST_CASE("ids, spellings and the vocabulary's size")
{
    const auto tokenizer = own("llama3");
    const json data = ownJson("llama3");
    CHECK(tokenizer->vocabSize() == static_cast<std::int64_t>(data.at("model").at("vocab").size() + data.at("added_tokens").size()));
    for (TokenId id = 0; id < tokenizer->vocabSize(); ++id) {
        CHECK(tokenizer->idOf(tokenizer->tokenOf(id)) == id);
    }
    CHECK_FALSE(tokenizer->idOf("no such token"));
    const std::vector<TokenId> outside{3, tokenizer->vocabSize()};
    expectError(ErrorCode::BadFile, "not in the tokenizer's vocabulary", [&] { (void)tokenizer->decode(outside); });
    expectError(ErrorCode::Usage, "-1", [&] { (void)tokenizer->tokenOf(-1); });
    const auto parts = tokenizer->parts();
    const auto part = [&](const std::string &name) { return std::ranges::find(parts, name, &TokenizerPart::name)->description; };
    CHECK(part("model").find("BPE, 700 tokens") == 0);
    CHECK(part("pre-tokenizer") == "Sequence (Split, ByteLevel)");
    CHECK(part("post-processor") == "Sequence (ByteLevel, TemplateProcessing)");
}

TEST_CASE("what cannot be spelled has an id of its own where there is such a text")
{
    for (const char *name : {"word_level", "words"}) {
        CAPTURE(name);
        const auto tokenizer = own(name);
        REQUIRE(tokenizer->unknownId() == tokenizer->idOf("<unk>"));
        const std::vector<TokenId> ids = tokenizer->encode("Zyzzyvas");
        CHECK(std::ranges::all_of(ids, [&](TokenId id) { return id == *tokenizer->unknownId(); }));
        CHECK_FALSE(ids.empty());
    }
    CHECK(own("llama2")->unknownId() == own("llama2")->idOf("<unk>"));
    CHECK_FALSE(own("gpt2")->unknownId());
    CHECK_FALSE(own("qwen2")->unknownId());
    const auto pieces = loadTokenizer(ownData / "sp_unigram.model");
    CHECK(pieces->unknownId() == pieces->idOf("<unk>"));
}

TEST_CASE("a normalizer that multiplies letters is stopped before it fills the memory")
{
    nlohmann::json steps = nlohmann::json::array();
    for (int step = 0; step < 9; ++step)
        steps.push_back({{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", std::string(10, 'a')}});
    const auto tenfold = text::makeNormalizer(steps[0]), billionfold = text::makeNormalizer({{"type", "Sequence"}, {"normalizers", steps}});
    text::RegexScratch scratch;
    text::NormalizedText letters{std::string(10, 'a')};
    tenfold->apply(letters, scratch);
    CHECK(letters.text == std::string(100, 'a'));
    text::NormalizedText again{std::string(10, 'a')};
    CHECK_THROWS_WITH_AS(billionfold->apply(again, scratch), doctest::Contains("multiplies letters"), Error);
}

}  // namespace tokenizer_tests
