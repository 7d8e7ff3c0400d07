// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluation/perplexity.h"
#include "nn/transformer.h"
#include "text/recalltask.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace stillroom::evaluation {

/// Share of the positions whose likeliest next token (ties: lower id) is the right one.
struct RecallAccuracy {
    double recall = 0.0;              ///< over all queried keys
    double recallSe = 0.0;            ///< standard error of the mean over sequences of the per-sequence share
    double filler = 0.0;              ///< over all predictable fillers; at most the chain's likely probability on average
    std::int64_t numRecall = 0, numFiller = 0;
    std::int64_t numSequences = 0;    ///< that recallSe is over: those that ask for something, which a short one may not
};

/// \param sequences  of equal length. Each counts with the same weight per target. \throws Error(Usage) when they hold no target or differ in length; Error(NonFinite); Error(Cancelled).
[[nodiscard]] RecallAccuracy recallAccuracy(const nn::Transformer &model, const std::vector<text::RecallSequence> &sequences, at::ScalarType computeType,
                                            std::int64_t batchSize = 16, std::stop_token stop = {});

/// exp of the mean of −log p(answer), nats per token, over all answers: the values that follow a queried key, the positions of RecallAccuracy::recall. The rest of such a sequence is drawn at
/// random (pairs, queries) or can be told from the last two tokens (fillers), so that a mean over all tokens would mostly say what no model can know.
/// \param sequences  as above; those without an answer count nowhere. \throws Error(Usage) where there is no answer; Error(NonFinite); Error(Cancelled).
[[nodiscard]] Perplexity answerPerplexity(const nn::Transformer &model, const std::vector<text::RecallSequence> &sequences, at::ScalarType computeType, std::int64_t batchSize = 16,
                                          std::stop_token stop = {});

}  // namespace stillroom::evaluation
