// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/scoringstage.h"

#include "error.h"
#include "experiment/score.h"
#include "experiment/spec.h"
#include "procedures/modelargument.h"
#include "procedures/selectors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace stillroom::procedures {
namespace {

std::vector<int> allLayers(int numLayers)
{
    std::vector<int> all(static_cast<std::size_t>(numLayers));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::vector<int> scoredLayers(const nlohmann::json &spec, int numLayers)
{
    const auto given = spec.at("layers").get<std::vector<int>>();
    return given.empty() ? allLayers(numLayers) : experiment::validLayerSet(given, numLayers);
}

/// A selector that looks at the teacher alone is one stage, whatever mixer was named.
nlohmann::json keyedSpec(const Selector &selector, nlohmann::json spec, const checkpoint::ModelConfig &teacher)
{
    if (selector.needsAligned)
        return withMixerOptions(spec, teacher);
    for (const char *field : {"mixer", "init", "alignment"})
        spec.erase(field);
    return experiment::completeSpec(spec);
}

/// Layers whose linear mixer will be asked for.
std::vector<int> linearLayers(const Selector &selector, const ScoringPlan &plan)
{
    return !selector.needsAligned ? std::vector<int>() : selector.needsEveryMixer ? allLayers(plan.numLayers()) : plan.layers;
}

/// Refuses a stage 1 that leaves out a layer whose linear mixer will be asked for.
void checkAlignment(const Selector &selector, const ScoringPlan &plan)
{
    if (!plan.spec.contains("alignment"))
        return;
    const auto aligned = experiment::validLayerSet(plan.spec.at("alignment").at("layers").get<std::vector<int>>(), plan.numLayers());
    for (const int layer : linearLayers(selector, plan))
        if (!aligned.empty() && !std::binary_search(aligned.begin(), aligned.end(), layer))
            throw Error(ErrorCode::Usage, "The field \"alignment.layers\" leaves out layer " + std::to_string(layer) + ", whose linear mixer the selector " + std::string(selector.name) + " needs: leave it empty to align all layers.");
}

void checkPlan(const ScoringPlan &plan)
{
    const Selector &selector = selectorNamed(plan.spec.at("selector").get<std::string>());
    checkAlignment(selector, plan);
    if (selector.check)
        selector.check(plan);
}

bool isStageReference(const nlohmann::json &teacher)
{
    return !experiment::stageReference(teacher.get<std::string>()).empty();
}

}  // namespace

ScoringPlan scoringPlan(const nlohmann::json &spec, const checkpoint::ModelFiles &teacher)
{
    const nlohmann::json &data = spec.at("data");
    const auto sequences = data.at("held_out_sequences").get<std::int64_t>();
    ScoringPlan plan{keyedSpec(selectorNamed(spec.at("selector").get<std::string>()), withSelectorFields(spec), teacher.config), teacher, scoredLayers(spec, teacher.config.numLayers), sequences,
                     sequences * data.at("sequence_length").get<std::int64_t>()};
    checkPlan(plan);
    return plan;
}

void checkStartLayers(const ScoringPlan &plan, const std::vector<distillation::AlignedLayer> &start)
{
    const Selector &selector = selectorNamed(plan.spec.at("selector").get<std::string>());
    for (const int layer : linearLayers(selector, plan))
        if (std::none_of(start.begin(), start.end(), [&](const distillation::AlignedLayer &one) { return one.layer == layer; }))
            throw Error(ErrorCode::Usage, "init holds no mixer of layer " + std::to_string(layer) + ", which the selector " + std::string(selector.name) + " needs: make init with it, or leave init out");
}

ScoringKey scoringKey(const ScoringPlan &plan, const nlohmann::json &spec, const StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings)
{
    ScoringKey named;
    named.inputs.push_back(teacher.hash);
    if (selectorNamed(spec.at("selector").get<std::string>()).needsAligned) {
        named.alignedKey = alignedKey(spec, run, teacher, settings);
        named.inputs.push_back(named.alignedKey);
    }
    for (const std::string &hash : dataHashes(spec.at("data"), teacher.files, run.stop))
        named.inputs.push_back(hash);
    named.key = experiment::stageKey(plan.spec, named.inputs, settings.deviceClass(), settings.typeText());
    return named;
}

void setHeldOut(ScoringPlan &plan, const TrainingData &data)
{
    plan.heldOutSequences = plan.heldOutTokens = 0;
    for (const distillation::Batch &batch : data.heldOut) {
        plan.heldOutSequences += batch.ids_BT.size(0);
        plan.heldOutTokens += batch.ids_BT.numel();
    }
    checkPlan(plan);
}

void checkScorings(const nlohmann::json &spec, const std::filesystem::path &workspace)
{
    if (spec.at("kind") == "score" && !isStageReference(spec.at("teacher")))
        (void)scoringPlan(spec, openModelArgument(spec.at("teacher").get<std::string>(), workspace));
    if (spec.at("kind") == "pipeline")
        for (const nlohmann::json &stage : spec.at("stages"))
            checkScorings(stage.at("spec"), workspace);
}

distillation::HeldOutOptions heldOutOptions(const ScoringPlan &plan, at::ScalarType computeType)
{
    distillation::HeldOutOptions options;
    options.computeType = computeType;
    options.headBudgetBytes = plan.spec.at("kl_budget_mb").get<std::int64_t>() * 1024 * 1024;
    return options;
}

distillation::HeldOutOptions heldOutOptions(const ScoringStage &stage, const StageRun &run)
{
    distillation::HeldOutOptions options = heldOutOptions(stage, stage.settings.computeType);
    options.stop = run.stop;
    return options;
}

}  // namespace stillroom::procedures
