// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/stageone.h"

#include <cstdint>
#include <vector>

namespace stillroom::calibration {

/// Phase 2 of Taylor-Calibrate: each layer by itself learns the teacher's attention output on the calibration tokens, all of them in every step (RepeatedBatch).
/// It is distillation::StageOne with the options that `stageOneOptions` makes of these. Defaults are ours; `published()` says what the authors' code does. What is
/// not reproduced of it: weights and moments in bfloat16, whose steps at these learning rates are near the spacing of the numbers (trap 8); masters are fp32 here.
struct PhaseTwoOptions {
    std::int64_t steps = 300;
    distillation::OutputLoss loss = distillation::OutputLoss::RelativeMse;   ///< published: MeanSquare, which makes clipping depend on each layer's amplitude
    double copiedLearningRate = 1e-4;        ///< q, k, v projections
    double newLearningRate = 1e-3;           ///< gates and decays
    double outputLearningRate = 0.0;         ///< output projection and norm; 0: frozen, as published
    double weightDecay = 0.01;
    bool decayAll = false;                   ///< published: true, A_log and dt_bias are pulled to 0 too (trap 8)
    bool bestAfterUpdate = false;            ///< published: true, the snapshot is one update past the loss it is reported with (trap 8)
    double clipNorm = 1.0;                   ///< per layer
    std::int64_t patienceSteps = 50;         ///< a layer stops when it has not improved by leastImprovement for so long. Published: 0, never
    double leastImprovement = 1e-3;
    std::int64_t microBatchSequences = 0;    ///< sequences of one pass; 0: all

    [[nodiscard]] static PhaseTwoOptions published();
};

/// \param students  what will be trained: their mixers say which parameters are copied and which are new. Handles are kept.
/// \throws Error(Usage) for a mixer that is not linear, or options out of range (when the stage is made).
[[nodiscard]] distillation::StageOneOptions stageOneOptions(const PhaseTwoOptions &options, const std::vector<distillation::AlignedLayer> &students, at::ScalarType computeType);

}  // namespace stillroom::calibration
