// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "nn/transformer.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace stillroom::distillation {

/// Held-out KL(teacher ‖ student), paired: every student is measured on the same sequences, so differences can be taken sequence by sequence.
struct HeldOutKl {
    std::vector<double> klNats;          ///< per sequence: mean over its counted tokens, nats per token, ≥ 0 up to rounding
    std::vector<std::int64_t> tokens;    ///< counted tokens per sequence
    [[nodiscard]] double mean() const;   ///< over sequences, each weighing the same
    [[nodiscard]] double se() const;     ///< standard error of the mean over sequences: s / √n, s with n-1; 0 for one sequence
    [[nodiscard]] std::int64_t totalTokens() const;
};
/// a - b sequence by sequence, for paired standard errors. \throws Error(Usage) when they were measured on different sets.
[[nodiscard]] HeldOutKl pairedDifference(const HeldOutKl &a, const HeldOutKl &b);

struct HeldOutOptions {
    at::ScalarType computeType = at::kFloat;      ///< of the blocks; logits and softmax are fp32, sums float64
    std::int64_t keepBytes = std::int64_t{1} << 30;   ///< teacher's hidden states are kept up to this many bytes; those beyond are computed anew each time
    std::int64_t headBudgetBytes = 0;             ///< see KlHeadOptions::budgetBytes
    std::stop_token stop;
};

/// A fixed set of held-out sequences and what the teacher says to them.
class HeldOutSet final {
public:
    /// Runs the teacher once. Sequences without a counted token are refused.
    /// \throws Error(Usage); Error(Cancelled); Error(NonFinite) when the teacher's hidden states are not finite.
    HeldOutSet(const nn::Transformer &teacher, std::vector<Batch> batches, HeldOutOptions options);

    /// \throws Error(NonFinite) naming the sequence; Error(Cancelled); Error(Usage) while CUDA matmuls may use TF32.
    [[nodiscard]] HeldOutKl measure(const nn::Transformer &student) const;

    /// The parts of `measure`, for callers that share a prefix of the forward pass among students.
    [[nodiscard]] std::size_t numBatches() const { return m_batches.size(); }
    [[nodiscard]] const Batch &batch(std::size_t index) const { return m_batches[index]; }
    [[nodiscard]] nn::TokenPlaces places(std::size_t index) const;   ///< on the teacher's device
    /// Adds the sequences of one batch: hidden_BTD after the final norm, head_VD the student's.
    void append(HeldOutKl &into, std::size_t index, const at::Tensor &hidden_BTD, const at::Tensor &head_VD) const;

    [[nodiscard]] std::int64_t numSequences() const;
    [[nodiscard]] std::int64_t keptBytes() const;

private:
    [[nodiscard]] at::Tensor teacherHidden(std::size_t index) const;

    nn::Transformer m_teacher;               ///< handles
    std::vector<Batch> m_batches;
    std::vector<at::Tensor> m_hidden_BTD;    ///< undefined where it is computed anew
    HeldOutOptions m_options;
};

}  // namespace stillroom::distillation
