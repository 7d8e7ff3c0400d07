// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/intervals.h"
#include "experiment/score.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace stillroom::selection {

/// A set of layers and what was measured of it.
struct MeasuredSet {
    experiment::LayerSet keep;              ///< ascending
    std::vector<double> perSequence;        ///< lower is better; the same sequences for every set
    int added = -1;                         ///< the layer by which it came from `parent`; -1 for the empty set
    std::size_t parent = 0;                 ///< in the beam before: the best one it can come from
    [[nodiscard]] analysis::Estimate estimate() const { return analysis::estimate(perSequence); }
};

/// All sets of one size that stayed.
struct BeamLevel {
    std::vector<MeasuredSet> beam;                      ///< best first, at most `width`
    std::int64_t numMeasured = 0;                       ///< candidates behind it
    std::optional<analysis::Estimate> margin;           ///< of the best one to the second, paired by sequence; none where there was one candidate alone
};

/// By number of kept layers, 0 … K.
struct BeamResult {
    std::vector<BeamLevel> levels;
    [[nodiscard]] const MeasuredSet &best(int keep) const { return levels.at(static_cast<std::size_t>(keep)).beam.front(); }
    /// The layers of best(keep) in the order in which the search took them. The best sets of two sizes need not be nested.
    [[nodiscard]] std::vector<int> pathTo(int keep) const;
};

struct BeamOptions {
    int numLayers = 0;                      ///< L
    int largestKeep = 0;                    ///< K
    int width = 4;                          ///< b
    std::function<void(const BeamLevel &level)> onLevel;   ///< after each new level; may be empty
};

/// Measures all candidates of one size: a value for each sequence of each set.
using SetMeasurer = std::function<std::vector<std::vector<double>>(const std::vector<experiment::LayerSet> &candidates)>;

/// The most sets that a search measures: 1 + Σ_{k<K} min(C(L,k+1), min(b, C(L,k)) (L - k)). Beams that share candidates measure fewer.
[[nodiscard]] std::int64_t mostBeamCandidates(int numLayers, int largestKeep, int width);

/// Beam search over layer sets (PostNAS, arXiv 2508.15884): B_0 = {∅}, B_{k+1} = the best b of {S ∪ {l} : S ∈ B_k, l ∉ S} by mean over sequences.
/// Equal means: the set whose first differing layer is lower. With b ≥ C(L,k) for every k it finds the optimum at every size; with b = 1 it is greedy addition.
/// \throws Error(Usage) for a width below 1, a K outside 0 … L, or a measurer whose answers do not fit.
[[nodiscard]] BeamResult beamSearch(const BeamOptions &options, const SetMeasurer &measure);

}  // namespace stillroom::selection
