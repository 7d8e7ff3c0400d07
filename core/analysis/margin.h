// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/intervals.h"
#include "experiment/score.h"

#include <vector>

/// How sure a choice of K layers is, from KLs that were measured on the same sequences for every layer.
namespace stillroom::analysis {

/// The step from the last kept layer to the first dropped one.
struct BoundaryMargin {
    int lastKept = -1, firstDropped = -1;
    Interval difference;          ///< of how much better the kept one is, paired over sequences; nats per token when the values are KLs
    double inStandardErrors = 0.0;    ///< difference.mean / difference.se; infinite when every sequence says the same, 0 when the two are equal
};

/// \param values_LS  one list per layer, one value per sequence, the same sequences in the same order for every layer (KL: lower is better).
/// \param keep  1 … L-1: without a layer on either side there is no boundary.
/// \throws Error(Usage) for lists that differ in length or hold fewer than two sequences, for a ranking of other layers, or K out of range.
[[nodiscard]] BoundaryMargin boundaryMargin(const std::vector<std::vector<double>> &values_LS, const experiment::Ranking &ranking, int keep, bool higherIsBetter = false, double level = 0.95);

/// Layers that the measurement cannot tell from the other side of the boundary: kept layers whose paired interval against the first dropped one
/// includes 0, and dropped layers whose interval against the last kept one does. Ascending. \throws as boundaryMargin
[[nodiscard]] experiment::LayerSet tieBand(const std::vector<std::vector<double>> &values_LS, const experiment::Ranking &ranking, int keep, bool higherIsBetter = false, double level = 0.95);

}  // namespace stillroom::analysis
