// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/adamw.h"
#include "distillation/batchsource.h"
#include "distillation/klhead.h"
#include "distillation/schedule.h"
#include "distillation/trainingloop.h"
#include "nn/transformer.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::distillation {

/// Which parameters train.
enum class Trainable {
    All,      ///< embeddings, MLPs, norms, head, every mixer
    Mixers,   ///< the linear mixers only; the rest is shared with the student that came in and never copied
};
/// Whether the parameter of this name trains.
[[nodiscard]] bool trains(const std::string &parameterName, Trainable trainable);

/// Which parameters take the mixers' (fast) learning rate.
enum class FastGroup {
    NewMixers,   ///< parameters of linear mixers: our default
    Attention,   ///< every mixer, kept softmax ones too, and the norms before them: published code's 'name contains "attn"'
};

struct StageTwoOptions {
    Trainable trainable = Trainable::All;
    FastGroup fastGroup = FastGroup::NewMixers;
    double mixerLearningRate = 1e-4;
    double restLearningRate = 7e-6;
    double weightDecay = 0.01;
    AdamWOptions adamw;
    Schedule schedule{ScheduleKind::Constant};
    double clipNorm = 1.0;                       ///< per student, over all its parameters; 0: none
    std::int64_t steps = 0;
    std::int64_t microBatchSequences = 0;        ///< 0: the whole batch in one pass
    bool checkpointBlocks = false;               ///< recompute blocks in backward
    at::ScalarType computeType = at::kFloat;
    double temperature = 1.0, klWeight = 1.0, reverseKlWeight = 0.0, crossEntropyWeight = 0.0;
    std::int64_t headBudgetBytes = 0;            ///< see KlHeadOptions::budgetBytes
    /// Refuse to train when the first step's KL is above 1.1 ln V: such a student does not come from this teacher's stage 1.
    bool refuseHopelessStart = true;
    /// Counted tokens after which `onEvaluate` is called, within `advance`: after the first step that reaches one or more of them; 0 is before the
    /// first step; what the tokens never reach (padding counts none) is called at the end. When the callback throws, the step stays done and the call is made up for at the
    /// next `advance`, in a resumed run too.
    std::vector<std::int64_t> evaluateAtTokens;
    std::function<void(std::int64_t step, std::int64_t tokens)> onEvaluate;
};

/// A model that learns from the teacher.
struct Student {
    std::string name;           ///< "keep-7", "final": names it in states and messages
    nn::Transformer model;
};

/// One student in the step just done, means over its counted tokens.
struct StageTwoMetrics {
    std::string student;
    double loss = 0.0;                ///< what was minimised
    double klNats = 0.0;              ///< forward KL at the temperature, without τ²
    double reverseKlNats = 0.0, crossEntropyNats = 0.0;   ///< 0 where the weight is 0
    double gradientNorm = 0.0;        ///< before clipping
    double bestLoss = 0.0;            ///< lowest so far
};

/// Stage 2, logit distillation (arXiv 2512.20569; spec kl-selection §3) of one student or of M in lock-step: one teacher forward per batch and
/// one set of teacher logits per slice serve all. Every student ends with the bits it would have alone.
class StageTwo final : public TrainingStage {
public:
    /// Copies the weights that train. \param source must outlive the stage.
    /// \throws Error(Usage) for an empty or doubled name, no student, nothing that trains, or options out of range.
    StageTwo(const nn::Transformer &teacher, std::vector<Student> students, BatchSource &source, StageTwoOptions options);

    [[nodiscard]] std::int64_t step() const override { return m_step; }
    /// One more than the steps while the last step is done but its evaluation is not.
    [[nodiscard]] std::int64_t totalSteps() const override;
    [[nodiscard]] std::int64_t tokens() const override { return m_tokens; }
    void advance(std::stop_token stop) override;
    [[nodiscard]] TrainingState state(bool withOptimizer) const override;
    void restore(const TrainingState &state) override;
    [[nodiscard]] std::optional<std::vector<NamedTensor>> nonFinite() const override { return m_nonFinite; }

    /// Of the last step, kept in checkpoints; empty before the first.
    [[nodiscard]] const std::vector<StageTwoMetrics> &metrics() const { return m_metrics; }
    [[nodiscard]] double learningRateFactor() const;   ///< of the last step
    /// As they are now: handles, trained in place by later steps.
    [[nodiscard]] const std::vector<Student> &students() const { return m_students; }

    /// Takes a student out, its optimizer and metrics too: it costs no more, and no bit of the others changes. Between steps or from `onEvaluate`.
    /// A state names the students that are left; restoring it takes out the same. \throws Error(Usage) for one that is not there or the last one left.
    void retire(const std::string &student);

private:
    struct WindowSums;
    struct Window;
    void train(const std::stop_token &stop);
    void forwardBackward(const Batch &micro, const Window &window, std::vector<WindowSums> &sums, const std::stop_token &stop) const;
    void finishStep(const std::vector<WindowSums> &sums, const Window &window);
    void dropGradients();
    void retireAllBut(const std::vector<std::string> &left);
    [[nodiscard]] bool evaluationIsDue() const;
    void evaluateIfDue();

    nn::Transformer m_teacher;
    std::vector<Student> m_students;
    std::vector<AdamW> m_optimizers;    ///< one per student
    BatchSource &m_source;
    StageTwoOptions m_options;
    std::vector<StageTwoMetrics> m_metrics;
    std::optional<std::vector<NamedTensor>> m_nonFinite;                ///< of a step that failed
    std::int64_t m_step = 0, m_tokens = 0;
    std::int64_t m_evaluatedTokens = -1;   ///< tokens at the last evaluation
};

}  // namespace stillroom::distillation
