// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace stillroom::nn {

struct SamplingOptions {
    double temperature = 0.0;       ///< 0: greedy (ties: lower id)
    int topK = 0;                   ///< 0: all
    double topP = 1.0;
    std::uint64_t seed = 0;
};

struct GenerateOptions {
    std::int64_t maxNewTokens = 64;
    SamplingOptions sampling;
    std::vector<std::int64_t> stopIds;   ///< end of a row; the id itself is not returned
    bool useCache = true;                ///< false: full forward per token (for tests)
    at::ScalarType computeType = at::kFloat;
    std::stop_token stop;
    std::function<void(std::int64_t row, std::int64_t id)> onToken;   ///< live output; may be empty
};

/// Continues each prompt (unequal lengths are padded on the left). Returns the new ids per row.
/// \throws Error(Usage) for an empty prompt or an id outside the vocabulary; Error(Cancelled).
[[nodiscard]] std::vector<std::vector<std::int64_t>> generate(const Transformer &model, const std::vector<std::vector<std::int64_t>> &prompts, const GenerateOptions &options);

}  // namespace stillroom::nn
