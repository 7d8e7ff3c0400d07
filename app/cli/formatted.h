// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace stillroom::cli {

/// One line of a table as printf would write it, at most 511 bytes.
[[gnu::format(printf, 1, 2)]] [[nodiscard]] std::string formatted(const char *format, ...);

/// What stands in a table for a number that is not known.
inline constexpr const char *unknownText = "–";
/// A number with so many decimals, padded to `width` characters; unknownText for null, and for what is not finite.
[[nodiscard]] std::string numberText(const nlohmann::json &number, int decimals = 4, int width = 0);

/// "1 token", "2 tokens", "0 tokens". \param noun  of one, whose plural ends in s
[[nodiscard]] std::string counted(std::int64_t count, const std::string &noun);

/// A JSON document as it is printed; `indent` -1: in one line. Names of files may hold bytes that are not UTF-8, and a damaged database any: they become "�".
[[nodiscard]] std::string documentText(const nlohmann::json &document, int indent = 1);

}  // namespace stillroom::cli
