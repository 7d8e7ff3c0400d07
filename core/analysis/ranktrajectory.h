// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
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

/// A trajectory that grows while a job scores: at every moment it equals rankTrajectory of all that it was given, but only what new scores touch is ranked anew.
class GrowingTrajectory final {
public:
    /// \throws Error(Usage) for less than one layer
    explicit GrowingTrajectory(int numLayers, Missing missing = Missing::NotYet);
    /// Scores that come after all before them in the list of evaluations.
    /// \return the first evaluation that may be another one than before; the number of evaluations where none is
    std::size_t add(std::span<const experiment::LayerScore> scores);
    [[nodiscard]] const RankTrajectory &trajectory() const { return m_trajectory; }
    [[nodiscard]] Missing missing() const { return m_missing; }

private:
    struct Measured {
        double score = 0.0;
        bool higherIsBetter = false;
    };
    using ByLayer = std::map<int, Measured>;                 ///< of one evaluation
    [[nodiscard]] std::int64_t take(const experiment::LayerScore &score);
    void rankFrom(std::int64_t tokens);
    void forgetFrom(std::size_t evaluation);
    [[nodiscard]] bool isComplete(const ByLayer &scores, std::int64_t tokens) const;
    [[nodiscard]] static experiment::Ranking among(const ByLayer &scores);
    [[nodiscard]] experiment::Ranking next(const ByLayer &scores) const;
    int m_numLayers;
    Missing m_missing;
    std::map<std::int64_t, ByLayer> m_byTokens;
    std::vector<std::int64_t> m_lastTokens_L;                ///< the last score of a layer; the least number for none
    RankTrajectory m_trajectory;
};

/// Who crossed the boundary below the best K since the evaluation before, each ascending; as many entered as left.
struct Crossing {
    experiment::LayerSet entered, left;
};
/// By evaluation; nobody crosses at the first. \param keep  0 … L. \param from  the evaluation to begin with. \throws Error(Usage)
[[nodiscard]] std::vector<Crossing> crossings(const RankTrajectory &trajectory, int keep, std::size_t from = 0);

}  // namespace stillroom::analysis
