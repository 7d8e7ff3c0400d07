// SPDX-License-Identifier: GPL-3.0-or-later
#include "bytesize.h"
#include "certainty.h"
#include "choices/published.h"
#include "choices/randomsets.h"
#include "choices/smart.h"
#include "choices/uniform.h"
#include "commands.h"
#include "earlystopline.h"
#include "error.h"
#include "experiment/score.h"
#include "experiment/scorelist.h"
#include "folders.h"
#include "formatted.h"
#include "hybridcosts.h"
#include "procedures/keptlayers.h"
#include "scoresource.h"
#include "setsource.h"
#include "shownname.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <utility>

namespace stillroom::cli {
namespace {

/// All that a selector may work on.
struct Material {
    std::filesystem::path workspace;
    nlohmann::json scores;                                ///< as scoresFrom gives them, or null
    const choices::PublishedSet *published = nullptr;
    std::optional<analysis::LayerCosts> costs;
    std::string unopened;                                 ///< why there are none of the run's teacher
    int numLayers = 0;                                    ///< 0: not known
};

/// What it chose, and what the person should know of it.
struct Selected {
    experiment::LayerSet layers;
    std::optional<experiment::Ranking> ranking;
    std::vector<experiment::LayerSet> draws;              ///< of the random selector
    std::string note;
};

/// A rule may be named where scores are: `select uniform-start -k 8`, as `compare` takes it.
SelectCommand withRule(SelectCommand command)
{
    if (!needsNoScores(command.scores) || isFileThere(command.scores))
        return command;
    if (!command.selector.empty() && command.selector != command.scores)
        throw Error(ErrorCode::Usage, "\"" + shownName(command.scores) + "\" and --selector " + shownName(command.selector) + " both say how to choose: name one of them");
    command.selector = std::exchange(command.scores, {});
    return command;
}

std::string exampleOf(const SelectCommand &command)
{
    return "stillroom-cli select " + command.selector + (command.keep ? " -k " + std::to_string(*command.keep) : command.percent ? formatted(" --percent %g", *command.percent) : std::string(" -k K")) + " --teacher MODEL";
}

/// Everyone who says how many layers there are must say the same.
void agreeOnLayers(Material &material, int numLayers, const std::string &who)
{
    if (numLayers < 1)
        return;
    if (material.numLayers > 0 && material.numLayers != numLayers)
        throw Error(ErrorCode::Usage, who + " has " + counted(numLayers, "layer") + ", but " + std::to_string(material.numLayers) + " were named before it: both must be of one model");
    material.numLayers = numLayers;
}

/// An option that another one would have to be there for says nothing without it.
void refuseUnread(const SelectCommand &command)
{
    if (!command.scoresOf.empty() && command.selector != "smart")
        throw Error(ErrorCode::Usage, "--scores-of says what smart takes as sensitivities: leave it out, or choose --selector smart");
    if (isDrawn(command.selector))
        return;
    for (const auto &[isGiven, option] : {std::pair{command.seed.has_value(), "--seed"}, {command.draws.has_value(), "--draws"}})
        if (isGiven)
            throw Error(ErrorCode::Usage, std::string(option) + " is of random sets: leave it out, or choose --selector random");
}

/// Nor does one that says of which costs, where there are none.
void refuseWithoutCosts(const SelectCommand &command, const Material &material)
{
    if (material.costs || !material.unopened.empty())
        return;
    for (const auto &[given, option] : {std::pair{&command.mixer, "--mixer"}, {&command.context, "--context"}})
        if (!given->empty())
            throw Error(ErrorCode::Usage, std::string(option) + " says of what the costs are, and without a teacher there are none: say --teacher MODEL, or leave it out");
}

Material materialFor(const SelectCommand &command)
{
    Material material;
    material.workspace = workspaceOr(command.workspace);
    if (!command.context.empty())
        (void)tokensFrom(command.context);       // whether or not a budget or a cost asks for it
    agreeOnLayers(material, command.numLayers, "--layers");
    if (choices::isPublishedName(command.selector)) {
        material.published = &choices::PublishedSets::shipped().find(command.selector);
        agreeOnLayers(material, material.published->numLayers, command.selector);
    }
    if (!command.scores.empty()) {
        const bool rule = command.selector == "smart" || needsNoScores(command.selector);
        material.scores = scoresFrom(command.scores, rule ? command.scoresOf : command.selector, material.workspace);
        agreeOnLayers(material, static_cast<int>(procedures::rankingOf(material.scores).size()), command.scores);
    } else if (!needsNoScores(command.selector)) {
        throw Error(ErrorCode::Usage, "name a RUN or a file of scores to select from, or a selector that needs none: uniform-start, uniform-end, uniform-rounded, uniform-latter-half, random, published:…");
    }
    KnownCosts known = costsFor(command, material.scores.is_object() ? material.scores.value("spec", nlohmann::json()) : nlohmann::json(), material.workspace);
    material.costs = std::move(known.costs);
    material.unopened = std::move(known.unopened);
    if (material.costs)
        agreeOnLayers(material, material.costs->numLayers, "the teacher");
    if (material.numLayers < 1)
        throw Error(ErrorCode::Usage, command.selector + " needs to know how many layers there are: " + exampleOf(command) + ", or --layers L in the place of --teacher");
    return material;
}

int keepFor(const SelectCommand &command, const Material &material)
{
    std::vector<analysis::Budget> budgets = budgetsFrom(command);
    if (command.keep) {
        if (*command.keep > material.numLayers)
            throw Error(ErrorCode::Usage, "-k is " + std::to_string(*command.keep) + ", but there " + (material.numLayers == 1 ? "is " : "are ") + counted(material.numLayers, "layer") + ": give 0 to " + std::to_string(material.numLayers));
        return *command.keep;
    }
    if (budgets.empty() && material.published)
        return static_cast<int>(material.published->layers.size());
    if (budgets.empty())
        throw Error(ErrorCode::Usage, "say how many layers to keep: -k K, --percent P, or --kv-bytes, --state-bytes or --decode-bytes with --context");
    const bool inBytes = std::any_of(budgets.begin(), budgets.end(), [](const analysis::Budget &budget) { return budget.kind != analysis::Budget::Kind::Percent; });
    if (inBytes && !material.costs)
        throw Error(ErrorCode::Usage, "a budget in bytes is one of a model" + (material.unopened.empty() ? "" : ", and the run's teacher cannot be opened (" + material.unopened + ")") + ": say --teacher MODEL (and --mixer KIND)");
    const analysis::LayerCosts costs = material.costs.value_or(analysis::LayerCosts{.numLayers = material.numLayers});
    const auto keep = analysis::largestKeep(costs, budgets);
    if (keep)
        return *keep;
    std::string least;
    for (const analysis::Budget &budget : budgets)
        if (budget.kind != analysis::Budget::Kind::Percent)
            least += (least.empty() ? "" : ", ") + byteText(std::min(analysis::spending(costs, 0, budget), analysis::spending(costs, costs.numLayers, budget)));
    throw Error(ErrorCode::Usage, "no number of softmax layers stays within the budget: at " + counted(tokensFrom(command.context), "token") + " the least is " + least);
}

Selected bySmart(const Material &material, int keep)
{
    const std::string of = material.scores.value("selector", std::string());
    const std::vector<double> sensitivity_L = choices::smartSensitivities(experiment::scoresFromJson(material.scores.at("scores")), material.numLayers);
    if (sensitivity_L.empty())
        throw Error(ErrorCode::Usage, "smart needs the KL of the student that keeps each layer alone, which the " + (of.empty() ? std::string("given") : of) + " scores are not: name ga-s2 or zero-shot-ga scores (--scores-of)");
    return {choices::smartSet(sensitivity_L, keep), {}, {}, of.empty() ? std::string() : "sensitivities: the " + of + " scores"};
}

Selected byPublication(const choices::PublishedSet &published, int keep)
{
    const auto size = static_cast<int>(published.layers.size());
    if (keep > size || (keep < size && !published.ranked))
        throw Error(ErrorCode::Usage, published.name() + " is a " + (published.ranked ? "ranking" : "set") + " of " + counted(size, "layer") + ": it does not say which " + std::to_string(keep) + " to keep");
    Selected selected{experiment::topLayers(published.layers, keep), {}, {}, published.source + (published.note.empty() ? "" : "; " + published.note)};
    if (published.ranked)
        selected.ranking = published.layers;
    return selected;
}

Selected choose(const SelectCommand &command, const Material &material, int keep)
{
    if (const auto grid = choices::gridFromName(command.selector))
        return {choices::uniformGrid(*grid, material.numLayers, keep), {}, {}, {}};
    if (command.selector == "random") {
        const std::uint64_t seed = command.seed.value_or(usualSetSeed);
        const auto draws = choices::randomSets(material.numLayers, keep, command.draws.value_or(1), seed);
        return {draws.front(), {}, draws, "seed " + std::to_string(seed)};
    }
    if (material.published)
        return byPublication(*material.published, keep);
    if (command.selector == "smart")
        return bySmart(material, keep);
    return {procedures::keptBy(material.scores, keep), procedures::rankingOf(material.scores), {}, {}};
}

std::string unitOf(const nlohmann::json &scores)
{
    const nlohmann::json &list = scores.at("scores");
    const bool said = !list.empty() && list.front().is_object() && list.front().contains("unit") && list.front().at("unit").is_string();
    return said ? list.front().at("unit").get<std::string>() : "nats/token";
}

/// Why nothing is said of what the choice costs, where it is not. \param json  a document says by what it lacks that no teacher was named
void sayNoCosts(const Material &material, bool json)
{
    if (!material.unopened.empty())
        std::cerr << "What the choice costs is not known, since the run's teacher cannot be opened: " << shownLine(material.unopened) << '\n';
    else if (!material.costs && !json)
        std::cerr << "What the choice costs is said of a teacher: --teacher MODEL\n";
}

int listPublished(bool json)
{
    nlohmann::json list = nlohmann::json::array();
    for (const choices::PublishedSet &set : choices::PublishedSets::shipped().sets()) {
        list.push_back({{"name", set.name()}, {"layers", set.layers}, {"ranked", set.ranked}, {"num_layers", set.numLayers}, {"source", set.source}, {"note", set.note}});
        if (!json)
            std::cout << set.name() << "  " << list.back()["layers"].dump() << (set.note.empty() ? "" : "  (" + set.note + ")") << '\n';
    }
    if (json)
        std::cout << documentText({{"published", list}}) << '\n';
    return 0;
}

}  // namespace

int select(const SelectCommand &given)
{
    if (given.listPublished)
        return listPublished(given.json);
    const SelectCommand command = withRule(given);
    refuseUnread(command);
    const Material material = materialFor(command);
    const int keep = keepFor(command, material);
    refuseWithoutCosts(command, material);
    const Selected selected = choose(command, material, keep);
    nlohmann::json result = {{"selected", selected.layers}, {"keep", keep}, {"percent", 100.0 * keep / material.numLayers}, {"num_layers", material.numLayers}};
    if (!command.selector.empty())
        result["selector"] = command.selector;
    if (selected.ranking)
        result["ranking"] = *selected.ranking;
    if (material.scores.is_object())
        result["scores"] = material.scores.at("scores");
    if (selected.ranking && material.scores.is_object() && material.scores.contains("curves"))
        if (nlohmann::json sure = certainty(material.scores.at("curves").get<std::string>(), *selected.ranking, keep, unitOf(material.scores)); sure.is_object())
            result["certainty"] = std::move(sure);
    if (const std::string saved = earlyStopText(material.scores); !saved.empty())
        result["early_stop"] = material.scores.at("notes").at("early_stop");
    if (!selected.draws.empty())
        result["draws"] = selected.draws;
    if (!selected.note.empty())
        result["note"] = selected.note;
    if (material.costs)
        result["costs"] = costJson(*material.costs, keep, command.context.empty() ? 0 : tokensFrom(command.context));
    sayNoCosts(material, command.json);
    if (command.json) {
        std::cout << documentText(result) << '\n';
        return 0;
    }
    std::cout << "keep " << keep << " of " << counted(material.numLayers, "layer") << ": " << result["selected"].dump() << '\n';
    for (std::size_t i = 1; i < selected.draws.size(); ++i)
        std::cout << "draw " << i + 1 << ": " << result["draws"][i].dump() << '\n';
    if (selected.ranking)
        std::cout << "ranking: " << result["ranking"].dump() << '\n';
    if (result.contains("certainty"))
        printCertainty(result["certainty"]);
    if (result.contains("early_stop"))
        std::cout << earlyStopText(material.scores) << '\n';
    if (!selected.note.empty())
        std::cout << shownLine(selected.note) << '\n';
    if (material.costs)
        printCosts(result["costs"]);
    return 0;
}

}  // namespace stillroom::cli
