// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
    std::int64_t numRecall = 0, numFiller = 0, numSequences = 0;
};

/// \param sequences  of equal length. Each counts with the same weight per target. \throws Error(Usage) when they hold no target or differ in length; Error(NonFinite); Error(Cancelled).
[[nodiscard]] RecallAccuracy recallAccuracy(const nn::Transformer &model, const std::vector<text::RecallSequence> &sequences, at::ScalarType computeType,
                                            std::int64_t batchSize = 16, std::stop_token stop = {});

}  // namespace stillroom::evaluation
