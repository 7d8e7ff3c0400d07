// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

/// Means with their uncertainty.
namespace stillroom::analysis {

/// A mean and the standard error that its own spread gives it, s / √n with s² = Σ (x - mean)² / (n-1).
struct Estimate {
    double mean = 0.0;
    double se = 0.0;               ///< NaN for one value: not known
    std::int64_t n = 0;
};

/// \throws Error(Usage) without a value
[[nodiscard]] Estimate estimate(const std::vector<double> &values);
/// Of a[i] - b[i]. \throws Error(Usage) for unequal lengths
[[nodiscard]] Estimate pairedEstimate(const std::vector<double> &a, const std::vector<double> &b);

struct Interval {
    double mean = 0.0, low = 0.0, high = 0.0;
    double se = 0.0;               ///< of the mean; NaN for one value
    std::int64_t n = 0;
};

/// Mean and its two-sided Student-t interval, mean ± t(n-1, (1+level)/2) · s/√n. With one value low and high are -∞ and +∞.
/// \throws Error(Usage) without a value, or for a level outside (0, 1).
[[nodiscard]] Interval tInterval(const std::vector<double> &values, double level = 0.95);
[[nodiscard]] Interval tIntervalOf(const Estimate &estimate, double level = 0.95);

/// Half of the interval of a mean of which only the standard error is known: t(n-1, (1+level)/2) · se. NaN where there is none: n < 2, or an error that is NaN.
[[nodiscard]] double intervalReach(double se, std::int64_t n, double level = 0.95);

/// The interval of the mean of a[i] - b[i]. \throws Error(Usage) for unequal lengths.
[[nodiscard]] Interval pairedInterval(const std::vector<double> &a, const std::vector<double> &b, double level = 0.95);

/// Quantile of Student's t distribution with `degrees` > 0 degrees of freedom, 0 < probability < 1, to about 1e-12 relative.
[[nodiscard]] double studentQuantile(double probability, double degrees);

/// Regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22).
[[nodiscard]] double incompleteBeta(double x, double a, double b);

}  // namespace stillroom::analysis
