// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include <ATen/core/Tensor.h>

#include "recurrence/arguments.h"
#include "recurrence/recurrence.h"

namespace stillroom::recurrence {

/// What the chunked form gives, and the states it keeps for its backward.
struct ScanResult {
    at::Tensor o_BTHV;
    at::Tensor finalState_BHKV;
    at::Tensor starts_NPKV;  ///< state at the start of each chunk, in `form.type`; P = B·H
};

/// One gradient per tensor of Inputs, in its type; undefined where the input is.
struct Gradients {
    at::Tensor q_BTHK, k_BTHK, v_BTHV, g, a_BTHK, b_BTHK, initialState_BHKV;
};

/// The chunked form in whole-tensor operations: runs on every device. All scores of all chunks are built in parallel, then one
/// pass over the chunks carries the state, then all outputs are read in parallel. Throws Error(Cancelled) between chunks.
[[nodiscard]] ScanResult tensorForward(const Inputs &inputs, const Form &form, const std::stop_token &stop);

/// Gradients of all inputs from those of the outputs (either may be undefined: zero). Recomputes scores and written values.
[[nodiscard]] Gradients tensorBackward(const Inputs &inputs, const Form &form, const at::Tensor &starts_NPKV, const at::Tensor &oGrad_BTHV,
                                       const at::Tensor &finalStateGrad_BHKV, const std::stop_token &stop);

/// \throws Error(Cancelled) if a stop was asked for.
void throwIfStopped(const std::stop_token &stop);

}  // namespace stillroom::recurrence
