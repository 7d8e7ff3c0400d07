// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace stillroom::test {

using DifferentiableFunction = std::function<at::Tensor(const std::vector<at::Tensor> &)>;

/// Largest difference between autograd's gradient of Σ f(inputs) ∘ c (c fixed, not constant) and central differences in double,
/// relative to the largest gradient entry.
inline double gradientError(const DifferentiableFunction &f, std::vector<at::Tensor> inputs, double step = 1e-6)
{
    for (at::Tensor &input : inputs) {
        input = input.detach().clone().requires_grad_();
    }
    const at::Tensor y = f(inputs);
    const at::Tensor c = at::arange(y.numel(), at::TensorOptions(at::kDouble)).mul(0.37).sin().add(0.2).view(y.sizes());
    (y * c).sum().backward();
    double worst = 0.0, largest = 1e-30;
    const at::NoGradGuard noGrad;
    for (const at::Tensor &input : inputs) {
        const at::Tensor flat = input.view(-1), gradient = input.grad().reshape(-1);
        for (std::int64_t i = 0; i < flat.numel(); ++i) {
            const double before = flat[i].item<double>();
            flat[i].fill_(before + step);
            const double above = (f(inputs) * c).sum().item<double>();
            flat[i].fill_(before - step);
            const double below = (f(inputs) * c).sum().item<double>();
            flat[i].fill_(before);
            worst = std::max(worst, std::abs((above - below) / (2 * step) - gradient[i].item<double>()));
        }
        largest = std::max(largest, gradient.abs().max().item<double>());
    }
    return worst / largest;
}

}  // namespace stillroom::test
