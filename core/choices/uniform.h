// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Equally spaced layers: the baseline that costs nothing.
namespace stillroom::choices {

enum class Grid {
    Start,        ///< {0, s, 2s, …}, s = ⌈L/K⌉, or ⌊L/K⌋ where that many steps of ⌈L/K⌉ do not fit. All published sets that hold layer 0 are this one.
    End,          ///< its mirror image {…, L-1-s, L-1}; where K divides L this is {s-1, 2s-1, …}, as in MambaInLlama and the published Llama sets
    Rounded,      ///< round(i (L-1)/(K-1)), halves up: holds both ends; K = 1 is round((L-1)/2), the middle
    LatterHalf,   ///< Start within layers ⌊L/2⌋ … L-1
};

/// \param keep  0 … L, for LatterHalf 0 … ⌈L/2⌉. \throws Error(Usage)
[[nodiscard]] experiment::LayerSet uniformGrid(Grid grid, int numLayers, int keep);

/// "uniform-start", "uniform-end", "uniform-rounded", "uniform-latter-half".
[[nodiscard]] std::string gridName(Grid grid);
[[nodiscard]] std::optional<Grid> gridFromName(std::string_view name);
[[nodiscard]] const std::vector<Grid> &grids();

}  // namespace stillroom::choices
