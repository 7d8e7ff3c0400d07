// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/stageone.h"

#include <string>
#include <vector>

namespace stillroom::calibration {

/// The starts of a linear layer that are compared. The mixer's own option "expand": "row" gives the published reproduction of each.
enum class Arm {
    NaiveCopy,   ///< the teacher's projections, new parameters as drawn
    ZeroGate,    ///< W_g = 0: the layer is silent
    SmallGate,   ///< W_g × 0.02, as published code (its paper says 0.01)
    PhaseOne,    ///< statistics → decay, β, σ, gate
    PhaseTwo,    ///< per-layer alignment from the naive copy
    Both,        ///< Phase 1, then Phase 2: Taylor-Calibrate
};
/// "naive-copy" | "zero-gate" | "small-gate" | "phase-1" | "phase-2" | "both". \throws Error(Usage)
[[nodiscard]] Arm parseArm(const std::string &text);
[[nodiscard]] const char *armName(Arm arm);
[[nodiscard]] bool runsPhaseOne(Arm arm);
[[nodiscard]] bool runsPhaseTwo(Arm arm);

/// Copies of the naive copies with the gates of ZeroGate and SmallGate; as they were for the other arms, where Phase 1 or 2 follows or nothing does.
/// \throws Error(Usage) where a gate should be closed that the mixer does not have.
[[nodiscard]] std::vector<distillation::AlignedLayer> startOf(Arm arm, const std::vector<distillation::AlignedLayer> &naive);

}  // namespace stillroom::calibration
