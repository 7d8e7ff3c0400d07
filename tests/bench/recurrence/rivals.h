// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "recurrence/recurrence.h"

/// What the recurrence is measured against: the same mathematics under plain autograd.
namespace stillroom::bench {

/// The chunk formula in whole-tensor operations, vectorised over chunks, 64 tokens each: gated delta rule (scalar decay, tied `a`) or
/// gated linear attention (per-channel decay, additive). T must be a multiple of 64. Returns o [B,T,H,V].
[[nodiscard]] at::Tensor eagerChunks(const recurrence::Inputs &inputs);

/// One token at a time over `unbind`, all batch rows and heads at once. Returns o [B,T,H,V].
[[nodiscard]] at::Tensor tokenLoop(const recurrence::Inputs &inputs);

}  // namespace stillroom::bench
