// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>

namespace stillroom {

/// $XDG_CACHE_HOME/stillroom, else ~/.cache/stillroom: fetched models and texts, packed corpora, file hashes. May be deleted at any time.
[[nodiscard]] std::filesystem::path cacheFolder();
/// $STILLROOM_WORKSPACE, else $XDG_DATA_HOME/stillroom/workspace, else ~/.local/share/stillroom/workspace.
[[nodiscard]] std::filesystem::path defaultWorkspace();
/// The one that was named, or else the default one.
[[nodiscard]] std::filesystem::path workspaceOr(const std::filesystem::path &named);

/// $STILLROOM_RESOURCES, else ../share/stillroom beside the running program (true in the build tree and after installation): the demo teacher and its workspace.
[[nodiscard]] std::filesystem::path resourceFolder();

/// Whether something, or a file, lies at a path that somebody gave. What cannot be a path (too long, a zero byte in it) leads nowhere.
[[nodiscard]] bool isThere(const std::filesystem::path &path) noexcept;
[[nodiscard]] bool isFileThere(const std::filesystem::path &path) noexcept;
/// Of a workspace that is there. \throws Error(Usage) where it is something else than a folder
void requireFolder(const std::filesystem::path &workspace);
/// Whether there is a workspace at `folder`. \throws Error(BadFile) where that cannot be seen: a folder above it may not be entered, or links lead in a circle; as requireFolder
[[nodiscard]] bool isWorkspaceThere(const std::filesystem::path &folder);
/// For what reads and makes none. \param remedy  "name the one that holds the run with --workspace"
/// \throws Error(Usage) where there is none; as isWorkspaceThere
void requireWorkspace(const std::filesystem::path &folder, std::string_view remedy);

}  // namespace stillroom
