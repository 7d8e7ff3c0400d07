// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "distillation/klhead.h"
#include "nn/transformer.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace stillroom::distillation {

/// Held-out KL(teacher ‖ student), paired: every student is measured on the same sequences, so differences can be taken sequence by sequence.
struct HeldOutKl {
    std::vector<double> klNats;          ///< per sequence: mean over its counted tokens, nats per token, ≥ 0 up to rounding
    std::vector<std::int64_t> tokens;    ///< counted tokens per sequence
    [[nodiscard]] double mean() const;   ///< over sequences, each weighing the same
    [[nodiscard]] double se() const;     ///< standard error of the mean over sequences: s / √n, s with n-1; NaN for one sequence
    [[nodiscard]] std::int64_t totalTokens() const;
    void append(const HeldOutKl &more);  ///< the sequences of another batch
};
/// a - b sequence by sequence, for paired standard errors. \throws Error(Usage) when they were measured on different sets.
[[nodiscard]] HeldOutKl pairedDifference(const HeldOutKl &a, const HeldOutKl &b);

struct HeldOutOptions {
    at::ScalarType computeType = at::kFloat;      ///< of the blocks; logits and softmax are fp32, sums float64
    std::int64_t keepBytes = std::int64_t{1} << 30;   ///< teacher's hidden states are kept up to this many bytes; those beyond are computed anew each time
    std::int64_t waitingBytes = std::int64_t{1} << 28;   ///< students' hidden states of a batch that wait to share the teacher's logits, in bytes; one student always may
    std::int64_t headBudgetBytes = 0;             ///< see KlHeadOptions::budgetBytes
    std::stop_token stop;
};

/// How many students' hidden states of `bytes` each wait at a time.
[[nodiscard]] std::int64_t mostWaiting(std::int64_t bytes, const HeldOutOptions &options);

/// A fixed set of held-out sequences and what the teacher says to them.
class HeldOutSet final {
public:
    /// Runs the teacher once. Sequences without a counted token are refused.
    /// \throws Error(Usage); Error(Cancelled); Error(NonFinite) when the teacher's hidden states are not finite.
    HeldOutSet(const nn::Transformer &teacher, std::vector<Batch> batches, HeldOutOptions options);

    /// \throws Error(NonFinite) naming the sequence; Error(Cancelled); Error(Usage) while CUDA matmuls may use TF32.
    [[nodiscard]] HeldOutKl measure(const nn::Transformer &student) const;
    /// Several students whose heads have one shape: the teacher's logits of a slice serve all that wait (HeldOutOptions::waitingBytes),
    /// and each gets the bits it would get alone.
    [[nodiscard]] std::vector<HeldOutKl> measure(std::span<const nn::Transformer> students) const;

    /// The parts of `measure`, for callers that share a prefix of the forward pass among students: see StudentsOnBatch.
    [[nodiscard]] std::size_t numBatches() const { return m_batches.size(); }
    [[nodiscard]] const Batch &batch(std::size_t index) const { return m_batches[index]; }
    [[nodiscard]] nn::TokenPlaces places(std::size_t index) const;   ///< on the teacher's device
    /// The sequences of one batch, for each student: hidden states [B,T,D] after the final norm and the student's output matrix.
    [[nodiscard]] std::vector<HeldOutKl> measureBatch(std::size_t index, std::span<const Head> students) const;
    /// The teacher's states of one batch after the final norm, [B,T,D]: kept, or computed anew.
    [[nodiscard]] at::Tensor teacherHidden(std::size_t index) const;
    [[nodiscard]] const HeldOutOptions &options() const { return m_options; }

    [[nodiscard]] std::int64_t numSequences() const;
    [[nodiscard]] std::int64_t keptBytes() const;

private:
    [[nodiscard]] std::int64_t firstSequence(std::size_t index) const;

    nn::Transformer m_teacher;               ///< handles
    std::vector<Batch> m_batches;
    std::vector<at::Tensor> m_hidden_BTD;    ///< undefined where it is computed anew
    HeldOutOptions m_options;
};

/// Students that are measured on one batch together: each one's hidden states wait until `waitingBytes` are reached or all are there, so that the
/// teacher's logits of a slice are computed once for a group instead of once for each.
class StudentsOnBatch final {
public:
    /// \param set  must outlive this.
    StudentsOnBatch(const HeldOutSet &set, std::size_t index) : m_set(set), m_index(index) {}
    /// \param into  gets the batch's sequences, at the latest in `finish`; must stay where it is until then.
    /// \param hidden_BTD  after the final norm. \throws as HeldOutSet::measure
    void add(HeldOutKl &into, const at::Tensor &hidden_BTD, const at::Tensor &head_VD);
    void finish();
    /// Output matrices multiplied so far, the teacher's included, each with all the batch's tokens.
    [[nodiscard]] std::int64_t headEvaluations() const { return m_headEvaluations; }

private:
    const HeldOutSet &m_set;
    std::size_t m_index;
    std::vector<HeldOutKl *> m_into;
    std::vector<Head> m_waiting;
    std::int64_t m_headEvaluations = 0;
};

}  // namespace stillroom::distillation
