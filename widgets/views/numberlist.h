// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

/// Lists of whole numbers as one types them: "0-3, 5".
namespace stillroom::widgets {

/// Ascending, each once; nothing for an empty text; no value for anything else than numbers and ranges with commas between.
[[nodiscard]] std::optional<std::vector<std::int64_t>> numbersIn(const QString &text);
[[nodiscard]] QString numbersText(std::vector<std::int64_t> numbers);

}  // namespace stillroom::widgets
