// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/budgettext.h"

#include <string>

namespace stillroom::cli {

using analysis::bytesFrom, analysis::tokensFrom;
/// "64 MiB": three significant digits in the largest unit that is not above it.
[[nodiscard]] std::string byteText(double bytes);

}  // namespace stillroom::cli
