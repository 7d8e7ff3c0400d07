// SPDX-License-Identifier: GPL-3.0-or-later
// How little a layer looks beyond its first and most recent tokens: needs neither mixers nor training.
#include "error.h"
#include "procedures/measuringmemory.h"
#include "procedures/progressmeter.h"
#include "procedures/selectors.h"
#include "selection/laziness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stillroom::procedures {
namespace {

constexpr std::array<SelectorField, 1> lightFields{
    {{"laziness", R"({"statistic": "mean", "last_queries": 32, "sink_tokens": 4, "recent_tokens": 0})"}}};

SelectorCost lightCost(const ScoringPlan &plan)
{
    return {.measuredTokens = plan.heldOutTokens, .blockPasses = plan.numLayers()};
}

/// LightTransfer's 1020 are for prompts of many thousands of tokens: where they would hold half of a sequence or more, half of it.
std::int64_t recentTokens(const ScoringPlan &plan)
{
    const auto given = plan.spec.at("laziness").at("recent_tokens").get<std::int64_t>();
    return given > 0 ? given : std::min<std::int64_t>(1020, plan.spec.at("data").at("sequence_length").get<std::int64_t>() / 2);
}

selection::LazinessOptions lazinessOptions(const ScoringPlan &plan, at::ScalarType computeType)
{
    const nlohmann::json &wanted = plan.spec.at("laziness");
    selection::LazinessOptions options;
    options.lastQueries = wanted.at("last_queries").get<std::int64_t>();
    options.sinkTokens = wanted.at("sink_tokens").get<std::int64_t>();
    options.recentTokens = recentTokens(plan);
    options.computeType = computeType;
    return options;
}

/// The pass, or beside the residual stream and a layer's normed input what is made of that input.
MeasuringBytes lightMemory(const Measuring &measuring)
{
    const std::int64_t batch = measuring.batch(), length = measuring.length();
    const std::int64_t laziness = selection::lazinessBytes(measuring.teacher, lazinessOptions(measuring.plan, measuring.computeType), batch, length);
    return {0, std::max(passBytes(measuring, batch, length, hasDocuments(measuring.plan.spec.at("data"))), 2 * hiddenBytes(measuring, batch, length) + laziness)};
}

int keptInFrequency(const ScoringPlan &plan)
{
    const nlohmann::json &wanted = plan.spec.at("laziness");
    const bool given = wanted.contains("keep_count");
    return given ? wanted.at("keep_count").get<int>() : experiment::keepFromPercent(25.0, plan.numLayers());
}

void checkLight(const ScoringPlan &plan)
{
    if (const int keep = keptInFrequency(plan); keep > plan.numLayers())
        throw Error(ErrorCode::Usage, "The field \"laziness.keep_count\" is " + std::to_string(keep) + " but the teacher has " + std::to_string(plan.numLayers()) + " layers.");
}

std::vector<experiment::LayerScore> lightScores(const ScoringStage &stage, const selection::LazinessScores &measured)
{
    const bool frequency = stage.spec.at("laziness").at("statistic") == "frequency";
    const std::vector<double> share_L = frequency ? measured.lazyShare_L(keptInFrequency(stage)) : std::vector<double>();
    const auto sequences = static_cast<std::int64_t>(measured.perSequence_LN.front().size());
    std::vector<experiment::LayerScore> scores;
    for (const int layer : stage.layers) {
        experiment::LayerScore score = blankScore(stage, layer);
        const double share = frequency ? share_L[static_cast<std::size_t>(layer)] : 0.0;
        score.score = frequency ? share : measured.mean(layer);
        score.unit = frequency ? "share of sequences" : "attention mass";
        score.se = !frequency ? measured.se(layer) : sequences > 1 ? std::sqrt(std::max(0.0, share * (1.0 - share)) / static_cast<double>(sequences - 1)) : std::numeric_limits<double>::quiet_NaN();
        score.numSequences = sequences;
        scores.push_back(score);
    }
    return scores;
}

Scored scoreLight(const ScoringStage &stage, StageRun &run)
{
    Scored scored;
    ProgressMeter meter(run.sink, "laziness");
    selection::LazinessOptions options = lazinessOptions(stage, stage.settings.computeType);
    options.stop = run.stop;
    options.progress = [&](std::int64_t done, std::int64_t total) { meter.update(done, total, 0); };
    options.onBatch = [&](const selection::LazinessScores &measured) {
        scored.scores = lightScores(stage, measured);
        for (const experiment::LayerScore &score : scored.scores)
            run.sink(score);
    };
    const selection::LazinessScores measured = selection::scoreLaziness(stage.teacher.model, stage.data.heldOut, options);
    if (measured.longDocuments == 0)
        run.sink(experiment::Warning{"No document is longer than the " + std::to_string(options.sinkTokens + options.recentTokens) +
                                     " first and recent tokens, so every layer's laziness is 1 and says nothing: measure on longer sequences, or set laziness.recent_tokens lower."});
    scored.notes = {{"recent_tokens", options.recentTokens}, {"sink_tokens", options.sinkTokens}, {"last_queries", options.lastQueries}, {"long_documents", measured.longDocuments}};
    if (stage.spec.at("laziness").at("statistic") == "mean")
        for (const int layer : stage.layers)
            scored.samples.push_back({layer, measured.perSequence_LN[static_cast<std::size_t>(layer)]});
    else
        scored.notes["keep_count"] = keptInFrequency(stage);
    scored.spent = lightCost(stage);
    return scored;
}

}  // namespace

extern const Selector lightTransferSelector;
constinit const Selector lightTransferSelector{
    .name = "light-transfer",
    .help = "Keeps the layers whose last queries look least at the first and the most recent tokens alone.",
    .source = "LightTransfer (arXiv 2410.13846): laziness of a layer, by mean or by how often it is among the laziest",
    .costFormula = "one pass of the teacher over the held-out set",
    .needsAligned = false,
    .fields = lightFields,
    .check = checkLight,
    .cost = lightCost,
    .memory = lightMemory,
    .score = scoreLight,
};

}  // namespace stillroom::procedures
