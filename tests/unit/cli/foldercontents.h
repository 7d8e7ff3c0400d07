// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>

/// Everything below a folder: relative path → content of a file, or "a folder".
using FolderContents = std::map<std::string, std::string>;

[[nodiscard]] FolderContents contentsOf(const std::filesystem::path &folder);
/// The paths that are new, gone or changed, one a line; paths that begin with `exempt` do not count (empty: none is exempt).
[[nodiscard]] std::string changesBetween(const FolderContents &before, const FolderContents &after, const std::string &exempt);
