// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/agreementcurve.h"
#include "experiment/score.h"

#include <optional>
#include <vector>

/// Which layers two choices share, for any number of choices of layers of one model.
namespace stillroom::analysis {

/// The two sets taken apart, each part ascending.
struct Overlap {
    experiment::LayerSet onlyA, both, onlyB;
};
/// \param a, b  ascending and unique, here as below
[[nodiscard]] Overlap overlap(const experiment::LayerSet &a, const experiment::LayerSet &b);

/// How much two sets share, beside what two random sets of their sizes would (ChanceOverlap).
struct OverlapIndex {
    int shared = 0;            ///< |A ∩ B|
    double jaccard = 0.0;      ///< |A ∩ B| / |A ∪ B|; 1 for two empty sets
    double chance = 0.0;       ///< its mean over random sets
    double pValue = 1.0;       ///< chance of an overlap at least this large
};

/// All against all. Symmetric; a choice that has no set at the K in question leaves its row and column empty.
class OverlapMatrix final {
public:
    OverlapMatrix() = default;
    /// Time ~ n² K: it is made anew for every K while K is dragged. \throws Error(Usage) for a set with more than L layers
    OverlapMatrix(const std::vector<std::optional<experiment::LayerSet>> &sets, int numLayers);

    [[nodiscard]] int size() const { return m_size; }
    /// \param i, j  0 … size-1
    [[nodiscard]] const std::optional<OverlapIndex> &at(int i, int j) const { return m_cells[static_cast<std::size_t>(i) * static_cast<std::size_t>(m_size) + static_cast<std::size_t>(j)]; }

private:
    int m_size = 0;
    std::vector<std::optional<OverlapIndex>> m_cells;      ///< [i][j]
};

/// The agreement curve of choices that need not be rankings, so that the sets for two K need not be nested: no bootstrap, and no point where either has no set.
/// Where both are rankings it is agreementCurve.
/// \param a_K, b_K  the sets for K = 0, 1, … L; K = 0 is not looked at. \throws Error(Usage) for lists that differ in length, or a level outside (0, 1)
[[nodiscard]] std::vector<AgreementPoint> agreementOfSets(const std::vector<std::optional<experiment::LayerSet>> &a_K, const std::vector<std::optional<experiment::LayerSet>> &b_K, double level = 0.95);

}  // namespace stillroom::analysis
