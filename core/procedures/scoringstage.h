// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/heldoutkl.h"
#include "procedures/teacherstage.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace stillroom::procedures {

/// What a selector's refusals and its cost follow from: known before a weight is read.
struct ScoringPlan {
    nlohmann::json spec;                  ///< completed as its key needs it: with the selector's own fields and all mixer options; without mixer and stage 1 where it looks at the teacher alone
    const checkpoint::ModelFiles &files;  ///< the teacher's
    std::vector<int> layers;              ///< to score, ascending
    std::int64_t heldOutSequences = 0, heldOutTokens = 0;     ///< of the held-out set, padding included; without the data: as many as the spec asks for
    [[nodiscard]] int numLayers() const { return files.config.numLayers; }
};

/// The plan of a score spec before its data is open. The one place where everything is refused that the spec and the teacher's files rule out: by it a run, its dry run
/// and its cost say no in the same words, before anything is computed. \throws Error(Usage) as Selector says, Error(BadFile) for a teacher without the tokenizer that is needed
[[nodiscard]] ScoringPlan scoringPlan(const nlohmann::json &completedSpec, const checkpoint::ModelFiles &teacher);
/// Refuses a start that lacks a layer whose linear mixer the plan's selector needs. \throws Error(Usage)
void checkStartLayers(const ScoringPlan &plan, const std::vector<distillation::AlignedLayer> &start);

/// What names a scoring.
struct ScoringKey {
    std::string alignedKey;               ///< of the start; empty for a selector that needs none
    std::vector<std::string> inputs;      ///< hashes in the key
    std::string key;
};
/// \throws Error as alignedKey
[[nodiscard]] ScoringKey scoringKey(const ScoringPlan &plan, const nlohmann::json &completedSpec, const StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings);

/// With the held-out set as it is; refuses what turns out too small. \throws Error(Usage)
void setHeldOut(ScoringPlan &plan, const TrainingData &data);

/// Makes the plan of a score spec, or of every score stage of a pipeline whose teacher is there already, and so refuses it where it must be refused. Does nothing for other kinds.
/// \throws Error as openModelArgument and scoringPlan
void checkScorings(const nlohmann::json &completedSpec, const std::filesystem::path &workspace);

/// Everything a selector works on.
struct ScoringStage : ScoringPlan {
    const LoadedModel &teacher;
    std::string key;
    std::vector<std::string> inputs;      ///< hashes in the key
    ComputeSettings settings;
    std::string alignedKey;               ///< empty, and no layers, for a selector that needs none
    std::vector<distillation::AlignedLayer> aligned;
    TrainingData data;
    std::string mixer;                    ///< the probe, as scores name it; "none" for a selector that looks at the teacher alone
};

/// How students are measured on the held-out set.
[[nodiscard]] distillation::HeldOutOptions heldOutOptions(const ScoringPlan &plan, at::ScalarType computeType);
[[nodiscard]] distillation::HeldOutOptions heldOutOptions(const ScoringStage &stage, const StageRun &run);      ///< stopped with the run

}  // namespace stillroom::procedures
