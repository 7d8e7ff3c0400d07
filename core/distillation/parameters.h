// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/adamw.h"
#include "distillation/trainingcheckpoint.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stillroom::distillation {

/// Adds the weights that train, and with `withOptimizer` their moments, to a checkpoint's state.
void addTrained(TrainingState &state, const std::vector<AdamW> &optimizers, bool withOptimizer);
/// Takes them back from a state of this kind, 0 … totalSteps steps old; a final state (all steps done) may come without moments.
/// \throws Error(BadFile) for another kind or step, or a tensor that is missing or has another shape.
void restoreTrained(std::vector<AdamW> &optimizers, const TrainingState &state, const std::string &kind, std::int64_t totalSteps);

}  // namespace stillroom::distillation
