// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelfiles.h"

#include <nlohmann/json_fwd.hpp>

/// The recall task that a model knows: the one it was trained on, where its folder says which.
namespace stillroom::procedures {

/// Refuses a recall task whose symbols mean other things than those that the model was trained on: other numbers of keys, values or fillers move the ids, and another chain_seed draws other successors.
/// Pairs, lengths and probabilities are free: a teacher's own curriculum changes them. A teacher's training.json and a hybrid's spec.json say what it was trained on; of a model with neither, of one
/// trained on text and of a file that is none of ours nothing is known, and nothing is refused.
/// \param data  the completed `data` of a spec. \throws Error(Usage) in one sentence with the task's own values and the file that they are from
void checkTrainedRecall(const nlohmann::json &data, const checkpoint::ModelFiles &model);

}  // namespace stillroom::procedures
