// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/stageone.h"
#include "distillation/stagetwo.h"
#include "distillation/trainingloop.h"
#include "procedures/computesettings.h"
#include "procedures/stagerun.h"
#include "selection/hiddenstatetraining.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// From the fields of a completed spec to the options of a training stage.
namespace stillroom::procedures {

/// The fields that every training has.
[[nodiscard]] distillation::AdamWOptions adamwOptions(const nlohmann::json &spec);
[[nodiscard]] distillation::Schedule scheduleOptions(const nlohmann::json &spec);
/// Sequences of one forward pass: those of a batch, or at most `micro_batch_sequences` of them.
[[nodiscard]] std::int64_t rowsOfPass(const nlohmann::json &spec);

/// \param alignment  an align spec, or the `alignment` part of another.
[[nodiscard]] distillation::StageOneOptions stageOneOptions(const nlohmann::json &alignment, const ComputeSettings &settings);

/// \param distillation  a score or distill spec. evaluateAtTokens is left to the caller.
[[nodiscard]] distillation::StageTwoOptions stageTwoOptions(const nlohmann::json &distillation, const ComputeSettings &settings);

/// \param spec  a score spec; which states, learning rate and weight decay are left to the caller where they are its own.
[[nodiscard]] selection::HiddenStateTrainingOptions hiddenStateOptions(const nlohmann::json &spec, const ComputeSettings &settings);

/// Token counts at which the held-out set is measured: 0 first, then as `evaluate_at_tokens` says or at `evaluations` equal distances in whole steps, the end included.
[[nodiscard]] std::vector<std::int64_t> evaluationTokens(const nlohmann::json &spec, std::int64_t tokensPerStep);

/// How a stage's training keeps its checkpoints, takes them up again and says them; what happens after each step is the caller's.
/// \param spec  completed. \param key  of the stage. \param checkpoints  the folder of this training
[[nodiscard]] distillation::TrainingLoopOptions checkpointedLoop(const nlohmann::json &spec, const StageRun &run, const std::string &key, const std::filesystem::path &checkpoints);

}  // namespace stillroom::procedures
