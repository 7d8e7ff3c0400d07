// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"

#include <cstdint>
#include <stop_token>

namespace stillroom::evaluation {

/// The likeliest next token (ties: lower id) after some positions, on the CPU. Logits of a slice of positions exist at a time.
/// \param ids_BT  unpadded rows. \param positions_N  row · T + t. \throws Error(NonFinite); Error(Cancelled)
[[nodiscard]] at::Tensor likeliestNext(const nn::Transformer &model, const at::Tensor &ids_BT, const at::Tensor &positions_N, at::ScalarType computeType, const std::stop_token &stop);

/// Bytes that it allocates at most beside the forward pass. \param positions  asked about in one call
[[nodiscard]] std::int64_t likeliestBytes(const nn::Transformer &model, std::int64_t positions, at::ScalarType computeType);

}  // namespace stillroom::evaluation
