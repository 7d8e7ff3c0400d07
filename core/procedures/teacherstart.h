// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"

#include <cstdint>

namespace stillroom::procedures {

/// How a small teacher begins.
struct TeacherStart {
    /// All layers but `freeLayer` begin as local heads: head h looks (h mod 3) + 1 tokens back, by biases on q and k alone. Nothing is fixed: everything trains.
    bool localHeads = true;
    int freeLayer = 4;             ///< begins without a pattern: where retrieval can form
    double localPeak = 12.0;       ///< score before the softmax at the offset that a local head looks at
};

/// A teacher with random weights: embeddings N(0, ½²); every matrix N(0, 1/inputs), those that write into the residual stream divided by √(2L); norms 1, biases 0
/// but for the local heads. \throws Error(Usage) for a free layer that is not there, or local heads without q/k/v biases.
[[nodiscard]] nn::Transformer startTeacher(const checkpoint::ModelConfig &config, const TeacherStart &start, std::uint64_t seed);

}  // namespace stillroom::procedures
