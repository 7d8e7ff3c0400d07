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

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min(), nowhere = std::numeric_limits<std::int64_t>::max();

/// Bit by bit but for the kinds of NaN: a score that was said twice changes nothing.
bool isSameNumber(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
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

GrowingTrajectory::GrowingTrajectory(int numLayers, Missing missing) : m_numLayers(numLayers), m_missing(missing)
{
    experiment::checkNumLayers(numLayers);
    m_lastTokens_L.assign(static_cast<std::size_t>(numLayers), never);
}

std::size_t GrowingTrajectory::add(std::span<const experiment::LayerScore> scores)
{
    std::int64_t from = nowhere;
    for (const experiment::LayerScore &score : scores)
        if (score.layer >= 0 && score.layer < m_numLayers)
            from = std::min(from, take(score));
    if (from == nowhere)
        return m_trajectory.tokens_E.size();
    const std::vector<std::int64_t> &tokens_E = m_trajectory.tokens_E;
    const auto first = static_cast<std::size_t>(std::lower_bound(tokens_E.begin(), tokens_E.end(), from) - tokens_E.begin());
    forgetFrom(first);
    rankFrom(from);
    return first;
}

/// \return the tokens from which on something may be another than before
std::int64_t GrowingTrajectory::take(const experiment::LayerScore &score)
{
    const Measured measured{score.score, score.higherIsBetter};
    const auto [at, isNew] = m_byTokens[score.tokens].try_emplace(score.layer, measured);
    if (!isNew && isSameNumber(at->second.score, measured.score) && at->second.higherIsBetter == measured.higherIsBetter)
        return nowhere;
    at->second = measured;
    std::int64_t &last = m_lastTokens_L[static_cast<std::size_t>(score.layer)];
    const std::int64_t before = std::exchange(last, std::max(last, score.tokens));
    // In a race the evaluations after its last score took the layer for one that had left.
    return m_missing == Missing::Left && before != never ? std::min(score.tokens, before + 1) : score.tokens;
}

void GrowingTrajectory::forgetFrom(std::size_t evaluation)
{
    m_trajectory.tokens_E.resize(evaluation);
    m_trajectory.rankings_E.resize(evaluation);
    m_trajectory.lastMeasured_L.resize(static_cast<std::size_t>(m_numLayers), 0);
    for (int layer = 0; layer < m_numLayers; ++layer) {
        std::size_t &last = m_trajectory.lastMeasured_L[static_cast<std::size_t>(layer)];
        if (last < evaluation)
            continue;
        for (last = evaluation; last > 0 && !m_byTokens.at(m_trajectory.tokens_E[last - 1]).contains(layer);)
            --last;
        last = last > 0 ? last - 1 : 0;
    }
}

void GrowingTrajectory::rankFrom(std::int64_t tokens)
{
    for (auto at = m_byTokens.lower_bound(tokens); at != m_byTokens.end(); ++at) {
        if (!isComplete(at->second, at->first))
            continue;
        m_trajectory.rankings_E.push_back(next(at->second));
        for (const auto &[layer, score] : at->second)
            m_trajectory.lastMeasured_L[static_cast<std::size_t>(layer)] = m_trajectory.tokens_E.size();
        m_trajectory.tokens_E.push_back(at->first);
    }
    if (m_trajectory.tokens_E.empty())
        m_trajectory.lastMeasured_L.clear();
}

bool GrowingTrajectory::isComplete(const ByLayer &scores, std::int64_t tokens) const
{
    const bool mayLack = m_missing == Missing::Left && !m_trajectory.rankings_E.empty();
    if (!mayLack && static_cast<int>(scores.size()) < m_numLayers)
        return false;
    for (int layer = 0; layer < m_numLayers; ++layer) {
        const auto found = scores.find(layer);
        const bool isFinite = found != scores.end() && std::isfinite(found->second.score);
        if (!isFinite && !(mayLack && m_lastTokens_L[static_cast<std::size_t>(layer)] < tokens))
            return false;
    }
    return true;
}

/// The layers that have a score, best first, ties to the lower one.
experiment::Ranking GrowingTrajectory::among(const ByLayer &scores)
{
    experiment::Ranking layers;
    std::vector<double> values;
    for (const auto &[layer, measured] : scores) {
        layers.push_back(layer);
        values.push_back(measured.score);
    }
    experiment::Ranking ranking = experiment::rank(values, scores.begin()->second.higherIsBetter);
    for (int &place : ranking)
        place = layers[static_cast<std::size_t>(place)];
    return ranking;
}

/// Those without a score stay where they were; the others fill the places between.
experiment::Ranking GrowingTrajectory::next(const ByLayer &scores) const
{
    const experiment::Ranking measured = among(scores);
    if (m_trajectory.rankings_E.empty())
        return measured;
    experiment::Ranking ranking = m_trajectory.rankings_E.back();
    auto best = measured.begin();
    for (int &layer : ranking)
        if (scores.contains(layer))
            layer = *best++;
    return ranking;
}

RankTrajectory rankTrajectory(const std::vector<experiment::LayerScore> &evaluations, int numLayers, Missing missing)
{
    GrowingTrajectory growing(numLayers, missing);
    growing.add(evaluations);
    return growing.trajectory();
}

std::vector<Crossing> crossings(const RankTrajectory &trajectory, int keep, std::size_t from)
{
    const auto numLayers = trajectory.rankings_E.empty() ? 0 : static_cast<int>(trajectory.rankings_E.front().size());
    if (keep < 0 || (keep > numLayers && !trajectory.rankings_E.empty()))
        throw Error(ErrorCode::Usage, "K is " + std::to_string(keep) + " but must be from 0 to " + std::to_string(numLayers) + ".");
    const std::vector<experiment::Ranking> &rankings = trajectory.rankings_E;
    std::vector<Crossing> all(rankings.size() - std::min(from, rankings.size()));
    for (std::size_t evaluation = std::max<std::size_t>(from, 1); evaluation < rankings.size(); ++evaluation) {
        if (rankings[evaluation] == rankings[evaluation - 1])
            continue;
        Overlap parts = overlap(experiment::topLayers(rankings[evaluation - 1], keep), experiment::topLayers(rankings[evaluation], keep));
        all[evaluation - from] = {std::move(parts.onlyB), std::move(parts.onlyA)};
    }
    return all;
}

}  // namespace stillroom::analysis
