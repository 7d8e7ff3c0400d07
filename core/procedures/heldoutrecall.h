// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "procedures/scoringstage.h"
#include "procedures/trainingdata.h"
#include "text/passkeys.h"
#include "text/recalltask.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

/// What recall is measured on: the recall task's own sequences, or passkeys hidden in held-out text.
namespace stillroom::procedures {

/// Of the measure, not of a run: every model of one tokenizer is asked for the same ones.
inline constexpr std::int64_t heldOutPasskeyPairs = 4;

/// \param subject  "The selector halo measures recall". \throws Error(Usage) unless data.source is recall-task or text
void checkRecallSource(const nlohmann::json &spec, const std::string &subject);
/// That four passkeys and questions fit into a sequence of a text in this model's tokens. \param data  of a spec. \throws Error(Usage | BadFile)
void requirePasskeyRoom(const nlohmann::json &data, const checkpoint::ModelFiles &model);
/// Where the data is text: that four passkeys and questions fit into a sequence of this teacher's tokens. \throws Error(Usage | BadFile)
void checkPasskeyRoom(const ScoringPlan &plan);

/// About how many tokens of one held-out sequence are asked for, counted on one: the answers to its passkeys, or what can be known of the recall task.
[[nodiscard]] std::int64_t askedTokens(const ScoringPlan &plan);

/// The first `count` held-out sequences of the task. \pre data.recall
[[nodiscard]] std::vector<text::RecallSequence> heldOutRecallSequences(const TrainingData &data, std::int64_t count);
/// The held-out sequences with passkeys hidden in them: one document for each, of data.sequenceLength tokens. \pre data.tokenizer
[[nodiscard]] std::vector<text::PasskeyDocument> heldOutPasskeys(const TrainingData &data);

/// The same as batches, for what measures by labels.
struct AnswerBatches {
    std::vector<distillation::Batch> batches;
    std::vector<at::Tensor> labels_BT;        ///< int64 by batch: the token that an answer continues with, -100 elsewhere
};
/// The recall task's held-out set as it is, or passkey documents in the place of text.
[[nodiscard]] AnswerBatches answerBatches(const TrainingData &data);

}  // namespace stillroom::procedures
