// SPDX-License-Identifier: GPL-3.0-or-later
// Distill-then-Replace: layer after layer becomes linear, always the one that hurts least among those before it.
#include "analysis/intervals.h"
#include "error.h"
#include "procedures/branchselector.h"
#include "procedures/measuringmemory.h"
#include "procedures/partialresults.h"
#include "procedures/progressmeter.h"
#include "procedures/selectors.h"
#include "selection/branches.h"
#include "selection/hybrid.h"

#include <algorithm>
#include <array>
#include <limits>

namespace stillroom::procedures {
namespace {

using experiment::LayerSet;
using selection::BranchScores;

constexpr std::array<SelectorField, 2> greedyFields{{{"score_by", "\"kl\""}, {"replace_until", "0"}}};

/// How many layers stay softmax at the end.
int lastKeep(const ScoringPlan &plan) { return plan.spec.at("replace_until").get<int>(); }

void checkGreedy(const ScoringPlan &plan)
{
    if (static_cast<int>(plan.layers.size()) != plan.numLayers())
        throw Error(ErrorCode::Usage, "The selector greedy-replace replaces every layer in turn: leave the field \"layers\" empty.");
    if (const int until = lastKeep(plan); until >= plan.numLayers())
        throw Error(ErrorCode::Usage, "The field \"replace_until\" is " + std::to_string(until) + " but must be below the teacher's " + std::to_string(plan.numLayers()) + " layers.");
}

/// At most: which layers go first decides how much of each pass is shared, and the worst is from the last to the first.
SelectorCost greedyCost(const ScoringPlan &plan)
{
    SelectorCost cost{.measuredTokens = plan.heldOutTokens, .blockPasses = plan.numLayers(), .atMost = true};
    for (int remaining = plan.numLayers(); remaining > lastKeep(plan); --remaining) {
        cost.blockPasses += plan.numLayers() - 1;
        for (int layer = 0; layer < remaining; ++layer)
            cost.blockPasses += plan.numLayers() - layer;
    }
    return cost;
}

/// The first round is the largest: every layer is tried.
MeasuringBytes greedyMemory(const Measuring &measuring)
{
    return studentsOnHeldOut(measuring, scoredBy(measuring.plan), measuring.plan.numLayers(), 1);
}

/// One replacement, and what it left.
struct Step {
    int layer = 0;
    LayerSet kept;                        ///< softmax layers after it
    analysis::Estimate value;             ///< of the hybrid after it
};

/// The hybrid that is being built, and the order in which its layers went.
class Replacement final {
public:
    Replacement(const ScoringStage &stage, StageRun &run)
        : m_stage(stage), m_run(run), m_pieces(stage, run, {"replace_until"}), m_heldOut(stage.teacher.model, stage.data.heldOut, heldOutOptions(stage, run)), m_linear(selection::hybrid(stage.teacher.model, stage.aligned, {})),
          m_hybrid(stage.teacher.model), m_remaining(stage.layers), m_meter(run.sink, "replacing layer after layer")
    {
        m_options.measure = scoredBy(stage);
        m_options.base = selection::BranchBase::Teacher;
        m_options.stop = run.stop;
        m_blockPasses = stage.numLayers();
    }

    void replaceUntil(int keep)
    {
        const auto total = static_cast<std::int64_t>(m_stage.numLayers() - keep);
        while (static_cast<int>(m_remaining.size()) > keep) {
            replaceOne();
            m_meter.update(static_cast<std::int64_t>(m_steps.size()), total, 0);
        }
    }
    [[nodiscard]] const std::vector<Step> &steps() const { return m_steps; }
    [[nodiscard]] const analysis::Estimate &teacher() const { return m_teacher; }
    /// In the order in which they went, and after them, least harm first, those that stayed, as the last round saw them.
    [[nodiscard]] std::vector<int> order() const
    {
        std::vector<int> layers;
        for (const Step &step : m_steps)
            layers.push_back(step.layer);
        layers.insert(layers.end(), m_nextToGo.begin(), m_nextToGo.end());
        return layers;
    }
    [[nodiscard]] SelectorCost spent() const { return {.measuredTokens = m_stage.heldOutTokens, .blockPasses = m_blockPasses}; }
    [[nodiscard]] std::int64_t evaluations() const { return m_evaluations; }

private:
    /// What is left of each layer that may go next: kept from an earlier run, or measured now.
    BranchScores triedReplacements()
    {
        const std::string piece = "replacements in " + experiment::layersText(m_remaining, " ");
        BranchScores tried;
        if (const auto kept = m_pieces.find(piece)) {
            try {
                tried.branches = kept->at("branches").get<std::vector<std::vector<double>>>();
                tried.base = kept->at("base").get<std::vector<double>>();
                tried.layers = m_remaining;
                if (tried.branches.size() == tried.layers.size())
                    return tried;
            } catch (const nlohmann::json::exception &) {      // damaged: measured again
            }
        }
        m_options.layers = m_remaining;
        tried = selection::scoreBranches(m_hybrid, m_linear, m_heldOut, m_options);
        m_blockPasses += tried.blockEvaluations;
        m_pieces.keep(piece, {{"branches", tried.branches}, {"base", tried.base}});
        return tried;
    }
    void replaceOne()
    {
        const BranchScores tried = triedReplacements();
        m_evaluations += static_cast<std::int64_t>(tried.layers.size());
        if (m_steps.empty())
            m_teacher = overSequences(tried.base);
        std::vector<double> means;
        for (const std::vector<double> &values : tried.branches)
            means.push_back(overSequences(values).mean);
        const experiment::Ranking leastHarmFirst = experiment::rank(means, false);      // of equal ones the lower layer goes
        const auto best = static_cast<std::size_t>(leastHarmFirst.front());
        const int layer = tried.layers[best];
        m_hybrid.blocks[static_cast<std::size_t>(layer)] = m_linear.blocks[static_cast<std::size_t>(layer)];
        m_remaining.erase(std::find(m_remaining.begin(), m_remaining.end(), layer));
        m_nextToGo.clear();
        for (std::size_t i = 1; i < leastHarmFirst.size(); ++i)
            m_nextToGo.push_back(tried.layers[static_cast<std::size_t>(leastHarmFirst[i])]);
        m_steps.push_back({layer, m_remaining, overSequences(tried.branches[best])});
        m_options.base = selection::BranchBase::Unmeasured;                             // its value is the last step's
        m_run.sink(experiment::Metric{"score/replaced", static_cast<std::int64_t>(m_steps.size()), 0, m_steps.back().value.mean, "nats/token"});
    }

    const ScoringStage &m_stage;
    StageRun &m_run;
    PartialResults m_pieces;
    distillation::HeldOutSet m_heldOut;
    nn::Transformer m_linear, m_hybrid;
    std::vector<int> m_remaining, m_nextToGo;
    selection::BranchOptions m_options;
    std::vector<Step> m_steps;
    analysis::Estimate m_teacher;
    ProgressMeter m_meter;
    std::int64_t m_blockPasses = 0, m_evaluations = 0;
};

std::vector<experiment::LayerScore> scoresOf(const ScoringStage &stage, const std::vector<int> &order, std::int64_t numSequences)
{
    std::vector<experiment::LayerScore> scores;
    for (const int layer : stage.layers) {
        experiment::LayerScore score = blankScore(stage, layer);
        score.score = static_cast<double>(std::find(order.begin(), order.end(), layer) - order.begin() + 1);
        score.unit = "step";
        score.higherIsBetter = true;
        score.se = std::numeric_limits<double>::quiet_NaN();
        score.numSequences = numSequences;
        scores.push_back(score);
    }
    return scores;
}

nlohmann::json pathOf(const std::vector<Step> &steps)
{
    nlohmann::json path = nlohmann::json::array();
    for (const Step &step : steps)
        path.push_back({{"replaced", step.layer}, {"kept", step.kept}, {"nats", step.value.mean}, {"se_nats", step.value.se}, {"n", step.value.n}});
    return path;
}

Scored scoreGreedily(const ScoringStage &stage, StageRun &run)
{
    const int keep = lastKeep(stage);
    Replacement replacement(stage, run);
    replacement.replaceUntil(keep);
    Scored scored;
    for (auto step = replacement.steps().rbegin(); step != replacement.steps().rend(); ++step)
        scored.sets.push_back({step->kept, step->value.mean, step->value.se, step->value.n});
    scored.sets.push_back({stage.layers, replacement.teacher().mean, replacement.teacher().se, replacement.teacher().n});
    scored.scores = scoresOf(stage, replacement.order(), replacement.teacher().n);
    for (const experiment::LayerScore &score : scored.scores)
        run.sink(score);
    scored.withoutErrorBars = "a layer's score is the step at which it became linear; the sets on the way carry the error of what was measured of them";
    scored.notes["path"] = pathOf(replacement.steps());
    scored.notes["evaluations"] = replacement.evaluations();
    scored.notes["measured"] = stage.spec.at("score_by") == "kl" ? "held-out KL, nats/token" : "held-out loss, nats/token";
    scored.spent = replacement.spent();
    return scored;
}

}  // namespace

extern const Selector greedySelector;
constinit const Selector greedySelector{
    .name = "greedy-replace",
    .help = "Makes one layer after another linear, always the one whose replacement hurts least beside those before it; what goes last is kept first.",
    .source = "Distill-then-Replace, arXiv 2601.11667",
    .costFormula = "at most L(L+1)/2 evaluations on the held-out set, each from the layer on that is tried",
    .fields = greedyFields,
    .check = checkGreedy,
    .cost = greedyCost,
    .memory = greedyMemory,
    .score = scoreGreedily,
};

}  // namespace stillroom::procedures
