// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

/// Where things lie in a workspace.
namespace stillroom::store {

[[nodiscard]] std::filesystem::path databaseFile(const std::filesystem::path &workspace);      ///< stillroom.db
[[nodiscard]] std::filesystem::path artifactsFolder(const std::filesystem::path &workspace);   ///< artifacts/
[[nodiscard]] std::filesystem::path runsFolder(const std::filesystem::path &workspace);        ///< runs/
/// runs/<uuid>/. \throws Error(Usage) for what is not a UUID, so that no text can lead out of the workspace.
[[nodiscard]] std::filesystem::path runFolder(const std::filesystem::path &workspace, const std::string &run);
[[nodiscard]] std::filesystem::path eventsFile(const std::filesystem::path &workspace, const std::string &run);   ///< runs/<uuid>/events.jsonl
/// For a place to write to that is among the files which a workspace keeps.
/// \param kind  what is to be named instead: "file" or "folder" \throws Error(Usage)
void refuseStored(const std::filesystem::path &out, const std::filesystem::path &workspace, const std::string &kind);
/// Whether a path that the database says, relative to the workspace, leads to a place below it: the file may be anybody's.
[[nodiscard]] bool staysInside(const std::filesystem::path &path);

}  // namespace stillroom::store
