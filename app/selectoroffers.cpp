// SPDX-License-Identifier: GPL-3.0-or-later
// Sees LibTorch, and so no Qt.
#include "selectoroffers.h"

#include "experiment/score.h"
#include "experiment/spec.h"
#include "mixers/registry.h"
#include "procedures/calibrationoptions.h"
#include "procedures/estimate.h"
#include "procedures/modelargument.h"
#include "procedures/selectors.h"
#include "procedures/teacherstage.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace stillroom {
namespace {

namespace fs = std::filesystem;

widgets::SelectorOffer offerOf(const procedures::Selector &selector)
{
    widgets::SelectorOffer offer{.name = std::string(selector.name), .help = std::string(selector.help), .needsStageOne = selector.needsAligned, .trains = selector.trains,
                                 .needsRecall = selector.needsRecall, .needsTokenizer = selector.needsTokenizer, .fields = {}};
    // early_stop depends on which K are wanted, and its rule decides which of its numbers mean anything: no form of single fields says that.
    for (const procedures::SelectorField &field : selector.fields)
        if (field.name != std::string_view("early_stop"))
            offer.fields.emplace_back(field.name, field.defaultJson);
    return offer;
}

/// The selector's own numbers. They follow from the teacher's files: its weights stay where they are.
procedures::SelectorCost costOf(const procedures::Selector &selector, const nlohmann::json &spec, const fs::path &workspace)
{
    const checkpoint::ModelFiles files = procedures::openModelArgument(spec.at("teacher").get<std::string>(), workspace);
    return selector.cost(procedures::scoringPlan(spec, files));
}

void addScoring(widgets::StatedCost &stated, const nlohmann::json &spec, const fs::path &workspace)
{
    const procedures::Selector &selector = procedures::selectorNamed(spec.at("selector").get<std::string>());
    const procedures::SelectorCost cost = costOf(selector, spec, workspace);
    const int numLayers = procedures::openModelArgument(spec.at("teacher").get<std::string>(), workspace).config.numLayers;
    stated.students = cost.students;
    stated.studentTokens = cost.trainingTokens;
    stated.measuredTokens = cost.forwardTokens(numLayers);
    stated.atMost = cost.atMost;
}

void addCalibration(widgets::StatedCost &stated, const nlohmann::json &spec)
{
    const procedures::CalibrationTokens tokens = procedures::calibrationTokens(procedures::withCalibrationPhases(spec));
    stated.calibrationTokens = tokens.read;
    stated.phaseTwoTokens = tokens.trained;
    stated.measuredTokens = tokens.measured;
}

/// Every measure takes the held-out tokens through the model, those that compare through the teacher too.
void addMeasures(widgets::StatedCost &stated, const nlohmann::json &spec)
{
    std::int64_t passes = 0;
    for (const nlohmann::json &measure : spec.at("measures"))
        passes += measure == "kl" || measure == "hidden-cosine" ? 2 : 1;
    stated.measuredTokens = passes * spec.at("data").at("held_out_sequences").get<std::int64_t>() * spec.at("data").at("sequence_length").get<std::int64_t>();
    stated.atMost = true;
}

widgets::StatedCost costOfPipeline(const nlohmann::json &spec, const fs::path &workspace);

/// What a stage of a pipeline takes from an earlier one cannot be looked into before it is made.
bool namesStage(const nlohmann::json &spec, const char *field)
{
    return spec.contains(field) && !experiment::stageReference(spec.at(field).get<std::string>()).empty();
}

/// What the mixer's own room would refuse, and layers that the teacher has not.
void checkAgainstTeacher(const nlohmann::json &spec, const fs::path &workspace)
{
    if (!spec.contains("teacher") || !spec.contains("mixer") || namesStage(spec, "teacher"))
        return;
    const checkpoint::ModelFiles teacher = procedures::openModelArgument(spec.at("teacher").get<std::string>(), workspace);
    (void)mixers::completeOptions(spec.at("mixer").at("kind").get<std::string>(), spec.at("mixer").at("options").dump(), teacher.config);
    for (const char *layers : {"keep", "layers"})
        if (spec.contains(layers))
            (void)experiment::validLayerSet(spec.at(layers).get<std::vector<int>>(), teacher.config.numLayers);
}

widgets::StatedCost costOfCompleted(const nlohmann::json &spec, const fs::path &workspace)
{
    procedures::checkSelectors(spec);
    checkAgainstTeacher(spec, workspace);
    widgets::StatedCost stated;
    const auto kind = spec.at("kind").get<std::string>();
    bool aligns = kind == "distill" || kind == "score";
    if (kind == "pipeline")
        return costOfPipeline(spec, workspace);
    if (kind == "score" && !namesStage(spec, "teacher")) {
        addScoring(stated, spec, workspace);
        aligns = procedures::selectorNamed(spec.at("selector").get<std::string>()).needsAligned;
    } else if (kind == "calibrate") {
        addCalibration(stated, spec);
    } else if (kind == "align") {
        stated.stageOneTokens = spec.at("steps").get<std::int64_t>() * procedures::tokensPerStep(spec);
    } else if (kind == "distill" || kind == "train-teacher") {
        stated.students = 1;
        stated.studentTokens = spec.at("steps").get<std::int64_t>() * procedures::tokensPerStep(spec);
    } else if (kind == "evaluate") {
        addMeasures(stated, spec);
    } else {
        stated.isWhole = kind == "inspect" && !spec.at("attention").get<bool>();
    }
    if (aligns && !spec.contains("init")) {
        const nlohmann::json alignment = experiment::alignmentSpec(spec);
        stated.stageOneTokens = alignment.at("steps").get<std::int64_t>() * procedures::tokensPerStep(alignment);
    }
    return stated;
}

widgets::StatedCost costOfPipeline(const nlohmann::json &spec, const fs::path &workspace)
{
    widgets::StatedCost whole;
    for (const nlohmann::json &stage : spec.at("stages")) {
        const widgets::StatedCost one = costOfCompleted(stage.at("spec"), workspace);
        whole.stageOneTokens += one.stageOneTokens;
        whole.calibrationTokens += one.calibrationTokens;
        whole.phaseTwoTokens += one.phaseTwoTokens;
        whole.students += one.students;
        whole.studentTokens += one.studentTokens;
        whole.measuredTokens += one.measuredTokens;
        whole.atMost = whole.atMost || one.atMost;
        whole.isWhole = whole.isWhole && one.isWhole;
    }
    return whole;
}

widgets::StatedCost statedCost(const nlohmann::json &given, const fs::path &workspace)
{
    return costOfCompleted(experiment::completeSpec(given), workspace);
}

widgets::TimedCost timedCost(const nlohmann::json &given, const fs::path &workspace, const std::stop_token &stop)
{
    const nlohmann::json spec = experiment::completeSpec(given);
    procedures::checkSelectors(spec);
    std::vector<nlohmann::json> specs;
    if (spec.at("kind") == "pipeline")
        for (const nlohmann::json &stage : spec.at("stages"))
            specs.push_back(stage.at("spec"));
    else
        specs.push_back(spec);
    widgets::TimedCost timed;
    for (const nlohmann::json &one : specs) {
        const procedures::CostEstimate cost = procedures::estimateCost(one, workspace, stop);
        timed.seconds += cost.seconds;
        timed.memoryBytes = std::max(timed.memoryBytes, cost.memoryBytes);      // one after the other
        timed.diskBytes += cost.diskBytes;
        timed.leavesOut = timed.leavesOut || !cost.reused.empty();
    }
    return timed;
}

}  // namespace

widgets::SelectorOffers selectorOffers()
{
    widgets::SelectorOffers offers{{}, statedCost, timedCost};
    for (const procedures::Selector *selector : procedures::selectors())
        offers.list.push_back(offerOf(*selector));
    return offers;
}

}  // namespace stillroom
