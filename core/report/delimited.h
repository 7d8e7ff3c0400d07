// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/table.h"

#include <string>

/// Tables for spreadsheets and scripts: units in the head line, every digit, intervals and counts in columns of their own. A text that a spreadsheet would take for
/// a formula gets an apostrophe before it. What is not known is an empty field.
namespace stillroom::report {

/// RFC 4180 with a line feed at the end of each line.
[[nodiscard]] std::string csvText(const Table &table);
/// Tabs between the fields, none within them; nothing is quoted.
[[nodiscard]] std::string tsvText(const Table &table);

}  // namespace stillroom::report
