// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/addedtokens.h"
#include "text/encodescratch.h"
#include "text/ggufvocabulary.h"
#include "text/tokenizer.h"

#include <memory>
#include <mutex>

namespace stillroom::text {

/// Encodes a stretch of text between special tokens.
class GgufEncoder {
public:
    virtual ~GgufEncoder() = default;
    /// \param afterSpecial  the stretch begins the input or follows a special token.
    virtual void encode(std::string_view text, bool afterSpecial, EncodeScratch &scratch, std::vector<std::uint32_t> &out) const = 0;
    /// The bytes that a normal token stands for.
    [[nodiscard]] virtual std::string bytesOf(std::string_view spelling) const = 0;
    [[nodiscard]] virtual std::string description() const = 0;
};

/// Byte-level BPE with the splits of the vocabulary's pre-tokenizer type. Both keep a reference to `vocabulary`. \throws Error
[[nodiscard]] std::unique_ptr<const GgufEncoder> makeGgufBytePairs(const GgufVocabulary &vocabulary);
/// SentencePiece's merging of the neighbours whose token has the best score.
[[nodiscard]] std::unique_ptr<const GgufEncoder> makeGgufSentencePieces(const GgufVocabulary &vocabulary);

/// The tokenizer inside a GGUF file, as llama.cpp reads it (llama_tokenize with parse_special).
class GgufTokenizer final : public Tokenizer {
public:
    explicit GgufTokenizer(GgufVocabulary vocabulary);

    [[nodiscard]] std::vector<TokenId> encode(std::string_view text, bool addSpecial) const override;
    [[nodiscard]] std::string decode(std::span<const TokenId> ids, bool skipSpecial) const override;
    [[nodiscard]] std::int64_t vocabSize() const override { return static_cast<std::int64_t>(m_vocabulary.tokens.size()); }
    [[nodiscard]] std::optional<TokenId> idOf(std::string_view token) const override;
    [[nodiscard]] std::string tokenOf(TokenId id) const override;
    [[nodiscard]] std::optional<TokenId> bosId() const override { return m_vocabulary.extras.bosId; }
    [[nodiscard]] std::optional<TokenId> unknownId() const override { return m_vocabulary.unknownId; }
    [[nodiscard]] std::vector<TokenId> eosIds() const override { return m_vocabulary.extras.eosIds; }
    [[nodiscard]] std::optional<std::string> chatTemplate() const override { return m_vocabulary.extras.chatTemplate; }
    [[nodiscard]] std::string identity() const override;
    [[nodiscard]] std::vector<TokenizerPart> parts() const override;

private:
    [[nodiscard]] std::vector<Segment> splitSpecial(std::string_view text) const;
    [[nodiscard]] std::uint32_t checked(TokenId id) const;
    [[nodiscard]] std::string pieceOf(std::uint32_t id, bool skipSpecial) const;

    GgufVocabulary m_vocabulary;
    std::unique_ptr<const GgufEncoder> m_encoder;
    std::vector<std::uint32_t> m_special;   // in the order in which they are looked for
    StringMatcher m_matcher;                // their spellings; values are indices into m_special
    mutable ScratchPool m_pool;
    mutable std::once_flag m_identityOnce;
    mutable std::string m_identity;
};

}  // namespace stillroom::text
