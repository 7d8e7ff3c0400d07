// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/passkeys.h"

#include "error.h"
#include "testdata.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <set>
#include <string>
#include <vector>

using namespace stillroom;
using namespace stillroom::text;

namespace {

std::shared_ptr<const Tokenizer> tokenizerNamed(const std::string &file) { return loadTokenizer(test::testData() / "text/tokenizers" / file); }

const std::string tale = "The mill stood still. No one had seen the miller since spring! Did the river know? It ran on, as rivers do, past the weir and the willows. "
                         "A heron waited. The rain came late that year, and the barley with it. Nobody spoke of the wheel. ";

std::string repeated(const std::string &text, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

int countOf(const std::string &text, const std::string &part)
{
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

/// The tokens marked as answers' ones, run by run.
std::vector<std::string> answersOf(const PasskeyDocument &document, const Tokenizer &tokenizer)
{
    std::vector<std::string> answers;
    std::vector<TokenId> run;
    for (std::size_t t = 0; t < document.ids.size(); ++t) {
        if (document.answers[t] != 0)
            run.push_back(document.ids[t + 1]);
        if (document.answers[t] == 0 && !run.empty()) {
            std::string text = tokenizer.decode(run);
            text.erase(0, text.find_first_not_of(' '));
            answers.push_back(text);
            run.clear();
        }
    }
    return answers;
}

}  // namespace

TEST_CASE("a passkey document states each pair once, asks for it once, and marks the answers, with every kind of tokenizer")
{
    for (const char *file : {"gpt2.tokenizer.json", "llama2.tokenizer.json", "llama3.tokenizer.json", "qwen2.tokenizer.json", "mistral.tokenizer.json", "o200k.tokenizer.json", "deepseek.tokenizer.json",
                             "sp_bpe.model"}) {
        CAPTURE(std::string(file));
        const auto tokenizer = tokenizerNamed(file);
        const std::vector<TokenId> filler = tokenizer->encode(repeated(tale, 30));
        const PasskeyDocuments documents({.pairs = 5, .queries = 3}, tokenizer);
        for (std::int64_t index = 0; index < 6; ++index) {
            const PasskeyDocument made = documents.document(filler, 1100, 3, index);
            REQUIRE(made.ids.size() == 1100);
            REQUIRE(made.answers.size() == 1100);
            CHECK(made.answers.back() == 0);
            const std::string text = tokenizer->decode(made.ids);
            std::set<std::string> keys, values;
            int asked = 0;
            for (const auto &[key, value] : made.pairs) {
                keys.insert(key);
                values.insert(value);
                CHECK(value.size() == 5);
                const int questions = countOf(text, "What is the passkey of " + key + "?");
                CHECK(countOf(text, "The passkey of " + key + " is") == 1 + questions);
                CHECK(countOf(text, value) >= 1 + questions);
                CHECK(questions <= 1);
                asked += questions;
            }
            CHECK(keys.size() == 5);
            CHECK(values.size() == 5);
            CHECK(asked == 3);
            // Answers stand at the end, in the order of the questions, each the value of its key.
            const std::vector<std::string> answers = answersOf(made, *tokenizer);
            REQUIRE(answers.size() == 3);
            std::size_t after = 0;
            for (const std::string &answer : answers) {
                const std::size_t question = text.find("What is the passkey of ", after);
                REQUIRE(question != std::string::npos);
                const std::string key = text.substr(question + 23, text.find('?', question) - question - 23);
                const auto pair = std::find_if(made.pairs.begin(), made.pairs.end(), [&](const auto &one) { return one.first == key; });
                REQUIRE(pair != made.pairs.end());
                CHECK(answer == pair->second);
                after = question + 1;
            }
        }
    }
}

TEST_CASE("an answer repeats its statement's tokens, and the text around is the filler's own")
{
    const auto tokenizer = tokenizerNamed("gpt2.tokenizer.json");
    const std::vector<TokenId> filler = tokenizer->encode(repeated(tale, 30));
    const PasskeyDocuments documents({.pairs = 4}, tokenizer);
    const PasskeyDocument made = documents.document(filler, 700, 1, 0);
    std::string text = tokenizer->decode(made.ids);
    for (const auto &[key, value] : made.pairs) {
        const std::vector<TokenId> valueIds = tokenizer->encode(" " + value);
        int found = 0;
        for (auto at = made.ids.begin(); (at = std::search(at, made.ids.end(), valueIds.begin(), valueIds.end())) != made.ids.end(); ++at)
            ++found;
        CHECK(found == 2);
        for (const std::string &part : {"\nThe passkey of " + key + " is " + value + ".\n", "\nWhat is the passkey of " + key + "? The passkey of " + key + " is " + value + "."}) {
            const std::size_t at = text.find(part);
            REQUIRE(at != std::string::npos);
            text.erase(at, part.size());
        }
    }
    CHECK(repeated(tale, 30).starts_with(text));
    CHECK(text.size() > 600);
}

TEST_CASE("statements stand at ends of sentences, at depths spread over the text; a text without sentences keeps the depths drawn")
{
    const auto tokenizer = tokenizerNamed("gpt2.tokenizer.json");
    const std::vector<TokenId> filler = tokenizer->encode(repeated(tale, 60));
    const PasskeyDocuments documents({.pairs = 4}, tokenizer);
    std::vector<int> quarters(4, 0);
    for (std::int64_t index = 0; index < 300; ++index) {
        const PasskeyDocument made = documents.document(filler, 1000, 2, index);
        const std::int64_t textTokens = 1000 - [&] {
            std::int64_t needed = 0;
            for (const auto &[key, value] : made.pairs)
                needed += static_cast<std::int64_t>(tokenizer->encode("\nThe passkey of " + key + " is").size() + 2 * tokenizer->encode(" " + value).size() + tokenizer->encode(".\n").size() +
                                                    tokenizer->encode("\nWhat is the passkey of " + key + "? The passkey of " + key + " is").size() + tokenizer->encode(".").size());
            return needed;
        }();
        for (const std::int64_t depth : made.depths) {
            REQUIRE(depth >= 1);
            REQUIRE(depth <= textTokens);
            const std::string before = tokenizer->decode({&filler[static_cast<std::size_t>(depth) - 1], 1});
            CHECK(std::string_view(".!?").find(before.back()) != std::string_view::npos);
            ++quarters[static_cast<std::size_t>(std::min<std::int64_t>(3, 4 * depth / textTokens))];
        }
    }
    for (const int count : quarters)   // of 1200
        CHECK(std::abs(count - 300) < 75);

    const std::vector<TokenId> words = tokenizer->encode(" river");
    const PasskeyDocuments two({.pairs = 2}, tokenizer);
    std::set<std::int64_t> depths;
    for (std::int64_t index = 0; index < 100; ++index)
        for (const std::int64_t depth : two.document(words, 400, 2, index).depths)
            depths.insert(depth);
    CHECK(depths.size() > 80);
}

TEST_CASE("a document is a function of seed and index alone")
{
    const auto tokenizer = tokenizerNamed("llama3.tokenizer.json");
    const std::vector<TokenId> filler = tokenizer->encode(tale);   // shorter than the document: read again from its start
    const PasskeyDocuments documents({.pairs = 3}, tokenizer), again({.pairs = 3}, tokenizer);
    (void)again.document(filler, 500, 9, 4);
    const PasskeyDocument a = documents.document(filler, 500, 7, 2), b = again.document(filler, 500, 7, 2);
    CHECK(a.ids == b.ids);
    CHECK(a.answers == b.answers);
    CHECK(a.ids != documents.document(filler, 500, 7, 3).ids);
    CHECK(a.ids != documents.document(filler, 500, 8, 2).ids);
}

TEST_CASE("passkey documents refuse what cannot be")
{
    const auto tokenizer = tokenizerNamed("gpt2.tokenizer.json");
    CHECK_THROWS_AS(PasskeyDocuments({.pairs = 0}, tokenizer), Error);
    CHECK_THROWS_AS(PasskeyDocuments({.pairs = 2, .queries = 3}, tokenizer), Error);
    CHECK_THROWS_AS(PasskeyDocuments({.pairs = 6, .valueDigits = 1}, tokenizer), Error);   // of nine numbers
    CHECK_THROWS_AS(PasskeyDocuments({.pairs = 2, .valueDigits = 16}, tokenizer), Error);
    CHECK_THROWS_AS(PasskeyDocuments({.pairs = 2}, tokenizerNamed("metaspace.tokenizer.json")), Error);    // no digits in its vocabulary
    CHECK_THROWS_AS(PasskeyDocuments({.pairs = 2}, tokenizerNamed("word_level.tokenizer.json")), Error);
    const PasskeyDocuments documents({.pairs = 4}, tokenizer);
    const std::vector<TokenId> filler = tokenizer->encode(tale);
    CHECK_THROWS_AS((void)documents.document(filler, 60, 1, 0), Error);
    CHECK_THROWS_AS((void)documents.document({}, 600, 1, 0), Error);
    const PasskeyDocuments small({.pairs = 4, .valueDigits = 1}, tokenizer);
    CHECK(small.document(filler, 600, 1, 0).pairs.size() == 4);
}
