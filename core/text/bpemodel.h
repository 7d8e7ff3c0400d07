// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenmodel.h"

#include <array>
#include <optional>

namespace stillroom::text {

/// Options of Hugging Face's BPE model.
struct BpeOptions {
    std::optional<std::string> unknownToken;
    std::optional<std::string> continuingPrefix;
    std::optional<std::string> endOfWordSuffix;
    bool fuseUnknown = false;
    bool byteFallback = false;
    bool ignoreMerges = false;   ///< a piece that is a token as it stands is not merged
    bool rawBytes = false;       ///< pieces are raw bytes, the vocabulary is spelt byte-level
};

/// Byte-pair encoding as Hugging Face's `tokenizers` does it.
class BpeModel final : public TokenModel {
public:
    /// \throws Error(BadFile) for a merge whose parts or result are not in the vocabulary.
    BpeModel(TokenTable vocabulary, const MergeList &merges, BpeOptions options);

    void encode(std::string_view piece, EncodeScratch &scratch, std::vector<std::uint32_t> &out) const override;
    [[nodiscard]] const TokenTable &vocabulary() const noexcept override { return m_vocabulary; }
    [[nodiscard]] std::optional<std::uint32_t> unknownId() const noexcept override { return m_unknownId; }
    [[nodiscard]] std::string description() const override;
    void appendIdentity(std::string &out) const override;

private:
    void readMerges(const MergeList &merges);
    [[nodiscard]] std::optional<std::uint32_t> wholePiece(std::string_view piece) const noexcept;
    bool symbolsOfBytes(std::string_view piece, std::vector<std::uint32_t> &symbols) const;
    void symbolsOfText(std::string_view piece, std::vector<std::uint32_t> &symbols) const;
    bool appendFallback(std::string_view character, std::vector<std::uint32_t> &symbols) const;

    TokenTable m_vocabulary;
    TokenTable m_rawVocabulary;   // the same tokens as raw bytes; only for rawBytes with ignoreMerges
    MergeTable m_merges;
    BpeOptions m_options;
    std::optional<std::uint32_t> m_unknownId;
    std::array<std::uint32_t, 256> m_byteIds{};       // of the byte-level characters
    std::array<std::uint32_t, 256> m_fallbackIds{};   // of <0x00> … <0xFF>
    std::string m_mergeIdentity;
};

}  // namespace stillroom::text
