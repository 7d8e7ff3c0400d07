// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace stillroom::evaluation {

/// Next-token cross-entropy of each sequence: the mean of -log p over its labelled tokens, nats per token, summed in float64. exp of it is the perplexity.
struct SequenceLosses {
    std::vector<double> nats;
    std::vector<std::int64_t> tokens;       ///< labelled ones
};

/// Logits of a few hundred tokens exist at a time, in fp32 (fp64 for fp64 states).
/// \param hidden_BTD  after the final norm. \param head_VD  output matrix. \param labels_BT  int64 on the CPU, negative: none.
/// \throws Error(Usage) for a sequence without a label or a label outside the vocabulary; Error(NonFinite) naming the row.
[[nodiscard]] SequenceLosses sequenceLosses(const at::Tensor &hidden_BTD, const at::Tensor &head_VD, const at::Tensor &labels_BT);

/// Share of each sequence's labelled tokens whose likeliest next token (ties: lower id) is not the label. The same arguments and errors.
[[nodiscard]] std::vector<double> sequenceErrors(const at::Tensor &hidden_BTD, const at::Tensor &head_VD, const at::Tensor &labels_BT);

/// Bytes that either of them allocates at most. \param labels  of one sequence; the types are those of the hidden states and of the output matrix
[[nodiscard]] std::int64_t sequenceLossBytes(std::int64_t labels, const at::Tensor &head_VD, at::ScalarType stateType);

}  // namespace stillroom::evaluation
