// SPDX-License-Identifier: GPL-3.0-or-later
// HALO's layer score: what being linear costs in recall, against what it costs elsewhere. On the recall task, or on text with passkeys hidden in it.
#include "choices/halo.h"
#include "distillation/heldoutkl.h"
#include "evaluation/likeliest.h"
#include "evaluation/passkeyrecall.h"
#include "evaluation/recall.h"
#include "procedures/heldoutrecall.h"
#include "procedures/measuringmemory.h"
#include "procedures/progressmeter.h"
#include "procedures/selectors.h"
#include "selection/branches.h"
#include "selection/hybrid.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>

namespace stillroom::procedures {
namespace {

constexpr std::array<SelectorField, 1> haloFields{{{"formula", "\"paper\""}}};
constexpr std::int64_t rowsAtOnce = 16, documentsAtOnce = 8;

bool onText(const ScoringPlan &plan) { return plan.spec.at("data").at("source") == "text"; }

/// On text each student reads the held-out sequences twice, with passkeys and as they are, and the teacher once.
SelectorCost haloCost(const ScoringPlan &plan)
{
    const auto students = static_cast<std::int64_t>(plan.layers.size());
    return {.measuredTokens = plan.heldOutTokens, .blockPasses = (onText(plan) ? 2 * students + 1 : students) * plan.numLayers()};
}

/// Of the sequences that are asked at once the pass, or their hidden states and the logits of what is asked for; on text the loss of the held-out set as well.
MeasuringBytes haloMemory(const Measuring &measuring)
{
    const bool text = onText(measuring.plan);
    const std::int64_t length = measuring.length(), rows = std::min(measuring.plan.heldOutSequences, text ? documentsAtOnce : rowsAtOnce);
    const std::int64_t likeliest = evaluation::likeliestBytes(measuring.teacher, rows * askedTokens(measuring.plan), measuring.computeType);
    MeasuringBytes bytes{0, std::max(passBytes(measuring, rows, length, false), hiddenBytes(measuring, rows, length) + likeliest)};
    if (text) {
        const MeasuringBytes loss = studentsOnHeldOut(measuring, selection::HeldOutMeasure::Loss, 1, 0);
        bytes = {loss.kept, std::max(bytes.passing, loss.passing)};
    }
    return bytes;
}

/// R and C of the formula, higher is better, and what is said of them.
struct RecallAndRest {
    double recall = 0.0, rest = 0.0;
    nlohmann::json note;
};
using RecallProbe = std::function<RecallAndRest(const nn::Transformer &student)>;

RecallProbe recallTaskProbe(const ScoringStage &stage, const StageRun &run)
{
    const auto count = stage.spec.at("data").at("held_out_sequences").get<std::int64_t>();
    return [sequences = heldOutRecallSequences(stage.data, count), type = stage.settings.computeType, stop = run.stop](const nn::Transformer &student) -> RecallAndRest {
        const evaluation::RecallAccuracy accuracy = evaluation::recallAccuracy(student, sequences, type, rowsAtOnce, stop);
        return {accuracy.recall, accuracy.filler, {{"recall", accuracy.recall}, {"recall_se", accuracy.recallSe}, {"recall_sequences", accuracy.numSequences}, {"filler_accuracy", accuracy.filler}}};
    };
}

RecallProbe textProbe(const ScoringStage &stage, const StageRun &run)
{
    const auto heldOut = std::make_shared<const distillation::HeldOutSet>(stage.teacher.model, stage.data.heldOut, heldOutOptions(stage, run));
    return [documents = heldOutPasskeys(stage.data), heldOut, type = stage.settings.computeType, stop = run.stop](const nn::Transformer &student) -> RecallAndRest {
        const evaluation::PasskeyRecall recall = evaluation::passkeyRecall(student, documents, type, documentsAtOnce, stop);
        const analysis::Estimate loss = overSequences(selection::measureHeldOut(student, *heldOut, selection::HeldOutMeasure::Loss, stop));
        return {recall.recall, -loss.mean, {{"recall", recall.recall}, {"recall_se", recall.recallSe}, {"recall_sequences", recall.numDocuments}, {"loss_nats", loss.mean}, {"loss_se_nats", loss.se}, {"loss_sequences", loss.n}}};
    };
}

std::vector<RecallAndRest> measureLayers(const ScoringStage &stage, StageRun &run)
{
    const RecallProbe probe = onText(stage) ? textProbe(stage, run) : recallTaskProbe(stage, run);
    const nn::Transformer linear = selection::hybrid(stage.teacher.model, stage.aligned, {});
    ProgressMeter meter(run.sink, "recall with one linear layer at a time");
    std::vector<RecallAndRest> measured;
    for (const int layer : stage.layers) {
        nn::Transformer student = stage.teacher.model;
        student.blocks[static_cast<std::size_t>(layer)] = linear.blocks[static_cast<std::size_t>(layer)];
        measured.push_back(probe(student));
        measured.back().note["layer"] = layer;
        meter.update(static_cast<std::int64_t>(measured.size()), static_cast<std::int64_t>(stage.layers.size()), 0);
    }
    return measured;
}

std::vector<double> haloValues(const ScoringStage &stage, const std::vector<RecallAndRest> &measured)
{
    std::vector<double> recall, rest;
    for (const RecallAndRest &one : measured) {
        recall.push_back(one.recall);
        rest.push_back(one.rest);
    }
    return choices::haloScores(recall, rest, stage.spec.at("formula") == "code" ? choices::haloOfCode : choices::haloOfPaper);
}

const char *suitesText(const ScoringPlan &plan)
{
    return onText(plan) ? "R is the share of passkeys recalled from held-out text and C minus the loss on that text in nats per token; the paper's R is the mean of SQuAD, FDA and SWDE, its C of HellaSwag, ARC-e and ARC-c"
                        : "R is recall and C the accuracy on predictable fillers of the recall task; the paper's R is the mean of SQuAD, FDA and SWDE, its C of HellaSwag, ARC-e and ARC-c";
}

Scored scoreHalo(const ScoringStage &stage, StageRun &run)
{
    const std::vector<RecallAndRest> measured = measureLayers(stage, run);
    const std::vector<double> values = haloValues(stage, measured);
    Scored scored;
    for (std::size_t i = 0; i < values.size(); ++i) {
        experiment::LayerScore score = blankScore(stage, stage.layers[i]);
        score.score = values[i];
        score.unit = onText(stage) ? "passkeys lost / nats lost" : "recall lost / accuracy lost";
        score.higherIsBetter = true;
        score.se = std::numeric_limits<double>::quiet_NaN();
        score.numSequences = stage.heldOutSequences;
        scored.scores.push_back(score);
        scored.notes["measured"].push_back(measured[i].note);
        run.sink(score);
    }
    scored.withoutErrorBars = "a quotient of two differences to the best of all layers";
    scored.notes["suites"] = suitesText(stage);
    scored.spent = haloCost(stage);
    return scored;
}

}  // namespace

extern const Selector haloSelector;
constinit const Selector haloSelector{
    .name = "halo",
    .help = "Keeps the layers whose being the only linear layer costs much recall and little else, by HALO's formula.",
    .source = "HALO, arXiv 2601.22156, with the recall task, or passkeys in text and the loss on it, in the place of its suites",
    .costFormula = "L passes of the model over the held-out set, one with each layer linear; on text 2L + 1",
    .needsRecall = true,
    .fields = haloFields,
    .check = checkPasskeyRoom,
    .cost = haloCost,
    .memory = haloMemory,
    .score = scoreHalo,
};

}  // namespace stillroom::procedures
