// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <map>
#include <vector>

/// Scores as bars: up is good, whatever a selector measures.
namespace stillroom::analysis {

/// How the values are to be read on an axis.
enum class ScoreAxis {
    KlGain,        ///< KL(all linear) - KL(only this layer kept)
    KlAboveWorst,  ///< KL of the worst layer - KL, where the all-linear student was not measured
    Residual,      ///< what stage 1 could not imitate
    Score          ///< as the selector gives it
};

/// One layer's bar.
struct LayerBar {
    int layer = 0;
    double value = 0.0;          ///< what is drawn, up is good
    double reach = 0.0;          ///< half of the 95 % interval, t(n-1) · SE; 0 where the error is not known
    experiment::LayerScore score;
};

struct LayerBars {
    ScoreAxis axis = ScoreAxis::KlGain;
    std::vector<LayerBar> bars;       ///< by layer
};

/// What any scores look like as bars. \param scores  of one selector and probe, by layer; -1 is the all-linear student
[[nodiscard]] LayerBars layerBars(const std::map<int, experiment::LayerScore> &scores);

/// Layers that stand on one side of the boundary of the best K by no more than chance, ascending: the difference to the nearest layer across it lies within its own
/// 95 % interval, |x_l - x_r| ≤ √(reach_l² + reach_r²), as of two independent means; intervals of single layers may overlap without that. Equal values always are.
/// Paired errors would be smaller: this names rather too many than too few.
[[nodiscard]] std::vector<int> unsettledLayers(const LayerBars &bars, const experiment::Ranking &ranking, int keep);

}  // namespace stillroom::analysis
