// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/klcurve.h"
#include "comparison/distilledhybrids.h"
#include "experiment/stagesource.h"
#include "store/scorings.h"
#include "store/workspace.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Held-out KL against K of one scoring's ranking, out of a workspace: as its scores predict it, and of hybrids that were distilled.
namespace stillroom::comparison {

/// Of hybrids, ascending by K, that are comparable.
struct MeasuredKl {
    analysis::ShownKlCurve curve;
    std::vector<experiment::StageSource> hybrids;      ///< by point of the curve
    std::int64_t tokens = 0;                           ///< each was trained on; 0: there is none
    std::int64_t seed = 0;                             ///< of their training
    bool isOwn = false;                                ///< of the scoring's own stage 1 and seed
    HybridsLeftOut leftOut;                            ///< that keep the best K of the ranking, too
};
struct KlAgainstK {
    analysis::ShownKlCurve predicted;                  ///< no points: the scoring kept no KL by held-out sequence of every layer and of the all-linear student
    MeasuredKl measured;
};

/// What is said where a scoring has neither.
inline constexpr const char *nothingAgainstK =
    "the scoring kept no KL by held-out sequence, and no hybrid that keeps the best K of its ranking is in the workspace: score again, or distil some";

/// As if gains added up, see analysis::additivePrediction; at the last evaluation that all students have. No points where the stage's results hold no such values,
/// or are damaged: they are a by-product.
/// \param artifact  of the score stage, relative to the workspace
[[nodiscard]] analysis::ShownKlCurve predictedKl(const std::filesystem::path &workspace, const std::string &artifact, const experiment::Ranking &ranking);
[[nodiscard]] analysis::KlCurve klCurveOf(const std::vector<DistilledHybrid> &hybrids);
/// Of the hybrids of the scoring's teacher and probe that keep the best K of its ranking, its own stage 1 and seed first. \param teacher  as specs name it: known by its hash where the scoring's
/// stage says it, else where a distillation of that teacher does
[[nodiscard]] MeasuredKl measuredKl(const store::Workspace &workspace, const store::Scoring &scoring, const std::string &teacher);
/// Both; of a scoring without a ranking nothing.
[[nodiscard]] KlAgainstK klAgainstK(const store::Workspace &workspace, const store::Scoring &scoring, const std::string &teacher);

}  // namespace stillroom::comparison
