// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <vector>

/// SMART, the selector of Zebra-Llama (arXiv 2505.17272): near-equidistant layers between two sensitive ends.
namespace stillroom::choices {

/// The set of K layers with the largest sum of sensitivities among those that SMART allows. With w = ⌊L/K⌋:
/// the first is the most sensitive of layers 0 … w-1, the last the most sensitive of L-w … L-1; with D between them, every step is ⌊D/(K-1)⌋ or one
/// more, D mod (K-1) of them the longer one. K = 1 is the most sensitive layer of all. Equal sums: shorter steps first, so lower layers; equal ends: the lower.
/// \param sensitivity_L  KL(all linear) - KL(only l softmax), or anything that differs from it by a constant; finite
/// \param keep  0 … L. \throws Error(Usage)
[[nodiscard]] experiment::LayerSet smartSet(const std::vector<double> &sensitivity_L, int keep);

/// -KL(only l softmax) by layer, which is KL(all linear) - KL(only l softmax) but for a constant; empty unless every layer 0 … L-1 has one that is finite.
/// Scores of which the higher is the better measure the harm of a layer being linear, and those without a KL something else: SMART is not made of them.
[[nodiscard]] std::vector<double> smartSensitivities(const std::vector<experiment::LayerScore> &scores, int numLayers);

/// Whether some sensitivities make SMART choose this set: its ends lie in their windows and its steps are of two neighbouring lengths at most.
/// \param set  ascending, unique, within 0 … L-1
[[nodiscard]] bool allowedBySmart(const experiment::LayerSet &set, int numLayers);

}  // namespace stillroom::choices
