// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/intervals.h"

namespace stillroom::analysis {

/// What is said of repeated values beside their mean.
enum class Spread {
    Interval95,              ///< of the mean, by Student's t: how sure the mean is
    StandardError,           ///< of the mean, s / √n
    StandardDeviation,       ///< of the values, s with s² = Σ (x - mean)² / (n-1)
    Range                    ///< lowest and highest value
};

/// The mean with low and high by that spread, in the values' unit; for all but Range they are as far below as above it.
/// One value has no interval (-∞ and +∞), and neither standard error nor deviation (NaN); its range is itself.
/// \throws Error(Usage) without a value
[[nodiscard]] Interval spreadOf(const std::vector<double> &values, Spread spread);

}  // namespace stillroom::analysis
