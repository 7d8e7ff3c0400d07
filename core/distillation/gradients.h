// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

namespace stillroom::distillation {

/// Gradients that are measured and scaled together: a whole student in stage 2, one layer in stage 1.
struct GradientGroup {
    std::vector<at::Tensor> gradients;
};

/// Square root of the sum of squares of each group, as a float64 tensor [numGroups] on the gradients' device: no sync, for callers that
/// bring more numbers home in the same transfer. Infinite or NaN where a gradient is. An empty group has norm 0.
[[nodiscard]] at::Tensor gradientNorms(std::span<const GradientGroup> groups);

/// Global-norm clipping: gradients × min(1, maxNorm / (norm + 1e-6)) (PyTorch's formula), each group by itself. maxNorm 0: no clipping.
/// `prescale` (one per group, or empty) multiplies first, in the same pass: 1 / (normaliser of the accumulation window).
/// \param norms  of the gradients as they are, on the host.  \return the norm of each group after `prescale`, before clipping.
std::vector<double> scaleAndClip(std::span<const GradientGroup> groups, std::span<const double> norms, std::span<const double> prescale, double maxNorm);

}  // namespace stillroom::distillation
