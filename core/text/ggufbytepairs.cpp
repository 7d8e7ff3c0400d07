// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "text/bytelevel.h"
#include "text/ggufpretypes.h"
#include "text/gguftokenizer.h"
#include "text/pretokenizer.h"
#include "text/utf8.h"

#include <array>

namespace stillroom::text {

namespace {

// llama.cpp merges spellings, not ids, so a merge may pass through a spelling that is no token; such ones get ids behind the vocabulary's here.
class BytePairs final : public GgufEncoder {
public:
    explicit BytePairs(const GgufVocabulary &vocabulary) : m_vocabulary(vocabulary), m_idEnd(vocabulary.tokens.idEnd())
    {
        const GgufPreType &type = *ggufPreType(vocabulary.pre);
        m_splits = makeIsolatingSplits(type.patterns);
        readMerges();
        for (unsigned byte = 0; byte < 256; ++byte) {
            std::string spelling;
            appendUtf8(spelling, byteLevelChar(static_cast<unsigned char>(byte)));
            m_byteIds[byte] = symbolOf(spelling);
        }
        for (std::uint32_t id = 0; type.ignoreMerges && id < m_idEnd; ++id) {
            const std::string_view spelling = vocabulary.tokens.spelling(id);
            const auto bytes = isValidUtf8(spelling) ? bytesOfByteLevel(spelling) : std::nullopt;
            if (bytes) {
                m_wholeWords.add(*bytes, id);
            }
        }
        m_extra.finish();
        m_extraIds.resize(m_extra.size());
        for (std::size_t i = 0; i < m_extra.size(); ++i) {
            m_extraIds[i] = idsOfExtra(m_extra.spelling(static_cast<std::uint32_t>(i)));
        }
    }

    void encode(std::string_view text, bool /*afterSpecial*/, EncodeScratch &scratch, std::vector<std::uint32_t> &out) const override
    {
        PieceList list{std::string(text), {{0, text.size()}}, false};
        m_splits->apply(list, scratch.regex);
        for (const Piece &piece : list.pieces) {
            encodeWord(list.view(piece), scratch, out);
        }
    }

    [[nodiscard]] std::string bytesOf(std::string_view spelling) const override
    {
        const auto bytes = isValidUtf8(spelling) ? bytesOfByteLevel(spelling) : std::nullopt;
        return bytes ? *bytes : std::string(spelling);
    }

    [[nodiscard]] std::string description() const override
    {
        return "BPE, " + std::to_string(m_idEnd) + " tokens, " + std::to_string(m_merges.size()) + " merges, byte-level";
    }

private:
    std::uint32_t symbolOf(std::string_view spelling)
    {
        if (const auto id = m_vocabulary.tokens.find(spelling)) {
            return *id;
        }
        if (const auto index = m_extra.find(spelling)) {
            return m_idEnd + *index;
        }
        const auto index = static_cast<std::uint32_t>(m_extra.size());
        m_extra.add(spelling, index);
        return m_idEnd + index;
    }

    void readMerges()
    {
        const MergeList &merges = m_vocabulary.merges;
        m_merges.reserve(merges.size());
        std::string joined;
        for (std::size_t i = 0; i < merges.size(); ++i) {
            if (merges.left(i).empty() || merges.right(i).empty()) {
                continue;
            }
            joined.assign(merges.left(i));
            joined.append(merges.right(i));
            const std::uint32_t left = symbolOf(merges.left(i));
            const std::uint32_t right = symbolOf(merges.right(i));
            m_merges.insert(left, right, {static_cast<std::uint32_t>(i), symbolOf(joined)}, false);
        }
    }

    // A spelling that is no token is written byte by byte, as far as single bytes are tokens.
    [[nodiscard]] std::vector<std::uint32_t> idsOfExtra(std::string_view spelling) const
    {
        std::vector<std::uint32_t> ids;
        for (std::size_t i = 0; i < spelling.size(); ++i) {
            if (const auto id = m_vocabulary.tokens.find(spelling.substr(i, 1))) {
                ids.push_back(*id);
            }
        }
        return ids;
    }

    void encodeWord(std::string_view word, EncodeScratch &scratch, std::vector<std::uint32_t> &out) const
    {
        if (scratch.cache.lookUp(word, out)) {
            return;
        }
        const std::size_t before = out.size();
        if (const auto id = m_wholeWords.find(word)) {
            out.push_back(*id);
        } else {
            std::vector<std::uint32_t> &symbols = scratch.symbols;
            symbols.clear();
            for (const char byte : word) {
                symbols.push_back(m_byteIds[static_cast<unsigned char>(byte)]);
            }
            mergeSymbols(symbols, m_merges, scratch.merge);
            for (const std::uint32_t symbol : symbols) {
                if (symbol < m_idEnd) {
                    out.push_back(symbol);
                } else {
                    const std::vector<std::uint32_t> &ids = m_extraIds[symbol - m_idEnd];
                    out.insert(out.end(), ids.begin(), ids.end());
                }
            }
        }
        scratch.cache.remember(word, std::span(out).subspan(before));
    }

    const GgufVocabulary &m_vocabulary;
    std::uint32_t m_idEnd;
    std::unique_ptr<const PreTokenizer> m_splits;
    MergeTable m_merges;
    TokenTable m_extra;
    std::vector<std::vector<std::uint32_t>> m_extraIds;
    TokenTable m_wholeWords;
    std::array<std::uint32_t, 256> m_byteIds{};
};

}  // namespace

std::unique_ptr<const GgufEncoder> makeGgufBytePairs(const GgufVocabulary &vocabulary)
{
    return std::make_unique<BytePairs>(vocabulary);
}

}  // namespace stillroom::text
