// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/teacherchoices.h"

#include "choices/randomsets.h"
#include "choices/smart.h"
#include "error.h"
#include "experiment/spec.h"
#include "shownname.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace stillroom::comparison {
namespace {

constexpr std::size_t shownUuidLength = 8;

bool isOf(const store::Scoring &scoring, int numLayers)
{
    if (scoring.ranking)
        return static_cast<int>(scoring.ranking->size()) == numLayers;
    return std::none_of(scoring.scores.begin(), scoring.scores.end(), [&](const experiment::LayerScore &score) { return score.layer >= numLayers; });
}

void addRules(std::vector<Choice> &all, int numLayers, std::uint64_t randomSeed)
{
    for (const choices::Grid grid : choices::grids())
        all.push_back({Origin::Uniform, choices::gridName(grid), choices::gridName(grid), {}, {}, 0, {}, choices::KeepRule::uniform(grid, numLayers)});
    all.push_back({Origin::Random, "random", "random", {}, {}, static_cast<std::int64_t>(randomSeed), {},
                   choices::KeepRule::ranked(choices::randomRanking(numLayers, randomSeed, 0), numLayers)});
}

/// The notes of its sets, each once.
std::string notesOf(const std::vector<choices::PublishedSet> &sets)
{
    std::vector<std::string> notes;
    std::string all;
    for (const choices::PublishedSet &set : sets)
        if (!set.note.empty() && std::find(notes.begin(), notes.end(), set.note) == notes.end()) {
            notes.push_back(set.note);
            all += (all.empty() ? "" : "; ") + set.note;
        }
    return all;
}

void addPublished(std::vector<Choice> &all, const TeacherShape &teacher, const choices::PublishedSets &published)
{
    const choices::PublishedTeacher *known = published.teacherOf(teacher.numLayers, teacher.hiddenSize);
    if (!known)
        return;
    std::vector<std::pair<std::pair<std::string, std::string>, std::vector<choices::PublishedSet>>> bySelector;      // in the order of the table
    for (choices::PublishedSet &set : published.setsOf(*known)) {
        const std::pair<std::string, std::string> who{set.probe, set.selector};
        auto found = std::find_if(bySelector.begin(), bySelector.end(), [&](const auto &one) { return one.first == who; });
        if (found == bySelector.end())
            found = bySelector.emplace(bySelector.end(), who, std::vector<choices::PublishedSet>());
        found->second.push_back(std::move(set));
    }
    for (const auto &[who, sets] : bySelector)
        all.push_back({Origin::Published, std::string(choices::publishedPrefix) + known->name + "/" + who.first + "/" + who.second, who.second, who.first, {}, 0, notesOf(sets), choices::KeepRule::published(sets)});
}

}  // namespace

bool isRace(const store::Scoring &scoring)
{
    const nlohmann::json spec = nlohmann::json::parse(scoring.settings, nullptr, false);
    const nlohmann::json stop = spec.is_object() ? spec.value("early_stop", nlohmann::json()) : nlohmann::json();
    return stop.is_object() && stop.value("enabled", nlohmann::json()) == true;
}

std::string scoringName(const store::Scoring &scoring)
{
    return scoring.run.substr(0, shownUuidLength) + "/" + scoring.task + "/" + scoring.selector + "/" + scoring.mixer;
}

std::string whyUnranked(const store::Scoring &scoring, int numLayers)
{
    if (scoring.status == store::RunStatus::Running)
        return "is still being scored";
    const auto numScored = std::count_if(scoring.scores.begin(), scoring.scores.end(), [](const experiment::LayerScore &one) { return one.layer >= 0; });
    return "scored " + std::to_string(numScored) + " of " + std::to_string(numLayers) + " layers";
}

const store::Scoring &scoringNamed(const std::vector<store::Scoring> &scorings, const std::string &name, const std::string &forWhat)
{
    std::vector<std::string> names;
    for (const store::Scoring &scoring : scorings) {
        names.push_back(scoringName(scoring));
        if (names.back() == name)
            return scoring;
    }
    const std::string nearest = experiment::nearestName(name, names);
    throw Error(ErrorCode::Usage, forWhat + ": there is no scoring " + shownName(name) + (nearest.empty() ? ": stillroom-cli compare --teacher lists them" : ": did you mean " + nearest + "?"));
}

std::vector<Choice> choicesOfScoring(const store::Scoring &scoring, const TeacherShape &teacher)
{
    if (!isOf(scoring, teacher.numLayers))
        return {};
    const int numLayers = teacher.numLayers;
    std::vector<Choice> all;
    Choice choice{Origin::Scoring, scoringName(scoring), scoring.selector, scoring.mixer, scoring.run, scoring.seed, {}, {}};
    if (scoring.ranking)
        choice.rule = scoring.sets.empty() ? choices::KeepRule::ranked(*scoring.ranking, numLayers) : choices::KeepRule::searched(scoring.sets, *scoring.ranking, numLayers);
    all.push_back(choice);
    std::vector<double> sensitivity_L = choices::smartSensitivities(scoring.scores, numLayers);
    if (sensitivity_L.empty())
        return all;
    choice.origin = Origin::Smart;
    choice.name = "smart of " + choice.name;
    choice.rule = choices::KeepRule::smart(std::move(sensitivity_L));
    all.push_back(std::move(choice));
    return all;
}

std::vector<Choice> unmeasuredChoices(const TeacherShape &teacher, const choices::PublishedSets &published, std::uint64_t randomSeed)
{
    experiment::checkNumLayers(teacher.numLayers);
    std::vector<Choice> all;
    addRules(all, teacher.numLayers, randomSeed);
    addPublished(all, teacher, published);
    return all;
}

std::vector<Choice> teacherChoices(const std::vector<store::Scoring> &scorings, const TeacherShape &teacher, const choices::PublishedSets &published, std::uint64_t randomSeed)
{
    experiment::checkNumLayers(teacher.numLayers);
    std::vector<Choice> all;
    const auto append = [&all](std::vector<Choice> more) { all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end())); };
    for (const store::Scoring &scoring : scorings)
        append(choicesOfScoring(scoring, teacher));
    append(unmeasuredChoices(teacher, published, randomSeed));
    return all;
}

Choice byHand(experiment::LayerSet layers, int numLayers)
{
    return {Origin::ByHand, "by hand", {}, {}, {}, 0, {}, choices::KeepRule::fixed(std::move(layers), numLayers)};
}

}  // namespace stillroom::comparison
