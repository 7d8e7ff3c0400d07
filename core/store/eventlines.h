// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::store {

/// Hands on the events of these types ("warning", "checkpoint", …) out of a run's file, oldest first: what the database does not keep, or not yet.
/// Lines that cannot be read are passed over; a run without a file has none. \throws Error(Usage) for what is not a UUID
void readEvents(const std::filesystem::path &workspace, const std::string &run, const std::vector<std::string> &types, const std::function<void(const experiment::Event &)> &take);

/// Where a run can go on.
struct LastCheckpoint {
    std::int64_t step = 0, tokens = 0;
    double timeSeconds = 0.0;                 ///< Unix time
};
/// The latest that is whole on the disk; empty where there is none, so that the run's stage begins anew. \throws Error(Usage) for what is not a UUID
[[nodiscard]] std::optional<LastCheckpoint> lastCheckpoint(const std::filesystem::path &workspace, const std::string &run);

}  // namespace stillroom::store
