// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/heldoutkl.h"
#include "procedures/teacherstage.h"
#include "selection/gas2.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace stillroom::procedures {

/// Everything a selector of a score stage works on.
struct ScoringStage {
    nlohmann::json spec;                  ///< completed, mixer options too
    std::string key;
    std::vector<std::string> inputs;      ///< hashes in the key
    ComputeSettings settings;
    const LoadedModel &teacher;
    std::string alignedKey;
    std::vector<distillation::AlignedLayer> aligned;
    TrainingData data;
    std::string mixer;
    std::vector<int> layers;              ///< to score
    [[nodiscard]] int numLayers() const { return teacher.files.config.numLayers; }
};

[[nodiscard]] distillation::HeldOutOptions heldOutOptions(const ScoringStage &stage, const StageRun &run);

struct GaS2Result {
    std::vector<selection::LayerCurve> curves;   ///< all-linear first where it was scored, then ascending
    int groupSize = 0;
    std::vector<int> reusedLayers;               ///< whose curves were in the workspace already
    nlohmann::json earlyStop;                    ///< {"stopped": …, "tokens", "saved_fraction"} or null
};

/// Trains the layers in lock-step groups, each layer's finished curve kept as an artifact of its own: how layers were grouped or on how many
/// calls they were spread changes no number, and only layers that are missing are trained.
[[nodiscard]] GaS2Result scoreGaS2(const ScoringStage &stage, StageRun &run);

}  // namespace stillroom::procedures
