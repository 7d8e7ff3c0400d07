// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace stillroom::store {

/// The number of the last event of each task of a run that the database holds, asked by the process that goes on writing the run's file, before it writes.
/// A power cut can leave less in the file than was taken in: lines reach the disk later than the rows that were made of them. The file is the truth of what it
/// still says, but a number that it lost is not free: the database would take the next event of that number for one that it has. Of a file that holds fewer
/// bytes than were taken in the database also forgets how far it had read, so that a recorder begins at its beginning, however long it is by then.
/// Empty where there is no database, where it does not know the run, and where it is damaged, since it is then rebuilt from the lines alone.
/// \throws Error(Usage) for what is not a UUID, Error(Io)
[[nodiscard]] std::map<std::string, std::int64_t> lastNumbers(const std::filesystem::path &workspace, const std::string &run);

}  // namespace stillroom::store
