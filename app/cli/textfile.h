// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace stillroom::cli {

/// A whole text that somebody named: a file, or a pipe as the shell's <(…) makes one. At most 4 GiB, and 256 MiB without a newline, so that nothing is read for ever.
/// \throws Error(BadFile) for a folder, a device, what cannot be read to its end, and what is longer
[[nodiscard]] std::string readText(const std::filesystem::path &file);

}  // namespace stillroom::cli
