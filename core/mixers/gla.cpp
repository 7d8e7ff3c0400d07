// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/initial.h"
#include "mixers/recurrentmixer.h"
#include "nn/linear.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

/// Gated Linear Attention (Yang et al., arXiv 2312.06635) as flash-linear-attention's GatedLinearAttention computes it:
///
///     q, k, v = W x (SiLU behind a short convolution only; feature_map on q and k);  q · K^-½
///     g = logsigmoid(W₂ W₁ x + b) / gate_logit_normalizer          per key channel, optionally clamped from below
///     S ← diag(e^g) S + k vᵀ;  o = Sᵀq
namespace stillroom::mixers {

namespace {

struct GlaOptions {
    RecurrentOptions common;
    double gateLogitNormalizer = 16.0;
    std::int64_t gateRank = 16;
    std::optional<double> clampMin;
    std::optional<std::string> featureMap;

    GlaOptions(const std::string &optionsJson, const checkpoint::ModelConfig &teacher)
    {
        OptionReader reader("gla", optionsJson);
        constexpr std::int64_t mostHeads = 4096, widest = 65536;
        HeadShape shape{.width = teacher.hiddenSize};
        shape.queryHeads = reader.integer("num_heads", teacher.numHeads, 1, mostHeads);
        shape.keyHeads = shape.valueHeads = reader.integer("num_kv_heads", shape.queryHeads, 1, mostHeads);
        if (shape.queryHeads % shape.keyHeads != 0)
            reader.refuse("num_kv_heads", "must divide num_heads, which is " + std::to_string(shape.queryHeads));
        const double sameWidth = static_cast<double>(teacher.numHeads) * teacher.headDim / teacher.hiddenSize;
        shape.keyDim = headWidth(reader, "expand_k", sameWidth, shape);
        shape.valueDim = headWidth(reader, "expand_v", sameWidth, shape);
        gateLogitNormalizer = reader.number("gate_logit_normalizer", 16.0, 1e-3, 1e6);
        gateRank = reader.integer("gate_low_rank_dim", 16, 1, widest);
        clampMin = reader.numberOrNull("clamp_min", -1e6, 0.0);
        featureMap = reader.choiceOrNull("feature_map", {"elu", "relu", "sigmoid", "silu"});
        common.read(reader, shape, teacher);
        common.json = reader.finish();
    }

    /// K or V from fla's expansion factors: D · factor channels over all heads.
    static std::int64_t headWidth(OptionReader &reader, const std::string &name, double sameWidth, const HeadShape &shape)
    {
        const double channels = static_cast<double>(shape.width) * reader.number(name, sameWidth, 1e-3, 64.0);
        const std::int64_t rounded = std::llround(channels);
        if (rounded < 1 || std::abs(channels - static_cast<double>(rounded)) > 1e-6 * channels || rounded % shape.queryHeads != 0)
            reader.refuse(name, "must make hidden_size · " + name + " a multiple of num_heads; they are " + std::to_string(shape.width) + " and " + std::to_string(shape.queryHeads));
        return rounded / shape.queryHeads;
    }
};

class Gla final : public RecurrentMixer {
public:
    Gla(GlaOptions options, const checkpoint::ModelConfig &config, at::Device device)
        : RecurrentMixer(options.common, options.common.outputGate ? "g_norm_swish_gate.weight" : "g_norm.weight", Rule::Additive, config, device), m_options(std::move(options))
    {
        const auto zeros = at::TensorOptions().dtype(at::kFloat).device(device);
        const std::int64_t channels = shape().keyHeads * shape().keyDim;
        m_decayDown = at::zeros({m_options.gateRank, shape().width}, zeros);
        m_decayUp = at::zeros({channels, m_options.gateRank}, zeros);
        m_decayBias = at::zeros({channels}, zeros);
    }

    [[nodiscard]] std::string_view kind() const override { return "gla"; }
    [[nodiscard]] std::shared_ptr<nn::TokenMixer> clone() const override { return std::make_shared<Gla>(*this); }

    [[nodiscard]] bool has(Quantity quantity) const override { return quantity == Quantity::Decay || RecurrentMixer::has(quantity); }

    /// b = logsigmoid⁻¹(−n · rate) = −ln(e^{n · rate} − 1) for every channel of a head; n is gate_logit_normalizer.
    void setDecay(const at::Tensor &rate_H) override
    {
        at::NoGradGuard noGrad;
        const auto x = rate_H.to(at::kDouble) * m_options.gateLogitNormalizer;
        m_decayBias.copy_((-x - (-(-x).expm1()).log()).repeat_interleave(shape().keyDim));   // ln(eˣ − 1) = x + ln(1 − e⁻ˣ): no overflow
    }

protected:
    void fill(recurrence::Inputs &inputs, const Streams &streams, const at::Tensor &x_BTD) const override
    {
        const auto type = x_BTD.scalar_type();
        const auto wide = type == at::kDouble ? at::kDouble : at::kFloat;
        const auto activate = [&](const at::Tensor &stream) { return common().shortConv ? at::silu(stream).to(type) : stream; };
        auto g_BThK = at::log_sigmoid(decayLogit(x_BTD).to(wide)) / m_options.gateLogitNormalizer;
        if (m_options.clampMin)
            g_BThK = at::clamp_min(g_BThK, *m_options.clampMin);
        inputs.g = toAllHeads(g_BThK);
        const double scale = 1.0 / std::sqrt(static_cast<double>(shape().keyDim));
        inputs.q_BTHK = toAllHeads(mapped(activate(streams.q_BThK)) * scale);
        inputs.k_BTHK = toAllHeads(mapped(activate(streams.k_BThK)));
        inputs.v_BTHV = toAllHeads(activate(streams.v_BThV));
    }

    void visitOwnParameters(const nn::ParameterVisitor &visit) override
    {
        visit("gk_proj.0.weight", m_decayDown, {});
        visit("gk_proj.1.weight", m_decayUp, {});
        visit("gk_proj.1.bias", m_decayBias, {.weightDecay = false, .keepFp32 = true});
    }

    void initialiseOwn(int layer, std::uint64_t seed) override
    {
        drawLinear(m_decayDown, shape().width, "gk_proj.0.weight", layer, seed);
        drawLinear(m_decayUp, m_options.gateRank, "gk_proj.1.weight", layer, seed);
        drawLinear(m_decayBias, m_options.gateRank, "gk_proj.1.bias", layer, seed);
    }

private:
    [[nodiscard]] at::Tensor decayLogit(const at::Tensor &x_BTD) const
    {
        const auto logit = nn::linear(nn::linear(x_BTD, m_decayDown), m_decayUp, m_decayBias);
        return logit.unflatten(2, {shape().keyHeads, shape().keyDim});
    }

    [[nodiscard]] at::Tensor mapped(const at::Tensor &x) const
    {
        if (!m_options.featureMap)
            return x;
        if (*m_options.featureMap == "elu")
            return at::elu(x);
        if (*m_options.featureMap == "relu")
            return at::relu(x);
        return *m_options.featureMap == "sigmoid" ? at::sigmoid(x) : at::silu(x);
    }

    GlaOptions m_options;
    at::Tensor m_decayDown, m_decayUp, m_decayBias;   ///< W₁ [rank,D], W₂ [key heads · K, rank], b
};

}  // namespace

extern const MixerKind glaKind;
constinit const MixerKind glaKind{
    .name = "gla",
    .completeOptions = [](const std::string &optionsJson, const checkpoint::ModelConfig &teacher) { return GlaOptions(optionsJson, teacher).common.json; },
    .make = [](const std::string &optionsJson, const checkpoint::ModelConfig &config, at::Device device) -> std::shared_ptr<LinearMixer> {
        return std::make_shared<Gla>(GlaOptions(optionsJson, config), config, device);
    },
};

}  // namespace stillroom::mixers
