// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "recurrence/tensorscan.h"

namespace stillroom::recurrence {

/// The chunked form on the CPU: the kernel of kernel/headcall.h over all batch rows and heads, in parallel where torch has threads.
/// Same results as tensorForward up to rounding. `keepStarts` false: starts are not kept, for passes without a backward.
[[nodiscard]] ScanResult headForward(const Inputs &inputs, const Form &form, bool keepStarts, const std::stop_token &stop);

[[nodiscard]] Gradients headBackward(const Inputs &inputs, const Form &form, const at::Tensor &starts_NPKV, const at::Tensor &oGrad_BTHV,
                                     const at::Tensor &finalStateGrad_BHKV, const std::stop_token &stop);

}  // namespace stillroom::recurrence
