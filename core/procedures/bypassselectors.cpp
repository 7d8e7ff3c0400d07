// SPDX-License-Identifier: GPL-3.0-or-later
// The teacher alone, one layer's attention output zeroed at a time.
#include "procedures/branchselector.h"
#include "procedures/measuringmemory.h"
#include "procedures/selectors.h"

#include <array>
#include <iterator>

namespace stillroom::procedures {
namespace {

using selection::HeldOutMeasure;

constexpr std::array<SelectorField, 1> bypassFields{{{"skip_first", "0"}}};

template <HeldOutMeasure measure>
Scored scoreBypass(const ScoringStage &stage, StageRun &run)
{
    const nn::Transformer silent = selection::withoutAttention(stage.teacher.model);
    Scored scored = scoreByBranches(stage, run, {.base = stage.teacher.model, .other = silent, .measure = measure, .baseIsTeacher = true, .phase = "zeroing one attention at a time"});
    rankFirstLayersLast(scored, stage);
    return scored;
}

template <HeldOutMeasure measure>
MeasuringBytes bypassMemory(const Measuring &measuring)
{
    return studentsOnHeldOut(measuring, measure, std::ssize(measuring.plan.layers), 1);
}

constexpr std::string_view bypassCost = "2L - 1 + L(L+1)/2 passes of a block over the held-out set";

}  // namespace

extern const Selector pplBypassSelector, klBypassSelector, mseBypassSelector;

constinit const Selector pplBypassSelector{
    .name = "ppl-bypass",
    .help = "Keeps the layers without whose attention the teacher's perplexity rises most.",
    .source = "the PPL baseline of arXiv 2512.20569 and Taylor-Calibrate's bypass ranking (called AR there)",
    .costFormula = bypassCost,
    .needsAligned = false,
    .fields = bypassFields,
    .check = checkSkipFirst,
    .cost = teacherBranchesCost,
    .memory = bypassMemory<HeldOutMeasure::Loss>,
    .score = scoreBypass<HeldOutMeasure::Loss>,
};

constinit const Selector klBypassSelector{
    .name = "kl-bypass",
    .help = "Keeps the layers without whose attention the teacher's predictions move farthest, in KL.",
    .source = "the same ablation, measured as GA-S2 measures",
    .costFormula = bypassCost,
    .needsAligned = false,
    .fields = bypassFields,
    .check = checkSkipFirst,
    .cost = teacherBranchesCost,
    .memory = bypassMemory<HeldOutMeasure::Kl>,
    .score = scoreBypass<HeldOutMeasure::Kl>,
};

constinit const Selector mseBypassSelector{
    .name = "mse-bypass",
    .help = "Keeps the layers without whose attention the final hidden states move farthest, in mean squared error.",
    .source = "reconstructed: arXiv 2512.20569 has an MSE baseline and no code for it",
    .costFormula = bypassCost,
    .needsAligned = false,
    .fields = bypassFields,
    .check = checkSkipFirst,
    .cost = teacherBranchesCost,
    .memory = bypassMemory<HeldOutMeasure::HiddenError>,
    .score = scoreBypass<HeldOutMeasure::HiddenError>,
};

}  // namespace stillroom::procedures
