// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "procedures/selectors.h"
#include "selection/branches.h"

#include <string>

/// What the selectors have in common whose students differ from one model in one layer each (selection/branches.h).
namespace stillroom::procedures {

/// What the field score_by of a plan names: KL or the loss.
[[nodiscard]] selection::HeldOutMeasure scoredBy(const ScoringPlan &plan);

struct BranchProbe {
    const nn::Transformer &base, &other;
    selection::HeldOutMeasure measure = selection::HeldOutMeasure::Kl;
    bool baseIsTeacher = false;
    std::string phase;                    ///< names the progress
};

/// Base all-linear: lower is better and the base is layer -1. Base the teacher: the score is the harm done, KL, hidden error or the loss above the
/// teacher's (paired by sequence), and higher is better.
[[nodiscard]] Scored scoreByBranches(const ScoringStage &stage, StageRun &run, const BranchProbe &probe);

/// The teacher's pass, the base's, and L - l blocks for each scored layer l.
[[nodiscard]] SelectorCost allLinearBranchesCost(const ScoringPlan &plan);
/// The same, the base's pass ending at the last scored layer.
[[nodiscard]] SelectorCost teacherBranchesCost(const ScoringPlan &plan);

}  // namespace stillroom::procedures
