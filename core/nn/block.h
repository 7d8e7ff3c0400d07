// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"

namespace stillroom::nn {

/// What a block makes: its output, and on the way the mixer's normed input and its output.
struct BlockOutputs {
    at::Tensor h_BTD, mixerInput_BTD, mixerOutput_BTD;
};

/// down(act(gate x) ∘ up x). \param act  "silu", "gelu", "gelu_pytorch_tanh", "relu". \throws Error(Unsupported) for another one.
[[nodiscard]] at::Tensor forwardMlp(const Mlp &mlp, const at::Tensor &x_BTD, const std::string &act);

[[nodiscard]] BlockOutputs forwardBlock(const Block &block, const checkpoint::ModelConfig &config, const at::Tensor &h_BTD, const TokenPlaces &places, LayerState *state);

/// The same numbers and gradients, bit for bit, keeping only h for backward: the block runs again there. Reads `stop` before it does.
[[nodiscard]] BlockOutputs checkpointedBlock(const Block &block, const checkpoint::ModelConfig &config, const at::Tensor &h_BTD, const TokenPlaces &places, const std::stop_token &stop);

/// h itself; its gradient passes only while no stop was requested. \throws Error(Cancelled), out of backward.
[[nodiscard]] at::Tensor stopPoint(const at::Tensor &h_BTD, const std::stop_token &stop);

}  // namespace stillroom::nn
