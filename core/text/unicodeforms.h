// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stillroom::text {

enum class UnicodeForm { NFC, NFD, NFKC, NFKD };

[[nodiscard]] std::optional<UnicodeForm> unicodeFormNamed(std::string_view name) noexcept;

/// Brings valid UTF-8 into a normalization form (Unicode Annex 15), as Hugging Face's `tokenizers` does: characters that its tables do not know stay as they are.
void toUnicodeForm(std::string &text, UnicodeForm form);

}  // namespace stillroom::text
