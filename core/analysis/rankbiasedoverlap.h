// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

namespace stillroom::analysis {

/// Extrapolated rank-biased overlap (Webber, Moffat and Zobel 2010, equation 32): how alike two rankings are, the top counting most.
/// With X_d layers shared by the first d of both, S the shorter and s, l the lengths:
///   RBO = (1-p)/p [ Σ_{d=1}^{l} p^d X_d/d + Σ_{d=s+1}^{l} p^d X_s (d-s)/(s d) ] + p^l [ (X_l - X_s)/l + X_s/s ].
/// 1 for equal rankings, 0 for two without a common layer; 1 for two empty ones, 0 where one is empty.
/// The first d places together weigh 1 - p^{d-1} + (1-p)/p · d · (ln 1/(1-p) - Σ_{i<d} p^i/i): with p = 0.9 the first ten carry 86 %.
/// \param a, b  layers, best first; each names a layer once. They may rank different layers and differ in length (published rankings stop at their budget).
/// \param p  0 < p < 1: the chance that someone who looked at one place looks at the next
/// \throws Error(Usage) for a layer named twice or p out of range
[[nodiscard]] double rankBiasedOverlap(const experiment::Ranking &a, const experiment::Ranking &b, double p = 0.9);

}  // namespace stillroom::analysis
