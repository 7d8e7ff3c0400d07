// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/bytelevel.h"

#include "text/utf8.h"

#include <array>
#include <cstdint>

namespace stillroom::text {

namespace {

constexpr bool standsForItself(unsigned byte) noexcept
{
    return (byte >= 0x21U && byte <= 0x7EU) || (byte >= 0xA1U && byte <= 0xACU) || byte >= 0xAEU;
}

struct Tables {
    std::array<char32_t, 256> charOf{};
    std::array<std::int16_t, 0x144> byteOf{};
};

constexpr Tables makeTables() noexcept
{
    Tables tables;
    tables.byteOf.fill(-1);
    char32_t next = 0x100U;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const char32_t character = standsForItself(byte) ? char32_t{byte} : next++;
        tables.charOf[byte] = character;
        tables.byteOf[character] = static_cast<std::int16_t>(byte);
    }
    return tables;
}

constexpr Tables tables = makeTables();

}  // namespace

char32_t byteLevelChar(unsigned char byte) noexcept
{
    return tables.charOf[byte];
}

std::optional<unsigned char> byteOfByteLevelChar(char32_t character) noexcept
{
    if (character >= tables.byteOf.size() || tables.byteOf[character] < 0) {
        return std::nullopt;
    }
    return static_cast<unsigned char>(tables.byteOf[character]);
}

void appendByteLevel(std::string &out, std::string_view bytes)
{
    for (const char byte : bytes) {
        appendUtf8(out, tables.charOf[static_cast<unsigned char>(byte)]);
    }
}

std::optional<std::string> bytesOfByteLevel(std::string_view spelling)
{
    std::string bytes;
    for (std::size_t i = 0; i < spelling.size();) {
        const Utf8Char character = utf8At(spelling, i);
        const std::optional<unsigned char> byte = byteOfByteLevelChar(character.value);
        if (!byte) {
            return std::nullopt;
        }
        bytes.push_back(static_cast<char>(*byte));
        i += character.sizeBytes;
    }
    return bytes;
}

}  // namespace stillroom::text
