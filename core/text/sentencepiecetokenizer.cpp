// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/sentencepiecetokenizer.h"

#include "checkpoint/modelfiles.h"
#include "error.h"
#include "text/addedtokens.h"
#include "text/companiontokens.h"
#include "text/decoder.h"
#include "text/encodescratch.h"
#include "text/tokenizerextras.h"
#include "text/utf8.h"

#include <algorithm>

#include <nlohmann/json.hpp>
#include <sentencepiece_processor.h>

namespace stillroom::text {

namespace {

using nlohmann::json;
using sentencepiece::SentencePieceProcessor;

bool configFlag(const json &config, const char *name, bool otherwise)
{
    return config.is_object() && config.contains(name) && config.at(name).is_boolean() ? config.at(name).get<bool>() : otherwise;
}

void load(SentencePieceProcessor &processor, const std::string &model, const std::string &where)
{
    const auto status = processor.LoadFromSerializedProto(model);
    if (!status.ok() || processor.GetPieceSize() <= 0) {
        throw Error(ErrorCode::BadFile, where + " is not a SentencePiece model that can be read.", status.ToString());
    }
}

class SentencePieceTokenizer final : public Tokenizer {
public:
    SentencePieceTokenizer(std::string model, const std::string &where, const CompanionFiles &companions)
        : m_prefixEverywhere(configFlag(companions.config, "legacy", false)), m_prefixAtStart(configFlag(companions.config, "add_prefix_space", true)),
          m_addBos(configFlag(companions.config, "add_bos_token", true)), m_addEos(configFlag(companions.config, "add_eos_token", false))
    {
        load(m_processor, model, where);
        // A later field of a message overrides an earlier one: normalizer_spec { add_dummy_prefix: false }.
        load(m_withoutPrefix, model + std::string("\x1A\x02\x18\x00", 4), where);
        for (int id = 0; id < m_processor.GetPieceSize(); ++id) {
            m_vocabulary.add(m_processor.IdToPiece(id), static_cast<std::uint64_t>(id));
        }
        m_vocabulary.finish();
        addTokens(companions);
        m_decoder = makeDecoder({{"type", "Sequence"},
                                 {"decoders",
                                  {{{"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}},
                                   {{"type", "ByteFallback"}},
                                   {{"type", "Fuse"}},
                                   {{"type", "Strip"}, {"content", " "}, {"start", m_prefixAtStart ? 1 : 0}, {"stop", 0}}}}});
        m_extras = makeExtras(companions, [this](std::string_view token) { return idOf(token); });
        if (!m_extras.bosId && m_processor.bos_id() >= 0) {
            m_extras.bosId = m_processor.bos_id();
        }
        if (m_extras.eosIds.empty() && m_processor.eos_id() >= 0) {
            m_extras.eosIds.push_back(m_processor.eos_id());
        }
        m_identity = checkpoint::sha256(model + (m_prefixEverywhere ? '1' : '0') + (m_prefixAtStart ? '1' : '0') + (m_addBos ? '1' : '0') + (m_addEos ? '1' : '0') +
                                        addedIdentity());
    }

    [[nodiscard]] std::vector<TokenId> encode(std::string_view text, bool addSpecial) const override
    {
        std::string repaired;
        if (!isValidUtf8(text)) {
            repaired = repairUtf8(text);
            text = repaired;
        }
        std::vector<TokenId> ids;
        if (addSpecial && m_addBos && m_extras.bosId) {
            ids.push_back(*m_extras.bosId);
        }
        for (const Segment &segment : m_added.splitRaw(text)) {
            if (segment.token) {
                ids.push_back(*segment.token);
                continue;
            }
            const bool prefix = m_prefixAtStart && (m_prefixEverywhere || segment.begin == 0);
            std::vector<int> pieces;
            const auto status = (prefix ? m_processor : m_withoutPrefix).Encode({text.data() + segment.begin, segment.end - segment.begin}, &pieces);
            if (!status.ok()) {
                throw Error(ErrorCode::Failed, "The SentencePiece library could not encode the text.", status.ToString());
            }
            ids.insert(ids.end(), pieces.begin(), pieces.end());
        }
        if (addSpecial && m_addEos && !m_extras.eosIds.empty()) {
            ids.push_back(m_extras.eosIds.front());
        }
        return ids;
    }

    [[nodiscard]] std::string decode(std::span<const TokenId> ids, bool skipSpecial) const override
    {
        std::vector<std::string> tokens;
        for (const TokenId id : ids) {
            const std::string token = tokenOf(id);
            if (!skipSpecial || !m_added.isSpecial(token)) {
                tokens.push_back(token);
            }
        }
        const ScratchPool::Lease lease(m_pool);
        m_decoder->apply(tokens, (*lease).regex);
        return tokens.empty() ? std::string() : tokens.front();
    }

    [[nodiscard]] std::int64_t vocabSize() const override
    {
        TokenId end = m_vocabulary.idEnd();
        for (const AddedToken &token : m_added.tokens()) {
            end = std::max<TokenId>(end, TokenId{token.id} + 1);
        }
        return end;
    }
    [[nodiscard]] std::optional<TokenId> idOf(std::string_view token) const override
    {
        if (const AddedToken *added = m_added.named(token)) {
            return added->id;
        }
        const auto id = m_vocabulary.find(token);
        return id ? std::optional<TokenId>(*id) : std::nullopt;
    }
    [[nodiscard]] std::string tokenOf(TokenId id) const override
    {
        if (id >= 0 && id < vocabSize()) {
            if (const AddedToken *added = m_added.withId(static_cast<std::uint32_t>(id))) {
                return added->content;
            }
            if (m_vocabulary.has(static_cast<std::uint32_t>(id))) {
                return std::string(m_vocabulary.spelling(static_cast<std::uint32_t>(id)));
            }
        }
        throw Error(ErrorCode::Usage, "The id " + std::to_string(id) + " is not in the tokenizer's vocabulary of " + std::to_string(vocabSize()) + " ids.");
    }
    [[nodiscard]] std::optional<TokenId> bosId() const override { return m_extras.bosId; }
    [[nodiscard]] std::vector<TokenId> eosIds() const override { return m_extras.eosIds; }
    [[nodiscard]] std::optional<std::string> chatTemplate() const override { return m_extras.chatTemplate; }
    [[nodiscard]] std::string identity() const override { return m_identity; }
    [[nodiscard]] std::vector<TokenizerPart> parts() const override
    {
        return {{"format", "SentencePiece tokenizer.model"},
                {"model", std::to_string(m_vocabulary.size()) + " pieces"},
                {"space prefix", !m_prefixAtStart ? "never" : m_prefixEverywhere ? "after every special token" : "at the start"},
                {"special tokens added", std::string(m_addBos ? "BOS " : "") + (m_addEos ? "EOS" : "")},
                {"added tokens", std::to_string(m_added.tokens().size())}};
    }

private:
    void addTokens(const CompanionFiles &companions)
    {
        for (int id = 0; id < m_processor.GetPieceSize(); ++id) {
            if (m_processor.IsControl(id) || m_processor.IsUnknown(id)) {
                AddedToken token;
                token.content = m_processor.IdToPiece(id);
                token.special = true;
                m_added.add(std::move(token), m_vocabulary);
            }
        }
        for (CompanionToken &companion : companionTokens(companions)) {
            const std::string content = companion.token.content;
            m_added.add(std::move(companion.token), m_vocabulary);
            if (companion.id && m_added.named(content) != nullptr && m_added.named(content)->id != *companion.id) {
                throw Error(ErrorCode::BadFile, "The added token '" + content + "' has the id " + std::to_string(*companion.id) + " beside tokenizer.model, where "
                                                    + std::to_string(m_added.named(content)->id) + " comes next.");
            }
        }
        m_added.finish(nullptr);
    }

    [[nodiscard]] std::string addedIdentity() const
    {
        std::string bytes;
        for (const AddedToken &token : m_added.tokens()) {
            bytes += json{token.content, token.id, token.singleWord, token.leftStrip, token.rightStrip, token.special}.dump();
        }
        return bytes;
    }

    bool m_prefixEverywhere;
    bool m_prefixAtStart;
    bool m_addBos;
    bool m_addEos;
    SentencePieceProcessor m_processor;
    SentencePieceProcessor m_withoutPrefix;
    TokenTable m_vocabulary;
    AddedTokens m_added;
    std::unique_ptr<const Decoder> m_decoder;
    TokenizerExtras m_extras;
    std::string m_identity;
    mutable ScratchPool m_pool;
};

}  // namespace

std::shared_ptr<const Tokenizer> makeSentencePieceTokenizer(std::string model, const std::string &where, const CompanionFiles &companions)
{
    return std::make_shared<SentencePieceTokenizer>(std::move(model), where, companions);
}

}  // namespace stillroom::text
