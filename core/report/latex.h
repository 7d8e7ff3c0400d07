// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/table.h"

#include <string>

namespace stillroom::report {

/// A tabular for \input, after booktabs: plain numbers in siunitx's S columns, means with their intervals as \num, the clearly best in bold, a footnote with
/// n and seeds; where it came from as comments. It needs \usepackage{booktabs,siunitx}.
[[nodiscard]] std::string latexText(const Table &table);
/// A text that TeX sets as it stands: all its special characters escaped, control characters as spaces. Minus, multiplication and comparison signs are set in
/// math. Scripts that pdfLaTeX has no letters for stay: XeLaTeX and LuaLaTeX set them.
[[nodiscard]] std::string texEscaped(const std::string &text);
/// The same with single letters that stand alone (K, J) in math.
[[nodiscard]] std::string texLabel(const std::string &text);

}  // namespace stillroom::report
