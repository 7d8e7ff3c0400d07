// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/margin.h"

#include "error.h"

#include <algorithm>
#include <limits>
#include <string>

namespace stillroom::analysis {

namespace {

void check(const std::vector<std::vector<double>> &values_LS, const experiment::Ranking &ranking, int keep)
{
    const auto numLayers = static_cast<int>(values_LS.size());
    if (keep < 1 || keep >= numLayers)
        throw Error(ErrorCode::Usage, "K is " + std::to_string(keep) + " but a boundary between layers needs K from 1 to " + std::to_string(numLayers - 1) + ".");
    experiment::Ranking sorted = ranking;
    std::sort(sorted.begin(), sorted.end());
    for (int layer = 0; layer < numLayers; ++layer) {
        if (sorted.size() != values_LS.size() || sorted[static_cast<std::size_t>(layer)] != layer)
            throw Error(ErrorCode::Usage, "The ranking must name each of the " + std::to_string(numLayers) + " layers once.");
        if (values_LS[static_cast<std::size_t>(layer)].size() < 2)
            throw Error(ErrorCode::Usage, "Layer " + std::to_string(layer) + " has fewer than two sequences, so its uncertainty is unknown.");
    }
}

/// How much better `better` is than `worse`, paired over sequences.
Interval advantage(const std::vector<std::vector<double>> &values_LS, int better, int worse, bool higherIsBetter, double level)
{
    const auto &a = values_LS[static_cast<std::size_t>(better)];
    const auto &b = values_LS[static_cast<std::size_t>(worse)];
    return higherIsBetter ? pairedInterval(a, b, level) : pairedInterval(b, a, level);
}

}  // namespace

BoundaryMargin boundaryMargin(const std::vector<std::vector<double>> &values_LS, const experiment::Ranking &ranking, int keep, bool higherIsBetter, double level)
{
    check(values_LS, ranking, keep);
    BoundaryMargin margin;
    margin.lastKept = ranking[static_cast<std::size_t>(keep - 1)];
    margin.firstDropped = ranking[static_cast<std::size_t>(keep)];
    margin.difference = advantage(values_LS, margin.lastKept, margin.firstDropped, higherIsBetter, level);
    if (margin.difference.se > 0.0)
        margin.inStandardErrors = margin.difference.mean / margin.difference.se;
    else if (margin.difference.mean != 0.0)
        margin.inStandardErrors = margin.difference.mean > 0.0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
    return margin;
}

experiment::LayerSet tieBand(const std::vector<std::vector<double>> &values_LS, const experiment::Ranking &ranking, int keep, bool higherIsBetter, double level)
{
    check(values_LS, ranking, keep);
    const int lastKept = ranking[static_cast<std::size_t>(keep - 1)];
    const int firstDropped = ranking[static_cast<std::size_t>(keep)];
    experiment::LayerSet band;
    for (std::size_t place = 0; place < ranking.size(); ++place) {
        const bool isKept = place < static_cast<std::size_t>(keep);
        const Interval interval = isKept ? advantage(values_LS, ranking[place], firstDropped, higherIsBetter, level) : advantage(values_LS, lastKept, ranking[place], higherIsBetter, level);
        if (interval.low <= 0.0)
            band.push_back(ranking[place]);
    }
    std::sort(band.begin(), band.end());
    return band;
}

}  // namespace stillroom::analysis
