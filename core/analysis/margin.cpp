// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/margin.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace stillroom::analysis {

namespace {

void checkBoundary(const LayerSamples &samples, const experiment::Ranking &ranking, int keep)
{
    const int numLayers = samples.numLayers();
    if (keep < 1 || keep >= numLayers)
        throw Error(ErrorCode::Usage, "K is " + std::to_string(keep) + " but a boundary between layers needs K from 1 to " + std::to_string(numLayers - 1) + ".");
    if (samples.numSequences() < 2)
        throw Error(ErrorCode::Usage, "The layers were measured on one sequence, so their uncertainty is unknown.");
    experiment::Ranking sorted = ranking;
    std::sort(sorted.begin(), sorted.end());
    for (int layer = 0; layer < numLayers; ++layer)
        if (static_cast<int>(sorted.size()) != numLayers || sorted[static_cast<std::size_t>(layer)] != layer)
            throw Error(ErrorCode::Usage, "The ranking must name each of the " + std::to_string(numLayers) + " layers once.");
}

}  // namespace

double inStandardErrors(double x, double se)
{
    if (se > 0.0 || std::isnan(se))
        return x / se;
    return x == 0.0 ? 0.0 : std::copysign(std::numeric_limits<double>::infinity(), x);
}

BoundaryMargin boundaryMargin(const LayerSamples &samples, const experiment::Ranking &ranking, int keep, double level)
{
    checkBoundary(samples, ranking, keep);
    BoundaryMargin margin;
    margin.lastKept = ranking[static_cast<std::size_t>(keep - 1)];
    margin.firstDropped = ranking[static_cast<std::size_t>(keep)];
    margin.difference = samples.advantage(margin.lastKept, margin.firstDropped, level);
    margin.inStandardErrors = inStandardErrors(margin.difference.mean, margin.difference.se);
    return margin;
}

experiment::LayerSet tieBand(const LayerSamples &samples, const experiment::Ranking &ranking, int keep, double level)
{
    checkBoundary(samples, ranking, keep);
    const int lastKept = ranking[static_cast<std::size_t>(keep - 1)];
    const int firstDropped = ranking[static_cast<std::size_t>(keep)];
    experiment::LayerSet band;
    for (std::size_t place = 0; place < ranking.size(); ++place) {
        const bool isKept = place < static_cast<std::size_t>(keep);
        const Interval interval = isKept ? samples.advantage(ranking[place], firstDropped, level) : samples.advantage(lastKept, ranking[place], level);
        if (interval.low <= 0.0)
            band.push_back(ranking[place]);
    }
    std::sort(band.begin(), band.end());
    return band;
}

}  // namespace stillroom::analysis
