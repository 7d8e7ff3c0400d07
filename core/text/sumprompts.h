// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Prompts that need several look-ups and a sum: the AR and AR-MH probes of arXiv 2512.20569.
namespace stillroom::text {

struct SumPromptOptions {
    std::int64_t numPairs = 50;             ///< words, each with a digit
    std::int64_t numAsked = 3;              ///< words whose digits are to be added
    bool aliases = false;                   ///< AR-MH: some words stand for an earlier word instead
    double aliasProbability = 0.4;          ///< of each word but the first
    int deepestAlias = 2;                   ///< hops from a word to its digit; at least one word has so many
};

struct SumPrompt {
    /// One line of the list. Words are distinct.
    struct Entry {
        std::string word;
        int digit = 0;                      ///< what it comes to, at the end of its aliases
        std::optional<std::size_t> alias;   ///< the earlier entry that it names instead of its digit
        int depth = 0;                      ///< hops to the digit
    };
    std::vector<Entry> entries;
    std::vector<std::size_t> asked;         ///< distinct; with aliases at least one of them is an alias
    std::string text;                       ///< what the model continues
    std::string answer;                     ///< the sum in decimal digits
};

/// Words that a tokenizer has a token for: tokens that are at least three letters of a to z (either case) beside a space, each once, in the order of their ids.
[[nodiscard]] std::vector<std::string> promptWords(const Tokenizer &tokenizer);

/// Prompt `index` of `seed`: a pure function of all that is given. A parent of an alias is drawn among the earlier words that are not too deep, with weight
/// depth + 1. \throws Error(Usage) for sizes that cannot be: fewer words than pairs, more asked than pairs, too few pairs for an alias of the wanted depth
[[nodiscard]] SumPrompt sumPrompt(const std::vector<std::string> &words, const SumPromptOptions &options, std::uint64_t seed, std::int64_t index);

}  // namespace stillroom::text
