// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/reindex.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// What a person said of runs, which no line holds, out of a damaged database: used inside this room only.
namespace stillroom::store {

struct Sayings {
    std::optional<std::string> name, notes;
    bool pinned = false, locked = false;
    std::optional<double> trashed;          ///< Unix seconds
    std::set<std::string> tags;
};

struct Salvage {
    std::map<std::string, Sayings> runs;    ///< by UUID
    std::vector<std::string> cut;           ///< what could not be read to its end: "tags", "locks", …
};

/// Reads table by table, from the front up to the damage and from the back down to it; where the schema does not say what the tables are, by ReplacedSchema.
/// Whatever the file is, it stays as it is, and nothing is thrown for its sake. \throws Error(Io) where there is no room for the copy that a lost schema needs
[[nodiscard]] Salvage salvage(const std::filesystem::path &damaged);

/// Puts what was said of `runs` into a new database, before their lines are taken in.
[[nodiscard]] BroughtOver bringOver(const Salvage &salvage, const std::vector<std::string> &runs, SQLite::Database &database);

}  // namespace stillroom::store
