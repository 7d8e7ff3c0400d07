// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/sentencepiecetokenizer.h"

#include "checkpoint/modelfiles.h"
#include "error.h"
#include "shownname.h"
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
        throw Error(ErrorCode::BadFile, where + " is not a SentencePiece model that can be read; replace it by an undamaged copy.", status.ToString());
    }
}

// A protocol buffer's varint at `at`, which moves behind it; nullopt at the end of the bytes.
std::optional<std::uint64_t> varint(std::string_view bytes, std::size_t &at)
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; at < bytes.size() && shift < 64; shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80U) {
            return value;
        }
    }
    return std::nullopt;
}

// Calls visit(field number, bytes of a length-delimited value or number) for every field of a message; stops at what it cannot read.
template <class Visit>
void forEachField(std::string_view message, Visit visit)
{
    for (std::size_t at = 0; at < message.size();) {
        const auto tag = varint(message, at);
        const std::uint64_t wire = tag.value_or(7) & 7U;
        if (wire == 0) {
            const auto number = varint(message, at);
            visit(*tag >> 3U, std::string_view(), number.value_or(0));
        } else if (wire == 2) {
            const auto size = varint(message, at);
            if (!size || *size > message.size() - at) {
                return;
            }
            visit(*tag >> 3U, message.substr(at, *size), std::uint64_t{0});
            at += *size;
        } else if (wire == 1 || wire == 5) {
            at += wire == 1 ? 8 : 4;
        } else {
            return;
        }
    }
}

// Pieces of type USER_DEFINED (4), which the library's interface does not tell from normal ones. ModelProto: repeated SentencePiece pieces = 1
// { string piece = 1; float score = 2; Type type = 3; }.
std::vector<std::string> userDefinedPieces(std::string_view model)
{
    std::vector<std::string> pieces;
    forEachField(model, [&](std::uint64_t field, std::string_view body, std::uint64_t /*number*/) {
        if (field != 1) {
            return;
        }
        std::string_view text;
        std::uint64_t type = 1;
        forEachField(body, [&](std::uint64_t inner, std::string_view bytes, std::uint64_t number) {
            text = inner == 1 ? bytes : text;
            type = inner == 3 ? number : type;
        });
        if (type == 4) {
            pieces.emplace_back(text);
        }
    });
    return pieces;
}

class SentencePieceTokenizer final : public Tokenizer {
public:
    SentencePieceTokenizer(std::string model, const std::string &where, const CompanionFiles &companions)
        : m_prefixEverywhere(configFlag(companions.config, "legacy", true)), m_prefixAtStart(configFlag(companions.config, "add_prefix_space", true)),
          m_addBos(configFlag(companions.config, "add_bos_token", true)), m_addEos(configFlag(companions.config, "add_eos_token", false))
    {
        load(m_processor, model, where);
        // A later field of a message overrides an earlier one: normalizer_spec { add_dummy_prefix: false }.
        load(m_withoutPrefix, model + std::string("\x1A\x02\x18\x00", 4), where);
        for (int id = 0; id < m_processor.GetPieceSize(); ++id) {
            m_vocabulary.add(m_processor.IdToPiece(id), static_cast<std::uint64_t>(id));
        }
        m_vocabulary.finish();
        addTokens(companions, m_prefixEverywhere ? std::vector<std::string>() : userDefinedPieces(model));
        m_decoder = makeDecoder({{"type", "Sequence"},
                                 {"decoders",
                                  {{{"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}},
                                   {{"type", "ByteFallback"}},
                                   {{"type", "Fuse"}},
                                   {{"type", "Strip"}, {"content", " "}, {"start", m_prefixAtStart ? 1U : 0U}, {"stop", 0U}}}}});
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
            const std::string_view stretch = text.substr(segment.begin, segment.end - segment.begin);
            const bool first = segment.begin == 0 && !stretch.starts_with(' ') && !stretch.starts_with("\u2581");
            const bool prefix = m_prefixAtStart && (m_prefixEverywhere || first);
            std::vector<int> pieces;
            const auto status = (prefix ? m_processor : m_withoutPrefix).Encode({stretch.data(), stretch.size()}, &pieces);
            if (!status.ok()) {
                throw Error(ErrorCode::Failed, "The SentencePiece library could not encode the text; use the model's own tokenizer file.", status.ToString());
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
        throw Error(ErrorCode::Usage, "The id " + std::to_string(id) + " is not in the tokenizer's vocabulary of " + std::to_string(vocabSize()) + " ids; use the tokenizer that the ids come from.");
    }
    [[nodiscard]] std::optional<TokenId> bosId() const override { return m_extras.bosId; }
    [[nodiscard]] std::optional<TokenId> unknownId() const override { return m_processor.unk_id() >= 0 ? std::optional<TokenId>(m_processor.unk_id()) : std::nullopt; }
    [[nodiscard]] std::vector<TokenId> eosIds() const override { return m_extras.eosIds; }
    [[nodiscard]] std::optional<std::string> chatTemplate() const override { return m_extras.chatTemplate; }
    [[nodiscard]] std::string identity() const override { return m_identity; }
    [[nodiscard]] std::vector<TokenizerPart> parts() const override
    {
        return {{"format", "SentencePiece tokenizer.model"},
                {"model", std::to_string(m_vocabulary.size()) + " pieces"},
                {"space prefix", !m_prefixAtStart ? "never" : m_prefixEverywhere ? "at the start and after special tokens" : "at the start"},
                {"special tokens added", std::string(m_addBos ? "BOS " : "") + (m_addEos ? "EOS" : "")},
                {"added tokens", std::to_string(m_added.tokens().size())}};
    }

private:
    // transformers' newer way finds user-defined pieces as added tokens too; else the library finds them itself.
    void addTokens(const CompanionFiles &companions, const std::vector<std::string> &userDefined)
    {
        for (const std::string &piece : userDefined) {
            AddedToken token;
            token.content = piece;
            m_added.add(std::move(token), m_vocabulary);
        }
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
                throw Error(ErrorCode::BadFile, "The added token '" + shownName(content) + "' has the id " + std::to_string(*companion.id) + " beside tokenizer.model, where "
                                                    + std::to_string(m_added.named(content)->id) + " comes next; use the model's own tokenizer files.");
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
