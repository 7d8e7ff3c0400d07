// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/heldoutkl.h"
#include "procedures/teacherstage.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace stillroom::procedures {

/// What a selector's cost follows from: known before stage 1 has run.
struct ScoringPlan {
    nlohmann::json spec;                  ///< completed, with the selector's own fields
    const LoadedModel &teacher;
    std::vector<int> layers;              ///< to score, ascending
    std::int64_t heldOutTokens = 0;       ///< of the held-out set, padding included; without the data: as many as the spec asks for
    [[nodiscard]] int numLayers() const { return teacher.files.config.numLayers; }
};

/// The plan of a score spec before its data is open. \throws Error(Usage) as selectorNamed and withSelectorFields (selectors.h)
[[nodiscard]] ScoringPlan scoringPlan(const nlohmann::json &completedSpec, const LoadedModel &teacher);

/// Everything a selector works on.
struct ScoringStage : ScoringPlan {
    std::string key;
    std::vector<std::string> inputs;      ///< hashes in the key
    ComputeSettings settings;
    std::string alignedKey;               ///< empty, and no layers, for a selector that needs none
    std::vector<distillation::AlignedLayer> aligned;
    TrainingData data;
    std::string mixer;                    ///< the probe, as scores name it; "none" for a selector that looks at the teacher alone
};

[[nodiscard]] distillation::HeldOutOptions heldOutOptions(const ScoringStage &stage, const StageRun &run);

}  // namespace stillroom::procedures
