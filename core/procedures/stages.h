// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "procedures/stagerun.h"

#include <nlohmann/json_fwd.hpp>

/// One function per kind of experiment, each in a file of its own. All take a completed spec and leave an artifact under the stage's key.
namespace stillroom::procedures {

/// Stage 1. Artifact: aligned layers (alignedlayers.h) and their held-out residuals.
StageResult align(const nlohmann::json &spec, StageRun &run);

/// Taylor-Calibrate. Artifact: aligned layers, as align leaves them, and calibration.json with what was read off every head and what was set.
StageResult calibrate(const nlohmann::json &spec, StageRun &run);

/// Per-layer scores. Artifact: scores.json, and curves.json with KL by layer, evaluation and sequence.
StageResult score(const nlohmann::json &spec, StageRun &run);

/// The hybrid for a chosen set. Artifact: model/ (a folder that loads wherever MODEL is taken) and its measures.
StageResult distill(const nlohmann::json &spec, StageRun &run);

/// Held-out KL, perplexity and recall of a model.
StageResult evaluate(const nlohmann::json &spec, StageRun &run);

/// Shape, sizes, what mixers and exports can carry; attention statistics when asked.
StageResult inspect(const nlohmann::json &spec, StageRun &run);

/// Continues a prompt.
StageResult generate(const nlohmann::json &spec, StageRun &run);

/// A small teacher for the recall task. Artifact: model/, an ordinary Hugging Face folder.
StageResult trainTeacher(const nlohmann::json &spec, StageRun &run);

/// The stages of a pipeline one after the other, "stage:TASK" replaced by the key of that task's result.
StageResult pipeline(const nlohmann::json &spec, StageRun &run);

/// Whichever the spec's kind says.
StageResult runStage(const nlohmann::json &spec, StageRun &run);

}  // namespace stillroom::procedures
