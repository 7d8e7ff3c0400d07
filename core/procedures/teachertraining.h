// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/adamw.h"
#include "distillation/schedule.h"
#include "distillation/trainingloop.h"
#include "nn/transformer.h"
#include "procedures/teacherstart.h"
#include "text/recalltask.h"

#include <cstdint>
#include <optional>
#include <memory>
#include <stop_token>
#include <vector>

namespace stillroom::procedures {

/// Everything that decides how a teacher learns the recall task. Its defaults are the demo's.
struct TeacherPlan {
    checkpoint::ModelConfig config;
    TeacherStart start;
    text::RecallMixOptions task;                 ///< at its full size
    double otherTokensWeight = 0.3;              ///< of the cross-entropy of tokens that cannot be known, beside 1 for those that can

    bool curriculum = true;                      ///< grow the task as recall is learned
    std::int64_t startPairs = 3, startLength = 24;
    double growThreshold = 0.9, growth = 1.35;   ///< running recall above which N ← max(N + 1, ⌊growth · N⌋)
    double runningAverage = 0.9;                 ///< weight of the past in the running recall
    std::int64_t batchSequences = 32, batchTokens = 1536;   ///< sequences in a step: at least the first, and as many as fill the second
    std::int64_t microBatchSequences = 0;        ///< sequences in one forward pass; 0: all of the step's
    bool checkpointBlocks = false;               ///< recompute blocks in backward

    double learningRate = 2e-3, weightDecay = 0.0, clipNorm = 1.0;
    distillation::AdamWOptions adamw;
    distillation::Schedule schedule{distillation::ScheduleKind::Constant, 100};
    std::int64_t steps = 2500;                   ///< at most, in one attempt

    double solvedRecall = 0.985;                 ///< on the held-out sequences
    std::int64_t extraSteps = 250;               ///< after that; the learning rate falls to zero along them
    std::int64_t evaluateEvery = 25;
    std::int64_t restartStep = 600;              ///< with the first pairs unlearned at this step, start again from the next seed; 0: never
    std::int64_t restarts = 4;

    std::uint64_t seed = 1;
    at::ScalarType computeType = at::kFloat;
    at::Device device = at::kCPU;
};

/// Where a training stands.
struct TeacherProgress {
    std::int64_t attempt = 0;                    ///< restarts so far
    std::int64_t attemptStep = 0;                ///< steps of this attempt
    std::int64_t pairs = 0, length = 0;          ///< of the task just now
    double runningRecall = 0.0, loss = 0.0;      ///< loss of the last step, nats
    std::int64_t grewAt = -1;                    ///< step at which the first pairs were learned; -1: not yet
    std::int64_t solvedAt = -1;                  ///< step after which the held-out recall was high enough; -1: not yet
};

/// Trains a Transformer on MQAR-mix from scratch, from few pairs in short sequences to the full task (recall does not form from a full-size start).
/// Loss: mean cross-entropy of the tokens that can be known + otherTokensWeight × that of all others, so that the teacher is a language model of its
/// whole task and not only right where it is asked.
class TeacherTraining final : public distillation::TrainingStage {
public:
    /// \param heldOut  sequences of the full task that decide when it is solved. \throws Error(Usage) for a plan that cannot be.
    TeacherTraining(TeacherPlan plan, std::vector<text::RecallSequence> heldOut);

    [[nodiscard]] std::int64_t step() const override { return m_step; }
    [[nodiscard]] std::int64_t totalSteps() const override;    ///< an upper bound until the task is solved
    [[nodiscard]] std::int64_t tokens() const override { return m_tokens; }
    void advance(std::stop_token stop) override;               ///< \throws Error(Failed) when no restart is left
    [[nodiscard]] distillation::TrainingState state(bool withOptimizer) const override;
    void restore(const distillation::TrainingState &state) override;
    [[nodiscard]] std::optional<std::vector<distillation::NamedTensor>> nonFinite() const override { return m_nonFinite; }

    [[nodiscard]] const TeacherProgress &progress() const { return m_progress; }
    /// Seed of the attempt that is running: the plan's plus its restarts.
    [[nodiscard]] std::uint64_t attemptSeed() const { return m_plan.seed + static_cast<std::uint64_t>(m_progress.attempt); }
    [[nodiscard]] nn::Transformer &model() { return m_model; }
    [[nodiscard]] const std::vector<text::RecallSequence> &heldOut() const { return m_heldOut; }

private:
    struct StepBatch;
    void startAttempt();
    void makeOptimizer();
    [[nodiscard]] std::int64_t stepSequences() const;
    [[nodiscard]] StepBatch drawBatch() const;
    [[nodiscard]] double learningRateFactor() const;
    /// Adds the gradients of some rows and counts what they got right.
    void learnRows(const StepBatch &rows, const std::stop_token &stop, double &loss, std::int64_t &right) const;
    /// Leaves the gradients of a whole step. \return its recall.
    [[nodiscard]] double learn(const StepBatch &batch, const std::stop_token &stop);
    /// Keeps what is not finite for `nonFinite`. \throws Error(NonFinite), always
    [[noreturn]] void refuseNonFinite(const char *what);
    void restartIfStuck();
    void growTask(double recall);
    void noteWhetherSolved(const std::stop_token &stop);

    TeacherPlan m_plan;
    text::RecallMix m_task;
    std::vector<text::RecallSequence> m_heldOut;
    nn::Transformer m_model;
    std::unique_ptr<distillation::AdamW> m_optimizer;
    TeacherProgress m_progress;
    std::optional<std::vector<distillation::NamedTensor>> m_nonFinite;   ///< of a step that failed
    std::int64_t m_step = 0, m_tokens = 0;
};

/// Held-out recall when the softmax attention of one layer at a time writes nothing: where retrieval stands. [L]
[[nodiscard]] std::vector<double> recallWithoutEachAttention(const nn::Transformer &teacher, const std::vector<text::RecallSequence> &sequences, at::ScalarType computeType,
                                                            std::stop_token stop = {});

}  // namespace stillroom::procedures
