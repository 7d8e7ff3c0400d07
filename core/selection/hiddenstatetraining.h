// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/adamw.h"
#include "distillation/batchsource.h"
#include "distillation/schedule.h"
#include "distillation/stageone.h"
#include "distillation/trainingloop.h"
#include "nn/transformer.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace stillroom::selection {

/// Which hidden states a student is to share with its teacher.
enum class AlignedStates {
    Final,    ///< after the final norm: what the output matrix reads
    Every,    ///< the residual stream after each block, the last one after the final norm: each weighs 1/L
};
/// "final" | "every-layer". \throws Error(Usage)
[[nodiscard]] AlignedStates parseAlignedStates(const std::string &text);

struct HiddenErrorOptions {
    AlignedStates states = AlignedStates::Final;
    at::ScalarType computeType = at::kFloat;
    bool checkpointBlocks = false;      ///< recompute the student's blocks in backward
    std::stop_token stop;               ///< read at every block, backward too
};

/// How far a student's hidden states are from the teacher's, for each sequence [B] in fp32 (fp64 for fp64), differentiable in what the student requires gradients of:
///     e_b = mean over the chosen states of Σ_t ‖h_T - h_S‖² / Σ_t ‖h_T‖²      (t: the sequence's counted tokens)
/// Relative, because residual streams grow by orders of magnitude from layer to layer; by sequence, so that micro-batches add up exactly and sequences
/// can be compared. Exactly 0 for the teacher itself. Teacher and student go block by block: of the teacher one state is held at a time.
/// \throws Error(Usage) for a sequence of which no token counts; Error(Cancelled).
[[nodiscard]] at::Tensor hiddenError_B(const nn::Transformer &teacher, const nn::Transformer &student, const distillation::Batch &batch, const HiddenErrorOptions &options);

/// Cost per token: the teacher's forward, the student's forward, and a backward through the student.
struct HiddenStateTrainingOptions {
    AlignedStates states = AlignedStates::Final;
    double learningRate = 1e-3;
    double weightDecay = 0.0;
    distillation::AdamWOptions adamw;
    distillation::Schedule schedule{distillation::ScheduleKind::Constant};
    double clipNorm = 1.0;                    ///< over all that trains; 0: none
    std::int64_t steps = 0;
    std::int64_t microBatchSequences = 0;     ///< 0: the whole batch in one pass
    bool checkpointBlocks = false;
    at::ScalarType computeType = at::kFloat;
};

/// The step just done.
struct HiddenStateMetrics {
    double loss = 0.0;             ///< what was minimised
    double hiddenError = 0.0;      ///< mean of e_b over the batch
    double gradientNorm = 0.0;     ///< before clipping
};

/// A training whose student follows the teacher's hidden states and may differ from step to step. What derives says which student a step has, what of it
/// trains, and what is added to the loss. Weights that do not train require no gradient: backward carries activations' gradients alone.
class HiddenStateTraining : public distillation::TrainingStage {
public:
    [[nodiscard]] std::int64_t step() const final { return m_step; }
    [[nodiscard]] std::int64_t totalSteps() const final { return m_options.steps; }
    [[nodiscard]] std::int64_t tokens() const final { return m_tokens; }
    void advance(std::stop_token stop) final;
    [[nodiscard]] distillation::TrainingState state(bool withOptimizer) const final;
    void restore(const distillation::TrainingState &state) final;
    [[nodiscard]] std::optional<std::vector<distillation::NamedTensor>> nonFinite() const final { return m_nonFinite; }
    /// Of the last step, kept in checkpoints; nothing before the first.
    [[nodiscard]] const std::optional<HiddenStateMetrics> &metrics() const { return m_metrics; }

protected:
    /// \param kind  names the stage in its checkpoints. \throws Error(Usage) for options out of range
    HiddenStateTraining(std::string kind, const nn::Transformer &teacher, distillation::BatchSource &source, HiddenStateTrainingOptions options);

    /// What trains. Called once, by the constructor of what derives.
    void train(std::vector<distillation::TrainedParameter> parameters);
    /// The student of a step. Called for every micro-batch, so that each has a graph of its own.
    [[nodiscard]] virtual nn::Transformer student(std::int64_t step) const = 0;
    /// Added to the loss once a step; undefined: nothing.
    [[nodiscard]] virtual at::Tensor penalty() const { return {}; }
    /// After each update, without gradients.
    virtual void afterUpdate() {}

    [[nodiscard]] const nn::Transformer &teacher() const { return m_teacher; }

private:
    void dropGradients();
    void runStep(const std::stop_token &stop);
    [[nodiscard]] double hiddenErrorOf(const distillation::Batch &batch, const std::stop_token &stop) const;

    std::string m_kind;
    nn::Transformer m_teacher;                          ///< handles, frozen
    distillation::BatchSource &m_source;
    HiddenStateTrainingOptions m_options;
    std::vector<distillation::AdamW> m_optimizers;      ///< one
    std::optional<HiddenStateMetrics> m_metrics;
    std::optional<std::vector<distillation::NamedTensor>> m_nonFinite;   ///< of a step that failed
    std::int64_t m_step = 0, m_tokens = 0;
};

/// The same mixers with handles that require no gradient: what their stage trained is fixed from here on. Ascending by layer.
/// \throws Error(Usage) unless every layer of the teacher has one.
[[nodiscard]] std::vector<distillation::AlignedLayer> frozenMixers(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned);
/// A model whose handles require no gradient.
[[nodiscard]] nn::Transformer frozenHandles(const nn::Transformer &model);

}  // namespace stillroom::selection
