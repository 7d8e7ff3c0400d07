// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/ingest.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>
#include <string>
#include <vector>

/// Which runs have lines that the database does not hold: used inside this room only.
namespace stillroom::store {

/// Runs of the folder runs/ whose file is not as long as what was taken in.
[[nodiscard]] std::vector<std::string> runsWithNewLines(SQLite::Database &database, const std::filesystem::path &workspace);
/// Of the runs that the database calls running: the same, without listing the folder.
[[nodiscard]] std::vector<std::string> runningRunsWithNewLines(SQLite::Database &database, const std::filesystem::path &workspace);
/// Takes in everything these runs have; returns those that changed.
std::vector<std::string> takeInAll(Ingestor &ingestor, const std::vector<std::string> &runs);
/// UUIDs of the folders in runs/.
[[nodiscard]] std::vector<std::string> runFolders(const std::filesystem::path &workspace);

}  // namespace stillroom::store
