// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/branchselector.h"

#include "analysis/intervals.h"
#include "procedures/progressmeter.h"

#include <cmath>

namespace stillroom::procedures {
namespace {

using selection::BranchScores;
using selection::HeldOutMeasure;

std::int64_t branchBlocks(const ScoringPlan &plan)
{
    std::int64_t blocks = 0;
    for (const int layer : plan.layers)
        blocks += plan.numLayers() - layer;
    return blocks;
}

/// What a layer's score is the mean of: its student's values by sequence, of the loss what is above the teacher's.
std::vector<double> samplesOf(const BranchProbe &probe, const BranchScores &known, std::vector<double> values)
{
    if (probe.baseIsTeacher && probe.measure == HeldOutMeasure::Loss)
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] -= known.base[i];
    return values;
}

experiment::LayerScore scoreOfBranch(const ScoringStage &stage, const BranchProbe &probe, const BranchScores &known, int layer, const std::vector<double> &values)
{
    const analysis::Estimate estimate = overSequences(samplesOf(probe, known, values));
    experiment::LayerScore score = estimatedScore(stage, layer, estimate);
    score.unit = probe.measure == HeldOutMeasure::HiddenError ? "squared error" : "nats/token";
    score.higherIsBetter = probe.baseIsTeacher;
    if (probe.measure == HeldOutMeasure::Kl)
        score.klNats = estimate.mean;
    return score;
}

std::vector<experiment::LayerScore> scoresOf(const ScoringStage &stage, const BranchProbe &probe, const BranchScores &known)
{
    std::vector<experiment::LayerScore> scores;
    if (!probe.baseIsTeacher)
        scores.push_back(scoreOfBranch(stage, probe, known, -1, known.base));
    for (std::size_t i = 0; i < known.layers.size(); ++i)
        scores.push_back(scoreOfBranch(stage, probe, known, known.layers[i], known.branches[i]));
    return scores;
}

/// KL by sequence of the students that keep one layer alone.
std::vector<selection::StudentCurve> curvesOf(const BranchScores &known)
{
    std::vector<selection::StudentCurve> curves{{{}, {0}, {{known.base, known.tokens}}}};
    for (std::size_t i = 0; i < known.layers.size(); ++i)
        curves.push_back({{known.layers[i]}, {0}, {{known.branches[i], known.tokens}}});
    return curves;
}

/// exp of the mean loss of each student: what papers print.
nlohmann::json perplexities(const BranchScores &known)
{
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < known.layers.size(); ++i)
        list.push_back({{"layer", known.layers[i]}, {"perplexity", std::exp(overSequences(known.branches[i]).mean)}});
    return {{"base", std::exp(overSequences(known.base).mean)}, {"layers", std::move(list)}};
}

}  // namespace

selection::HeldOutMeasure scoredBy(const ScoringPlan &plan)
{
    return plan.spec.at("score_by") == "kl" ? HeldOutMeasure::Kl : HeldOutMeasure::Loss;
}

Scored scoreByBranches(const ScoringStage &stage, StageRun &run, const BranchProbe &probe)
{
    const distillation::HeldOutSet heldOut(stage.teacher.model, stage.data.heldOut, heldOutOptions(stage, run));
    ProgressMeter meter(run.sink, probe.phase);
    selection::BranchOptions options;
    options.layers = stage.layers;
    options.measure = probe.measure;
    options.base = probe.baseIsTeacher ? selection::BranchBase::Teacher : selection::BranchBase::Measured;
    options.progress = [&](std::int64_t done, std::int64_t total) { meter.update(done, total, 0); };
    options.onBatch = [&](const BranchScores &known) {
        for (const experiment::LayerScore &score : scoresOf(stage, probe, known))
            run.sink(score);
    };
    options.stop = run.stop;
    const BranchScores known = selection::scoreBranches(probe.base, probe.other, heldOut, options);
    Scored scored;
    scored.scores = scoresOf(stage, probe, known);
    for (std::size_t i = 0; i < known.layers.size(); ++i)
        scored.samples.push_back({known.layers[i], samplesOf(probe, known, known.branches[i])});
    if (!probe.baseIsTeacher && probe.measure == HeldOutMeasure::Kl)
        scored.curves = curvesOf(known);
    scored.spent = {.measuredTokens = stage.heldOutTokens, .blockPasses = stage.numLayers() + known.blockEvaluations};
    scored.notes["block_evaluations"] = known.blockEvaluations;
    scored.notes["head_evaluations"] = known.headEvaluations;
    if (probe.measure == HeldOutMeasure::Loss)
        scored.notes["perplexity"] = perplexities(known);
    return scored;
}

SelectorCost allLinearBranchesCost(const ScoringPlan &plan)
{
    return {.measuredTokens = plan.heldOutTokens, .blockPasses = 2 * plan.numLayers() + branchBlocks(plan)};
}

SelectorCost teacherBranchesCost(const ScoringPlan &plan)
{
    return {.measuredTokens = plan.heldOutTokens, .blockPasses = plan.numLayers() + plan.layers.back() + branchBlocks(plan)};
}

}  // namespace stillroom::procedures
