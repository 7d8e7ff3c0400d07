// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/table.h"

#include <string>

namespace stillroom::report {

/// A table as GitHub and most notebooks read it; the clearly best value in bold, the footnote below.
[[nodiscard]] std::string markdownText(const Table &table);

}  // namespace stillroom::report
