// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stillroom::store {

/// How much came out of a damaged database of what a person said of runs, which no line holds.
struct BroughtOver {
    int names = 0, notes = 0, tags = 0, pins = 0, locks = 0, trashed = 0;
    std::vector<std::string> cut = {};           ///< what could not be read to its end, so that some of it may be lost: "tags", "locks", …
    std::vector<std::string> gone = {};          ///< runs that it names and that have no folder any more: nothing of them came over
    bool isNothing = false;                      ///< no run could be read at all
};

struct ReindexResult {
    int numRuns = 0;                             ///< rebuilt
    std::vector<std::string> kept;               ///< runs of which lines that were taken in are damaged or gone, perhaps with their folder: their rows are as they were
    int numUnreadableLines = 0;
    std::string damage;                          ///< why the database counted as damaged, in a sentence; empty when it was whole, like what follows
    std::filesystem::path damagedDatabase;       ///< where it was moved to
    BroughtOver broughtOver;                     ///< out of it
};
/// Rebuilds the runs of the database from their lines and the stages from their folders. Names, notes, tags, pins, locks and the trash stay; a damaged database
/// is moved aside once there is a new one, and of these what can still be read of it is brought over: also where the file was cut, or its schema or header are
/// damaged. A run whose lines no longer say all that was taken in keeps its rows.
/// \throws Error(Failed) naming the process that records, Error(BadFile) for a newer version's database or a runs' folder that cannot be read, Error(Io) where there
/// is no room to read a damaged one
ReindexResult reindex(const std::filesystem::path &workspace);

}  // namespace stillroom::store
