// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "distillation/stageone.h"
#include "nn/transformer.h"

#include <stop_token>
#include <vector>

namespace stillroom::selection {

/// What is left of stage 1's error in one layer, on held-out text: Σ_t ‖y_T - y_S‖² / Σ_t ‖y_T‖² (no unit).
struct LayerResidual {
    int layer = 0;
    double relativeMse = 0.0;     ///< mean over sequences
    double se = 0.0;              ///< standard error over sequences; NaN for one
    std::int64_t numSequences = 0;
};

/// Teacher-forced: each mixer gets the teacher's own layer input. Ranking by it, largest kept, is GA-S1 and GR-S1 in one (spec kl-selection §4.3).
/// \throws Error(Cancelled)
[[nodiscard]] std::vector<LayerResidual> heldOutResiduals(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned,
                                                          const std::vector<distillation::Batch> &heldOut, at::ScalarType computeType, std::stop_token stop = {});

}  // namespace stillroom::selection
