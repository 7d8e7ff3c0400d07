// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/gguftokenizer.h"

#include "checkpoint/modelfiles.h"
#include "error.h"
#include "text/utf8.h"

#include <algorithm>
#include <bit>

namespace stillroom::text {

namespace {

bool isAsciiSpace(char c) noexcept
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// Splits the text stretches of `segments` at every occurrence of one spelling.
std::vector<Segment> splitAt(const std::vector<Segment> &segments, std::string_view text, std::string_view spelling, std::uint32_t id, bool stripsAfter)
{
    std::vector<Segment> out;
    for (const Segment &segment : segments) {
        if (segment.token) {
            out.push_back(segment);
            continue;
        }
        std::size_t begin = segment.begin;
        while (begin < segment.end) {
            const std::size_t found = text.substr(0, segment.end).find(spelling, begin);
            if (found == std::string_view::npos) {
                break;
            }
            if (found > begin) {
                out.push_back({begin, found, std::nullopt});
            }
            begin = found + spelling.size();
            out.push_back({found, begin, id});
            while (stripsAfter && begin < segment.end && isAsciiSpace(text[begin])) {
                ++begin;
            }
        }
        if (begin < segment.end) {
            out.push_back({begin, segment.end, std::nullopt});
        }
    }
    return out;
}

}  // namespace

GgufTokenizer::GgufTokenizer(GgufVocabulary vocabulary)
    : m_vocabulary(std::move(vocabulary)), m_encoder(m_vocabulary.model == "gpt2" ? makeGgufBytePairs(m_vocabulary) : makeGgufSentencePieces(m_vocabulary))
{
    for (std::uint32_t id = 0; id < m_vocabulary.tokens.size(); ++id) {
        if (m_vocabulary.kinds[id].added()) {
            m_special.push_back(id);
        }
    }
    // Not stable, as in llama.cpp: equal lengths come in the order that the standard library's sort leaves them in.
    std::sort(m_special.begin(), m_special.end(),
              [this](std::uint32_t a, std::uint32_t b) { return m_vocabulary.tokens.spelling(a).size() > m_vocabulary.tokens.spelling(b).size(); });
    for (std::size_t i = 0; i < m_special.size(); ++i) {
        m_matcher.add(m_vocabulary.tokens.spelling(m_special[i]), static_cast<std::uint32_t>(i));
    }
}

std::vector<Segment> GgufTokenizer::splitSpecial(std::string_view text) const
{
    std::vector<Segment> segments;
    if (!text.empty()) {
        segments.push_back({0, text.size(), std::nullopt});
    }
    std::vector<bool> seen(m_special.size(), false);
    m_matcher.markAll(text, seen);
    for (std::size_t i = 0; i < m_special.size(); ++i) {
        if (seen[i]) {
            const std::uint32_t id = m_special[i];
            segments = splitAt(segments, text, m_vocabulary.tokens.spelling(id), id, m_vocabulary.kinds[id].stripsAfter);
        }
    }
    return segments;
}

std::vector<TokenId> GgufTokenizer::encode(std::string_view text, bool addSpecial) const
{
    const ScratchPool::Lease lease(m_pool);
    std::string repaired;
    if (!isValidUtf8(text)) {
        repaired = repairUtf8(text);
        text = repaired;
    }
    std::vector<std::uint32_t> ids;
    const auto addOne = [&](bool asked, std::optional<TokenId> id, const char *name) {
        if (addSpecial && asked && !id) {
            throw Error(ErrorCode::BadFile, std::string("The tokenizer of this GGUF asks for a ") + name + " token and has none; give the model's tokenizer.json instead.");
        }
        if (addSpecial && asked) {
            ids.push_back(static_cast<std::uint32_t>(*id));
        }
    };
    addOne(m_vocabulary.addBos, m_vocabulary.extras.bosId, "BOS");
    bool afterSpecial = true;
    for (const Segment &segment : splitSpecial(text)) {
        if (segment.token) {
            ids.push_back(*segment.token);
        } else {
            m_encoder->encode(text.substr(segment.begin, segment.end - segment.begin), afterSpecial, *lease, ids);
        }
        afterSpecial = segment.token.has_value();
    }
    addOne(m_vocabulary.addEos, m_vocabulary.eosId, "EOS");
    return {ids.begin(), ids.end()};
}

std::uint32_t GgufTokenizer::checked(TokenId id) const
{
    if (id < 0 || id >= vocabSize()) {
        throw Error(ErrorCode::Usage, "The id " + std::to_string(id) + " is not in the tokenizer's vocabulary of " + std::to_string(vocabSize()) + " ids; use the tokenizer that the ids come from.");
    }
    return static_cast<std::uint32_t>(id);
}

std::string GgufTokenizer::pieceOf(std::uint32_t id, bool skipSpecial) const
{
    const GgufTokenKind kind = m_vocabulary.kinds[id];
    const std::string_view spelling = m_vocabulary.tokens.spelling(id);
    if (kind.added()) {
        return skipSpecial && kind.special() ? std::string() : std::string(spelling);
    }
    if (kind.normal) {
        return m_encoder->bytesOf(spelling);
    }
    if (kind.byte && spelling.size() == 6) {   // <0x41>
        const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 0; };
        return std::string(1, static_cast<char>(static_cast<unsigned char>(digit(spelling[3]) * 16 + digit(spelling[4]))));
    }
    return {};
}

std::string GgufTokenizer::decode(std::span<const TokenId> ids, bool skipSpecial) const
{
    std::string bytes;
    bool strip = m_vocabulary.addSpacePrefix;   // the space that encoding put before the text
    for (const TokenId id : ids) {
        const std::string piece = pieceOf(checked(id), skipSpecial);
        bytes.append(piece, strip && piece.starts_with(' ') ? 1 : 0);
        strip = strip && piece.empty();
    }
    return isValidUtf8(bytes) ? bytes : repairUtf8(bytes);
}

std::optional<TokenId> GgufTokenizer::idOf(std::string_view token) const
{
    const auto id = m_vocabulary.tokens.find(token);
    return id ? std::optional<TokenId>(*id) : std::nullopt;
}

std::string GgufTokenizer::tokenOf(TokenId id) const
{
    return std::string(m_vocabulary.tokens.spelling(checked(id)));
}

std::string GgufTokenizer::identity() const
{
    std::call_once(m_identityOnce, [this] {
        const GgufVocabulary &v = m_vocabulary;
        std::string bytes = "gguf tokenizer 1\n" + v.model + '\n' + v.pre + '\n';
        for (const std::optional<TokenId> id : {v.addBos ? v.extras.bosId : std::nullopt, v.addEos ? v.eosId : std::nullopt, v.unknownId}) {
            bytes += std::to_string(id.value_or(-1)) + ' ';
        }
        bytes += v.addSpacePrefix ? "prefix\n" : "\n";
        for (std::uint32_t id = 0; id < v.tokens.size(); ++id) {
            const GgufTokenKind kind = v.kinds[id];
            const int flags = (kind.added() ? 1 : 0) + (kind.stripsAfter ? 2 : 0);
            const auto score = v.scores.empty() ? 0U : std::bit_cast<std::uint32_t>(v.scores[id]);
            bytes += std::to_string(v.tokens.spelling(id).size()) + ' ' + std::to_string(flags) + ' ' + std::to_string(score) + ' ';
            bytes += v.tokens.spelling(id);
        }
        for (std::size_t i = 0; i < v.merges.size(); ++i) {
            bytes += '\n';
            bytes += v.merges.left(i);
            bytes += ' ';
            bytes += v.merges.right(i);
        }
        m_identity = checkpoint::sha256(bytes);
    });
    return m_identity;
}

std::vector<TokenizerPart> GgufTokenizer::parts() const
{
    return {{"format", "GGUF"},
            {"model", m_encoder->description()},
            {"pre-tokenizer", m_vocabulary.model == "gpt2" ? m_vocabulary.pre : "none"},
            {"special tokens added", std::string(m_vocabulary.addBos ? "BOS " : "") + (m_vocabulary.addEos ? "EOS" : "")},
            {"added tokens", std::to_string(m_special.size())}};
}

}  // namespace stillroom::text
