// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

/// Random starting values of a mixer's new parameters.
namespace stillroom::mixers {

/// Fills `tensor` from U(low, high), drawn in fp32 on the CPU by a generator of its own from (seed, "mixer-init/" + name, layer):
/// the same whatever else is drawn, wherever the tensor lives.
void drawUniform(at::Tensor &tensor, double low, double high, const std::string &name, int layer, std::uint64_t seed);

/// The default of a linear layer without a nonlinearity behind it: U(± 1/√fan_in) for a weight [out, fan_in…], or its bias.
void drawLinear(at::Tensor &tensor, std::int64_t fanIn, const std::string &name, int layer, std::uint64_t seed);

/// A_log = ln A with A ~ U(0, 16) [heads].
void drawDecayRate(at::Tensor &aLog_H, const std::string &name, int layer, std::uint64_t seed);

/// dt_bias = softplus⁻¹(dt) with dt log-uniform in [1e-3, 1e-1] [heads].
void drawTimeStep(at::Tensor &dtBias_H, const std::string &name, int layer, std::uint64_t seed);

}  // namespace stillroom::mixers
