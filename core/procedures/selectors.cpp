// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/selectors.h"

#include "error.h"
#include "experiment/spec.h"
#include "procedures/heldoutrecall.h"
#include "shownname.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace stillroom::procedures {

extern const Selector gaS2Selector, grS2Selector, avgS2Selector, exhaustiveSelector, greedySelector, zeroShotGaSelector, zeroShotGrSelector, gaS1Selector, grS1Selector, pplBypassSelector, klBypassSelector, mseBypassSelector, arSelector, arMhSelector, haloSelector, lightTransferSelector, gatesSelector, beamSearchSelector;

namespace {

/// In display order.
constexpr std::array allSelectors{
    &gaS2Selector,
    &grS2Selector,
    &avgS2Selector,
    &exhaustiveSelector,
    &greedySelector,
    &beamSearchSelector,
    &gatesSelector,
    &zeroShotGaSelector,
    &zeroShotGrSelector,
    &gaS1Selector,
    &grS1Selector,
    &pplBypassSelector,
    &klBypassSelector,
    &mseBypassSelector,
    &arSelector,
    &arMhSelector,
    &haloSelector,
    &lightTransferSelector,
};

std::string counted(std::int64_t count, const char *one, const char *many)
{
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

/// Fields that some selector reads.
std::vector<std::string_view> fieldsOfAny()
{
    std::vector<std::string_view> names;
    for (const Selector *selector : allSelectors)
        for (const SelectorField &field : selector->fields)
            if (std::find(names.begin(), names.end(), field.name) == names.end())
                names.push_back(field.name);
    return names;
}

std::string readersOf(std::string_view field)
{
    std::string names;
    for (const Selector *selector : allSelectors)
        if (std::any_of(selector->fields.begin(), selector->fields.end(), [&](const SelectorField &one) { return one.name == field; }))
            names += (names.empty() ? "" : ", ") + std::string(selector->name);
    return names;
}

}  // namespace

nlohmann::json costToJson(const SelectorCost &cost, int numLayers)
{
    return {{"measured_tokens", cost.measuredTokens}, {"block_passes", cost.blockPasses}, {"model_passes", static_cast<double>(cost.blockPasses) / numLayers},
            {"forward_tokens", cost.forwardTokens(numLayers)}, {"students", cost.students}, {"training_tokens", cost.trainingTokens}, {"at_most", cost.atMost}};
}

std::string costText(const SelectorCost &cost, int numLayers)
{
    std::string text;
    if (cost.students > 0)
        text = counted(cost.students, "student trains", "students train") + " on " + counted(cost.trainingTokens, "token", "tokens") + " in all";
    if (cost.blockPasses == 0)
        return text.empty() ? "nothing beside stage 1" : text;
    std::array<char, 32> passes{};
    std::snprintf(passes.data(), passes.size(), "%.1f", static_cast<double>(cost.blockPasses) / numLayers);
    return text + (text.empty() ? "" : "; ") + (cost.atMost ? "at most " : "") + counted(cost.blockPasses, "pass", "passes") + " of a block over " + counted(cost.measuredTokens, "token", "tokens") + ", as much as " +
           passes.data() + " of the whole model";
}

std::span<const Selector *const> selectors()
{
    return allSelectors;
}

const Selector &selectorNamed(const std::string &name)
{
    const auto found = std::find_if(allSelectors.begin(), allSelectors.end(), [&](const Selector *selector) { return selector->name == name; });
    if (found != allSelectors.end())
        return **found;
    std::vector<std::string> names;
    std::string listed;
    for (const Selector *selector : allSelectors) {
        names.emplace_back(selector->name);
        listed += (listed.empty() ? "" : ", ") + names.back();
    }
    const std::string nearest = experiment::nearestName(name, names);
    throw Error(ErrorCode::Usage, "There is no selector \"" + shownName(name) + "\"; " + (nearest.empty() ? "choose one of " + listed + '.' : "did you mean \"" + nearest + "\"?"));
}

nlohmann::json withSelectorFields(const nlohmann::json &completedSpec)
{
    const Selector &selector = selectorNamed(completedSpec.at("selector").get<std::string>());
    nlohmann::json spec = completedSpec;
    for (const SelectorField &field : selector.fields)
        if (!spec.contains(field.name))
            spec[std::string(field.name)] = nlohmann::json::parse(field.defaultJson);
    for (const std::string_view name : fieldsOfAny()) {
        const bool own = std::any_of(selector.fields.begin(), selector.fields.end(), [&](const SelectorField &field) { return field.name == name; });
        if (!own && name == "early_stop" && spec.contains(name) && !spec.at(name).at("enabled").get<bool>())
            spec.erase(std::string(name));
        if (!own && spec.contains(name))
            throw Error(ErrorCode::Usage, "The selector " + std::string(selector.name) + " does not read the field \"" + std::string(name) + "\": it is for " + readersOf(name) + ": leave it out.");
    }
    if (selector.needsRecall)
        checkRecallSource(spec, "The selector " + std::string(selector.name) + " measures recall");
    if (selector.checkSpec)
        selector.checkSpec(spec);
    return spec;
}

nlohmann::json withoutSelectorFields(nlohmann::json spec)
{
    for (const std::string_view name : fieldsOfAny())
        spec.erase(std::string(name));
    return spec;
}

void checkSelectors(const nlohmann::json &spec)
{
    if (spec.at("kind") == "score")
        (void)withSelectorFields(spec);
    if (spec.at("kind") == "pipeline")
        for (const nlohmann::json &stage : spec.at("stages"))
            checkSelectors(stage.at("spec"));
}

void checkSkipFirst(const ScoringPlan &plan)
{
    if (const int skipped = plan.spec.at("skip_first").get<int>(); skipped > plan.numLayers())
        throw Error(ErrorCode::Usage, "The field \"skip_first\" is " + std::to_string(skipped) + " but the teacher has " + std::to_string(plan.numLayers()) + " layers.");
}

void rankFirstLayersLast(Scored &scored, const ScoringStage &stage)
{
    const int skipped = stage.spec.at("skip_first").get<int>();
    scored.notes["skip_first"] = skipped;
    if (skipped == 0)
        scored.notes["first_layers"] = "zeroing one of the first layers breaks most models, so that these rank high whatever they do: compare with skip_first 2";
    if (skipped == 0 || static_cast<int>(stage.layers.size()) != stage.numLayers())
        return;
    experiment::Ranking ranking = scored.ranking ? *scored.ranking : experiment::rank(scored.scores, stage.numLayers());
    std::stable_partition(ranking.begin(), ranking.end(), [&](int layer) { return layer >= skipped; });
    scored.ranking = std::move(ranking);
    scored.notes["ranking"] = "layers 0 to " + std::to_string(skipped - 1) + " are last, whatever their scores (skip_first " + std::to_string(skipped) + ")";
}

analysis::Estimate overSequences(const std::vector<double> &values)
{
    const distillation::HeldOutKl held{values, {}};
    return {held.mean(), held.se(), static_cast<std::int64_t>(values.size())};
}

experiment::LayerScore blankScore(const ScoringStage &stage, int layer)
{
    experiment::LayerScore score;
    score.selector = stage.spec.at("selector").get<std::string>();
    score.mixer = stage.mixer;
    score.layer = layer;
    return score;
}

experiment::LayerScore estimatedScore(const ScoringStage &stage, int layer, const analysis::Estimate &estimate)
{
    experiment::LayerScore score = blankScore(stage, layer);
    score.score = estimate.mean;
    score.se = estimate.se;
    score.numSequences = estimate.n;
    return score;
}

}  // namespace stillroom::procedures
