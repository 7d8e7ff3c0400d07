// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/utf8.h"

#include <cstdint>
#include <cstring>

namespace stillroom::text {

namespace {

struct Sequence {
    std::size_t sizeBytes;   // of the character, or of the maximal ill-formed part
    bool valid;
};

// Table 3-7 of the Unicode standard: what may follow each lead byte.
Sequence sequenceAt(std::string_view text, std::size_t offset) noexcept
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80U) {
        return {1, true};
    }
    if (lead < 0xC2U || lead > 0xF4U) {
        return {1, false};
    }
    const std::size_t length = lead < 0xE0U ? 2U : lead < 0xF0U ? 3U : 4U;
    unsigned low = 0x80U;
    unsigned high = 0xBFU;
    if (lead == 0xE0U) {
        low = 0xA0U;
    } else if (lead == 0xEDU) {
        high = 0x9FU;
    } else if (lead == 0xF0U) {
        low = 0x90U;
    } else if (lead == 0xF4U) {
        high = 0x8FU;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if (offset + i >= text.size() || byte(i) < low || byte(i) > high) {
            return {i, false};
        }
        low = 0x80U;
        high = 0xBFU;
    }
    return {length, true};
}

std::size_t asciiPrefix(std::string_view text, std::size_t offset) noexcept
{
    std::size_t i = offset;
    std::uint64_t word = 0;
    for (; i + sizeof word <= text.size(); i += sizeof word) {
        std::memcpy(&word, text.data() + i, sizeof word);
        if ((word & 0x8080808080808080ULL) != 0) {
            break;
        }
    }
    while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80U) {
        ++i;
    }
    return i - offset;
}

}  // namespace

Utf8Char utf8Last(std::string_view text) noexcept
{
    std::size_t offset = text.size() - 1;
    while (offset > 0 && (static_cast<unsigned char>(text[offset]) & 0xC0U) == 0x80U) {
        --offset;
    }
    return utf8At(text, offset);
}

void appendUtf8(std::string &out, char32_t character)
{
    const auto put = [&](char32_t bits) { out.push_back(static_cast<char>(static_cast<unsigned char>(bits))); };
    if (character < 0x80U) {
        put(character);
    } else if (character < 0x800U) {
        put(0xC0U | (character >> 6U));
        put(0x80U | (character & 0x3FU));
    } else if (character < 0x10000U) {
        put(0xE0U | (character >> 12U));
        put(0x80U | ((character >> 6U) & 0x3FU));
        put(0x80U | (character & 0x3FU));
    } else {
        put(0xF0U | (character >> 18U));
        put(0x80U | ((character >> 12U) & 0x3FU));
        put(0x80U | ((character >> 6U) & 0x3FU));
        put(0x80U | (character & 0x3FU));
    }
}

bool isAscii(std::string_view text) noexcept
{
    return asciiPrefix(text, 0) == text.size();
}

bool isValidUtf8(std::string_view text) noexcept
{
    for (std::size_t i = asciiPrefix(text, 0); i < text.size();) {
        const Sequence sequence = sequenceAt(text, i);
        if (!sequence.valid) {
            return false;
        }
        i += sequence.sizeBytes;
        i += asciiPrefix(text, i);
    }
    return true;
}

std::string repairUtf8(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const Sequence sequence = sequenceAt(text, i);
        if (sequence.valid) {
            out.append(text.substr(i, sequence.sizeBytes));
        } else {
            out.append("\xEF\xBF\xBD");
        }
        i += sequence.sizeBytes;
    }
    return out;
}

}  // namespace stillroom::text
