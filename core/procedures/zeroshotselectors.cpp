// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing trained after stage 1: one layer softmax among linear ones, or one layer linear among softmax ones.
#include "procedures/branchselector.h"
#include "procedures/measuringmemory.h"
#include "procedures/selectors.h"
#include "selection/hybrid.h"

#include <array>
#include <iterator>

namespace stillroom::procedures {
namespace {

constexpr std::array<SelectorField, 1> zeroShotFields{{{"score_by", "\"kl\""}}};

/// \tparam bases  that are measured beside the layers' students
template <std::int64_t bases>
MeasuringBytes zeroShotMemory(const Measuring &measuring)
{
    return studentsOnHeldOut(measuring, scoredBy(measuring.plan), std::ssize(measuring.plan.layers) + bases, 1);
}

Scored scoreZeroShotGa(const ScoringStage &stage, StageRun &run)
{
    const nn::Transformer linear = selection::hybrid(stage.teacher.model, stage.aligned, {});
    return scoreByBranches(stage, run, {.base = linear, .other = stage.teacher.model, .measure = scoredBy(stage), .baseIsTeacher = false, .phase = "zero-shot scoring"});
}

Scored scoreZeroShotGr(const ScoringStage &stage, StageRun &run)
{
    const nn::Transformer linear = selection::hybrid(stage.teacher.model, stage.aligned, {});
    return scoreByBranches(stage, run, {.base = stage.teacher.model, .other = linear, .measure = scoredBy(stage), .baseIsTeacher = true, .phase = "zero-shot scoring"});
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
    .memory = zeroShotMemory<1>,
    .score = scoreZeroShotGa,
};

constinit const Selector zeroShotGrSelector{
    .name = "zero-shot-gr",
    .help = "Keeps the layers whose being the only linear layer does most harm, without any training after stage 1.",
    .source = "the GR base of arXiv 2512.20569 without stage 2; HALO's probe (arXiv 2601.22156)",
    .costFormula = "2L - 1 + L(L+1)/2 passes of a block over the held-out set",
    .fields = zeroShotFields,
    .cost = teacherBranchesCost,
    .memory = zeroShotMemory<0>,
    .score = scoreZeroShotGr,
};

}  // namespace stillroom::procedures
