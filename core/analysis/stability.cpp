// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stability.h"

#include "analysis/layersets.h"
#include "analysis/margin.h"
#include "error.h"

#include <algorithm>
#include <iterator>

namespace stillroom::analysis {

bool settled(const std::vector<experiment::Ranking> &rankings, int keep, int window)
{
    if (window < 1 || keep < 1 || (!rankings.empty() && keep > static_cast<int>(rankings.back().size())))
        throw Error(ErrorCode::Usage, "early stop needs a window of at least 1 and K between 1 and the number of layers (K is " + std::to_string(keep) + ")");
    const auto needed = static_cast<std::size_t>(window) + 1;
    if (rankings.size() < needed)
        return false;
    const double oneSwap = static_cast<double>(keep - 1) / (keep + 1);
    experiment::LayerSet previous, backbone;
    for (std::size_t i = rankings.size() - needed; i < rankings.size(); ++i) {
        const experiment::LayerSet top = experiment::topLayers(rankings[i], keep);
        if (previous.empty()) {
            backbone = top;
        } else {
            // A rounding error must not turn "one swap" into two.
            if (jaccard(previous, top) < oneSwap - 1e-12)
                return false;
            experiment::LayerSet both;
            std::set_intersection(backbone.begin(), backbone.end(), top.begin(), top.end(), std::back_inserter(both));
            backbone = both;
        }
        previous = top;
    }
    return static_cast<int>(backbone.size()) >= std::max(1, keep - 1);
}

Stability stability(const std::vector<experiment::Ranking> &rankings, const LayerSamples &latest, int keep, int window, double leastGap)
{
    if (!settled(rankings, keep, window))
        return Stability::Moving;
    return boundaryMargin(latest, rankings.back(), keep).inStandardErrors >= leastGap ? Stability::Settled : Stability::NotSettled;
}

}  // namespace stillroom::analysis
