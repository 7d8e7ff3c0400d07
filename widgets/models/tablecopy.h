// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/table.h"

class QMimeData;

namespace stillroom::widgets {

/// A table for the clipboard in every form that somebody may paste: TSV (as plain text too, for spreadsheets), Markdown, and LaTeX with booktabs.
/// \param whole  for TSV. \param shown  for papers and notes, where room is short
[[nodiscard]] QMimeData *tableClipboard(const report::Table &whole, const report::Table &shown);

}  // namespace stillroom::widgets
