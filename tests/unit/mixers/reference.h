// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mixers/compare.h"

#include <nlohmann/json_fwd.hpp>

/// The mixers' definitions, token by token and head by head in float64 with plain autograd: slow and obvious.
namespace stillroom::mixers::test {

/// \param parameters  float64, by name. \param options  completed. \param ropeTheta  base of the teacher's rotation (no scaling).
/// \param documents_BT  undefined: one document. Each document of a row is taken out and run alone; padding stays zero.
[[nodiscard]] at::Tensor referenceForward(const std::string &kind, const NamedTensors &parameters, const nlohmann::json &options, const at::Tensor &x_BTD,
                                          const at::Tensor &positions_BT, const at::Tensor &documents_BT, double ropeTheta, double qkNormEps);

/// The same with the gradients of sum(y ∘ dy), for a teacher like tinyConfig. `parameters` of any type; computed in `type` (float32: what rounding alone does).
[[nodiscard]] Pass referencePass(const std::string &kind, const NamedTensors &parameters, const std::string &optionsJson, const at::Tensor &x_BTD, const at::Tensor &dy_BTD,
                                 const nn::TokenPlaces &places, at::ScalarType type = at::kDouble);

}  // namespace stillroom::mixers::test
