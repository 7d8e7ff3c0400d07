// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/adamw.h"
#include "distillation/trainingcheckpoint.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace stillroom::distillation {

/// A training that goes step by step and can be stopped between any two.
class TrainingStage {
public:
    virtual ~TrainingStage() = default;
    [[nodiscard]] virtual std::int64_t step() const = 0;         ///< complete optimizer steps
    [[nodiscard]] virtual std::int64_t totalSteps() const = 0;
    [[nodiscard]] virtual std::int64_t tokens() const = 0;       ///< counted tokens seen
    /// One optimizer step, whole or not at all: when it throws (Cancelled, NonFinite, OutOfMemory), weights and moments are as before.
    virtual void advance(std::stop_token stop) = 0;
    /// Handles, not copies: valid until the next step.
    [[nodiscard]] virtual TrainingState state(bool withOptimizer) const = 0;
    /// \throws Error(BadFile) when the state does not fit.
    virtual void restore(const TrainingState &state) = 0;
    /// What was not finite where `advance` looked at its losses and gradients, threw NonFinite and said the step: names for a file and handles, until the next
    /// step; none where the loss alone was not. Empty after any other step, and where something below threw, which knows no step.
    [[nodiscard]] virtual std::optional<std::vector<NamedTensor>> nonFinite() const { return std::nullopt; }
};

struct TrainingLoopOptions {
    std::filesystem::path checkpointFolder;          ///< empty: no checkpoints
    std::string key;                                 ///< of the spec
    double checkpointSeconds = 300.0;
    bool resume = true;                              ///< take up the newest checkpoint of the same key
    std::function<double()> clockSeconds;            ///< monotone; empty: std::chrono::steady_clock
    std::stop_token stop;
    std::function<void()> onStep;                    ///< after each complete step (and once at the start, step() == where it starts)
    std::function<void(std::int64_t step, std::int64_t tokens, const std::filesystem::path &path)> onCheckpoint;
};

/// Advances `stage` to its end. Checkpoints every `checkpointSeconds`; when stopped or failed, one of the last complete step is written first
/// (unless it is there already), then the error goes on; one that something is not finite says in which step, and what it was is left beside the checkpoints. At the end the final state is written and the optimizer's dropped.
/// A stage whose final state is there is restored and not run again.
/// \throws Error(Cancelled | NonFinite | OutOfMemory | Io | …)
void runTraining(TrainingStage &stage, const TrainingLoopOptions &options);

}  // namespace stillroom::distillation
