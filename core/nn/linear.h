// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

namespace stillroom::nn {

/// y = x Wᵀ + b with the fp32 masters cast to the type of x. W [out,in]; bias may be undefined.
[[nodiscard]] at::Tensor linear(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias = {});

/// RMSNorm over the last dimension: x / sqrt(mean x² + eps) ∘ w, in fp32 (fp64 for fp64 x), one cast back to the type of x.
/// `weight` undefined: no gain.
[[nodiscard]] at::Tensor rmsNorm(const at::Tensor &x, const at::Tensor &weight, double eps);

/// x / sqrt(sum x² + eps) over the last dimension: the L2 norm of delta rules, eps inside the root (finite gradient at 0).
[[nodiscard]] at::Tensor l2Norm(const at::Tensor &x, double eps = 1e-6);

}  // namespace stillroom::nn
