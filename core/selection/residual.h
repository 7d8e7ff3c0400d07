// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/attentionoutputloss.h"
#include "distillation/batchsource.h"
#include "distillation/stageone.h"
#include "nn/transformer.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace stillroom::selection {

/// What is left of stage 1's error in one layer, on held-out text, in one of the forms of stage 1's loss (distillation/attentionoutputloss.h).
struct LayerResidual {
    int layer = 0;
    double error = 0.0;                   ///< mean over sequences of the form's value on each
    double se = 0.0;                      ///< standard error over sequences; NaN for one
    std::int64_t numSequences = 0;
    std::vector<double> perSequence;      ///< in the order of the held-out set
};

struct ResidualOptions {
    distillation::OutputLoss form = distillation::OutputLoss::RelativeMse;
    at::ScalarType computeType = at::kFloat;
    std::function<void(std::int64_t batchesDone, std::int64_t batches)> progress;
    std::stop_token stop;
};

/// Teacher-forced: each mixer gets the teacher's own layer input. Differences are taken in the mixers' type, norms and sums in float64.
/// With d_l a layer's residual, the student that keeps l alone has the stage-1 loss Σ_j d_j - d_l and the one that makes l alone linear has d_l: GA-S1 and GR-S1
/// both keep the largest d_l (spec kl-selection §4.3). Which layers these are depends on the form.
/// Layer by layer: of a batch only the residual stream and one layer's input and output are held.
/// \throws Error(Cancelled)
[[nodiscard]] std::vector<LayerResidual> heldOutResiduals(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned,
                                                          const std::vector<distillation::Batch> &heldOut, const ResidualOptions &options = {});

/// What it holds of one batch at its peak, weights left out: the residual stream, a layer's input and output, and beside them a block's pass or the error, the same in
/// float64 and its squares.
/// \param linear  the teacher with the aligned mixers in place. \param documents  distillation::forwardBytes
[[nodiscard]] std::int64_t residualBytes(const nn::Transformer &teacher, const nn::Transformer &linear, at::ScalarType computeType, std::int64_t sequences, std::int64_t length, bool documents);

}  // namespace stillroom::selection
