// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/heldoutkl.h"
#include "nn/transformer.h"
#include "procedures/computesettings.h"
#include "procedures/trainingdata.h"

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

namespace stillroom::procedures {

/// {"kl_nats", "se_nats", "n", "kl_tokens"}
[[nodiscard]] nlohmann::json klMeasures(const distillation::HeldOutKl &kl);

/// What to measure of a model on the held-out set of some data.
struct MeasureRequest {
    std::vector<std::string> measures;             ///< "kl", "perplexity", "recall", "hidden-cosine"
    const nn::Transformer *teacher = nullptr;      ///< needed for KL and hidden-cosine
    std::int64_t headBudgetBytes = 0;
    std::int64_t window = 0, stride = 0;           ///< of perplexity, 0: the convention's
    ComputeSettings settings;
    std::stop_token stop;
    std::function<void(std::string)> warn;         ///< told of what makes a number say less; may be empty
};

/// Refuses what measure() would, before a run begins: a spec of which the data allow no measure, and texts in which no passkeys have room. \param spec  of an evaluation, complete
/// \throws Error(Usage), which says what to ask for; Error(BadFile) for a model without a tokenizer where passkeys need one
void checkMeasures(const nlohmann::json &spec, const checkpoint::ModelFiles &model);

/// {"kl_nats", "se_nats", "n", "perplexity", "nats_per_token", "convention", "recall", "recall_se", "recall_sequences", "recall_task", "hidden_cosine", "hidden_cosine_se", "hidden_cosine_sequences", "hidden_cosine_by_layer", …}:
/// those that were asked for and that the data allows. A standard error is one over held-out sequences: "n" of them for KL, else "…_sequences", one more than an interval has degrees of freedom.
/// Perplexity is over the held-out text, or, of the recall task, over its answers alone: "convention" says which.
/// Recall is that of the recall task, or of passkeys hidden in the held-out text (one document for each held-out sequence that has room for them); token files have none. "recall_n" are the passkeys, several of which one document asks for.
/// hidden_cosine is after the final norm, by layer that of the residual stream behind each block, both models running on their own states.
/// \throws Error(Usage) for KL or hidden-cosine without a teacher or with another vocabulary; Error(Cancelled); Error(NonFinite).
[[nodiscard]] nlohmann::json measure(const nn::Transformer &model, const TrainingData &data, const MeasureRequest &request);

}  // namespace stillroom::procedures
