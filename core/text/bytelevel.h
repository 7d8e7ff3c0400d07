// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stillroom::text {

/// GPT-2's spelling of bytes as printable characters (Radford et al. 2019): '!'…'~', '¡'…'¬', '®'…'ÿ' stand for themselves, the other 68 for U+0100 onwards.
[[nodiscard]] char32_t byteLevelChar(unsigned char byte) noexcept;
/// The byte that a character stands for; nullopt for any other character.
[[nodiscard]] std::optional<unsigned char> byteOfByteLevelChar(char32_t character) noexcept;

/// Appends the spelling of `bytes`.
void appendByteLevel(std::string &out, std::string_view bytes);
/// The bytes that `spelling` (valid UTF-8) stands for; nullopt when a character in it stands for none.
[[nodiscard]] std::optional<std::string> bytesOfByteLevel(std::string_view spelling);

}  // namespace stillroom::text
