// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/agreementcurve.h"
#include "analysis/klcurve.h"
#include "analysis/layerbars.h"
#include "analysis/overlap.h"
#include "analysis/ranktrajectory.h"
#include "report/chart.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
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

/// Held-out KL against K of one ranking.
struct KlAgainstKShown {
    int numLayers = 0;                                 ///< L
    std::string mixer;                                 ///< of the hybrids, whose colour their points have
    analysis::ShownKlCurve predicted, measured;        ///< no points: there is none
    std::int64_t trainedTokens = 0;                    ///< of each measured hybrid; 0: not known
    int keep = 0;                                      ///< K, where a dotted line is; not within 0 … L: nowhere
    std::vector<experiment::StageSource> hybrids = {};      ///< by point of `measured`; empty: not known
    std::int64_t trainedSeed = 0;                      ///< of the measured hybrids' training
    bool areHybridsOwn = true;                         ///< made from the scoring's own stage 1 and seed
    /// Where hybrids of enough sizes were measured to have one it is theirs, else the prediction's.
    [[nodiscard]] const std::optional<analysis::Elbow> &elbow() const { return isElbowMeasured() ? measured.elbow : predicted.elbow; }
    [[nodiscard]] bool isElbowMeasured() const { return measured.elbow.has_value(); }
};
/// What there is to see of the values: from 0, or what is below, to the highest with its interval and a little more.
[[nodiscard]] std::pair<double, double> klRange(const KlAgainstKShown &shown);
/// Half of the 95 % interval of a point; empty where it was measured on one sequence.
[[nodiscard]] std::optional<double> reachOf(const analysis::KlPoint &point);
[[nodiscard]] Figure klAgainstKFigure(const KlAgainstKShown &shown, Provenance provenance);

struct ChoiceShown {
    std::string name;
    std::optional<experiment::LayerSet> layers;        ///< none at this K
};
[[nodiscard]] Figure overlapFigure(const std::vector<ChoiceShown> &choices, const analysis::OverlapMatrix &matrix, Provenance provenance);
[[nodiscard]] Figure agreementFigure(const std::vector<analysis::AgreementPoint> &curve, int numLayers, Provenance provenance);

}  // namespace stillroom::report
