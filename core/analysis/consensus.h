// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/intervals.h"
#include "experiment/score.h"

#include <cstdint>
#include <optional>
#include <vector>

/// One ranking out of several: over seeds, over probes, or AVG-S2 out of GA-S2 and GR-S2.
///
/// By default the mean place (Borda): it is defined for any number of layers, every ranking weighs the same, and a layer's mean place has a standard
/// error over the rankings, so that ties can be told from differences. Kemeny's order disagrees with the fewest pairs and is less moved by one seed
/// that throws a layer far off; it is exact here, but where many layers beat each other in circles it is out of reach. Where both agree, nothing
/// hangs on the rule. Ties, in mean place as among Kemeny's optimal orders, go to the lower layer.
namespace stillroom::analysis {

struct MeanPlaces {
    experiment::Ranking ranking;               ///< smallest mean place first
    std::vector<Interval> place_L;             ///< by layer, ranks from 1; with one ranking the interval is infinite
};

/// \param rankings  each names all layers 0 … L-1 once. \throws Error(Usage)
[[nodiscard]] MeanPlaces meanPlaces(const std::vector<experiment::Ranking> &rankings, double level = 0.95);

/// How many pairs of layers the rankings put the other way round, summed over the rankings. \throws Error(Usage)
[[nodiscard]] std::int64_t pairsAgainst(const experiment::Ranking &consensus, const std::vector<experiment::Ranking> &rankings);

/// The order with the fewest pairs against it, exactly. Layers are first parted into groups of which each beats all later ones by majority (every
/// optimal order keeps that); within a group all orders are searched (2^n · n steps). Empty where a group has more than 16 layers. \throws Error(Usage)
[[nodiscard]] std::optional<experiment::Ranking> kemenyRanking(const std::vector<experiment::Ranking> &rankings);

/// Kendall's W: 12 Σ_l (R_l - mean R)² / (m² (L³ - L)) with R_l the sum of places of layer l over m rankings. 1: all agree; about 1/m: they do not.
/// \throws Error(Usage) for fewer than two layers
[[nodiscard]] double concordance(const std::vector<experiment::Ranking> &rankings);

}  // namespace stillroom::analysis
