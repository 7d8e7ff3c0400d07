// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/addedtokens.h"
#include "text/decoder.h"
#include "text/encodescratch.h"
#include "text/normalizer.h"
#include "text/postprocessor.h"
#include "text/pretokenizer.h"
#include "text/tokenizer.h"
#include "text/tokenizerextras.h"
#include "text/tokenizerjson.h"
#include "text/tokenmodel.h"

#include <mutex>

namespace stillroom::text {

/// Hugging Face's pipeline: added tokens → normalizer → pre-tokenizer → model → post-processor, and the decoder back.
class PipelineTokenizer final : public Tokenizer {
public:
    /// \param olderTokens  added tokens of the form without a tokenizer.json, in place of the file's own list.
    /// \throws Error(BadFile | Unsupported)
    PipelineTokenizer(TokenizerJson file, const CompanionFiles &companions, std::vector<AddedToken> olderTokens = {});

    [[nodiscard]] std::vector<TokenId> encode(std::string_view text, bool addSpecial) const override;
    [[nodiscard]] std::string decode(std::span<const TokenId> ids, bool skipSpecial) const override;
    [[nodiscard]] std::int64_t vocabSize() const override { return m_vocabSize; }
    [[nodiscard]] std::optional<TokenId> idOf(std::string_view token) const override;
    [[nodiscard]] std::string tokenOf(TokenId id) const override;
    [[nodiscard]] std::optional<TokenId> bosId() const override { return m_extras.bosId; }
    [[nodiscard]] std::optional<TokenId> unknownId() const override { return m_model->unknownId(); }
    [[nodiscard]] std::vector<TokenId> eosIds() const override { return m_extras.eosIds; }
    [[nodiscard]] std::optional<std::string> chatTemplate() const override { return m_extras.chatTemplate; }
    [[nodiscard]] std::string identity() const override;
    [[nodiscard]] std::vector<TokenizerPart> parts() const override;

private:
    void encodeStretch(std::string text, bool atStart, EncodeScratch &scratch, std::vector<std::uint32_t> &out) const;
    void encodeNormalized(PieceList list, EncodeScratch &scratch, std::vector<std::uint32_t> &out) const;
    [[nodiscard]] std::string_view spellingOf(TokenId id) const;
    [[nodiscard]] std::string_view shownAs(TokenId id) const;

    std::unique_ptr<const Normalizer> m_normalizer;
    PreTokenizerChain m_preTokenizer;
    std::unique_ptr<const TokenModel> m_model;
    SpecialFrame m_frame;
    std::unique_ptr<const Decoder> m_decoder;
    AddedTokens m_added;
    TokenizerExtras m_extras;
    std::int64_t m_vocabSize = 0;
    nlohmann::json m_components;   // normalizer, pre_tokenizer, post_processor, decoder as the file writes them
    mutable ScratchPool m_pool;
    mutable std::once_flag m_identityOnce;
    mutable std::string m_identity;
};

}  // namespace stillroom::text
