// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/softmaxmixer.h"
#include "nn/transformer.h"

#include <functional>
#include <stop_token>

namespace stillroom::calibration {

/// The softmax mixer of a block, or nullptr where another one stands.
[[nodiscard]] const nn::SoftmaxMixer *softmaxMixerOf(const nn::Block &block);

using SoftmaxLayerVisitor = std::function<void(std::size_t layer, const nn::SoftmaxMixer &mixer, const at::Tensor &x_1TD)>;

/// Runs the model over one sequence and hands each softmax layer, ascending, with its normed input to `visit`; what lies behind the last of them is not run.
/// One layer's input exists at a time. \param places  complete, [1,T]. \throws Error(Cancelled), as forward
void visitSoftmaxLayers(const nn::Transformer &model, const at::Tensor &ids_1T, const nn::TokenPlaces &places, at::ScalarType computeType, const std::stop_token &stop,
                        const SoftmaxLayerVisitor &visit);

}  // namespace stillroom::calibration
