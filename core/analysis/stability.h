// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <vector>

namespace stillroom::analysis {

/// The early-stop rule of spec kl-selection §4.2 at the last of `rankings` (one per evaluation, oldest first), for the top `keep`:
/// the Jaccard indices of the last `window` pairs of consecutive top sets are all ≥ (K-1)/(K+1) (at most one swap each), and at least K-1 layers are
/// in all of the last `window` + 1 top sets. False while there are fewer evaluations than that.
/// \throws Error(Usage) for keep or window out of range.
[[nodiscard]] bool settled(const std::vector<experiment::Ranking> &rankings, int keep, int window);

}  // namespace stillroom::analysis
