// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// How a ranking came about: who stood where after so many training tokens.
namespace stillroom::analysis {

/// The rankings of all evaluations, oldest first.
struct RankTrajectory {
    std::vector<std::int64_t> tokens_E;              ///< training tokens of a layer, ascending
    std::vector<experiment::Ranking> rankings_E;     ///< best first
    std::vector<std::size_t> lastMeasured_L;         ///< by layer: the last evaluation with a score of its own; later ones keep its place

    /// By layer and evaluation, from 1.
    [[nodiscard]] std::vector<std::vector<int>> ranks_LE() const;
    /// Whether the layer left before the last evaluation.
    [[nodiscard]] bool hasLeft(int layer) const { return lastMeasured_L.at(static_cast<std::size_t>(layer)) + 1 < tokens_E.size(); }
};

/// What it says of a layer that it has no score where others have one.
enum class Missing {
    NotYet,      ///< layers are trained in groups, one after the other
    Left,        ///< a race settled its place, and it trains no more
};

/// An evaluation is one token count at which every layer has a finite score: a place among some of the layers would be none. Where layers are trained
/// in groups, one after the other, the evaluations therefore complete with the last group. In a race (Missing::Left) those that left keep the place of their last
/// evaluation, and the others share the places between by their scores; an evaluation is complete once every layer has a score at it, or none from it on.
/// \param evaluations  of one selector and mixer, in any order; of two scores of a layer at one token count the later in the list counts; layer -1 is left out
/// \throws Error(Usage) for less than one layer
[[nodiscard]] RankTrajectory rankTrajectory(const std::vector<experiment::LayerScore> &evaluations, int numLayers, Missing missing = Missing::NotYet);

/// Who crossed the boundary below the best K since the evaluation before, each ascending; as many entered as left.
struct Crossing {
    experiment::LayerSet entered, left;
};
/// By evaluation; nobody crosses at the first. \param keep  0 … L. \throws Error(Usage)
[[nodiscard]] std::vector<Crossing> crossings(const RankTrajectory &trajectory, int keep);

}  // namespace stillroom::analysis
