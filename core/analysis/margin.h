// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/layersamples.h"

/// How sure a choice of K layers is.
namespace stillroom::analysis {

/// The step from the last kept layer to the first dropped one.
struct BoundaryMargin {
    int lastKept = -1, firstDropped = -1;
    Interval difference;          ///< of how much better the kept one is, paired over sequences; nats per token when the values are KLs
    double inStandardErrors = 0.0;    ///< difference.mean / difference.se; infinite when every sequence says the same, 0 when the two are equal
};

/// \param keep  1 … L-1: without a layer on either side there is no boundary.
/// \throws Error(Usage) for fewer than two sequences, for a ranking of other layers, or K out of range.
[[nodiscard]] BoundaryMargin boundaryMargin(const LayerSamples &samples, const experiment::Ranking &ranking, int keep, double level = 0.95);

/// Layers that the measurement cannot tell from the other side of the boundary: kept layers whose paired interval against the first dropped one
/// includes 0, and dropped layers whose interval against the last kept one does. Ascending. \throws as boundaryMargin
[[nodiscard]] experiment::LayerSet tieBand(const LayerSamples &samples, const experiment::Ranking &ranking, int keep, double level = 0.95);

/// x / se, and what that is where nothing varies: ±∞, or 0 for 0. NaN where the error is not known (NaN).
[[nodiscard]] double inStandardErrors(double x, double se);

}  // namespace stillroom::analysis
