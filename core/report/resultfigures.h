// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/agreementcurve.h"
#include "analysis/layerbars.h"
#include "analysis/overlap.h"
#include "analysis/ranktrajectory.h"
#include "report/chart.h"

#include <optional>
#include <string>
#include <vector>

/// The figures that results make: the window's plots and the command line give the same numbers here, and get the same tables and charts.
namespace stillroom::report {

/// A second scoring beside the bars.
struct OverlaidScores {
    std::string name, mixer;
    analysis::LayerBars bars;
};
struct LayerScoresShown {
    analysis::LayerBars bars;
    std::optional<experiment::Ranking> ranking;
    std::optional<experiment::LayerSet> kept;          ///< none: no choice is made yet
    std::vector<int> unsettled;                        ///< on their side of K by chance, shaded
    bool byRank = false;                               ///< the best at the left, where there is a ranking
    std::optional<OverlaidScores> overlaid;
};
[[nodiscard]] std::string titleOf(analysis::ScoreAxis axis);      ///< "KL gain"
[[nodiscard]] std::string unitOf(analysis::ScoreAxis axis);       ///< "nats/token", or empty
[[nodiscard]] Figure layerScoresFigure(const LayerScoresShown &shown, Provenance provenance);

/// Ranks of all layers over tokens. \param kept  drawn in the softmax colour. \param keep  K, where the boundary is
[[nodiscard]] Figure ranksFigure(const analysis::RankTrajectory &trajectory, const experiment::LayerSet &kept, int keep, Provenance provenance);

struct CurveShown {
    std::string name;
    std::vector<std::pair<double, double>> points;     ///< (training tokens, value)
};
/// \param mixer  of the student, whose colour the held-out curve has. \param logarithmic  the axis of the values; those that are not above 0 are left out there, and the table's note counts them
[[nodiscard]] Figure curveFigure(const CurveShown &training, const CurveShown &heldOut, const std::string &valueTitle, const std::string &unit, const std::string &mixer, bool logarithmic, Provenance provenance);

struct ChoiceShown {
    std::string name;
    std::optional<experiment::LayerSet> layers;        ///< none at this K
};
[[nodiscard]] Figure overlapFigure(const std::vector<ChoiceShown> &choices, const analysis::OverlapMatrix &matrix, Provenance provenance);
[[nodiscard]] Figure agreementFigure(const std::vector<analysis::AgreementPoint> &curve, int numLayers, Provenance provenance);

}  // namespace stillroom::report
