// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/sumprompts.h"

#include "error.h"
#include "wordtokenizer.h"

#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace stillroom;
using namespace stillroom::text;

namespace {

std::vector<std::string> words(int count)
{
    std::vector<std::string> made;
    for (int i = 0; i < count; ++i)
        made.push_back(std::string("w") + static_cast<char>('a' + i / 26) + static_cast<char>('a' + i % 26));
    return made;
}

/// The sum, worked out from the text alone.
std::string answerOf(const std::string &text)
{
    std::map<std::string, std::string> values;
    std::istringstream lines(text);
    std::string line, question;
    const std::regex pair("(\\w+): (\\w+)");
    for (std::smatch match; std::getline(lines, line);) {
        if (std::regex_match(line, match, pair))
            values[match[1]] = values.contains(match[2]) ? values[match[2]] : match[2].str();
        else
            question = line;
    }
    int sum = 0;
    const std::regex word("\\w+");
    for (auto at = std::sregex_iterator(question.begin(), question.end(), word); at != std::sregex_iterator(); ++at)
        if (values.contains(at->str()))
            sum += std::stoi(values[at->str()]);
    return std::to_string(sum);
}

}  // namespace

TEST_CASE("a prompt's answer follows from its text, with aliases and without")
{
    for (const bool aliases : {false, true}) {
        SumPromptOptions options;
        options.aliases = aliases;
        std::set<std::string> texts;
        for (std::int64_t index = 0; index < 300; ++index) {
            const SumPrompt prompt = sumPrompt(words(200), options, 5, index);
            CHECK(prompt.answer == answerOf(prompt.text));
            CHECK(prompt.entries.size() == 50);
            CHECK(std::set(prompt.asked.begin(), prompt.asked.end()).size() == 3);
            std::set<std::string> distinct;
            for (const SumPrompt::Entry &entry : prompt.entries)
                distinct.insert(entry.word);
            CHECK(distinct.size() == 50);
            texts.insert(prompt.text);
        }
        CHECK(texts.size() == 300);
    }
}

TEST_CASE("aliases name earlier words, are at most two hops deep, and every prompt has a chain of two and asks for an alias")
{
    SumPromptOptions options;
    options.aliases = true;
    double numAliases = 0.0, numEntries = 0.0;
    for (const std::int64_t pairs : {3, 5, 50}) {
        options.numPairs = pairs;
        for (std::int64_t index = 0; index < 400; ++index) {
            const SumPrompt prompt = sumPrompt(words(60), options, 9, index);
            int deepest = 0;
            for (std::size_t i = 0; i < prompt.entries.size(); ++i) {
                const SumPrompt::Entry &entry = prompt.entries[i];
                deepest = std::max(deepest, entry.depth);
                if (entry.alias) {
                    CHECK(*entry.alias < i);
                    CHECK(entry.depth == prompt.entries[*entry.alias].depth + 1);
                    CHECK(entry.digit == prompt.entries[*entry.alias].digit);
                } else {
                    CHECK(entry.depth == 0);
                }
                numAliases += pairs == 50 && i > 0 && entry.alias ? 1.0 : 0.0;
                numEntries += pairs == 50 && i > 0 ? 1.0 : 0.0;
            }
            CHECK(deepest == 2);
            CHECK(std::any_of(prompt.asked.begin(), prompt.asked.end(), [&](std::size_t entry) { return prompt.entries[entry].alias.has_value(); }));
            CHECK(prompt.answer == answerOf(prompt.text));
        }
    }
    CHECK(numAliases / numEntries == doctest::Approx(0.4).epsilon(0.02));      // 19600 draws: 5 standard errors
}

TEST_CASE("parents are drawn with weight depth + 1")
{
    SumPromptOptions options;
    options.aliases = true;
    options.aliasProbability = 1.0;
    options.numPairs = 4;
    // The third word names the first (depth 0) or the second (depth 1): 1 to 2.
    double second = 0.0;
    for (std::int64_t index = 0; index < 6000; ++index)
        second += *sumPrompt(words(10), options, 3, index).entries[2].alias == 1 ? 1.0 : 0.0;
    CHECK(second / 6000.0 == doctest::Approx(2.0 / 3.0).epsilon(0.04));        // 4 standard errors
}

TEST_CASE("a prompt is a function of seed and index, and digits are uniform")
{
    const SumPromptOptions options;
    CHECK(sumPrompt(words(60), options, 1, 7).text == sumPrompt(words(60), options, 1, 7).text);
    CHECK(sumPrompt(words(60), options, 1, 7).text != sumPrompt(words(60), options, 2, 7).text);
    std::map<int, double> seen;
    for (std::int64_t index = 0; index < 200; ++index)
        for (const SumPrompt::Entry &entry : sumPrompt(words(60), options, 1, index).entries)
            seen[entry.digit] += 1.0;
    REQUIRE(seen.size() == 10);
    for (const auto &[digit, count] : seen)
        CHECK(count == doctest::Approx(1000.0).epsilon(0.15));                 // 5 standard errors
}

TEST_CASE("words of a tokenizer are letters only, at least three of them, each once")
{
    const test::WordTokenizer tokenizer({"the", "of", "cat5", "Cat", " dog", "the", "3", "don't", "dogs", "ab", "héron"});
    CHECK(promptWords(tokenizer) == std::vector<std::string>{"the", "Cat", "dog", "dogs"});
}

TEST_CASE("sizes that cannot be are refused")
{
    SumPromptOptions options;
    CHECK_THROWS_WITH_AS((void)sumPrompt(words(49), options, 1, 0), doctest::Contains("49 words"), Error);
    options.numPairs = 2;
    CHECK_THROWS_AS((void)sumPrompt(words(60), options, 1, 0), Error);
    options.numPairs = 3;
    CHECK(sumPrompt(words(3), options, 1, 0).asked.size() == 3);
    options.aliases = true;
    options.deepestAlias = 3;
    CHECK_THROWS_AS((void)sumPrompt(words(60), options, 1, 0), Error);
}
