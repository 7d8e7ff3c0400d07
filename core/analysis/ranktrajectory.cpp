// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/ranktrajectory.h"

#include "analysis/overlap.h"
#include "error.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace stillroom::analysis {

std::vector<std::vector<int>> RankTrajectory::ranks_LE() const
{
    std::vector<std::vector<int>> ranks(rankings_E.empty() ? 0 : rankings_E.front().size(), std::vector<int>(rankings_E.size()));
    for (std::size_t evaluation = 0; evaluation < rankings_E.size(); ++evaluation)
        for (std::size_t place = 0; place < rankings_E[evaluation].size(); ++place)
            ranks[static_cast<std::size_t>(rankings_E[evaluation][place])][evaluation] = static_cast<int>(place) + 1;
    return ranks;
}

RankTrajectory rankTrajectory(const std::vector<experiment::LayerScore> &evaluations, int numLayers)
{
    experiment::checkNumLayers(numLayers);
    std::map<std::int64_t, std::map<int, const experiment::LayerScore *>> byTokens;
    for (const experiment::LayerScore &score : evaluations)
        if (score.layer >= 0 && score.layer < numLayers && std::isfinite(score.score))
            byTokens[score.tokens][score.layer] = &score;
    RankTrajectory trajectory;
    for (const auto &[tokens, scores] : byTokens) {
        if (static_cast<int>(scores.size()) < numLayers)
            continue;
        std::vector<double> values;
        for (const auto &[layer, score] : scores)
            values.push_back(score->score);
        trajectory.tokens_E.push_back(tokens);
        trajectory.rankings_E.push_back(experiment::rank(values, scores.begin()->second->higherIsBetter));
    }
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
