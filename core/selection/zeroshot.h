// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/heldoutkl.h"
#include "distillation/stageone.h"
#include "nn/transformer.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace stillroom::selection {

/// Held-out KL of the students that keep one softmax layer, without any stage-2 training.
struct ZeroShotScores {
    std::vector<int> layers;
    std::vector<distillation::HeldOutKl> keptAlone;    ///< by position in `layers`
    distillation::HeldOutKl allLinear;
    std::int64_t blockEvaluations = 0;                 ///< per batch: L + Σ (L - l) over the scored layers, instead of (n + 1) L
    std::int64_t headEvaluations = 0;                  ///< per batch: n + 1 students and the teacher once a group, instead of 2 (n + 1)
};

struct ZeroShotOptions {
    std::vector<int> layers;                           ///< empty: all
    at::ScalarType computeType = at::kFloat;
    std::function<void(std::int64_t batchesDone, std::int64_t batches)> progress;
    /// Called after each batch with what is known so far, so that bars can grow. May be empty.
    std::function<void(const ZeroShotScores &)> onBatch;
    std::stop_token stop;
};

/// Zero-shot GA with a shared prefix (spec kl-selection §8.3). The student that keeps layer l equals the all-linear student up to layer l, so it
/// branches off one all-linear pass there, and only layers l … L-1 are computed for it alone. The teacher's logits of a slice serve all students whose
/// hidden states wait together (HeldOutOptions::waitingBytes bounds them; beside them only the pass itself is in memory, whatever L is). The same
/// operations on the same values as one forward per student: every bit of every KL is equal.
/// \throws Error(Usage) for a layer out of range; Error(Cancelled); Error(NonFinite).
[[nodiscard]] ZeroShotScores scoreZeroShot(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned,
                                           const distillation::HeldOutSet &heldOut, const ZeroShotOptions &options);

}  // namespace stillroom::selection
