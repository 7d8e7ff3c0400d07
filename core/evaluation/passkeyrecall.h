// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"
#include "text/passkeys.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace stillroom::evaluation {

/// How well a model finds passkeys again that stand somewhere in a text. Teacher-forced: at each place of an answer the model has read the right ones
/// before it, so a passkey is recalled when every one of its tokens is the likeliest (ties: lower id). That is what greedy generation gives, at the cost of one forward pass.
struct PasskeyRecall {
    double recall = 0.0;              ///< share of the passkeys asked for
    double recallSe = 0.0;            ///< standard error of the mean over documents of each one's share
    double tokenAccuracy = 0.0;       ///< share of the answers' tokens
    std::int64_t numPasskeys = 0, numDocuments = 0;
};

/// \param documents  of equal length. \throws Error(Usage) for none, other lengths or nothing asked; Error(NonFinite); Error(Cancelled)
[[nodiscard]] PasskeyRecall passkeyRecall(const nn::Transformer &model, const std::vector<text::PasskeyDocument> &documents, at::ScalarType computeType,
                                          std::int64_t batchSize = 8, std::stop_token stop = {});

}  // namespace stillroom::evaluation
