// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace stillroom::cli {

inline constexpr std::size_t mostTextBytes = std::size_t{4} << 30U;

/// Whether "-" was written for standard input, or a pipe named as the shell's <(…) does.
[[nodiscard]] bool isPipe(const std::filesystem::path &file);

/// A whole text that somebody named: a file, a pipe, or "-" for standard input. At most `mostBytes`, and 256 MiB without a newline, so that nothing is read for ever.
/// \throws Error(BadFile) for a folder, a device, what cannot be read to its end, and what is longer; Error(Usage) for standard input that is a terminal or was read before
[[nodiscard]] std::string readText(const std::filesystem::path &file, std::size_t mostBytes = mostTextBytes);
/// Bytes, which have no lines: as readText, at most mostTextBytes.
[[nodiscard]] std::string readFile(const std::filesystem::path &file);

}  // namespace stillroom::cli
