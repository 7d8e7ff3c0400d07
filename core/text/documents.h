// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace stillroom::text {

/// The text files that `inputs` stand for: files as given, folders walked in name order for .txt, .text, .md, .rst and .jsonl.
/// \throws Error(BadFile) for a path that is not there, what is neither file nor folder (a pipe, a socket, a device), or a folder without text.
[[nodiscard]] std::vector<std::filesystem::path> textFiles(const std::vector<std::filesystem::path> &inputs);

}  // namespace stillroom::text
