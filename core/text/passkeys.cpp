// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/passkeys.h"

#include "error.h"

#include <algorithm>
#include <numeric>

namespace stillroom::text {

struct PasskeyDocuments::Pair {
    std::string key, value;
    std::vector<TokenId> valueIds, statement, question;   ///< question: up to its answer
};

namespace {

constexpr std::string_view consonants = "bdfgklmnprstvz", vowels = "aeiou";
constexpr int syllables = 3;
constexpr std::int64_t mostPairs = 10000;                  // far below the words that three syllables make

std::string madeUpWord(RandomDraws &draws)
{
    std::string word;
    for (int i = 0; i < syllables; ++i) {
        word += consonants[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(consonants.size())))];
        word += vowels[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(vowels.size())))];
    }
    return word;
}

/// 10^(digits-1): the smallest number with so many digits.
std::int64_t smallestNumber(std::int64_t digits)
{
    std::int64_t smallest = 1;
    for (std::int64_t i = 1; i < digits; ++i)
        smallest *= 10;
    return smallest;
}

void appendIds(std::vector<TokenId> &ids, const std::vector<TokenId> &more) { ids.insert(ids.end(), more.begin(), more.end()); }

bool endsSentence(const std::string &piece)
{
    if (piece.find('\n') != std::string::npos)
        return true;
    const std::size_t last = piece.find_last_not_of(" \t\r\"')");
    return last != std::string::npos && std::string_view(".!?").find(piece[last]) != std::string_view::npos;
}

/// Without these in its vocabulary a tokenizer would write every passkey as the same unknown token.
bool canWritePasskeys(const Tokenizer &tokenizer)
{
    const std::string alphabet = " The passkey of bafedigolu kimanepori sotuvaze is 0123456789. What?";
    try {
        return tokenizer.decode(tokenizer.encode(alphabet)).find(alphabet.substr(1)) != std::string::npos;
    } catch (const Error &) {
        return false;   // it has no token for some of it, and says so
    }
}

void checkPasskeys(const PasskeyOptions &options)
{
    const auto require = [](const char *name, std::int64_t value, std::int64_t lowest, std::int64_t highest) {
        if (value < lowest || value > highest)
            throw Error(ErrorCode::Usage, std::string("passkey documents cannot be made: ") + name + " is " + std::to_string(value) + ", give " + std::to_string(lowest) + " to " + std::to_string(highest));
    };
    require("value_digits", options.valueDigits, 1, 15);
    // Half of the numbers at most, so that drawing distinct ones stays quick.
    require("pairs", options.pairs, 1, std::min(mostPairs, std::max<std::int64_t>(1, 9 * smallestNumber(options.valueDigits) / 2)));
    require("queries", options.queries, 0, options.pairs);
}

}  // namespace

PasskeyDocuments::PasskeyDocuments(const PasskeyOptions &options, std::shared_ptr<const Tokenizer> tokenizer) : m_options(options), m_tokenizer(std::move(tokenizer))
{
    checkPasskeys(options);
    if (!canWritePasskeys(*m_tokenizer))
        throw Error(ErrorCode::Usage, "passkey documents cannot be made: the tokenizer cannot write Latin letters, digits and a question mark so that they can be read back");
    m_endsSentence.resize(static_cast<std::size_t>(m_tokenizer->vocabSize()), 0);
    for (std::size_t id = 0; id < m_endsSentence.size(); ++id) {
        const auto token = static_cast<TokenId>(id);
        try {
            m_endsSentence[id] = endsSentence(m_tokenizer->decode({&token, 1})) ? 1 : 0;
        } catch (const Error &error) {
            if (error.code() != ErrorCode::BadFile)   // an id that no token has: vocabularies may have gaps
                throw;
        }
    }
}

std::vector<PasskeyDocuments::Pair> PasskeyDocuments::drawPairs(RandomDraws &draws) const
{
    std::vector<Pair> pairs;
    const std::int64_t smallest = smallestNumber(m_options.valueDigits);
    while (static_cast<std::int64_t>(pairs.size()) < m_options.pairs) {
        Pair pair;
        do
            pair.key = madeUpWord(draws);
        while (std::any_of(pairs.begin(), pairs.end(), [&](const Pair &one) { return one.key == pair.key; }));
        do
            pair.value = std::to_string(smallest + draws.below(9 * smallest));
        while (std::any_of(pairs.begin(), pairs.end(), [&](const Pair &one) { return one.value == pair.value; }));
        // In parts, so that no merge of the tokenizer joins a value with its surroundings.
        const std::string claim = "The passkey of " + pair.key + " is";
        pair.valueIds = m_tokenizer->encode(" " + pair.value);
        pair.statement = m_tokenizer->encode("\n" + claim);
        appendIds(pair.statement, pair.valueIds);
        appendIds(pair.statement, m_tokenizer->encode(".\n"));
        pair.question = m_tokenizer->encode("\nWhat is the passkey of " + pair.key + "? " + claim);
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

std::int64_t PasskeyDocuments::nearestSentenceEnd(std::span<const TokenId> text, std::int64_t depth) const
{
    const auto size = static_cast<std::int64_t>(text.size());
    const auto isEnd = [&](std::int64_t place) {
        if (place < 1 || place > size)
            return false;
        const TokenId before = text[static_cast<std::size_t>(place) - 1];
        return before >= 0 && before < static_cast<TokenId>(m_endsSentence.size()) && m_endsSentence[static_cast<std::size_t>(before)] != 0;
    };
    for (std::int64_t distance = 0; distance <= size; ++distance)
        for (const std::int64_t place : {depth - distance, depth + distance})
            if (isEnd(place))
                return place;
    return depth;   // a text without sentences
}

PasskeyDocument PasskeyDocuments::document(std::span<const TokenId> filler, std::int64_t length, std::uint64_t seed, std::int64_t index) const
{
    RandomDraws draws(seedFor(seed, "passkeys", 0, index));
    const std::vector<Pair> pairs = drawPairs(draws);
    const std::vector<std::int64_t> asked = draws.distinct(m_options.queries > 0 ? m_options.queries : m_options.pairs, m_options.pairs);
    const std::vector<TokenId> stop = m_tokenizer->encode(".");

    std::int64_t needed = 0;
    for (const Pair &pair : pairs)
        needed += static_cast<std::int64_t>(pair.statement.size());
    for (const std::int64_t pair : asked)
        needed += static_cast<std::int64_t>(pairs[static_cast<std::size_t>(pair)].question.size() + pairs[static_cast<std::size_t>(pair)].valueIds.size() + stop.size());
    const std::int64_t textTokens = length - needed;
    if (textTokens < m_options.pairs)
        throw Error(ErrorCode::Usage, "a passkey document of " + std::to_string(length) + " tokens has no room for text: " + std::to_string(m_options.pairs) + " statements and " +
                                          std::to_string(asked.size()) + " questions take " + std::to_string(needed) + "; make sequences longer, or give fewer pairs");
    if (filler.empty())
        throw Error(ErrorCode::Usage, "passkey documents need a text to hide their statements in");

    std::vector<TokenId> text(static_cast<std::size_t>(textTokens));
    for (std::size_t i = 0; i < text.size(); ++i)
        text[i] = filler[i % filler.size()];

    PasskeyDocument made;
    for (const Pair &pair : pairs) {
        made.pairs.emplace_back(pair.key, pair.value);
        made.depths.push_back(nearestSentenceEnd(text, draws.below(textTokens + 1)));
    }
    std::vector<std::size_t> order(pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return made.depths[a] < made.depths[b]; });

    made.ids.reserve(static_cast<std::size_t>(length));
    std::int64_t taken = 0;
    const auto textUpTo = [&](std::int64_t depth) {
        made.ids.insert(made.ids.end(), text.begin() + static_cast<std::ptrdiff_t>(taken), text.begin() + static_cast<std::ptrdiff_t>(depth));
        taken = depth;
    };
    for (const std::size_t pair : order) {
        textUpTo(made.depths[pair]);
        appendIds(made.ids, pairs[pair].statement);
    }
    textUpTo(textTokens);
    made.answers.assign(static_cast<std::size_t>(length), 0);
    for (const std::int64_t pair : asked) {
        const Pair &one = pairs[static_cast<std::size_t>(pair)];
        appendIds(made.ids, one.question);
        std::fill_n(made.answers.begin() + static_cast<std::ptrdiff_t>(made.ids.size()) - 1, one.valueIds.size(), std::uint8_t{1});
        appendIds(made.ids, one.valueIds);
        appendIds(made.ids, stop);
    }
    return made;
}

}  // namespace stillroom::text
