// SPDX-License-Identifier: GPL-3.0-or-later
// What stage 1 left over: the layer that a linear mixer imitates worst stays softmax.
#include "procedures/selectors.h"
#include "selection/residual.h"

#include <algorithm>

namespace stillroom::procedures {
namespace {

SelectorCost residualCost(const ScoringPlan &plan)
{
    return {.measuredTokens = plan.heldOutTokens, .blockPasses = plan.numLayers()};
}

Scored scoreResiduals(const ScoringStage &stage, StageRun &run)
{
    Scored scored;
    for (const selection::LayerResidual &one :
         selection::heldOutResiduals(stage.teacher.model, stage.aligned, stage.data.heldOut, stage.settings.computeType, run.stop)) {
        if (std::find(stage.layers.begin(), stage.layers.end(), one.layer) == stage.layers.end())
            continue;
        experiment::LayerScore score = estimatedScore(stage, one.layer, {one.relativeMse, one.se, one.numSequences});
        score.unit = "relative squared error";
        score.higherIsBetter = true;
        scored.scores.push_back(score);
        run.sink(score);
    }
    scored.spent = residualCost(stage);
    return scored;
}

}  // namespace

extern const Selector gaS1Selector;
constinit const Selector gaS1Selector{
    .name = "ga-s1",
    .help = "Keeps the layers whose linear mixer is farthest from the teacher's attention after stage 1 (GA-S1 and GR-S1 in one: stage 1 is teacher-forced).",
    .source = "arXiv 2512.20569; that GA-S1 and GR-S1 are one follows from teacher forcing",
    .costFormula = "one pass of the teacher over the held-out set, and of every mixer on its layer's input",
    .needsEveryMixer = false,
    .cost = residualCost,
    .score = scoreResiduals,
};

}  // namespace stillroom::procedures
