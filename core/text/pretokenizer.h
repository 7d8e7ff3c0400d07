// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/textregex.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace stillroom::text {

/// Bytes [begin, end) of PieceList::text.
struct Piece {
    std::size_t begin;
    std::size_t end;
};

/// A stretch of text between added tokens, and the pieces that the pre-tokenizers have cut it into so far; none is empty.
struct PieceList {
    std::string text;
    std::vector<Piece> pieces;
    bool atStart = false;   ///< text begins where the input begins

    [[nodiscard]] std::string_view view(const Piece &piece) const noexcept { return std::string_view(text).substr(piece.begin, piece.end - piece.begin); }
};

/// What becomes of a separator (Hugging Face's SplitDelimiterBehavior).
enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

/// A pre-tokenizer of a tokenizer.json: ByteLevel, Split, Whitespace, WhitespaceSplit, Digits, Punctuation, Metaspace, CharDelimiterSplit, Sequence. Immutable.
class PreTokenizer {
public:
    virtual ~PreTokenizer() = default;
    virtual void apply(PieceList &list, RegexScratch &scratch) const = 0;
};

struct PreTokenizerChain {
    std::unique_ptr<const PreTokenizer> steps;   ///< nullptr: the whole text is one piece
    /// The last step is ByteLevel: its spelling of bytes is left to the model, which then works on raw bytes.
    bool rawBytes = false;
};

/// \throws Error(BadFile | Unsupported) naming the component.
[[nodiscard]] PreTokenizerChain makePreTokenizer(const nlohmann::json &node);

/// Splits at each pattern in turn, all matches and all text between them kept, as the byte-level tokenizers of GGUF files do.
[[nodiscard]] std::unique_ptr<const PreTokenizer> makeIsolatingSplits(std::span<const std::string_view> patterns);

}  // namespace stillroom::text
