// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/randomdraws.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stillroom::text {

struct PasskeyOptions {
    std::int64_t pairs = 4;         ///< statements hidden in one document
    std::int64_t queries = 0;       ///< of them asked for at the end, each once, in random order; 0: all
    std::int64_t valueDigits = 5;   ///< of a passkey
};

struct PasskeyDocument {
    std::vector<TokenId> ids;
    std::vector<std::uint8_t> answers;                        ///< 1 where the next token belongs to a passkey that was asked for, else 0
    std::vector<std::pair<std::string, std::string>> pairs;   ///< key and passkey, in the order drawn
    std::vector<std::int64_t> depths;                         ///< by pair: tokens of the text before its statement
};

/// Retrieval documents out of any text, for any tokenizer: sentences "The passkey of KEY is VALUE." stand at random depths of a text, each at the nearest
/// end of a sentence, and at the document's end some of the keys are asked for and answered. Keys are made-up words and values numbers, both distinct
/// within a document. A statement and its answer hold the same value tokens, so that copying answers the question. The recipe of multi-key passkey
/// retrieval (Mohtashami and Jaggi 2023; RULER's multi-key needles) on which FlashMorph (arXiv 2606.30562) trains its gates, in words of our own.
class PasskeyDocuments final {
public:
    /// \throws Error(Usage) for options out of range, or a tokenizer that cannot write Latin letters and digits and read them back.
    PasskeyDocuments(const PasskeyOptions &options, std::shared_ptr<const Tokenizer> tokenizer);

    /// Document `index` of `seed`: a pure function of (options, tokenizer, filler, length, seed, index).
    /// \param filler  token ids of a text; read from its start, and again from there where it is too short.
    /// \return exactly `length` tokens. \throws Error(Usage) when statements and questions leave no room for text, or there is none.
    [[nodiscard]] PasskeyDocument document(std::span<const TokenId> filler, std::int64_t length, std::uint64_t seed, std::int64_t index) const;

    [[nodiscard]] const PasskeyOptions &options() const { return m_options; }

private:
    struct Pair;
    [[nodiscard]] std::vector<Pair> drawPairs(RandomDraws &draws) const;
    [[nodiscard]] std::int64_t nearestSentenceEnd(std::span<const TokenId> text, std::int64_t depth) const;

    PasskeyOptions m_options;
    std::shared_ptr<const Tokenizer> m_tokenizer;
    std::vector<std::uint8_t> m_endsSentence;     ///< by token id
};

}  // namespace stillroom::text
