// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace stillroom::cli {

/// One line of a table as printf would write it, at most 511 bytes.
[[gnu::format(printf, 1, 2)]] [[nodiscard]] std::string formatted(const char *format, ...);

}  // namespace stillroom::cli
