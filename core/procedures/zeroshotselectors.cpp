// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing trained after stage 1: one layer softmax among linear ones, or one layer linear among softmax ones.
#include "procedures/branchselector.h"
#include "procedures/selectors.h"
#include "selection/hybrid.h"

#include <array>

namespace stillroom::procedures {
namespace {

constexpr std::array<SelectorField, 1> zeroShotFields{{{"score_by", "\"kl\""}}};

selection::HeldOutMeasure measureOf(const ScoringPlan &plan)
{
    return plan.spec.at("score_by") == "kl" ? selection::HeldOutMeasure::Kl : selection::HeldOutMeasure::Loss;
}

Scored scoreZeroShotGa(const ScoringStage &stage, StageRun &run)
{
    const nn::Transformer linear = selection::hybrid(stage.teacher.model, stage.aligned, {});
    return scoreByBranches(stage, run, {.base = linear, .other = stage.teacher.model, .measure = measureOf(stage), .baseIsTeacher = false, .phase = "zero-shot scoring"});
}

Scored scoreZeroShotGr(const ScoringStage &stage, StageRun &run)
{
    const nn::Transformer linear = selection::hybrid(stage.teacher.model, stage.aligned, {});
    return scoreByBranches(stage, run, {.base = stage.teacher.model, .other = linear, .measure = measureOf(stage), .baseIsTeacher = true, .phase = "zero-shot scoring"});
}

}  // namespace

extern const Selector zeroShotGaSelector, zeroShotGrSelector;

constinit const Selector zeroShotGaSelector{
    .name = "zero-shot-ga",
    .help = "Keeps the layers that help most as the only softmax layer, without any training after stage 1.",
    .source = "Taylor-Calibrate's proxy for GA-S2 (there by perplexity, before stage 1)",
    .costFormula = "2L + L(L+1)/2 passes of a block over the held-out set",
    .fields = zeroShotFields,
    .cost = allLinearBranchesCost,
    .score = scoreZeroShotGa,
};

constinit const Selector zeroShotGrSelector{
    .name = "zero-shot-gr",
    .help = "Keeps the layers whose being the only linear layer does most harm, without any training after stage 1.",
    .source = "the GR base of arXiv 2512.20569 without stage 2; HALO's probe (arXiv 2601.22156)",
    .costFormula = "2L - 1 + L(L+1)/2 passes of a block over the held-out set",
    .fields = zeroShotFields,
    .cost = teacherBranchesCost,
    .score = scoreZeroShotGr,
};

}  // namespace stillroom::procedures
