// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstdint>
#include <vector>

/// How a ranking came about: who stood where after so many training tokens.
namespace stillroom::analysis {

/// The rankings of all evaluations, oldest first.
struct RankTrajectory {
    std::vector<std::int64_t> tokens_E;              ///< training tokens of a layer, ascending
    std::vector<experiment::Ranking> rankings_E;     ///< best first

    /// By layer and evaluation, from 1.
    [[nodiscard]] std::vector<std::vector<int>> ranks_LE() const;
};

/// An evaluation is one token count at which every layer has a finite score: a place among some of the layers would be none. Where layers are trained
/// in groups, one after the other, the evaluations therefore complete with the last group.
/// \param evaluations  of one selector and mixer, in any order; of two scores of a layer at one token count the later in the list counts; layer -1 is left out
/// \throws Error(Usage) for less than one layer
[[nodiscard]] RankTrajectory rankTrajectory(const std::vector<experiment::LayerScore> &evaluations, int numLayers);

/// Who crossed the boundary below the best K since the evaluation before, each ascending; as many entered as left.
struct Crossing {
    experiment::LayerSet entered, left;
};
/// By evaluation; nobody crosses at the first. \param keep  0 … L. \throws Error(Usage)
[[nodiscard]] std::vector<Crossing> crossings(const RankTrajectory &trajectory, int keep);

}  // namespace stillroom::analysis
