// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/bpemodel.h"

#include "error.h"
#include "shownname.h"
#include "text/bytelevel.h"
#include "text/utf8.h"

#include <cstdio>
#include <limits>

namespace stillroom::text {

namespace {

constexpr std::uint32_t noToken = std::numeric_limits<std::uint32_t>::max();

std::string fallbackSpelling(unsigned byte)
{
    std::array<char, 8> buffer{};
    const int length = std::snprintf(buffer.data(), buffer.size(), "<0x%02X>", byte);
    return {buffer.data(), static_cast<std::size_t>(length)};
}

void appendNumber(std::string &out, std::uint32_t value)
{
    for (unsigned shift = 0; shift < 32; shift += 8) {
        out.push_back(static_cast<char>(static_cast<unsigned char>(value >> shift)));
    }
}

}  // namespace

BpeModel::BpeModel(TokenTable vocabulary, const MergeList &merges, BpeOptions options) : m_vocabulary(std::move(vocabulary)), m_options(std::move(options))
{
    readMerges(merges);
    if (m_options.unknownToken) {
        m_unknownId = m_vocabulary.find(*m_options.unknownToken);
    }
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::string spelling;
        appendUtf8(spelling, byteLevelChar(static_cast<unsigned char>(byte)));
        m_byteIds[byte] = m_vocabulary.find(spelling).value_or(noToken);
        m_fallbackIds[byte] = m_vocabulary.find(fallbackSpelling(byte)).value_or(noToken);
    }
    if (m_options.rawBytes && m_options.ignoreMerges) {
        for (std::uint32_t id = 0; id < m_vocabulary.idEnd(); ++id) {
            const auto bytes = m_vocabulary.has(id) ? bytesOfByteLevel(m_vocabulary.spelling(id)) : std::nullopt;
            if (bytes) {
                m_rawVocabulary.add(*bytes, id);
            }
        }
    }
}

void BpeModel::readMerges(const MergeList &merges)
{
    const std::size_t prefix = m_options.continuingPrefix ? m_options.continuingPrefix->size() : 0;
    const auto idOf = [this](std::string_view token) {
        const auto id = m_vocabulary.find(token);
        if (!id) {
            throw Error(ErrorCode::BadFile, "The tokenizer's merges name the token '" + shownName(token) + "', which its vocabulary does not hold; use the model's own tokenizer file.");
        }
        return *id;
    };
    m_merges.reserve(merges.size());
    m_mergeIdentity.reserve(merges.size() * 12);
    std::string joined;
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const std::string_view right = merges.right(i);
        if (right.size() < prefix) {
            throw Error(ErrorCode::BadFile, "The tokenizer's merge rule " + std::to_string(i) + " is shorter than the prefix of continued words; use the model's own tokenizer file.");
        }
        joined.assign(merges.left(i));
        joined.append(right.substr(prefix));
        const std::uint32_t left = idOf(merges.left(i));
        const std::uint32_t rightId = idOf(right);
        const std::uint32_t id = idOf(joined);
        m_merges.insert(left, rightId, {static_cast<std::uint32_t>(i), id}, true);
        for (const std::uint32_t value : {left, rightId, id}) {
            appendNumber(m_mergeIdentity, value);
        }
    }
}

void BpeModel::encode(std::string_view piece, EncodeScratch &scratch, std::vector<std::uint32_t> &out) const
{
    if (scratch.cache.lookUp(piece, out)) {
        return;
    }
    std::vector<std::uint32_t> &symbols = scratch.symbols;
    symbols.clear();
    if (const auto id = m_options.ignoreMerges ? wholePiece(piece) : std::nullopt) {
        symbols.push_back(*id);
    } else {
        if (!m_options.rawBytes) {
            symbolsOfText(piece, symbols);
        } else if (!symbolsOfBytes(piece, symbols)) {
            symbols.clear();
            scratch.mapped.clear();
            appendByteLevel(scratch.mapped, piece);
            symbolsOfText(scratch.mapped, symbols);
        }
        mergeSymbols(symbols, m_merges, scratch.merge);
    }
    scratch.cache.remember(piece, symbols);
    out.insert(out.end(), symbols.begin(), symbols.end());
}

std::optional<std::uint32_t> BpeModel::wholePiece(std::string_view piece) const noexcept
{
    return m_options.rawBytes ? m_rawVocabulary.find(piece) : m_vocabulary.find(piece);
}

bool BpeModel::symbolsOfBytes(std::string_view piece, std::vector<std::uint32_t> &symbols) const
{
    if (m_options.continuingPrefix || m_options.endOfWordSuffix) {
        return false;
    }
    symbols.reserve(piece.size());
    for (const char byte : piece) {
        const std::uint32_t id = m_byteIds[static_cast<unsigned char>(byte)];
        if (id == noToken) {
            return false;
        }
        symbols.push_back(id);
    }
    return true;
}

bool BpeModel::appendFallback(std::string_view character, std::vector<std::uint32_t> &symbols) const
{
    const std::size_t before = symbols.size();
    for (const char byte : character) {
        const std::uint32_t id = m_fallbackIds[static_cast<unsigned char>(byte)];
        if (id == noToken) {
            symbols.resize(before);
            return false;
        }
        symbols.push_back(id);
    }
    return true;
}

void BpeModel::symbolsOfText(std::string_view piece, std::vector<std::uint32_t> &symbols) const
{
    bool unknownPending = false;   // the library adds an unknown only when the next character is known
    const bool affixes = m_options.continuingPrefix.has_value() || m_options.endOfWordSuffix.has_value();
    std::string spelt;
    for (std::size_t i = 0; i < piece.size();) {
        std::string_view character = piece.substr(i, utf8Length(piece[i]));
        const bool first = i == 0;
        i += character.size();
        if (affixes) {
            spelt = first ? std::string() : m_options.continuingPrefix.value_or("");
            spelt += character;
            spelt += i == piece.size() ? m_options.endOfWordSuffix.value_or("") : "";
            character = spelt;
        }
        if (const auto id = m_vocabulary.find(character)) {
            if (unknownPending) {
                symbols.push_back(*m_unknownId);
                unknownPending = false;
            }
            symbols.push_back(*id);
            continue;
        }
        if (m_options.byteFallback && appendFallback(character, symbols)) {
            continue;
        }
        if (!m_options.unknownToken) {
            continue;   // dropped, as the library does
        }
        if (!m_unknownId) {
            throw Error(ErrorCode::BadFile, "The tokenizer's unknown token '" + shownName(*m_options.unknownToken) + "' is not in its vocabulary, and the text needs it; use the model's own tokenizer file.");
        }
        if (unknownPending && !m_options.fuseUnknown) {
            symbols.push_back(*m_unknownId);
        }
        unknownPending = true;
    }
    if (unknownPending) {
        symbols.push_back(*m_unknownId);
    }
}

std::string BpeModel::description() const
{
    std::string text = "BPE, " + std::to_string(m_vocabulary.size()) + " tokens, " + std::to_string(m_merges.size()) + " merges";
    text += m_options.rawBytes ? ", byte-level" : "";
    text += m_options.byteFallback ? ", byte fallback" : "";
    text += m_options.ignoreMerges ? ", whole words first" : "";
    return text;
}

void BpeModel::appendIdentity(std::string &out) const
{
    out += "bpe\n";
    for (const auto *option : {&m_options.unknownToken, &m_options.continuingPrefix, &m_options.endOfWordSuffix}) {
        out += *option ? "=" + **option : "-";
        out += '\0';
    }
    for (const bool flag : {m_options.fuseUnknown, m_options.byteFallback, m_options.ignoreMerges, m_options.rawBytes}) {
        out += flag ? '1' : '0';
    }
    out += m_mergeIdentity;
}

}  // namespace stillroom::text
