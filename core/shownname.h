// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

/// Texts that a file or a person made, fit to be printed: on a terminal a control character is a command.
namespace stillroom {

/// In one line: control characters (C0, DEL, C1), what turns the direction of writing, line separators and bytes that are not UTF-8 become '?'.
[[nodiscard]] std::string shownLine(std::string_view text);
/// The same of a text in lines: newlines and tabs stay.
[[nodiscard]] std::string shownText(std::string_view text);
/// The same of a name that stands in a message: one line of at most 160 bytes, then "…".
[[nodiscard]] std::string shownName(std::string_view name);

}  // namespace stillroom
