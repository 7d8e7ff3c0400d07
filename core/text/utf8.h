// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stillroom::text {

/// One character of valid UTF-8 and how many bytes it takes.
struct Utf8Char {
    char32_t value;
    std::size_t sizeBytes;
};

/// Bytes of the sequence that `lead` starts, 1 for ASCII. `lead` must start a character of valid UTF-8.
[[nodiscard]] inline std::size_t utf8Length(char lead) noexcept
{
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0x80U ? 1U : byte < 0xE0U ? 2U : byte < 0xF0U ? 3U : 4U;
}

/// The character at `offset` of valid UTF-8; `offset` must be a character's first byte.
[[nodiscard]] inline Utf8Char utf8At(std::string_view text, std::size_t offset) noexcept
{
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[offset + i])); };
    switch (utf8Length(text[offset])) {
    case 1: return {byte(0), 1};
    case 2: return {((byte(0) & 0x1FU) << 6U) | (byte(1) & 0x3FU), 2};
    case 3: return {((byte(0) & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU), 3};
    default: return {((byte(0) & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) | ((byte(2) & 0x3FU) << 6U) | (byte(3) & 0x3FU), 4};
    }
}

/// The last character of non-empty valid UTF-8.
[[nodiscard]] Utf8Char utf8Last(std::string_view text) noexcept;

void appendUtf8(std::string &out, char32_t character);

[[nodiscard]] bool isAscii(std::string_view text) noexcept;
[[nodiscard]] bool isValidUtf8(std::string_view text) noexcept;

/// Every maximal ill-formed part becomes one U+FFFD (Unicode 3.9, "U+FFFD Substitution of Maximal Subparts").
[[nodiscard]] std::string repairUtf8(std::string_view text);

}  // namespace stillroom::text
