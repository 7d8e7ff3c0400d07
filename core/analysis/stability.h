// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/layersamples.h"

#include <vector>

namespace stillroom::analysis {

/// The early-stop rule of spec kl-selection §4.2 at the last of `rankings` (one per evaluation, oldest first), for the top `keep`:
/// the Jaccard indices of the last `window` pairs of consecutive top sets are all ≥ (K-1)/(K+1) (at most one swap each), and at least K-1 layers are
/// in all of the last `window` + 1 top sets; for K = 1 the layer itself, since a swap of one would leave nothing. False while there are fewer evaluations than that.
/// \throws Error(Usage) for keep or window out of range.
[[nodiscard]] bool settled(const std::vector<experiment::Ranking> &rankings, int keep, int window);

enum class Stability {
    Moving,          ///< the top K still change, or there are too few evaluations to say
    NotSettled,      ///< they have stopped changing, but the K-th and the next layer are too close to tell: stopping would settle nothing
    Settled,         ///< they have stopped changing, and the two are apart
};
/// The same rule with a look at the uncertainty. \param latest  what the last of `rankings` was made of, all layers on at least two sequences
/// \param leastGap  between the K-th layer and the next, in SE of their paired difference. \throws Error(Usage) as settled and boundaryMargin
[[nodiscard]] Stability stability(const std::vector<experiment::Ranking> &rankings, const LayerSamples &latest, int keep, int window, double leastGap = 2.0);

}  // namespace stillroom::analysis
