// SPDX-License-Identifier: GPL-3.0-or-later
// HALO's layer score on the recall task: what being linear costs in recall, against what it costs elsewhere.
#include "choices/halo.h"
#include "evaluation/recall.h"
#include "procedures/progressmeter.h"
#include "procedures/selectors.h"
#include "selection/hybrid.h"

#include <array>
#include <limits>

namespace stillroom::procedures {
namespace {

constexpr std::array<SelectorField, 1> haloFields{{{"formula", "\"paper\""}}};
constexpr std::int64_t rowsAtOnce = 16;

std::vector<text::RecallSequence> heldOutSequences(const ScoringStage &stage)
{
    std::vector<text::RecallSequence> sequences;
    for (std::int64_t i = 0; i < stage.spec.at("data").at("held_out_sequences").get<std::int64_t>(); ++i)
        sequences.push_back(heldOutRecall(*stage.data.recall, i));
    return sequences;
}

SelectorCost haloCost(const ScoringPlan &plan)
{
    return {.measuredTokens = plan.heldOutTokens, .blockPasses = static_cast<std::int64_t>(plan.layers.size()) * plan.numLayers()};
}

Scored scoreHalo(const ScoringStage &stage, StageRun &run)
{
    const std::vector<text::RecallSequence> sequences = heldOutSequences(stage);
    const nn::Transformer linear = selection::hybrid(stage.teacher.model, stage.aligned, {});
    ProgressMeter meter(run.sink, "recall with one linear layer at a time");
    std::vector<double> recall, other;
    nlohmann::json measured = nlohmann::json::array();
    for (const int layer : stage.layers) {
        nn::Transformer student = stage.teacher.model;
        student.blocks[static_cast<std::size_t>(layer)] = linear.blocks[static_cast<std::size_t>(layer)];
        const evaluation::RecallAccuracy accuracy = evaluation::recallAccuracy(student, sequences, stage.settings.computeType, rowsAtOnce, run.stop);
        recall.push_back(accuracy.recall);
        other.push_back(accuracy.filler);
        measured.push_back({{"layer", layer}, {"recall", accuracy.recall}, {"recall_se", accuracy.recallSe}, {"filler_accuracy", accuracy.filler}});
        meter.update(static_cast<std::int64_t>(recall.size()), static_cast<std::int64_t>(stage.layers.size()), 0);
    }
    const std::vector<double> values = choices::haloScores(recall, other, stage.spec.at("formula") == "code" ? choices::haloOfCode : choices::haloOfPaper);
    Scored scored;
    for (std::size_t i = 0; i < values.size(); ++i) {
        experiment::LayerScore score = blankScore(stage, stage.layers[i]);
        score.score = values[i];
        score.unit = "recall lost / accuracy lost";
        score.higherIsBetter = true;
        score.se = std::numeric_limits<double>::quiet_NaN();
        score.numSequences = static_cast<std::int64_t>(sequences.size());
        scored.scores.push_back(score);
        run.sink(score);
    }
    scored.withoutErrorBars = "a quotient of two differences to the best of all layers";
    scored.notes["measured"] = std::move(measured);
    scored.notes["suites"] = "R is recall and C the accuracy on predictable fillers of the recall task; the paper's R is the mean of SQuAD, FDA and SWDE, its C of HellaSwag, ARC-e and ARC-c";
    scored.spent = haloCost(stage);
    return scored;
}

}  // namespace

extern const Selector haloSelector;
constinit const Selector haloSelector{
    .name = "halo",
    .help = "Keeps the layers whose being the only linear layer costs much recall and little else, by HALO's formula.",
    .source = "HALO, arXiv 2601.22156, with the recall task in the place of its suites",
    .costFormula = "L passes of the model over the held-out set, one with each layer linear",
    .needsRecallTask = true,
    .fields = haloFields,
    .cost = haloCost,
    .score = scoreHalo,
};

}  // namespace stillroom::procedures
