// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

/// The short causal depthwise convolution in front of a recurrence.
/// Legend: B batch, T tokens, C channels, W taps.
namespace stillroom::mixers {

struct ShortConvolution {
    at::Tensor y_BTC;        ///< in fp32 (fp64 for fp64 x), before any activation
    at::Tensor history_BPC;  ///< P = W − 1: the last inputs of each row's last document, zero where it has fewer; in the type of x
};

/// y_t[c] = Σ_j w[c,j] x_{t−(W−1)+j}[c], sums in fp32: the last tap multiplies the current token (fla's and transformers' order).
/// Padding counts as if it were not there, and no token sees another document: the result is that of each document alone.
/// \param history_BPC    inputs before these tokens, of the document that each row begins with; undefined: zeros.
/// \param documents_BT   as in nn::TokenPlaces; undefined: one document, no padding.
/// \param weight_C1W     fp32 master.
[[nodiscard]] ShortConvolution shortConvolution(const at::Tensor &x_BTC, const at::Tensor &weight_C1W, const at::Tensor &history_BPC, const at::Tensor &documents_BT);

}  // namespace stillroom::mixers
