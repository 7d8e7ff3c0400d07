// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstdint>
#include <vector>

/// Comparing sets and rankings of layers.
namespace stillroom::analysis {

/// |A ∩ B|. Sets ascending and unique, here as below.
[[nodiscard]] int numShared(const experiment::LayerSet &a, const experiment::LayerSet &b);

/// |A ∩ B| / |A ∪ B|; 1 for two empty sets.
[[nodiscard]] double jaccard(const experiment::LayerSet &a, const experiment::LayerSet &b);

/// |A ∩ B| / min(|A|, |B|): 1 when one lies within the other, as an empty set does in any.
[[nodiscard]] double overlapCoefficient(const experiment::LayerSet &a, const experiment::LayerSet &b);

/// Layers in exactly one of the two, ascending.
[[nodiscard]] experiment::LayerSet symmetricDifference(const experiment::LayerSet &a, const experiment::LayerSet &b);

/// How many pairs of layers two rankings of the same layers put the other way round. Time ~ L log L. \throws Error(Usage)
[[nodiscard]] std::int64_t discordantPairs(const experiment::Ranking &a, const experiment::Ranking &b);

/// Kendall's τ-b of two rankings of the same layers (no ties within a ranking, so τ-b = τ-a): 1 same order, -1 reversed. \throws Error(Usage)
[[nodiscard]] double kendallTau(const experiment::Ranking &a, const experiment::Ranking &b);

/// Kendall's τ-b of two score lists by layer, ties counted; NaN when one list is constant. \throws Error(Usage) for unequal lengths
[[nodiscard]] double kendallTauB(const std::vector<double> &a, const std::vector<double> &b);

}  // namespace stillroom::analysis
