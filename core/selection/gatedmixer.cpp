// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/gatedmixer.h"

#include "error.h"

#include <ATen/ATen.h>

namespace stillroom::selection {
namespace {

[[noreturn]] void refuseGated(const char *what)
{
    throw Error(ErrorCode::Unsupported, std::string("a layer that mixes softmax and linear attention by a gate has no ") + what + ": choose the layers that stay softmax first");
}

}  // namespace

GatedMixer::GatedMixer(std::shared_ptr<nn::TokenMixer> softmax, std::shared_ptr<nn::TokenMixer> linear, at::Tensor alpha)
    : m_softmax(std::move(softmax)), m_linear(std::move(linear)), m_alpha(std::move(alpha))
{
    if (m_alpha.dim() != 0)
        throw Error(ErrorCode::Usage, "a layer's gate is one number");
}

at::Tensor GatedMixer::forward(const at::Tensor &x_BTD, const nn::TokenPlaces &places, nn::LayerState *state) const
{
    if (state)
        refuseGated("decode state");
    const at::ScalarType type = x_BTD.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor alpha = m_alpha.to(type);
    const at::Tensor softmax_BTD = m_softmax->forward(x_BTD, places, nullptr).to(type), linear_BTD = m_linear->forward(x_BTD, places, nullptr).to(type);
    return (alpha * softmax_BTD + (1.0 - alpha) * linear_BTD).to(x_BTD.scalar_type());
}

std::unique_ptr<nn::LayerState> GatedMixer::initialState(std::int64_t, std::int64_t, at::ScalarType) const { refuseGated("decode state"); }

std::int64_t GatedMixer::stateBytes(std::int64_t batch, std::int64_t tokens, at::ScalarType computeType) const
{
    return m_softmax->stateBytes(batch, tokens, computeType) + m_linear->stateBytes(batch, tokens, computeType);
}

double GatedMixer::flopsPerToken(std::int64_t contextTokens) const { return m_softmax->flopsPerToken(contextTokens) + m_linear->flopsPerToken(contextTokens); }

at::Tensor GatedMixer::matrix(const at::Tensor &, const nn::TokenPlaces &) const { refuseGated("single matrix over tokens"); }

bool GatedMixer::carries(nn::TeacherFeature feature) const { return m_softmax->carries(feature) && m_linear->carries(feature); }

void GatedMixer::visitParameters(const nn::ParameterVisitor &visit)
{
    visit("gate", m_alpha, {false, true});
    m_softmax->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits traits) { visit("softmax." + name, tensor, traits); });
    m_linear->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits traits) { visit("linear." + name, tensor, traits); });
}

std::shared_ptr<nn::TokenMixer> GatedMixer::clone() const { return std::make_shared<GatedMixer>(m_softmax->clone(), m_linear->clone(), m_alpha); }

}  // namespace stillroom::selection
