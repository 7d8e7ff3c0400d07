// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/rope.h"

#include "error.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

// Shape legend of this file: R = K/2 rotated pairs of a head.
namespace stillroom::nn {

namespace {

/// j/K·2 for pair j, the exponent of every inverse frequency.
at::Tensor exponents(int headDim, at::ScalarType type)
{
    return at::arange(0, headDim, 2, at::TensorOptions(at::kLong)).to(type) / headDim;
}

at::Tensor plainFrequencies(double theta, int headDim, at::ScalarType type)
{
    return at::pow(theta, exponents(headDim, type)).reciprocal();
}

/// Long wavelengths are stretched by `factor`, short ones kept, those between blended (Llama 3.1).
at::Tensor llama3Frequencies(const checkpoint::Rope &rope, int headDim, double trainedContext, at::ScalarType type)
{
    const at::Tensor plain = plainFrequencies(rope.theta, headDim, type);
    const at::Tensor wavelength = 2 * std::numbers::pi / plain;
    const double longest = trainedContext / rope.lowFreqFactor, shortest = trainedContext / rope.highFreqFactor;
    const at::Tensor stretched = at::where(wavelength > longest, plain / rope.factor, plain);
    const at::Tensor smooth = (trainedContext / wavelength - rope.lowFreqFactor) / (rope.highFreqFactor - rope.lowFreqFactor);
    const at::Tensor blended = (1 - smooth) * stretched / rope.factor + smooth * stretched;
    const at::Tensor between = at::logical_and(wavelength >= shortest, wavelength <= longest);
    return at::where(between, blended, stretched);
}

/// The (fractional) pair that turns `rotations` times within the trained context.
double pairOfRotations(double rotations, int headDim, double theta, double trainedContext)
{
    return headDim * std::log(trainedContext / (rotations * 2 * std::numbers::pi)) / (2 * std::log(theta));
}

at::Tensor yarnFrequencies(const checkpoint::Rope &rope, int headDim, double trainedContext, at::ScalarType type)
{
    double low = pairOfRotations(rope.betaFast, headDim, rope.theta, trainedContext);
    double high = pairOfRotations(rope.betaSlow, headDim, rope.theta, trainedContext);
    if (rope.truncate) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, headDim - 1.0);
    if (low == high) {
        high += 0.001;
    }
    const at::Tensor ramp = ((at::arange(headDim / 2, at::TensorOptions(type)) - low) / (high - low)).clamp(0, 1);
    const at::Tensor powers = at::pow(rope.theta, exponents(headDim, type));
    const at::Tensor kept = 1 - ramp;
    return (rope.factor * powers).reciprocal() * (1 - kept) + powers.reciprocal() * kept;
}

double yarnMagnitude(double factor, double mscale)
{
    return factor <= 1.0 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0;
}

double yarnAttentionFactor(const checkpoint::Rope &rope)
{
    if (rope.attentionFactor) {
        return *rope.attentionFactor;
    }
    if (rope.mscale.value_or(0.0) != 0.0 && rope.mscaleAllDim.value_or(0.0) != 0.0) {
        return yarnMagnitude(rope.factor, *rope.mscale) / yarnMagnitude(rope.factor, *rope.mscaleAllDim);
    }
    return yarnMagnitude(rope.factor, 1.0);
}

at::Tensor scaledFrequencies(const checkpoint::Rope &rope, int headDim, std::int64_t maxPositions, at::ScalarType type)
{
    const double trainedContext = static_cast<double>(rope.originalMaxPositions > 0 ? rope.originalMaxPositions : maxPositions);
    switch (rope.kind) {
    case checkpoint::Rope::Kind::Default:
    case checkpoint::Rope::Kind::Dynamic: return plainFrequencies(rope.theta, headDim, type);
    case checkpoint::Rope::Kind::Linear: return plainFrequencies(rope.theta, headDim, type) / rope.factor;
    case checkpoint::Rope::Kind::Yarn: return yarnFrequencies(rope, headDim, trainedContext, type);
    case checkpoint::Rope::Kind::Llama3: return llama3Frequencies(rope, headDim, trainedContext, type);
    }
    throw Error(ErrorCode::Unsupported, "This kind of RoPE scaling is not known; use a model without it.");
}

at::Tensor turn(const at::Tensor &x_BTHK, const at::Tensor &cos_BT1R, const at::Tensor &sin_BT1R, double direction)
{
    const std::int64_t half = x_BTHK.size(-1) / 2;
    const at::Tensor first = x_BTHK.narrow(-1, 0, half), second = x_BTHK.narrow(-1, half, half);
    const at::Tensor turned = at::empty(x_BTHK.sizes(), x_BTHK.options());
    at::Tensor turnedFirst = turned.narrow(-1, 0, half), turnedSecond = turned.narrow(-1, half, half);
    at::mul_out(turnedFirst, first, cos_BT1R).addcmul_(second, sin_BT1R, -direction);
    at::mul_out(turnedSecond, second, cos_BT1R).addcmul_(first, sin_BT1R, direction);
    return turned;
}

/// A rotation's backward is the rotation back: nothing of x is kept.
class Rotation : public torch::autograd::Function<Rotation> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext *context, const at::Tensor &x_BTHK, const at::Tensor &cos_BT1R, const at::Tensor &sin_BT1R)
    {
        context->save_for_backward({cos_BT1R, sin_BT1R});
        return turn(x_BTHK, cos_BT1R, sin_BT1R, 1.0);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context, const torch::autograd::variable_list &gradients)
    {
        const auto saved = context->get_saved_variables();
        return {turn(gradients[0], saved[0], saved[1], -1.0), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

RotaryEmbedding::RotaryEmbedding(const checkpoint::Rope &rope, int headDim, std::int64_t maxPositions)
    : m_rope(rope), m_headDim(headDim), m_maxPositions(maxPositions)
{
    const bool dynamic = rope.kind == checkpoint::Rope::Kind::Dynamic;
    if (headDim < 2 || headDim % 2 != 0 || (dynamic && (headDim == 2 || maxPositions < 1))) {
        throw Error(ErrorCode::Unsupported, "RoPE cannot turn heads of dimension " + std::to_string(headDim) + ": it needs an even one, above 2 with dynamic scaling.");
    }
    if (rope.kind == checkpoint::Rope::Kind::Yarn) {
        m_attentionFactor = yarnAttentionFactor(rope);
    }
    m_float_R = scaledFrequencies(rope, headDim, maxPositions, at::kFloat);
    m_double_R = scaledFrequencies(rope, headDim, maxPositions, at::kDouble);
    if (!at::isfinite(m_double_R).all().item<bool>() || !std::isfinite(m_attentionFactor)) {
        throw Error(ErrorCode::Unsupported, "The RoPE scaling gives frequencies that are not finite: check rope_theta, factor and original_max_position_embeddings.");
    }
}

at::Tensor RotaryEmbedding::inverseFrequencies(at::ScalarType type) const
{
    return type == at::kDouble ? m_double_R : m_float_R;
}

at::Tensor RotaryEmbedding::angles(const at::Tensor &positions_BT, at::ScalarType type) const
{
    const at::Tensor wide_BT1 = positions_BT.to(type).unsqueeze(-1);
    if (m_rope.kind != checkpoint::Rope::Kind::Dynamic) {
        return wide_BT1 * inverseFrequencies(type).to(positions_BT.device());
    }
    // theta' = theta (factor n / max − (factor − 1))^(K / (K − 2)) with n = max(sequence length, max)
    const double context = static_cast<double>(m_maxPositions), dim = m_headDim;
    const at::Tensor length_B = positions_BT.amax(1).add(1).clamp_min(m_maxPositions).to(at::kDouble);
    const at::Tensor stretch_B = (length_B * (m_rope.factor / context) - (m_rope.factor - 1)).pow(dim / (dim - 2));
    const at::Tensor theta_B11 = (stretch_B * m_rope.theta).to(type).view({-1, 1, 1});
    return wide_BT1 * at::pow(theta_B11, exponents(m_headDim, type).to(positions_BT.device())).reciprocal();
}

RotaryTable RotaryEmbedding::table(const at::Tensor &positions_BT, at::ScalarType computeType) const
{
    const bool sameRows = positions_BT.size(0) > 1 && positions_BT.stride(0) == 0;
    const at::Tensor rows_BT = sameRows ? positions_BT.narrow(0, 0, 1) : positions_BT;
    const at::ScalarType type = computeType == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor angles_BT1R = angles(rows_BT, type).unsqueeze(2);
    at::Tensor cos = angles_BT1R.cos(), sin = angles_BT1R.sin();
    if (m_attentionFactor != 1.0) {
        cos.mul_(m_attentionFactor);
        sin.mul_(m_attentionFactor);
    }
    return {cos.to(computeType), sin.to(computeType)};
}

at::Tensor rotate(const at::Tensor &x_BTHK, const RotaryTable &table)
{
    return Rotation::apply(x_BTHK, table.cos_BT1R, table.sin_BT1R);
}

}  // namespace stillroom::nn
