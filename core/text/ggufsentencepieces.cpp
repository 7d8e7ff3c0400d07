// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/gguftokenizer.h"
#include "text/utf8.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

namespace stillroom::text {

namespace {

constexpr std::string_view spaceMark = "\xE2\x96\x81";   // U+2581
constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

struct Symbol {
    std::size_t begin;
    std::size_t sizeBytes;   // 0: merged into the one before
    std::uint32_t previous;
    std::uint32_t next;
};

struct Candidate {
    float score;
    std::uint32_t left;
    std::uint32_t right;
    std::size_t sizeBytes;   // of both when it was found; else it is stale
    bool operator<(const Candidate &other) const noexcept { return score < other.score || (score == other.score && left > other.left); }
};

class SentencePieces final : public GgufEncoder {
public:
    explicit SentencePieces(const GgufVocabulary &vocabulary) : m_vocabulary(vocabulary)
    {
        std::array<char, 8> buffer{};
        for (unsigned byte = 0; byte < 256; ++byte) {
            const int length = std::snprintf(buffer.data(), buffer.size(), "<0x%02X>", byte);
            auto id = vocabulary.tokens.find(std::string_view(buffer.data(), static_cast<std::size_t>(length)));
            if (!id) {
                const char character = static_cast<char>(static_cast<unsigned char>(byte));
                id = vocabulary.tokens.find(std::string_view(&character, 1));
            }
            m_byteIds[byte] = id ? TokenId{*id} : vocabulary.unknownId.value_or(-1);
        }
    }

    void encode(std::string_view text, bool afterSpecial, EncodeScratch & /*scratch*/, std::vector<std::uint32_t> &out) const override
    {
        std::string marked;
        marked.reserve(text.size() + text.size() / 2);
        if (m_vocabulary.addSpacePrefix && afterSpecial) {
            marked += spaceMark;
        }
        for (const char c : text) {
            if (c == ' ') {
                marked += spaceMark;
            } else {
                marked += c;
            }
        }
        const std::vector<Symbol> symbols = merge(marked);
        for (const Symbol &symbol : symbols) {
            if (symbol.sizeBytes > 0) {
                append(std::string_view(marked).substr(symbol.begin, symbol.sizeBytes), out);
            }
        }
    }

    [[nodiscard]] std::string bytesOf(std::string_view spelling) const override
    {
        std::string bytes;
        while (!spelling.empty()) {
            const bool mark = spelling.starts_with(spaceMark);
            bytes += mark ? ' ' : spelling.front();
            spelling.remove_prefix(mark ? spaceMark.size() : 1);
        }
        return bytes;
    }

    [[nodiscard]] std::string description() const override { return "SentencePiece BPE, " + std::to_string(m_vocabulary.tokens.size()) + " tokens"; }

private:
    [[nodiscard]] std::vector<Symbol> merge(std::string_view text) const
    {
        std::vector<Symbol> symbols;
        for (std::size_t i = 0; i < text.size();) {
            const std::size_t size = utf8Length(text[i]);
            const auto index = static_cast<std::uint32_t>(symbols.size());
            symbols.push_back({i, size, index == 0 ? none : index - 1, i + size < text.size() ? index + 1 : none});
            i += size;
        }
        std::vector<Candidate> heap;
        const auto offer = [&](std::uint32_t left, std::uint32_t right) {
            const std::size_t size = symbols[left].sizeBytes + symbols[right].sizeBytes;
            if (const auto id = m_vocabulary.tokens.find(text.substr(symbols[left].begin, size))) {
                heap.push_back({m_vocabulary.scores[*id], left, right, size});
                std::push_heap(heap.begin(), heap.end());
            }
        };
        for (std::uint32_t i = 1; i < symbols.size(); ++i) {
            offer(i - 1, i);
        }
        while (!heap.empty()) {
            std::pop_heap(heap.begin(), heap.end());
            const Candidate best = heap.back();
            heap.pop_back();
            Symbol &left = symbols[best.left];
            Symbol &right = symbols[best.right];
            if (left.sizeBytes == 0 || right.sizeBytes == 0 || left.sizeBytes + right.sizeBytes != best.sizeBytes) {
                continue;
            }
            left.sizeBytes = best.sizeBytes;
            right.sizeBytes = 0;
            left.next = right.next;
            if (left.next != none) {
                symbols[left.next].previous = best.left;
                offer(best.left, left.next);
            }
            if (left.previous != none) {
                offer(left.previous, best.left);
            }
        }
        return symbols;
    }

    void append(std::string_view piece, std::vector<std::uint32_t> &out) const
    {
        if (const auto id = m_vocabulary.tokens.find(piece)) {
            out.push_back(*id);
            return;
        }
        for (const char byte : piece) {
            const TokenId id = m_byteIds[static_cast<unsigned char>(byte)];
            if (id >= 0) {
                out.push_back(static_cast<std::uint32_t>(id));
            }
        }
    }

    const GgufVocabulary &m_vocabulary;
    std::array<TokenId, 256> m_byteIds{};
};

}  // namespace

std::unique_ptr<const GgufEncoder> makeGgufSentencePieces(const GgufVocabulary &vocabulary)
{
    return std::make_unique<SentencePieces>(vocabulary);
}

}  // namespace stillroom::text
