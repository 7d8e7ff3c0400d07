// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/jobqueue.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

/// What the program remembers of a workspace's jobs from one start to the next, beside what the store knows of their runs.
namespace stillroom::widgets {

/// Those that wait or are paused; one that runs is told by its run.
void keepJobs(const std::filesystem::path &workspace, const std::vector<QueuedJob> &jobs);
/// All of them paused: nothing is computed after a start that nobody asked for since.
[[nodiscard]] std::vector<QueuedJob> keptJobs(const std::filesystem::path &workspace);

/// Interrupted runs that a person wants to be left as they are.
void leaveRuns(const std::filesystem::path &workspace, const QStringList &runs);
[[nodiscard]] QStringList leftRuns(const std::filesystem::path &workspace);

}  // namespace stillroom::widgets
