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
/// Whether it is a place among the files that a workspace keeps, where nothing else is to be written.
[[nodiscard]] bool isStored(const std::filesystem::path &path, const std::filesystem::path &workspace);
/// Whether a path that the database says, relative to the workspace, leads to a place below it: the file may be anybody's.
[[nodiscard]] bool staysInside(const std::filesystem::path &path);

}  // namespace stillroom::store
