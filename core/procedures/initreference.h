// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace stillroom::procedures {

/// The spec with its `init`, and that of every stage of a pipeline, as the whole key of an align or calibrate stage: a person may name the run or the stage that
/// made it, or write the beginning of the key. Done before a spec is stored and before its key is made, so that both hold what the name meant then; "stage:TASK"
/// and whole keys stay as they are. \throws Error(Usage) for what names none, or several, which it lists
[[nodiscard]] nlohmann::json withInitKeys(nlohmann::json completedSpec, const std::filesystem::path &workspace);

}  // namespace stillroom::procedures
