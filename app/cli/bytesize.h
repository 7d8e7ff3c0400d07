// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace stillroom::cli {

/// "67108864", "64MiB", "1.5 GiB", "20MB" (powers of ten), "64M" (of 1024) → bytes. \throws Error(Usage)
[[nodiscard]] double bytesFrom(const std::string &text);
/// "64 MiB": three significant digits in the largest unit that is not above it.
[[nodiscard]] std::string byteText(double bytes);
/// "32768", "32k" (of 1024) → tokens. \throws Error(Usage)
[[nodiscard]] std::int64_t tokensFrom(const std::string &text);

}  // namespace stillroom::cli
