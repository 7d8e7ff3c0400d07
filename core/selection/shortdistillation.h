// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/heldoutkl.h"
#include "distillation/stageone.h"
#include "distillation/stagetwo.h"
#include "distillation/trainingloop.h"
#include "experiment/score.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::selection {

/// Held-out KL of one student over training.
struct StudentCurve {
    experiment::LayerSet kept;                      ///< its softmax layers, ascending; empty: the all-linear student
    std::vector<std::int64_t> tokens;               ///< training tokens at each evaluation; the first is 0
    std::vector<distillation::HeldOutKl> kl;        ///< by evaluation; every student on the same sequences
};

/// One evaluation of a curve as a score, put into `blank` (which says of what layer, selector and mixer): KL, lower is better.
/// \throws Error(Usage) for an evaluation that is not there.
[[nodiscard]] experiment::LayerScore scoreOf(const StudentCurve &curve, std::size_t evaluation, experiment::LayerScore blank);

/// Students that each keep softmax in a set of layers, take the same aligned mixers elsewhere and are distilled a short while on the same batches;
/// what comes of it is the paired held-out KL. With one kept layer each that is GA-S2 (arXiv 2512.20569, greedy addition on stage 2), with all but one
/// GR-S2. This is one lock-step group of such students: how they are grouped changes no bit of any curve.
class ShortDistillation final : public distillation::TrainingStage {
public:
    struct Options {
        distillation::StageTwoOptions training;     ///< evaluateAtTokens is honoured, onEvaluate is ours
        std::vector<experiment::LayerSet> kept;     ///< by student, no two the same
        /// Called after each evaluation of those that still train. \param last  it is that of the last step: what is returned no longer matters.
        /// \return the places in `kept` of those that train no more from here on: their curves end, and no bit of the others' changes. When nobody is left the training ends.
        std::function<std::vector<std::size_t>(const std::vector<StudentCurve> &curves, bool last)> onEvaluation;
    };
    /// \param heldOut, source  must outlive the group. \throws Error(Usage)
    ShortDistillation(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const distillation::HeldOutSet &heldOut,
                      distillation::BatchSource &source, Options options);

    [[nodiscard]] std::int64_t step() const override { return m_finished ? m_finished->step : m_stage.step(); }
    [[nodiscard]] std::int64_t totalSteps() const override { return m_endsEarly || m_finished ? step() : m_stage.totalSteps(); }
    [[nodiscard]] std::int64_t tokens() const override { return m_finished ? m_finished->tokens : m_stage.tokens(); }
    void advance(std::stop_token stop) override;
    /// Without the optimizer it holds no weights either: of a finished group only the curves are worth their disk space.
    [[nodiscard]] distillation::TrainingState state(bool withOptimizer) const override;
    void restore(const distillation::TrainingState &state) override;

    [[nodiscard]] const std::vector<StudentCurve> &curves() const { return m_curves; }
    [[nodiscard]] bool endedEarly() const { return m_endsEarly; }
    /// Of those in `training`.
    [[nodiscard]] const std::vector<distillation::StageTwoMetrics> &metrics() const { return m_stage.metrics(); }
    /// Places of those that still train, or did at the end.
    [[nodiscard]] const std::vector<std::size_t> &training() const { return m_training; }

private:
    struct Position {
        std::int64_t step = 0, tokens = 0;
    };
    void evaluate(std::int64_t step, std::int64_t tokens);
    void leave(const std::vector<std::size_t> &students);

    const distillation::HeldOutSet &m_heldOut;
    Options m_options;
    std::vector<StudentCurve> m_curves;             ///< of all, those that left too
    std::vector<std::size_t> m_training;            ///< places of those that still train, ascending, in the order of the stage's students
    bool m_endsEarly = false;
    std::optional<Position> m_finished;             ///< restored from a final state
    distillation::StageTwo m_stage;                 ///< last: its callback uses the members above
};

}  // namespace stillroom::selection
