// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/layerbars.h"

#include <algorithm>
#include <cmath>

namespace stillroom::analysis {
namespace {

constexpr double reachOf95 = 1.959964;

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
        result.axis = last.selector == "ga-s1" ? ScoreAxis::Residual : ScoreAxis::Score;
    double worst = 0.0;
    for (const auto &[layer, score] : scores)
        if (score.klNats && layer >= 0)
            worst = std::max(worst, *score.klNats);
    const double base = result.axis == ScoreAxis::KlGain ? scores.at(-1).klNats.value_or(0.0) : worst;
    const bool gain = result.axis == ScoreAxis::KlGain || result.axis == ScoreAxis::KlAboveWorst;
    for (const auto &[layer, score] : scores)
        if (layer >= 0)
            result.bars.push_back({layer, gain ? base - score.klNats.value_or(base) : score.score, std::isfinite(score.se) ? reachOf95 * score.se : 0.0, score});
    return result;
}

}  // namespace stillroom::analysis
