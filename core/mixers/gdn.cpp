// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/initial.h"
#include "mixers/recurrentmixer.h"
#include "nn/linear.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

/// Gated DeltaNet (Yang, Kautz and Hatamizadeh, arXiv 2412.06464) as flash-linear-attention's GatedDeltaNet computes it:
///
///     q, k, v = SiLU(W x);  q̂ = q/√(Σq² + 1e-6) · K^-½,  k̂ likewise, unscaled
///     β = σ(W_b x [+ b]) (· 2 with allow_neg_eigval; b, which fla has not, with write_bias),  g = −e^{A_log} softplus(W_a x + dt_bias)      one each per value head
///     S ← e^g S;  S ← S + k̂ (β (v − Sᵀk̂))ᵀ;  o = Sᵀq̂
///
/// In the terms of the room `recurrence`: k_in = β k̂, a = −e^g k̂, b = k_in.
namespace stillroom::mixers {

namespace {

struct GdnOptions {
    RecurrentOptions common;
    bool negativeEigenvalues = false;
    bool writeBias = false;        ///< write_bias: β = σ(W_b x + b), b starts at 0. fla has no such parameter: a student with it cannot become one of fla's

    GdnOptions(const std::string &optionsJson, const checkpoint::ModelConfig &teacher)
    {
        OptionReader reader("gdn", optionsJson);
        constexpr std::int64_t mostHeads = 4096, widest = 65536;
        HeadShape shape{.width = teacher.hiddenSize};
        shape.queryHeads = reader.integer("num_heads", teacher.numHeads, 1, mostHeads);
        shape.keyHeads = reader.integer("num_kv_heads", shape.queryHeads, 1, mostHeads);
        shape.valueHeads = reader.integer("num_v_heads", shape.keyHeads, 1, mostHeads);
        shape.keyDim = reader.integer("head_dim", teacher.headDim, 1, widest);
        const double valueDim = static_cast<double>(shape.keyDim) * reader.number("expand_v", 1.0, 1e-3, 64.0);
        shape.valueDim = std::llround(valueDim);
        if (shape.queryHeads % shape.keyHeads != 0)
            reader.refuse("num_kv_heads", "must divide num_heads, which is " + std::to_string(shape.queryHeads));
        if (shape.valueHeads % shape.keyHeads != 0 || (shape.valueHeads != shape.keyHeads && shape.keyHeads != shape.queryHeads))
            reader.refuse("num_v_heads", shape.keyHeads == shape.queryHeads ? "must be a multiple of num_heads, which is " + std::to_string(shape.queryHeads)
                                                                           : "must be num_kv_heads where that is smaller than num_heads");
        if (shape.valueDim < 1 || std::abs(valueDim - static_cast<double>(shape.valueDim)) > 1e-5 * valueDim)
            reader.refuse("expand_v", "must make head_dim · expand_v a whole number; head_dim is " + std::to_string(shape.keyDim));
        negativeEigenvalues = reader.boolean("allow_neg_eigval", false);
        writeBias = reader.laterBoolean("write_bias");
        common.read(reader, shape, teacher);
        common.json = reader.finish();
    }
};

class Gdn final : public RecurrentMixer {
public:
    Gdn(GdnOptions options, const checkpoint::ModelConfig &config, at::Device device)
        : RecurrentMixer(std::move(options.common), "o_norm.weight", Rule::Delta, config, device), m_betaRange(options.negativeEigenvalues ? 2.0 : 1.0)
    {
        const auto zeros = at::TensorOptions().dtype(at::kFloat).device(device);
        m_decay = at::zeros({shape().valueHeads, shape().width}, zeros);
        m_beta = at::zeros_like(m_decay);
        if (options.writeBias)
            m_betaBias_H = at::zeros({shape().valueHeads}, zeros);
        m_ALog_H = at::zeros({shape().valueHeads}, zeros);
        m_dtBias_H = at::zeros_like(m_ALog_H);
    }

    [[nodiscard]] std::string_view kind() const override { return "gdn"; }
    [[nodiscard]] std::shared_ptr<nn::TokenMixer> clone() const override { return std::make_shared<Gdn>(*this); }

    [[nodiscard]] bool has(Quantity quantity) const override
    {
        return quantity == Quantity::Decay || quantity == Quantity::WriteStrength || RecurrentMixer::has(quantity);
    }
    [[nodiscard]] WriteProjection writeProjection() override { return {m_beta, m_betaBias_H, m_betaRange}; }

    /// A_log = 0, dt_bias = softplus⁻¹(rate).
    void setDecay(const at::Tensor &rate_H) override
    {
        at::NoGradGuard noGrad;
        m_ALog_H.zero_();
        const auto rate = rate_H.to(at::kDouble);
        m_dtBias_H.copy_(rate + (-(-rate).expm1()).log());
    }

protected:
    void fill(recurrence::Inputs &inputs, const Streams &streams, const at::Tensor &x_BTD) const override
    {
        const auto type = x_BTD.scalar_type();
        const auto wide = type == at::kDouble ? at::kDouble : at::kFloat;
        const auto activate = [&](const at::Tensor &stream) { return at::silu(stream).to(type); };
        const auto beta_BTH = toAllHeads(writeStrength(x_BTD));
        const auto step_BTH = at::softplus(nn::linear(x_BTD, m_decay).to(wide) + m_dtBias_H.to(wide));
        inputs.g = toAllHeads(-m_ALog_H.to(wide).exp() * step_BTH);
        const auto khat_BTHK = toAllHeads(nn::l2Norm(activate(streams.k_BThK))).to(wide);
        const double scale = 1.0 / std::sqrt(static_cast<double>(shape().keyDim));
        inputs.q_BTHK = toAllHeads(nn::l2Norm(activate(streams.q_BThK)) * scale);
        inputs.k_BTHK = (khat_BTHK * beta_BTH.unsqueeze(3)).to(type);
        inputs.a_BTHK = (khat_BTHK * inputs.g.exp().neg().unsqueeze(3)).to(type);
        inputs.v_BTHV = toAllHeads(activate(streams.v_BThV));
    }

    [[nodiscard]] at::Tensor writeStrength(const at::Tensor &x_BTD) const override
    {
        const auto wide = x_BTD.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        at::Tensor logits_BTH = nn::linear(x_BTD, m_beta).to(wide);
        if (m_betaBias_H.defined())
            logits_BTH = logits_BTH + m_betaBias_H.to(wide);
        return at::sigmoid(logits_BTH) * m_betaRange;
    }

    void visitOwnParameters(const nn::ParameterVisitor &visit) override
    {
        visit("a_proj.weight", m_decay, {});
        visit("b_proj.weight", m_beta, {});
        if (m_betaBias_H.defined())
            visit("b_proj.bias", m_betaBias_H, {.weightDecay = false});
        visit("A_log", m_ALog_H, {.weightDecay = false, .keepFp32 = true});
        visit("dt_bias", m_dtBias_H, {.weightDecay = false, .keepFp32 = true});
    }

    void initialiseOwn(int layer, std::uint64_t seed) override
    {
        drawLinear(m_decay, shape().width, "a_proj.weight", layer, seed);
        drawLinear(m_beta, shape().width, "b_proj.weight", layer, seed);
        drawDecayRate(m_ALog_H, "A_log", layer, seed);
        drawTimeStep(m_dtBias_H, "dt_bias", layer, seed);
    }

private:
    double m_betaRange;                 ///< β lies in (0, m_betaRange)
    at::Tensor m_decay, m_beta;         ///< W_a, W_b [value heads, D]
    at::Tensor m_ALog_H, m_dtBias_H;    ///< per value head
    at::Tensor m_betaBias_H;            ///< b, per value head; undefined without write_bias
};

}  // namespace

extern const MixerKind gdnKind;
constinit const MixerKind gdnKind{
    .name = "gdn",
    .completeOptions = [](const std::string &optionsJson, const checkpoint::ModelConfig &teacher) { return GdnOptions(optionsJson, teacher).common.json; },
    .make = [](const std::string &optionsJson, const checkpoint::ModelConfig &config, at::Device device) -> std::shared_ptr<LinearMixer> {
        return std::make_shared<Gdn>(GdnOptions(optionsJson, config), config, device);
    },
};

}  // namespace stillroom::mixers
