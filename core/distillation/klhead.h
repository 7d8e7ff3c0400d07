// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include <ATen/core/Tensor.h>

/// Shape legend: N tokens, C tokens of one slice, V vocabulary (the smaller one), D width of a head's input (teacher's and student's may differ).
namespace stillroom::distillation {

/// Final-normed hidden states and the output matrix that makes logits of them.
struct Head {
    at::Tensor hidden_ND;   ///< [N,D] or [B,T,D]; float32, bfloat16 or float64
    at::Tensor weight_VD;   ///< fp32 (fp64) master; trains when it requires a gradient
};

struct KlHeadOptions {
    double temperature = 1.0;          ///< τ of both KL terms
    double klWeight = 1.0;             ///< forward KL(teacher ‖ student)
    double reverseKlWeight = 0.0;      ///< KL(student ‖ teacher)
    double crossEntropyWeight = 0.0;   ///< next-token cross-entropy (at temperature 1)
    double normaliser = 0.0;           ///< what the summed loss is divided by: the counted tokens of the whole accumulation window; 0: of this call
    double crossEntropyNormaliser = 0.0;   ///< the same for the cross-entropy: the labelled tokens of the window; 0: of this call
    std::int64_t budgetBytes = 0;      ///< all that a call with one student allocates, results included; 0: results + 256 MiB and a block. See klHeadBytes
    std::stop_token stop;              ///< read at every slice; Error(Cancelled)
};

/// One student's loss.
struct HeadLoss {
    at::Tensor loss;                   ///< scalar fp32 (fp64), differentiable: Σ_t τ² (w KL_t + w_r RKL_t) / normaliser + Σ_t w_c CE_t / crossEntropyNormaliser
    at::Tensor klSum, reverseKlSum, crossEntropySum;   ///< float64 scalars on the device, no gradient: Σ over counted tokens in nats (KL at temperature τ, without τ²); undefined where the weight is 0 (klSum is always there)
};

/// Losses of one or several students against one teacher, slice by slice: logits [N,V] never exist whole.
///     KL_t = Σ_v p_T (log p_T - log p_S),  p = softmax(z / τ);   dz_S = τ (p_S - p_T) / normaliser      (Hinton et al. 2015: the factor τ²)
/// Logits are cut to the smaller vocabulary before the softmax. Losses and gradients of the heads' inputs (and of the weights that train) are made
/// here, in fp32 (fp64 for fp64 inputs); backward only rescales them. The teacher's logits of a slice are computed once for all students.
/// On CUDA bfloat16 hidden states use bfloat16 matmuls with fp32 accumulation and output; elsewhere matmuls are fp32.
/// KL is summed as Σ p_T d + (p_S - p_T), d = log p_T - log p_S: the same number, but rounding of the log-sum-exps cancels, and equal logits give exactly 0.
/// \param counted_N  bool on the CPU, numel N: tokens that count; undefined: all. Other tokens are never read and get gradient 0.
/// \param labels_N   int64 on the CPU; needed for cross-entropy, negative: none.
/// \return one loss per student, each with its own backward: a student's graph can be freed before the next one's backward.
/// The slice length depends on the budget and the shapes, not on the number of students: one or many in lock-step give the same bits.
/// \throws Error(Usage) when shapes do not fit, a weight is negative, the budget holds no slice (names the least), or a label is outside the vocabulary;
///         Error(Cancelled).
[[nodiscard]] std::vector<HeadLoss> klHead(const Head &teacher, std::span<const Head> students, const at::Tensor &counted_N, const at::Tensor &labels_N, const KlHeadOptions &options);

/// What `klHead` allocates for one student. Not counted: the workspace that cuBLAS takes at a process's first matmul on a stream and keeps ever after
/// (32 MiB on Hopper), because it belongs to the process and not to a call.
struct KlHeadBytes {
    std::int64_t results = 0;     ///< gradient of the hidden states, and fp32 gradient of the head when it trains: stays until backward; once per student
    std::int64_t casts = 0;       ///< the teacher's head in the compute type (0 where nothing is cast)
    std::int64_t castsPerStudent = 0;   ///< a student's head in the compute type; once per student that does not share the teacher's
    std::int64_t perToken = 0;    ///< of a slice, per token
    std::int64_t perBlockRow = 0; ///< temporaries of a block of rows within a slice, per row
    std::int64_t blockRows = 0;   ///< of a block at most; a shorter slice is one block
    std::int64_t sliceTokens = 0; ///< C
    [[nodiscard]] std::int64_t blocks() const { return perBlockRow * std::min(blockRows, sliceTokens); }
    [[nodiscard]] std::int64_t total() const { return results + casts + castsPerStudent + blocks() + perToken * sliceTokens; }
};
/// \throws Error(Usage) when the budget holds no slice.
[[nodiscard]] KlHeadBytes klHeadBytes(const Head &teacher, const Head &student, const KlHeadOptions &options);

/// Σ_v KL per token in float64, one [N] per student (nats, temperature 1), without gradients; uncounted tokens are 0. Logits fp32 (fp64 for fp64
/// inputs). The teacher's logits of a slice are computed once for all students, and every student gets the bits that it would get alone.
/// `budgetBytes` as above, but for the results: 8 N bytes a student. \throws as klHead.
[[nodiscard]] std::vector<at::Tensor> klPerToken(const Head &teacher, std::span<const Head> students, const at::Tensor &counted_N, std::int64_t budgetBytes, std::stop_token stop);

/// What `klPerToken` allocates for one student: of several, results and castsPerStudent (a student's head where it is of another type than its logits, the teacher's own too) are there for each. \throws as klHeadBytes
[[nodiscard]] KlHeadBytes klPerTokenBytes(const Head &teacher, const Head &student, std::int64_t budgetBytes);

}  // namespace stillroom::distillation
