// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstdint>
#include <vector>

/// Layers drawn at random: what a selector has to beat.
namespace stillroom::choices {

/// A uniform random order of the layers. Its first K are a uniform random set, so one draw serves every K with nested sets.
/// The same for the same (seed, draw), whatever was drawn before.
[[nodiscard]] experiment::Ranking randomRanking(int numLayers, std::uint64_t seed, int draw);

/// `count` different sets of K layers: the tops of randomRanking for draw = 0, 1, …, those already there left out.
/// \throws Error(Usage) for K outside 0 … L, when there are fewer than `count` different sets, or for more than two million layers in all
[[nodiscard]] std::vector<experiment::LayerSet> randomSets(int numLayers, int keep, int count, std::uint64_t seed);

}  // namespace stillroom::choices
