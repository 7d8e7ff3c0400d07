// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace stillroom::analysis {

/// Exponential moving average without the pull of its start at zero: out[t] = Σ_{i≤t} w^{t-i} x[i] / Σ_{i≤t} w^{t-i}.
/// To be taken over the whole series, before anything is left out for drawing. Values that are not finite are passed through and not averaged.
/// \param weight  of the past, 0 (no smoothing) … below 1. \throws Error(Usage)
[[nodiscard]] std::vector<double> smooth(const std::vector<double> &values, double weight);

}  // namespace stillroom::analysis
