// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/heldoutkl.h"
#include "distillation/stageone.h"
#include "nn/transformer.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace stillroom::selection {

/// What is measured of a student on the held-out set: a mean for each sequence.
enum class HeldOutMeasure {
    Kl,            ///< KL(teacher ‖ student), nats per counted token
    Loss,          ///< next-token cross-entropy, nats per predicted token: the logarithm of the perplexity
    HiddenError,   ///< mean of (h_S - h_T)² over counted tokens and channels, h after the final norm
};

/// What is known and wanted of the base.
enum class BranchBase {
    Measured,      ///< as any student
    Teacher,       ///< it is the teacher: its pass ends at the last scored layer, because the held-out set knows what the teacher says in the end
    Unmeasured,    ///< its pass ends there too
};

/// By sequence of the held-out set, in its order.
struct BranchScores {
    std::vector<int> layers;
    std::vector<std::vector<double>> branches;         ///< by position in `layers`
    std::vector<double> base;                          ///< of the base model; KL and hidden error of the teacher are 0 without being computed
    std::vector<std::int64_t> tokens;                  ///< behind each sequence's mean
    std::int64_t blockEvaluations = 0;                 ///< per batch: those of the base and L - l of each scored layer l, instead of (n + 1) L
    std::int64_t headEvaluations = 0;                  ///< per batch, for KL: n + 1 students and the teacher once a group, instead of 2 (n + 1)
};

struct BranchOptions {
    std::vector<int> layers;                           ///< empty: all
    HeldOutMeasure measure = HeldOutMeasure::Kl;
    BranchBase base = BranchBase::Measured;
    std::function<void(std::int64_t batchesDone, std::int64_t batches)> progress;
    /// Called after each batch with what is known so far, so that bars can grow. May be empty.
    std::function<void(const BranchScores &)> onBatch;
    std::stop_token stop;
};

/// Students that differ from `base` in one layer each, where they take the block of `other`: base all-linear and other the teacher is zero-shot GA;
/// base the teacher and other all-linear is zero-shot GR; base the teacher and other `withoutAttention` are the bypass selectors.
/// The student of layer l equals the base up to there, so it branches off one pass of the base, and only layers l … L-1 are computed for it alone
/// (spec kl-selection §8.3). The teacher's logits of a slice serve all students whose hidden states wait together (HeldOutOptions::waitingBytes
/// bounds them; beside them only the pass itself is in memory, whatever L is). The same operations on the same values as one forward per student:
/// every bit of every number is equal.
/// \throws Error(Usage) for a layer out of range; Error(Cancelled); Error(NonFinite).
[[nodiscard]] BranchScores scoreBranches(const nn::Transformer &base, const nn::Transformer &other, const distillation::HeldOutSet &heldOut, const BranchOptions &options);

/// One model measured as `scoreBranches` measures its students: a value for each sequence. \throws as scoreBranches
[[nodiscard]] std::vector<double> measureHeldOut(const nn::Transformer &student, const distillation::HeldOutSet &heldOut, HeldOutMeasure measure, std::stop_token stop = {});

/// What measuring students on a batch of `sequences` × `length` tokens allocates beside their passes. Legend: N tokens, D width of hidden states after the final norm.
///     KL: N D of each student that waits (HeldOutOptions::waitingBytes bounds them), and klPerTokenBytes; loss: sequenceLossBytes; hidden error: four of N D in float64.
/// \param students  that are measured together. \throws Error(Usage) for a KL head's budget that holds no slice
[[nodiscard]] std::int64_t measureBytes(const nn::Transformer &teacher, HeldOutMeasure measure, const distillation::HeldOutOptions &options, std::int64_t sequences, std::int64_t length, std::int64_t students);

/// The teacher with every attention output zero; residual streams, norms and MLPs are the teacher's. Handles.
[[nodiscard]] nn::Transformer withoutAttention(const nn::Transformer &teacher);

}  // namespace stillroom::selection
