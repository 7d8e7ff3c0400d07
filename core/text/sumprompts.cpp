// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/sumprompts.h"

#include "error.h"
#include "seed.h"
#include "text/randomdraws.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace stillroom::text {
namespace {

constexpr std::size_t shortestWord = 3;
using Entries = std::vector<SumPrompt::Entry>;

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void checkSizes(const std::vector<std::string> &words, const SumPromptOptions &options)
{
    if (options.numPairs < 1 || options.numAsked < 1 || options.numAsked > options.numPairs)
        throw Error(ErrorCode::Usage, "a prompt of " + std::to_string(options.numPairs) + " words cannot ask for " + std::to_string(options.numAsked) + " of them");
    if (words.empty())
        throw Error(ErrorCode::Usage, "the tokenizer has no words of at least three letters, which these prompts are made of: choose a selector that needs no prompts");
    if (static_cast<std::int64_t>(words.size()) < options.numPairs)
        throw Error(ErrorCode::Usage, "the tokenizer has " + std::to_string(words.size()) + " words of at least three letters, fewer than the " + std::to_string(options.numPairs) + " of a prompt: ask for fewer");
    if (options.aliases && (options.deepestAlias < 1 || options.numPairs <= options.deepestAlias))
        throw Error(ErrorCode::Usage, "an alias of depth " + std::to_string(options.deepestAlias) + " needs more than " + std::to_string(options.numPairs) + " words");
}

/// An earlier entry that may still be aliased, drawn with weight depth + 1.
std::size_t drawParent(const Entries &entries, int deepest, RandomDraws &draws)
{
    std::int64_t weights = 0;
    for (const SumPrompt::Entry &entry : entries)
        weights += entry.depth < deepest ? entry.depth + 1 : 0;
    std::int64_t drawn = draws.below(weights);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        drawn -= entries[i].depth < deepest ? entries[i].depth + 1 : 0;
        if (drawn < 0)
            return i;
    }
    return 0;
}

void makeAlias(Entries &entries, std::size_t entry, std::size_t parent)
{
    entries[entry].alias = parent;
    entries[entry].digit = entries[parent].digit;
    entries[entry].depth = entries[parent].depth + 1;
}

/// The last entries become a chain from the first one, unless there is one as deep as wanted.
void forceChain(Entries &entries, int deepest)
{
    if (std::any_of(entries.begin(), entries.end(), [&](const SumPrompt::Entry &entry) { return entry.depth == deepest; }))
        return;
    std::size_t parent = 0;
    for (std::size_t entry = entries.size() - static_cast<std::size_t>(deepest); entry < entries.size(); ++entry) {
        makeAlias(entries, entry, parent);
        parent = entry;
    }
}

Entries drawEntries(const std::vector<std::string> &words, const SumPromptOptions &options, RandomDraws &draws)
{
    Entries entries;
    for (const std::int64_t word : draws.distinct(options.numPairs, static_cast<std::int64_t>(words.size()))) {
        const bool isAlias = options.aliases && !entries.empty() && draws.unit() < options.aliasProbability;
        const std::size_t parent = isAlias ? drawParent(entries, options.deepestAlias, draws) : 0;
        entries.push_back({words[static_cast<std::size_t>(word)], static_cast<int>(draws.below(10)), std::nullopt, 0});
        if (isAlias)
            makeAlias(entries, entries.size() - 1, parent);
    }
    if (options.aliases)
        forceChain(entries, options.deepestAlias);
    return entries;
}

std::vector<std::size_t> drawAsked(const Entries &entries, const SumPromptOptions &options, RandomDraws &draws)
{
    std::vector<std::size_t> asked;
    for (const std::int64_t one : draws.distinct(options.numAsked, options.numPairs))
        asked.push_back(static_cast<std::size_t>(one));
    const auto isAlias = [&](std::size_t entry) { return entries[entry].alias.has_value(); };
    if (!options.aliases || std::any_of(asked.begin(), asked.end(), isAlias))
        return asked;
    std::vector<std::size_t> aliases;
    for (std::size_t entry = 0; entry < entries.size(); ++entry)
        if (isAlias(entry))
            aliases.push_back(entry);
    const auto place = static_cast<std::size_t>(draws.below(options.numAsked)), alias = static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(aliases.size())));
    asked[place] = aliases[alias];
    return asked;
}

std::string textOf(const SumPrompt &prompt, bool aliases)
{
    std::string text = aliases ? "Every word below has a digit, or has the digit of the word that is named after it.\n" : "Every word below has a digit.\n";
    for (const SumPrompt::Entry &entry : prompt.entries)
        text += entry.word + ": " + (entry.alias ? prompt.entries[*entry.alias].word : std::to_string(entry.digit)) + '\n';
    text += "The sum of the digits of ";
    for (std::size_t i = 0; i < prompt.asked.size(); ++i)
        text += (i == 0 ? "" : i + 1 == prompt.asked.size() ? " and " : ", ") + prompt.entries[prompt.asked[i]].word;
    return text + " is";
}

}  // namespace

std::vector<std::string> promptWords(const Tokenizer &tokenizer)
{
    std::vector<std::string> words;
    std::set<std::string> known;
    for (TokenId id = 0; id < tokenizer.vocabSize(); ++id) {
        std::string word;
        try {
            word = tokenizer.decode(std::array{id}, true);
        } catch (const Error &) {      // a gap in the vocabulary
            continue;
        }
        word.erase(0, word.find_first_not_of(' '));
        if (word.size() >= shortestWord && std::all_of(word.begin(), word.end(), isLetter) && known.insert(word).second)
            words.push_back(std::move(word));
    }
    return words;
}

SumPrompt sumPrompt(const std::vector<std::string> &words, const SumPromptOptions &options, std::uint64_t seed, std::int64_t index)
{
    checkSizes(words, options);
    RandomDraws draws(seedFor(seed, options.aliases ? "sum prompt with aliases" : "sum prompt", 0, index));
    SumPrompt prompt;
    prompt.entries = drawEntries(words, options, draws);
    prompt.asked = drawAsked(prompt.entries, options, draws);
    prompt.text = textOf(prompt, options.aliases);
    prompt.answer = std::to_string(std::accumulate(prompt.asked.begin(), prompt.asked.end(), 0, [&](int sum, std::size_t entry) { return sum + prompt.entries[entry].digit; }));
    return prompt;
}

}  // namespace stillroom::text
