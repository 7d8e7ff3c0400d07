// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>

namespace stillroom::evaluation {

struct PerplexityOptions {
    std::int64_t window = 0;          ///< tokens in one window; 0: the model's context, at most 2048
    std::int64_t stride = 0;          ///< tokens from window to window, 1 … window; 0: the window
    at::ScalarType computeType = at::kFloat;
    std::function<void(std::int64_t done, std::int64_t total)> progress;   ///< tokens
    std::stop_token stop;
};

struct Perplexity {
    double natsPerToken = 0.0;        ///< mean negative log-likelihood of the predicted tokens, summed in float64
    std::int64_t tokens = 0;          ///< predicted tokens
    std::string convention;           ///< in words, for every place where the number stands
    [[nodiscard]] double perplexity() const;   ///< exp(natsPerToken)
};

/// Perplexity of a token sequence. Windows start every `stride` tokens; each predicts the tokens that no window before it did, except its own first
/// one, which has nothing before it. With stride = window that is the common non-overlapping form; the last window may be shorter. No BOS is added.
/// \throws Error(Usage) for fewer than two tokens, an id outside the vocabulary, or a stride above the window; Error(NonFinite); Error(Cancelled).
[[nodiscard]] Perplexity perplexity(const nn::Transformer &model, std::span<const std::int64_t> ids, const PerplexityOptions &options);

}  // namespace stillroom::evaluation
