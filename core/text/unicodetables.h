// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stillroom::text {

/// Characters first … last, both included.
struct CharRange {
    char32_t first;
    char32_t last;
};

/// Characters of a general category ("L", "Lu", …) that Hugging Face's `tokenizers` (Oniguruma with Unicode 16) knows and Unicode 14 does not.
[[nodiscard]] std::span<const CharRange> categoryAdditions(std::string_view category) noexcept;
/// The same as of Unicode 15.1, which llama.cpp has: L, M, N, P and S.
[[nodiscard]] std::span<const CharRange> categoryAdditions15(std::string_view category) noexcept;
[[nodiscard]] std::span<const CharRange> scriptAdditions(std::string_view script) noexcept;
/// The same for Oniguruma's \w.
[[nodiscard]] std::span<const CharRange> wordAdditions() noexcept;

/// Membership tests as the library's parts make them; each part has the tables of its own Unicode version.
[[nodiscard]] bool isSpaceChar(char32_t c) noexcept;         ///< White_Space
[[nodiscard]] bool isWordChar(char32_t c) noexcept;          ///< \w of Rust's `regex` (pre-tokenizer Whitespace, `single_word`)
[[nodiscard]] bool isPunctuationChar(char32_t c) noexcept;   ///< pre-tokenizer Punctuation
[[nodiscard]] bool isNumericChar(char32_t c) noexcept;       ///< pre-tokenizer Digits
[[nodiscard]] bool isCombiningMark(char32_t c) noexcept;     ///< normalizer StripAccents
/// Characters that the library's normalizers leave alone because they are newer than its tables.
[[nodiscard]] bool isUnknownToNormalizers(char32_t c) noexcept;
/// Lower case, one character for all but U+0130 (i and U+0307).
[[nodiscard]] std::u32string_view lowerCase(char32_t c, std::u32string &buffer);

}  // namespace stillroom::text
