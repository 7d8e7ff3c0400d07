// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/initial.h"

#include "nn/seed.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

namespace stillroom::mixers {

void drawUniform(at::Tensor &tensor, double low, double high, const std::string &name, int layer, std::uint64_t seed)
{
    at::NoGradGuard noGrad;
    const auto generator = nn::generatorFor(seed, "mixer-init/" + name, layer);
    tensor.copy_(at::empty(tensor.sizes(), at::TensorOptions().dtype(at::kFloat)).uniform_(low, high, generator));
}

void drawLinear(at::Tensor &tensor, std::int64_t fanIn, const std::string &name, int layer, std::uint64_t seed)
{
    const double bound = 1.0 / std::sqrt(static_cast<double>(fanIn));
    drawUniform(tensor, -bound, bound, name, layer, seed);
}

void drawDecayRate(at::Tensor &aLog_H, const std::string &name, int layer, std::uint64_t seed)
{
    at::NoGradGuard noGrad;
    constexpr double smallest = 1e-6;   // U(0, 16) may draw 0, whose logarithm is no number to train from
    drawUniform(aLog_H, 0.0, 16.0, name, layer, seed);
    aLog_H.clamp_min_(smallest).log_();
}

void drawTimeStep(at::Tensor &dtBias_H, const std::string &name, int layer, std::uint64_t seed)
{
    at::NoGradGuard noGrad;
    drawUniform(dtBias_H, std::log(1e-3), std::log(1e-1), name, layer, seed);
    const auto dt_H = dtBias_H.to(at::kDouble).exp();
    dtBias_H.copy_(dt_H + (-(-dt_H).expm1()).log());
}

}  // namespace stillroom::mixers
