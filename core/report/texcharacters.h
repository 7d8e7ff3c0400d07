// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace stillroom::report {

/// The character as plain pdfLaTeX sets it, in ASCII: a command of the kernel and its fonts (OT1, no package), or letters that read the same.
/// Empty: there is none, as of a script with letters of its own.
[[nodiscard]] std::string texOf(char32_t character);

inline constexpr double texPointsPerInch = 72.27;      ///< TeX's pt; PDF's are 72
/// Code points of a UTF-8 text: what takes room, where bytes do not.
[[nodiscard]] std::size_t numCharacters(const std::string &text);

}  // namespace stillroom::report
