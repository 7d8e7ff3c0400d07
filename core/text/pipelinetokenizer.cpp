// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/pipelinetokenizer.h"

#include "checkpoint/modelfiles.h"
#include "error.h"
#include "text/tokenizerfields.h"
#include "text/utf8.h"

#include <algorithm>

namespace stillroom::text {

namespace {

using nlohmann::json;

const json &memberOrNull(const json &object, const char *name)
{
    static const json null;
    const auto found = object.find(name);
    return found == object.end() ? null : *found;
}

// "Sequence (Split, ByteLevel)"
std::string shapeOf(const json &component)
{
    if (!component.is_object()) {
        return "none";
    }
    std::string text = component.value("type", std::string("?"));
    for (const char *list : {"normalizers", "pretokenizers", "processors", "decoders"}) {
        const auto found = component.find(list);
        if (found != component.end() && found->is_array()) {
            std::string inner;
            for (const json &part : *found) {
                inner += (inner.empty() ? "" : ", ") + shapeOf(part);
            }
            text += " (" + inner + ")";
        }
    }
    return text;
}

constexpr std::size_t mostComponents = 500;   // each may hold a compiled pattern

std::size_t componentCount(const json &node)
{
    std::size_t count = node.is_object() && node.contains("type") ? 1 : 0;
    for (const json &child : node) {
        count += child.is_structured() ? componentCount(child) : 0;
    }
    return count;
}

std::vector<AddedToken> addedTokensFrom(const json &list)
{
    std::vector<AddedToken> tokens;
    if (!list.is_null() && !list.is_array()) {
        throw Error(ErrorCode::BadFile, "The tokenizer's added_tokens are not a list; use the model's own tokenizer file.");
    }
    for (const json &entry : list) {
        const ComponentFields fields(entry, "added token");
        AddedToken token;
        token.id = fields.number("id");
        token.content = fields.string("content");
        token.singleWord = fields.flag("single_word");
        token.leftStrip = fields.flag("lstrip");
        token.rightStrip = fields.flag("rstrip");
        token.normalized = fields.flag("normalized");
        token.special = fields.flag("special");
        tokens.push_back(std::move(token));
    }
    return tokens;
}

}  // namespace

PipelineTokenizer::PipelineTokenizer(TokenizerJson file, const CompanionFiles &companions, std::vector<AddedToken> olderTokens)
{
    for (const char *name : {"normalizer", "pre_tokenizer", "post_processor", "decoder"}) {
        m_components[name] = memberOrNull(file.rest, name);
    }
    if (componentCount(m_components) > mostComponents) {
        throw Error(ErrorCode::BadFile, "The tokenizer has more than " + std::to_string(mostComponents) + " components; use the model's own tokenizer file.");
    }
    m_normalizer = makeNormalizer(m_components.at("normalizer"));
    m_preTokenizer = makePreTokenizer(m_components.at("pre_tokenizer"));
    m_frame = makeSpecialFrame(m_components.at("post_processor"));
    m_decoder = makeDecoder(m_components.at("decoder"));
    m_model = makeTokenModel(file, m_preTokenizer.rawBytes);
    for (AddedToken &token : olderTokens.empty() ? addedTokensFrom(memberOrNull(file.rest, "added_tokens")) : olderTokens) {
        m_added.add(std::move(token), m_model->vocabulary());
    }
    m_added.finish(m_normalizer.get());
    m_vocabSize = m_model->vocabulary().idEnd();
    for (const AddedToken &token : m_added.tokens()) {
        m_vocabSize = std::max<std::int64_t>(m_vocabSize, token.id + std::int64_t{1});
    }
    for (const auto *side : {&m_frame.before, &m_frame.after}) {
        for (const std::uint32_t id : *side) {
            if (std::int64_t{id} >= m_vocabSize) {
                throw Error(ErrorCode::BadFile, "The tokenizer's post-processor adds the id " + std::to_string(id) + ", which no token has; use the model's own tokenizer file.");
            }
        }
    }
    m_extras = makeExtras(companions, [this](std::string_view token) { return idOf(token); });
}

std::vector<TokenId> PipelineTokenizer::encode(std::string_view text, bool addSpecial) const
{
    const ScratchPool::Lease lease(m_pool);
    EncodeScratch &scratch = *lease;
    std::string repaired;
    if (!isValidUtf8(text)) {
        repaired = repairUtf8(text);
        text = repaired;
    }
    std::vector<std::uint32_t> ids;
    ids.reserve(text.size() / 3 + 8);
    if (addSpecial) {
        ids = m_frame.before;
    }
    for (const Segment &segment : m_added.splitRaw(text)) {
        if (segment.token) {
            ids.push_back(*segment.token);
        } else {
            encodeStretch(std::string(text.substr(segment.begin, segment.end - segment.begin)), segment.begin == 0, scratch, ids);
        }
    }
    if (addSpecial) {
        ids.insert(ids.end(), m_frame.after.begin(), m_frame.after.end());
    }
    return {ids.begin(), ids.end()};
}

void PipelineTokenizer::encodeStretch(std::string text, bool atStart, EncodeScratch &scratch, std::vector<std::uint32_t> &out) const
{
    NormalizedText normalized{std::move(text)};
    if (m_normalizer) {
        m_normalizer->apply(normalized, scratch.regex);
    }
    atStart = atStart && !normalized.headRemoved;
    const std::vector<Segment> segments = m_added.splitNormalized(normalized.text);
    if (segments.size() == 1 && !segments.front().token) {
        encodeNormalized({std::move(normalized.text), {}, atStart}, scratch, out);
        return;
    }
    for (const Segment &segment : segments) {
        if (segment.token) {
            out.push_back(*segment.token);
        } else {
            encodeNormalized({normalized.text.substr(segment.begin, segment.end - segment.begin), {}, atStart && segment.begin == 0}, scratch, out);
        }
    }
}

void PipelineTokenizer::encodeNormalized(PieceList list, EncodeScratch &scratch, std::vector<std::uint32_t> &out) const
{
    list.pieces.push_back({0, list.text.size()});
    if (m_preTokenizer.steps) {
        m_preTokenizer.steps->apply(list, scratch.regex);
    }
    for (const Piece &piece : list.pieces) {
        m_model->encode(list.view(piece), scratch, out);
    }
}

std::string_view PipelineTokenizer::spellingOf(TokenId id) const
{
    if (id >= 0 && id < m_vocabSize) {
        const auto code = static_cast<std::uint32_t>(id);
        if (const AddedToken *token = m_added.withId(code)) {
            return token->content;
        }
        if (m_model->vocabulary().has(code)) {
            return m_model->vocabulary().spelling(code);
        }
    }
    throw Error(ErrorCode::Usage, "The id " + std::to_string(id) + " is not in the tokenizer's vocabulary of " + std::to_string(m_vocabSize) + " ids; use the tokenizer that the ids come from.");
}

std::string_view PipelineTokenizer::shownAs(TokenId id) const
{
    const AddedToken *token = id >= 0 && id < m_vocabSize ? m_added.withId(static_cast<std::uint32_t>(id)) : nullptr;
    return token != nullptr ? token->shown : spellingOf(id);
}

std::string PipelineTokenizer::decode(std::span<const TokenId> ids, bool skipSpecial) const
{
    std::vector<std::string> tokens;
    tokens.reserve(ids.size());
    for (const TokenId id : ids) {
        const std::string_view spelling = shownAs(id);
        if (!skipSpecial || !m_added.isSpecial(spelling)) {
            tokens.emplace_back(spelling);
        }
    }
    const char *separator = " ";
    if (m_decoder) {
        separator = "";
        const ScratchPool::Lease lease(m_pool);
        m_decoder->apply(tokens, (*lease).regex);
    }
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        text += i == 0 ? "" : separator;
        text += tokens[i];
    }
    return text;
}

std::optional<TokenId> PipelineTokenizer::idOf(std::string_view token) const
{
    if (const AddedToken *added = m_added.named(token)) {
        return added->id;
    }
    const auto id = m_model->vocabulary().find(token);
    return id ? std::optional<TokenId>(*id) : std::nullopt;
}

std::string PipelineTokenizer::tokenOf(TokenId id) const
{
    return std::string(spellingOf(id));
}

std::string PipelineTokenizer::identity() const
{
    std::call_once(m_identityOnce, [this] {
        std::string bytes = "tokenizer 1\n";
        for (const char *name : {"normalizer", "pre_tokenizer", "post_processor"}) {
            bytes += m_components.at(name).dump() + '\n';
        }
        for (const AddedToken &token : m_added.tokens()) {
            bytes += json{token.content, token.id, token.singleWord, token.leftStrip, token.rightStrip, token.normalized, token.special}.dump() + '\n';
        }
        const TokenTable &vocabulary = m_model->vocabulary();
        for (std::uint32_t id = 0; id < vocabulary.idEnd(); ++id) {
            if (vocabulary.has(id)) {
                bytes += std::to_string(id) + ' ' + std::to_string(vocabulary.spelling(id).size()) + ' ';
                bytes += vocabulary.spelling(id);
            }
        }
        m_model->appendIdentity(bytes);
        m_identity = checkpoint::sha256(bytes);
    });
    return m_identity;
}

std::vector<TokenizerPart> PipelineTokenizer::parts() const
{
    const auto special = std::ranges::count_if(m_added.tokens(), &AddedToken::special);
    return {{"format", "tokenizer.json"},
            {"model", m_model->description()},
            {"normalizer", shapeOf(m_components.at("normalizer"))},
            {"pre-tokenizer", shapeOf(m_components.at("pre_tokenizer"))},
            {"post-processor", shapeOf(m_components.at("post_processor"))},
            {"decoder", shapeOf(m_components.at("decoder"))},
            {"added tokens", std::to_string(m_added.tokens().size()) + " (" + std::to_string(special) + " special)"}};
}

}  // namespace stillroom::text
