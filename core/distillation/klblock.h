// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

/// Arithmetic of the KL head on a block of rows small enough that its temporaries do not count. R rows, V vocabulary.
namespace stillroom::distillation {

/// Weights of the terms of one row's loss, each already divided by its normaliser.
struct TermWeights {
    double temperature = 1.0;
    double kl = 1.0, reverseKl = 0.0, crossEntropy = 0.0;
};

/// Σ over the rows of one block, per row in float64 where it is summed further.
struct BlockSums {
    at::Tensor kl_R;                  ///< nats at the temperature
    at::Tensor reverseKl_R;           ///< undefined when its weight is 0
    at::Tensor crossEntropy_R;        ///< undefined when its weight is 0; 0 where there is no label
};

/// Teacher logits become log softmax(z / τ), in place.
void teacherLogProbabilities(at::Tensor logits_RV, double temperature);

/// Losses of a block, Σ_v p_T d + (p_S - p_T) with d = log p_T - log p_S. With `gradient`, the student's logits become the gradient of
/// Σ_rows τ² (w KL + w_r RKL) + w_c CE with respect to them, in place.
/// \param labels_R  int64 on the logits' device, negative: none. Undefined when crossEntropy is 0.
[[nodiscard]] BlockSums klBlock(const at::Tensor &teacherLogProbabilities_RV, at::Tensor logits_RV, const at::Tensor &labels_R, const TermWeights &weights, bool gradient);

/// Temporaries of `klBlock` alive at once, in tensors of the block's size.
[[nodiscard]] constexpr int klBlockTemporaries(bool reverseKl, bool crossEntropy) { return 4 + (reverseKl ? 1 : 0) + (crossEntropy ? 1 : 0); }

}  // namespace stillroom::distillation
