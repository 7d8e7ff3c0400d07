// SPDX-License-Identifier: GPL-3.0-or-later
// Sees LibTorch, and so no Qt.
#include "selectoroffers.h"

#include "experiment/spec.h"
#include "procedures/calibrationoptions.h"
#include "procedures/estimate.h"
#include "procedures/modelargument.h"
#include "procedures/selectors.h"
#include "procedures/teacherstage.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace stillroom {
namespace {

namespace fs = std::filesystem;

widgets::SelectorOffer offerOf(const procedures::Selector &selector)
{
    widgets::SelectorOffer offer{.name = std::string(selector.name), .help = std::string(selector.help), .needsStageOne = selector.needsAligned, .trains = selector.trains,
                                 .needsRecallTask = selector.needsRecallTask, .needsTokenizer = selector.needsTokenizer, .fields = {}};
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

widgets::StatedCost statedCost(const nlohmann::json &given, const fs::path &workspace)
{
    const nlohmann::json spec = experiment::completeSpec(given);
    procedures::checkSelectors(spec);
    widgets::StatedCost stated;
    bool aligns = true;
    if (spec.at("kind") == "score") {
        const procedures::Selector &selector = procedures::selectorNamed(spec.at("selector").get<std::string>());
        const procedures::SelectorCost cost = costOf(selector, spec, workspace);
        const int numLayers = procedures::openModelArgument(spec.at("teacher").get<std::string>(), workspace).config.numLayers;
        stated.students = cost.students;
        stated.studentTokens = cost.trainingTokens;
        stated.measuredTokens = cost.forwardTokens(numLayers);
        stated.atMost = cost.atMost;
        aligns = selector.needsAligned;
    } else if (spec.at("kind") == "calibrate") {
        const nlohmann::json full = procedures::withCalibrationPhases(spec);
        stated.calibrationTokens = spec.at("sequences").get<std::int64_t>() * spec.at("data").at("sequence_length").get<std::int64_t>();
        if (full.contains("phase_2"))
            stated.phaseTwoTokens = full.at("phase_2").at("steps").get<std::int64_t>() * stated.calibrationTokens;
        return stated;
    } else {
        stated.students = 1;
        stated.studentTokens = spec.at("steps").get<std::int64_t>() * procedures::tokensPerStep(spec);
    }
    if (aligns && !spec.contains("init")) {
        const nlohmann::json alignment = experiment::alignmentSpec(spec);
        stated.stageOneTokens = alignment.at("steps").get<std::int64_t>() * procedures::tokensPerStep(alignment);
    }
    return stated;
}

widgets::TimedCost timedCost(const nlohmann::json &given, const fs::path &workspace)
{
    const nlohmann::json spec = experiment::completeSpec(given);
    procedures::checkSelectors(spec);
    const procedures::CostEstimate cost = procedures::estimateCost(spec, workspace);
    return {cost.seconds, cost.memoryBytes, cost.diskBytes};
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
