// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace stillroom::analysis {

/// How far two independent uniform random sets of a and b out of L layers overlap: |A ∩ B| is hypergeometric,
/// P(m) = C(a, m) C(L-a, b-m) / C(L, b). What an overlap has to beat before it means anything. Exact but for rounding (about 1e-13).
class ChanceOverlap final {
public:
    /// \throws Error(Usage) for sizes outside 0 … L
    ChanceOverlap(int a, int b, int numLayers);

    [[nodiscard]] double probability(int shared) const;       ///< P(|A ∩ B| = shared); 0 for what cannot be
    /// P(|A ∩ B| ≥ shared): the one-sided p-value of agreement. As a and b are given, it is that of the Jaccard index and of the overlap coefficient too.
    [[nodiscard]] double atLeast(int shared) const;
    [[nodiscard]] double atMost(int shared) const;            ///< P(|A ∩ B| ≤ shared): the p-value of avoiding each other
    [[nodiscard]] double meanJaccard() const;
    /// The smallest Jaccard index that is reached or stayed below with at least this probability, 0 < probability < 1. \throws Error(Usage)
    [[nodiscard]] double jaccardQuantile(double probability) const;

private:
    [[nodiscard]] double jaccardOf(int shared) const;

    int m_sizeA, m_sizeB;                      ///< the smaller first
    int m_least;                               ///< the smallest overlap there can be
    std::vector<double> m_probability;         ///< of m_least, m_least + 1, …
};

/// Below it an overlap is called beyond chance.
inline constexpr double chanceLevel = 0.05;
/// p < chanceLevel, by more than rounding: a p that is exactly 1/20, as three of six layers have, is not below it.
[[nodiscard]] bool isBeyondChance(double pValue);

}  // namespace stillroom::analysis
