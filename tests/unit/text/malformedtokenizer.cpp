// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/ggufbuilder.h"
#include "checkpoint/malformed.h"
#include "checkpoint/temporaryfolder.h"
#include "ggufarrays.h"
#include "text/tokenizer.h"
#include "testdata.h"

#include <functional>
#include <iterator>

#include <nlohmann/json.hpp>

namespace malformedtokenizer_tests {

using namespace stillroom::text;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path ownData = stillroom::test::testData() / "text" / "tokenizers";

std::string readAll(const fs::path &path)
{
    std::ifstream stream(path, std::ios::binary);
    REQUIRE(stream);
    return {std::istreambuf_iterator<char>(stream), {}};
}

const std::vector<std::string> bases{"bert_like", "llama2", "qwen2", "word_level", "roberta", "splits", "metaspace", "llama3"};

std::string anyText(Draw &draw)
{
    return readAll(ownData / (draw.oneOf(bases) + ".tokenizer.json"));
}

json anyJson(Draw &draw)
{
    return json::parse(anyText(draw));
}

// A node of the tree outside the vocabulary and the merges, at any depth.
json &anyNode(json &root, Draw &draw)
{
    json *node = &root;
    while (node->is_structured() && !node->empty() && (node == &root || draw.below(4) > 0)) {
        auto child = node->begin();
        std::advance(child, static_cast<std::ptrdiff_t>(draw.below(node->size())));
        if (child->size() > 64) {
            break;
        }
        node = &*child;
    }
    return *node;
}

json anyValue(Draw &draw)
{
    static const std::vector<json> values{nullptr, true, false, 0, 1, -1, 3.5, 1e308, -7, std::uint64_t{1} << 40U, ~std::uint64_t{0}, "", "x", "Sequence", "\xF0\x9F\x98\x80", std::string(1000, '('),
                                          json::array(), json::object(), {{"type", "NFC"}}, {{"type", "ByteLevel"}}, {{"type", "Sequence"}}, {{"String", ""}}, {{"Regex", "("}}, json::array({1, "a"})};
    return draw.oneOf(values);
}

std::string changed(Draw &draw, const std::function<void(json &, Draw &)> &change)
{
    json data = anyJson(draw);
    change(data, draw);
    return data.dump();
}

json bytePairs(Draw &draw)
{
    return json::parse(readAll(ownData / (draw.oneOf(std::vector<std::string>{"llama2", "qwen2", "bert_like", "llama3"}) + ".tokenizer.json")));
}

std::string anyToken(const json &data, Draw &draw)
{
    auto token = data.at("model").at("vocab").begin();
    std::advance(token, static_cast<std::ptrdiff_t>(draw.below(data.at("model").at("vocab").size())));
    return token.key();
}

std::string repeated(const std::string &text, std::size_t times)
{
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

using Spoil = std::function<std::string(Draw &)>;

const std::vector<Kind<Spoil>> jsonKinds{
    {"truncated", true, [](Draw &draw) { const auto text = anyText(draw); return text.substr(0, draw.below(text.size() - 1)); }},
    {"bits flipped", false, [](Draw &draw) { auto text = anyText(draw); flipBits(text, text.size(), draw); return text; }},
    {"bits of the head flipped", false, [](Draw &draw) { auto text = anyText(draw); flipBits(text, std::min<std::size_t>(text.size(), 1500), draw); return text; }},
    {"value of another type", false, [](Draw &draw) { return changed(draw, [](json &data, Draw &d) { anyNode(data, d) = anyValue(d); }); }},
    {"field taken away", false,
     [](Draw &draw) {
         return changed(draw, [](json &data, Draw &d) {
             json &node = anyNode(data, d);
             if (node.is_object() && !node.empty()) {
                 auto field = node.begin();
                 std::advance(field, static_cast<std::ptrdiff_t>(d.below(node.size())));
                 node.erase(field);
             } else {
                 data.erase("model");
             }
         });
     }},
    {"nested without end", true,
     [](Draw &draw) {
         const std::size_t depth = 100 + draw.below(100'000);
         const std::string open = draw.oneOf(std::vector<std::string>{"[", R"({"a":)", R"({"type":"Sequence","normalizers":[)"});
         return R"({"normalizer":)" + repeated(open, depth) + "1";
     }},
    {"nested and closed", true, [](Draw &draw) { const std::size_t depth = 65 + draw.below(5'000); return R"({"post_processor":)" + repeated("[", depth) + repeated("]", depth) + "}"; }},
    {"id out of range", true,
     [](Draw &draw) {
         json data = anyJson(draw);
         data["model"]["vocab"][anyToken(data, draw)] = draw.oneOf(std::vector<json>{-1, 4'194'304, 4'294'967'295U, std::uint64_t{1} << 53U, ~std::uint64_t{0}, 1.5, "1", nullptr, 1e30});
         return data.dump();
     }},
    {"id given twice", true,
     [](Draw &draw) {
         json data = anyJson(draw);
         data["model"]["vocab"]["a token that is not there"] = data.at("model").at("vocab").at(anyToken(data, draw));
         return data.dump();
     }},
    {"merge of unknown tokens", true,
     [](Draw &draw) {
         json data = bytePairs(draw);
         json &merges = data["model"]["merges"];
         const std::size_t at = draw.below(merges.size());
         merges[at] = merges[at].is_string() ? json("no such") : json::array({"no", "such"});
         return data.dump();
     }},
    {"merges that are no list", true,
     [](Draw &draw) {
         json data = bytePairs(draw);
         data["model"]["merges"] = draw.oneOf(std::vector<json>{nullptr, "a b", 7, true, json::object(), json::object({{"a", "b"}})});
         return data.dump();
     }},
    {"merge of a wrong shape", true,
     [](Draw &draw) {
         json data = bytePairs(draw);
         json &merges = data["model"]["merges"];
         merges[draw.below(merges.size())] = draw.oneOf(std::vector<json>{"", "a", "a b c", 7, nullptr, json::array(), json::array({"a"}), json::array({"a", "b", "c"}), json::array({1, 2}),
                                                                          json::array({json::array({"a", "b"}), "c"}), json::object({{"a", "b"}})});
         return data.dump();
     }},
    {"merges in a ring", false,
     [](Draw &draw) {
         json data = bytePairs(draw);
         json &merges = data["model"]["merges"];
         for (int i = 0; i < 50; ++i) {
             std::swap(merges[draw.below(merges.size())], merges[draw.below(merges.size())]);
             merges.push_back(merges[draw.below(merges.size())]);
         }
         return data.dump();
     }},
    {"pattern that does not compile", true,
     [](Draw &draw) {
         json data = anyJson(draw);
         const std::string pattern =
             draw.oneOf(std::vector<std::string>{"(", "[", "[]", "[a", "a)", "*", "a**", "\\", "(?", "(?P<x>a)", "\\p{Nonsense}", "\\p{L", "[b-a]", "\\1", "(?<=a+)b", "[a&&b]", "[[:alpha:]]", "\\k<x>", "\\X"});
         data["pre_tokenizer"] = {{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
         return data.dump();
     }},
    {"pattern of any characters", false,
     [](Draw &draw) {
         json data = anyJson(draw);
         static const std::string alphabet = "ab\\()[]{}|*+?.^$-,:=!<>1 09pPLNsSwdbXiux\n";
         std::string pattern;
         for (std::size_t i = 1 + draw.below(24); i > 0; --i) {
             pattern += alphabet[draw.below(alphabet.size())];
         }
         data["pre_tokenizer"] = {{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", draw.oneOf(std::vector<std::string>{"Isolated", "Removed", "MergedWithNext"})}, {"invert", draw.below(2) == 1}};
         return data.dump();
     }},
    {"component of an unknown type", true,
     [](Draw &draw) {
         json data = anyJson(draw);
         data[draw.oneOf(std::vector<std::string>{"normalizer", "pre_tokenizer", "post_processor", "decoder", "model"})]["type"] =
             draw.oneOf(std::vector<std::string>{"Nonsense", "Precompiled", "WordPiece", "Unigram", "BertPreTokenizer", "CTC", "UnicodeScripts", ""});
         return data.dump();
     }},
    {"post-processor with strange ids", false,
     [](Draw &draw) {
         json data = anyJson(draw);
         data["post_processor"] = {{"type", "TemplateProcessing"},
                                   {"single", {{{"SpecialToken", {{"id", "X"}, {"type_id", 0}}}}, {{"Sequence", {{"id", draw.oneOf(std::vector<std::string>{"A", "B", ""})}, {"type_id", 0}}}}}},
                                   {"pair", json::array()},
                                   {"special_tokens", {{draw.oneOf(std::vector<std::string>{"X", "Y"}), {{"id", "X"}, {"ids", json::array({anyValue(draw)})}, {"tokens", {"X"}}}}}}};
         return data.dump();
     }},
    {"added token with strange fields", false,
     [](Draw &draw) {
         json data = anyJson(draw);
         json token = {{"id", 1}, {"content", "x"}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", true}, {"special", false}};
         auto field = token.begin();
         std::advance(field, static_cast<std::ptrdiff_t>(draw.below(token.size())));
         field.value() = anyValue(draw);
         data["added_tokens"].push_back(token);
         return data.dump();
     }},
    {"very long added token", true,
     [](Draw &draw) {
         json data = anyJson(draw);
         data["added_tokens"].push_back({{"id", 1}, {"content", repeated("xy", 400'000 + draw.below(1000))}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", false}});
         return data.dump();
     }},
    {"very many components", true,
     [](Draw &draw) {
         json data = anyJson(draw);
         data["normalizer"] = {{"type", "Sequence"}, {"normalizers", json::array()}};
         for (std::size_t i = 600 + draw.below(5000); i > 0; --i) {
             data["normalizer"]["normalizers"].push_back({{"type", "Replace"}, {"pattern", {{"Regex", "a" + std::to_string(i)}}}, {"content", ""}});
         }
         return data.dump();
     }},
    {"very many values", true, [](Draw &draw) { return R"({"decoder":[)" + repeated("0,", 600'000 + draw.below(1000)) + "0]}"; }},
    {"very many empty lists", true, [](Draw &draw) { return R"({"truncation":[)" + repeated("[],", 600'000 + draw.below(1000)) + "0]}"; }},
    {"not an object", true, [](Draw &draw) { return draw.oneOf(std::vector<std::string>{"", " ", "null", "[]", "3", "\"x\"", "{", "{}", "[{}]", "\xEF\xBB\xBF{}", "{\"model\":null}", "{\"model\":{}}", std::string(1, '\0')}); }},
};

const std::vector<Kind<Spoil>> modelKinds{
    {"truncated", false, [](Draw &draw) { const auto text = readAll(ownData / "sp_bpe.model"); return text.substr(0, draw.below(text.size())); }},
    {"bits flipped", false, [](Draw &draw) { auto text = readAll(ownData / "sp_bpe.model"); flipBits(text, text.size(), draw); return text; }},
    {"bits of the unigram model's end flipped", false,
     [](Draw &draw) {
         auto text = readAll(ownData / "sp_unigram.model");
         std::string tail = text.substr(text.size() - 250'000 % text.size());
         flipBits(tail, tail.size(), draw);
         return text.substr(0, text.size() - tail.size()) + tail;
     }},
    {"another file", true, [](Draw &draw) { return draw.oneOf(std::vector<std::string>{"", "GGUF", "{}", std::string(1000, '\xFF'), std::string(1000, '\0'), "\x0A\xFF\xFF\xFF\xFF\x0F"}); }},
};

GgufBuilder wholeGguf(Draw &draw)
{
    GgufBuilder file;
    const bool bytePairTokens = draw.below(2) == 0;
    file.setText("general.architecture", "llama");
    file.setText("tokenizer.ggml.model", bytePairTokens ? "gpt2" : "llama");
    file.setText("tokenizer.ggml.pre", draw.oneOf(std::vector<std::string>{"llama-bpe", "qwen2", "gpt-2", "default", "deepseek-llm"}));
    std::vector<std::string> tokens{"<unk>", "<s>", "</s>", "<0x41>", "\xE2\x96\x81"};
    for (char c = '!'; c <= '~'; ++c) {
        tokens.emplace_back(1, c);
    }
    tokens.insert(tokens.end(), {"he", "ll", "hell", "hello", "\xC4\xA0", "\xC4\xA0w"});
    std::vector<std::int32_t> types(tokens.size(), 1);
    types[0] = 2;
    types[1] = types[2] = 3;
    types[3] = 6;
    test::setTexts(file, "tokenizer.ggml.tokens", tokens);
    test::setArray(file, "tokenizer.ggml.scores", std::vector<float>(tokens.size(), -1.0F));
    test::setArray(file, "tokenizer.ggml.token_type", types);
    test::setTexts(file, "tokenizer.ggml.merges", {"h e", "l l", "he ll", "hell o", "\xC4\xA0 w"});
    file.setInteger("tokenizer.ggml.bos_token_id", 1);
    return file;
}

std::string changedGguf(Draw &draw, const std::function<void(GgufBuilder &, Draw &)> &change)
{
    GgufBuilder file = wholeGguf(draw);
    change(file, draw);
    return file.bytes();
}

const std::vector<Kind<Spoil>> ggufKinds{
    {"truncated", true, [](Draw &draw) { const auto bytes = wholeGguf(draw).bytes(); return bytes.substr(0, draw.below(bytes.size() - 32)); }},
    {"bits flipped", false, [](Draw &draw) { auto bytes = wholeGguf(draw).bytes(); flipBits(bytes, bytes.size(), draw); return bytes; }},
    {"key taken away", false,
     [](Draw &draw) { return changedGguf(draw, [](GgufBuilder &file, Draw &d) { file.remove("tokenizer.ggml." + d.oneOf(std::vector<std::string>{"model", "pre", "tokens", "scores", "token_type", "merges"})); }); }},
    {"value of another type", false,
     [](Draw &draw) {
         return changedGguf(draw, [](GgufBuilder &file, Draw &d) {
             const std::string key = "tokenizer.ggml." + d.oneOf(std::vector<std::string>{"model", "pre", "tokens", "scores", "token_type", "merges", "bos_token_id", "add_bos_token", "eos_token_id"});
             if (d.below(2) == 0) {
                 file.setInteger(key, static_cast<std::uint32_t>(d.bits()));
             } else {
                 file.setText(key, d.oneOf(std::vector<std::string>{"", "x", "bert", "\xFF\xFE", std::string(3000, 'y')}));
             }
         });
     }},
    {"unknown pre-tokenizer or model", true,
     [](Draw &draw) {
         return changedGguf(draw, [](GgufBuilder &file, Draw &d) {
             file.setText("tokenizer.ggml.model", "gpt2");
             file.setText(d.below(2) == 0 ? "tokenizer.ggml.pre" : "tokenizer.ggml.model", d.oneOf(std::vector<std::string>{"nonsense", "kimi-k2", "gemma4", "t5", "bert", "afmoe\n\t"}));
         });
     }},
    {"arrays of other lengths", true,
     [](Draw &draw) {
         return changedGguf(draw, [](GgufBuilder &file, Draw &d) {
             if (d.below(2) == 0) {
                 test::setArray(file, "tokenizer.ggml.token_type", std::vector<std::int32_t>(d.below(50), 1));
             } else {
                 test::setTexts(file, "tokenizer.ggml.tokens", std::vector<std::string>(d.below(3) == 0 ? 0 : 200 + d.below(50), "same"));
             }
         });
     }},
    {"strange tokens and merges", false,
     [](Draw &draw) {
         return changedGguf(draw, [](GgufBuilder &file, Draw &d) {
             std::vector<std::string> merges;
             for (int i = 0; i < 30; ++i) {
                 merges.push_back(d.oneOf(std::vector<std::string>{"", " ", "  ", "a", "a ", " a", "a b", "ab c", "b a", "hello hello", "\xFF \xFE", "\xC4 \xA0", "q r s", std::string(500, 'z') + " z"}));
             }
             test::setTexts(file, "tokenizer.ggml.merges", merges);
         });
     }},
};

// Loads and, if that works, uses a tokenizer; using it may fail by an error of ours (no token for a text), never otherwise.
void loadAndUse(const fs::path &path)
{
    const auto tokenizer = loadTokenizer(path);
    for (const char *text : {"", "hello world", "  Hello\t wörld! 12345 <s>don't</s> \xE4\xBD\xA0\xE5\xA5\xBD \xF0\x9F\x98\x80\xCC\x81 word [word] \xFF\xC0", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
        try {
            const auto ids = tokenizer->encode(text, true);
            (void)tokenizer->decode(ids, false);
            (void)tokenizer->decode(ids, true);
        } catch (const stillroom::Error &) {
            continue;
        }
    }
    (void)tokenizer->identity();
    (void)tokenizer->parts();
}

void checkKinds(const std::vector<Kind<Spoil>> &kinds, const char *fileName)
{
    const TemporaryFolder folder;
    std::uint64_t seed = 20260;
    for (const auto &kind : kinds) {
        for (int i = 0; i < filesPerKind; ++i) {
            Draw draw(++seed);
            const std::string bytes = kind.spoil(draw);
            writePlain(folder / fileName, bytes);
            const std::string what = std::string(fileName) + ", " + kind.name + " " + std::to_string(i);
            const bool refused = refusedOrValid(what, bytes.size(), [&] { loadAndUse(folder / fileName); });
            if (kind.alwaysRefused) {
                CHECK_MESSAGE(refused, what, " was taken");
            }
        }
    }
}

}  // namespace

TEST_CASE("malformed tokenizer.json files are refused in one sentence or valid")
{
    checkKinds(jsonKinds, "tokenizer.json");
}

TEST_CASE("malformed SentencePiece models are refused in one sentence or valid")
{
    checkKinds(modelKinds, "tokenizer.model");
}

TEST_CASE("malformed tokenizers in GGUF files are refused in one sentence or valid")
{
    checkKinds(ggufKinds, "vocabulary.gguf");
}

TEST_CASE("malformed vocab.json and merges.txt are refused in one sentence or valid")
{
    const TemporaryFolder folder;
    const std::string vocab = R"({"a":0,"b":1,"ab":2,"<|endoftext|>":3})";
    const std::string merges = "#version: 0.2\na b\n";
    for (int i = 0; i < 4 * filesPerKind; ++i) {
        Draw draw(77'000 + static_cast<std::uint64_t>(i));
        std::string badVocab = vocab;
        std::string badMerges = merges;
        std::string &spoilt = draw.below(2) == 0 ? badVocab : badMerges;
        if (draw.below(2) == 0) {
            flipBits(spoilt, spoilt.size(), draw);
        } else {
            spoilt.resize(draw.below(spoilt.size()));
        }
        writePlain(folder / "vocab.json", badVocab);
        writePlain(folder / "merges.txt", badMerges);
        refusedOrValid("vocab.json " + std::to_string(i), vocab.size() + merges.size(), [&] { loadAndUse(folder.path()); });
    }
    for (const char *bad : {"[]", "{}", "1", R"({"a":"b"})", R"({"a":-1})", R"({"a":0,"b":0})", R"({"a":{"b":1}})", R"({"a":99999999})"}) {
        writePlain(folder / "vocab.json", bad);
        writePlain(folder / "merges.txt", merges);
        CHECK_MESSAGE(refusedOrValid(bad, 64, [&] { loadAndUse(folder.path()); }), bad);
    }
}

TEST_CASE("a malformed file beside a tokenizer is named")
{
    const TemporaryFolder folder;
    fs::copy_file(ownData / "llama3.tokenizer.json", folder / "tokenizer.json");
    for (const char *name : {"tokenizer_config.json", "special_tokens_map.json", "generation_config.json"}) {
        for (const char *bad : {"", "[", "[]", "3", "{\"a\":", "{\"bos_token\":[1}"}) {
            writePlain(folder / name, bad);
            CHECK(refusedOrValid(name, 64, [&] { loadAndUse(folder.path()); }));
        }
        fs::remove(folder / name);
    }
    for (const char *odd : {R"({"bos_token":7,"eos_token":[],"chat_template":{"a":1}})", R"({"bos_token":{"content":3}})", R"({"eos_token_id":[-1,"x",1.5,[2]]})"}) {
        writePlain(folder / "tokenizer_config.json", odd);
        writePlain(folder / "generation_config.json", odd);
        CHECK_FALSE(refusedOrValid(odd, 64, [&] { loadAndUse(folder.path()); }));
    }
}

}  // namespace malformedtokenizer_tests
