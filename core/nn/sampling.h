// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/generate.h"

#include <random>

namespace stillroom::nn {

/// Draws the tokens of one row. Each row has a generator of its own, so what it draws does not depend on the batch around it.
class Sampler final {
public:
    /// \throws Error(Usage) naming an option out of range.
    Sampler(const SamplingOptions &options, std::int64_t row);
    /// \param logits_V  of one position. \return greedy: the largest logit's id, of equal ones the lowest; else a draw from
    /// softmax(logits / temperature) cut to the topK largest and then to the fewest largest whose mass reaches topP.
    [[nodiscard]] std::int64_t draw(const at::Tensor &logits_V);

private:
    SamplingOptions m_options;
    std::mt19937_64 m_generator;
};

}  // namespace stillroom::nn
