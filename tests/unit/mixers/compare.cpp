// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/compare.h"

#include "nn/seed.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace stillroom::mixers::test {

checkpoint::ModelConfig tinyTeacherWith(bool biases, bool qkNorm)
{
    auto config = tinyConfig();
    config.qkvBias = config.outputBias = biases;
    config.qkNorm = qkNorm;
    return config;
}

at::Tensor randomNormal(at::IntArrayRef sizes, std::uint64_t seed, at::ScalarType type)
{
    return at::empty(sizes, at::TensorOptions().dtype(at::kDouble)).normal_(0.0, 1.0, nn::generatorFor(seed, "test")).to(type);
}

NamedTensors parametersOf(nn::TokenMixer &mixer)
{
    NamedTensors named;
    mixer.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { named[name] = tensor; });
    return named;
}

void trainIn(nn::TokenMixer &mixer, at::ScalarType type)
{
    mixer.visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.detach().to(type, false, true).requires_grad_(true); });
}

Pass forwardBackward(nn::TokenMixer &mixer, const at::Tensor &x_BTD, const at::Tensor &dy_BTD, const nn::TokenPlaces &places)
{
    const auto x = x_BTD.detach().clone().requires_grad_(true);
    const auto y = mixer.forward(x, places, nullptr);
    (y * dy_BTD).sum().backward();
    Pass pass{.y_BTD = y.detach(), .dx_BTD = x.grad(), .gradients = {}};
    for (const auto &[name, parameter] : parametersOf(mixer))
        pass.gradients[name] = parameter.grad();
    return pass;
}

void perturb(nn::TokenMixer &mixer, std::uint64_t seed)
{
    const at::NoGradGuard noGrad;
    std::uint64_t index = 0;
    mixer.visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) {
        tensor.add_(randomNormal(tensor.sizes(), seed * 1000 + index++, tensor.scalar_type()), 0.3);
    });
}

}  // namespace stillroom::mixers::test
