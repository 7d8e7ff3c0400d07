// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/bootstrapranks.h"
#include "experiment/score.h"

#include <optional>
#include <vector>

/// Whether two rankings choose the same layers, at every K.
namespace stillroom::analysis {

struct Band {
    double low = 0.0, high = 0.0;
};

struct AgreementPoint {
    int keep = 0;                        ///< K
    double jaccard = 0.0;                ///< of the two top-K sets
    double chance = 0.0;                 ///< mean Jaccard index of two random sets of K layers
    Band chanceBand;                     ///< its central interval, exact
    double pValue = 1.0;                 ///< chance of an overlap at least this large between two random sets
    std::optional<Band> bootstrap;       ///< percentile interval over other held-out sequences
};

/// For K = 1 … min(|a|, |b|): published rankings stop at their largest budget. Time ~ K.
/// \throws Error(Usage) for a layer named twice or outside 0 … L-1, or a level outside (0, 1)
[[nodiscard]] std::vector<AgreementPoint> agreementCurve(const experiment::Ranking &a, const experiment::Ranking &b, int numLayers, double level = 0.95);

/// The same with intervals: draw i of `a` beside draw i of `b`, or beside the fixed ranking `b`. When both were measured on the same sequences, give
/// both the same seed, and the draws are paired. Noise makes rankings differ, so the interval lies rather below the index than around it.
/// \throws Error(Usage) also for draws of different numbers or of other layers
[[nodiscard]] std::vector<AgreementPoint> agreementCurve(const experiment::Ranking &a, const experiment::Ranking &b, const BootstrapRanks &drawsA, const BootstrapRanks &drawsB, double level = 0.95);
[[nodiscard]] std::vector<AgreementPoint> agreementCurve(const experiment::Ranking &a, const experiment::Ranking &b, const BootstrapRanks &drawsA, double level = 0.95);

}  // namespace stillroom::analysis
