// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/run.h"

#include <memory>

/// The two places of a job: used inside this room only.
namespace stillroom::jobs {

/// What a run says first, before its procedure knows more.
[[nodiscard]] experiment::Started startedFrom(const nlohmann::json &completedSpec, bool resumed);

[[nodiscard]] std::unique_ptr<Job> startThreadJob(const nlohmann::json &completedSpec, LaunchOptions options);
[[nodiscard]] std::unique_ptr<Job> startChildJob(const nlohmann::json &completedSpec, LaunchOptions options);

}  // namespace stillroom::jobs
