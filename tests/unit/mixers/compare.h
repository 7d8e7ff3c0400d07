// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/tinymodel.h"
#include "nn/tokenmixer.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

/// What the tests of this room share.
namespace stillroom::mixers::test {

using stillroom::test::relativeError;
using stillroom::test::tinyConfig;
using stillroom::test::tinyModel;

/// tinyConfig with biases on q, k, v, o and with q/k norms, as asked for.
[[nodiscard]] checkpoint::ModelConfig tinyTeacherWith(bool biases, bool qkNorm);
/// Standard normal values from their own generator.
[[nodiscard]] at::Tensor randomNormal(at::IntArrayRef sizes, std::uint64_t seed, at::ScalarType type = at::kDouble);

using NamedTensors = std::map<std::string, at::Tensor>;
[[nodiscard]] NamedTensors parametersOf(nn::TokenMixer &mixer);
/// Replaces every parameter by a leaf of the given type that wants a gradient.
void trainIn(nn::TokenMixer &mixer, at::ScalarType type);

struct Pass {
    at::Tensor y_BTD, dx_BTD;
    NamedTensors gradients;   ///< of sum(y ∘ dy), per parameter
};
/// Forward without a state, and backward.
[[nodiscard]] Pass forwardBackward(nn::TokenMixer &mixer, const at::Tensor &x_BTD, const at::Tensor &dy_BTD, const nn::TokenPlaces &places);

/// Writes random values into every parameter, so that no default (unit gain, identity tap) hides a mistake.
void perturb(nn::TokenMixer &mixer, std::uint64_t seed);

}  // namespace stillroom::mixers::test
