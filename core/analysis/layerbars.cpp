// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/layerbars.h"

#include "analysis/intervals.h"

#include <algorithm>
#include <cmath>

namespace stillroom::analysis {
namespace {

double reachOf(const experiment::LayerScore &score)
{
    const double reach = intervalReach(score.se, score.numSequences);
    return std::isfinite(reach) ? reach : 0.0;
}

}  // namespace

LayerBars layerBars(const std::map<int, experiment::LayerScore> &scores)
{
    LayerBars result;
    if (scores.empty())
        return result;
    const experiment::LayerScore &last = scores.rbegin()->second;
    if (last.klNats && !last.higherIsBetter)      // harm done by a layer is no gain
        result.axis = scores.contains(-1) ? ScoreAxis::KlGain : ScoreAxis::KlAboveWorst;
    else
        // Other forms of the residual have scales of their own.
        result.axis = last.unit == "relative squared error" && (last.selector == "ga-s1" || last.selector == "gr-s1") ? ScoreAxis::Residual : ScoreAxis::Score;
    double worst = 0.0;
    for (const auto &[layer, score] : scores)
        if (score.klNats && layer >= 0)
            worst = std::max(worst, *score.klNats);
    const double base = result.axis == ScoreAxis::KlGain ? scores.at(-1).klNats.value_or(0.0) : worst;
    const bool gain = result.axis == ScoreAxis::KlGain || result.axis == ScoreAxis::KlAboveWorst;
    for (const auto &[layer, score] : scores)
        if (layer >= 0)
            result.bars.push_back({layer, gain ? base - score.klNats.value_or(base) : score.score, reachOf(score), score});
    return result;
}

std::vector<int> unsettledLayers(const LayerBars &bars, const experiment::Ranking &ranking, int keep)
{
    std::vector<int> unsettled;
    const auto barAt = [&](std::size_t place) { return std::find_if(bars.bars.begin(), bars.bars.end(), [&](const LayerBar &bar) { return bar.layer == ranking[place]; }); };
    if (keep <= 0 || keep >= static_cast<int>(ranking.size()))
        return unsettled;
    const auto boundary = static_cast<std::size_t>(keep);
    for (std::size_t place = 0; place < ranking.size(); ++place) {
        const auto one = barAt(place), rival = barAt(place < boundary ? boundary : boundary - 1);
        if (one != bars.bars.end() && rival != bars.bars.end() && std::abs(one->value - rival->value) <= std::hypot(one->reach, rival->reach))
            unsettled.push_back(one->layer);
    }
    std::sort(unsettled.begin(), unsettled.end());
    return unsettled;
}

}  // namespace stillroom::analysis
