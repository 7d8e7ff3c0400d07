// SPDX-License-Identifier: GPL-3.0-or-later
// What stage 1 left over: the layer that a linear mixer imitates worst stays softmax.
#include "distillation/attentionoutputloss.h"
#include "procedures/measuringmemory.h"
#include "procedures/progressmeter.h"
#include "procedures/selectors.h"
#include "selection/residual.h"

#include <algorithm>
#include <array>

namespace stillroom::procedures {
namespace {

constexpr std::array<SelectorField, 1> residualFields{{{"residual", "\"relative-mse\""}}};

SelectorCost residualCost(const ScoringPlan &plan)
{
    return {.measuredTokens = plan.heldOutTokens, .blockPasses = plan.numLayers()};
}

MeasuringBytes residualMemory(const Measuring &measuring)
{
    return {0, selection::residualBytes(measuring.teacher, measuring.linear, measuring.computeType, measuring.batch(), measuring.length(), hasDocuments(measuring.plan.spec.at("data")))};
}

/// Of the teacher's attention output, after its projection.
const char *residualUnit(distillation::OutputLoss form)
{
    switch (form) {
    case distillation::OutputLoss::RelativeMse:
        return "relative squared error";
    case distillation::OutputLoss::Rms:
        return "RMS error";
    case distillation::OutputLoss::Squared:
        return "squared error";
    case distillation::OutputLoss::MeanSquare:
        return "mean squared error";
    case distillation::OutputLoss::RmsScaled:
        break;
    }
    return "relative RMS error";
}

Scored scoreResiduals(const ScoringStage &stage, StageRun &run)
{
    ProgressMeter meter(run.sink, "held-out residuals");
    selection::ResidualOptions options;
    options.form = distillation::parseOutputLoss(stage.spec.at("residual").get<std::string>());
    options.computeType = stage.settings.computeType;
    options.progress = [&](std::int64_t done, std::int64_t total) { meter.update(done, total, 0); };
    options.stop = run.stop;
    Scored scored;
    for (selection::LayerResidual &one : selection::heldOutResiduals(stage.teacher.model, stage.aligned, stage.data.heldOut, options)) {
        if (std::find(stage.layers.begin(), stage.layers.end(), one.layer) == stage.layers.end())
            continue;
        experiment::LayerScore score = estimatedScore(stage, one.layer, overSequences(one.perSequence));
        score.unit = residualUnit(options.form);
        score.higherIsBetter = true;
        scored.scores.push_back(score);
        scored.samples.push_back({one.layer, std::move(one.perSequence)});
        run.sink(score);
    }
    scored.notes["residual"] = "GA-S1 and GR-S1 rank alike: with teacher-forced inputs the stage-1 loss of keeping layer l alone is Σ_j d_j - d_l, that of making l alone linear d_l; d_l depends on the form of the loss";
    scored.spent = residualCost(stage);
    return scored;
}

constexpr const char *residualCostFormula = "one pass of the teacher over the held-out set, and of every mixer on its layer's input";

}  // namespace

extern const Selector gaS1Selector, grS1Selector;

constinit const Selector gaS1Selector{
    .name = "ga-s1",
    .help = "Keeps the layers whose linear mixer is farthest from the teacher's attention after stage 1, by the form of stage 1's loss that residual names.",
    .source = "arXiv 2512.20569; residual squared is the loss of the paper, rms that of its code",
    .costFormula = residualCostFormula,
    .needsEveryMixer = false,
    .fields = residualFields,
    .cost = residualCost,
    .memory = residualMemory,
    .score = scoreResiduals,
};

constinit const Selector grS1Selector{
    .name = "gr-s1",
    .help = "Keeps the layers whose being the only linear layer leaves the largest stage-1 loss: the same numbers as ga-s1, because stage 1 is teacher-forced.",
    .source = "arXiv 2512.20569; that GA-S1 and GR-S1 are one follows from teacher forcing",
    .costFormula = residualCostFormula,
    .needsEveryMixer = false,
    .fields = residualFields,
    .cost = residualCost,
    .memory = residualMemory,
    .score = scoreResiduals,
};

}  // namespace stillroom::procedures
