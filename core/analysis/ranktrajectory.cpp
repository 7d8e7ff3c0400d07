// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/ranktrajectory.h"

#include "analysis/overlap.h"
#include "error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace stillroom::analysis {
namespace {

using ScoresByLayer = std::map<int, const experiment::LayerScore *>;      // of one evaluation

bool isFiniteAt(const ScoresByLayer &scores, int layer)
{
    const auto found = scores.find(layer);
    return found != scores.end() && std::isfinite(found->second->score);
}

/// The layers that have a score, best first, ties to the lower one.
experiment::Ranking among(const ScoresByLayer &scores)
{
    experiment::Ranking layers;
    std::vector<double> values;
    for (const auto &[layer, score] : scores) {
        layers.push_back(layer);
        values.push_back(score->score);
    }
    experiment::Ranking ranking = experiment::rank(values, scores.begin()->second->higherIsBetter);
    for (int &place : ranking)
        place = layers[static_cast<std::size_t>(place)];
    return ranking;
}

/// Those without a score stay where they were; the others fill the places between.
experiment::Ranking withPlacesKept(experiment::Ranking ranking, const ScoresByLayer &scores)
{
    const experiment::Ranking measured = among(scores);
    auto next = measured.begin();
    for (int &layer : ranking)
        if (scores.contains(layer))
            layer = *next++;
    return ranking;
}

}  // namespace

std::vector<std::vector<int>> RankTrajectory::ranks_LE() const
{
    std::vector<std::vector<int>> ranks(rankings_E.empty() ? 0 : rankings_E.front().size(), std::vector<int>(rankings_E.size()));
    for (std::size_t evaluation = 0; evaluation < rankings_E.size(); ++evaluation)
        for (std::size_t place = 0; place < rankings_E[evaluation].size(); ++place)
            ranks[static_cast<std::size_t>(rankings_E[evaluation][place])][evaluation] = static_cast<int>(place) + 1;
    return ranks;
}

RankTrajectory rankTrajectory(const std::vector<experiment::LayerScore> &evaluations, int numLayers, Missing missing)
{
    experiment::checkNumLayers(numLayers);
    std::map<std::int64_t, ScoresByLayer> byTokens;
    std::vector<std::int64_t> lastTokens_L(static_cast<std::size_t>(numLayers), std::numeric_limits<std::int64_t>::min());
    for (const experiment::LayerScore &score : evaluations)
        if (score.layer >= 0 && score.layer < numLayers) {
            byTokens[score.tokens][score.layer] = &score;
            std::int64_t &last = lastTokens_L[static_cast<std::size_t>(score.layer)];
            last = std::max(last, score.tokens);
        }
    RankTrajectory trajectory;
    trajectory.lastMeasured_L.assign(static_cast<std::size_t>(numLayers), 0);
    for (const auto &[tokens, scores] : byTokens) {
        const bool first = trajectory.rankings_E.empty();
        const bool mayLack = missing == Missing::Left && !first;
        bool complete = true;
        for (int layer = 0; layer < numLayers; ++layer)
            complete = complete && (isFiniteAt(scores, layer) || (mayLack && lastTokens_L[static_cast<std::size_t>(layer)] < tokens));
        if (!complete)
            continue;
        trajectory.rankings_E.push_back(first ? among(scores) : withPlacesKept(trajectory.rankings_E.back(), scores));
        for (const auto &[layer, score] : scores)
            trajectory.lastMeasured_L[static_cast<std::size_t>(layer)] = trajectory.tokens_E.size();
        trajectory.tokens_E.push_back(tokens);
    }
    if (trajectory.tokens_E.empty())
        trajectory.lastMeasured_L.clear();
    return trajectory;
}

std::vector<Crossing> crossings(const RankTrajectory &trajectory, int keep)
{
    const auto numLayers = trajectory.rankings_E.empty() ? 0 : static_cast<int>(trajectory.rankings_E.front().size());
    if (keep < 0 || (keep > numLayers && !trajectory.rankings_E.empty()))
        throw Error(ErrorCode::Usage, "K is " + std::to_string(keep) + " but must be from 0 to " + std::to_string(numLayers) + ".");
    std::vector<Crossing> all(trajectory.rankings_E.size());
    for (std::size_t evaluation = 1; evaluation < all.size(); ++evaluation) {
        Overlap parts = overlap(experiment::topLayers(trajectory.rankings_E[evaluation - 1], keep), experiment::topLayers(trajectory.rankings_E[evaluation], keep));
        all[evaluation] = {std::move(parts.onlyB), std::move(parts.onlyA)};
    }
    return all;
}

}  // namespace stillroom::analysis
