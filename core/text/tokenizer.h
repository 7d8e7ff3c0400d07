// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stillroom::text {

using TokenId = std::int64_t;

/// One part of a tokenizer as `inspect` shows it.
struct TokenizerPart {
    std::string name;
    std::string description;
};

/// Text ⇄ token ids, id for id as Hugging Face's `tokenizers` (for a GGUF: as its `pre` type says). Immutable and safe to share between threads.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;
    /// \param addSpecial  adds what the tokenizer's own post-processor adds (BOS, EOS, …).
    /// Added tokens written in the text are recognised, as Hugging Face does. Input is UTF-8; invalid bytes become U+FFFD first.
    /// Truncation and padding that a tokenizer.json may ask for are not done: they belong to the caller's batch.
    /// \throws Error(BadFile) for text that the tokenizer has no token for, and when a pattern of the file backtracks without end.
    [[nodiscard]] virtual std::vector<TokenId> encode(std::string_view text, bool addSpecial = false) const = 0;
    /// \param skipSpecial  leaves special tokens out. Bytes that form no valid UTF-8 become U+FFFD.
    /// The tokenizer's own decoder and nothing else: no clean-up of spaces before punctuation.
    /// \throws Error(BadFile) for an id outside the vocabulary.
    [[nodiscard]] virtual std::string decode(std::span<const TokenId> ids, bool skipSpecial = false) const = 0;
    [[nodiscard]] virtual std::int64_t vocabSize() const = 0;               ///< highest id + 1, added tokens included
    [[nodiscard]] virtual std::optional<TokenId> idOf(std::string_view token) const = 0;   ///< of a token as the vocabulary spells it
    [[nodiscard]] virtual std::string tokenOf(TokenId id) const = 0;   ///< \throws Error(Usage) for an id outside the vocabulary
    [[nodiscard]] virtual std::optional<TokenId> bosId() const = 0;
    [[nodiscard]] virtual std::optional<TokenId> unknownId() const = 0;   ///< what stands for text that no token spells; empty where there is no such text
    [[nodiscard]] virtual std::vector<TokenId> eosIds() const = 0;
    [[nodiscard]] virtual std::optional<std::string> chatTemplate() const = 0;   ///< Jinja source as the file holds it
    /// SHA-256 over everything that decides encoding: two tokenizers with the same identity give the same ids.
    [[nodiscard]] virtual std::string identity() const = 0;
    /// What it is made of, for people: {"model", "BPE, 50257 tokens, …"}, {"pre-tokenizer", …}, …
    [[nodiscard]] virtual std::vector<TokenizerPart> parts() const = 0;
};

/// A tokenizer.json, tokenizer.model (SentencePiece), vocab.json (with merges.txt beside it), a .gguf, or a folder that holds one of them.
/// \throws Error(BadFile | Unsupported) naming the component that is not understood.
[[nodiscard]] std::shared_ptr<const Tokenizer> loadTokenizer(const std::filesystem::path &path);

}  // namespace stillroom::text
