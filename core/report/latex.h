// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/table.h"

#include <string>

namespace stillroom::report {

/// A tabular for \input, after booktabs: plain numbers in siunitx's S columns, means with their intervals as \num, the clearly best in bold, a footnote with
/// n and seeds; where it came from as comments. Wider than it may be, its heads are in lines
/// and its letters smaller. It needs \usepackage{booktabs,siunitx}.
[[nodiscard]] std::string latexText(const Table &table, double widthInches = 3.25);
/// A text that TeX sets as it stands, plain pdfLaTeX too: special characters escaped, control characters as spaces, signs in math, letters with accents as
/// commands. Scripts that pdfLaTeX has no letters for are set by XeLaTeX and LuaLaTeX; pdfLaTeX sets their code points, as "U+4E2D".
[[nodiscard]] std::string texEscaped(const std::string &text);
/// The same with single letters that stand alone (K, J) in math.
[[nodiscard]] std::string texLabel(const std::string &text);

}  // namespace stillroom::report
