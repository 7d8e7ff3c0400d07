// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/reference.h"

#include <ATen/ATen.h>

#include <cmath>

#include <nlohmann/json.hpp>

namespace stillroom::mixers::test {

namespace {

using at::Tensor;

struct Sizes {
    std::int64_t queryHeads, keyHeads, valueHeads, heads, K, V;
};

/// One document: x [T,D], positions [T].
class Sequence {
public:
    Sequence(const std::string &kind, const NamedTensors &parameters, const nlohmann::json &options, double ropeTheta, double qkNormEps)
        : m_kind(kind), m_p(parameters), m_options(options), m_ropeTheta(ropeTheta), m_qkNormEps(qkNormEps)
    {
        const Tensor &q = m_p.at("q_proj.weight"), &v = m_p.at("v_proj.weight"), &k = m_p.at("k_proj.weight");
        m_n.queryHeads = options.at("num_heads").get<std::int64_t>();
        m_n.K = q.size(0) / m_n.queryHeads;
        m_n.keyHeads = k.size(0) / m_n.K;
        m_n.valueHeads = kind == "gdn" ? m_p.at("A_log").size(0) : m_n.keyHeads;
        m_n.V = v.size(0) / m_n.valueHeads;
        m_n.heads = std::max(m_n.queryHeads, m_n.valueHeads);
    }

    Tensor run(const Tensor &x_TD, const Tensor &positions_T) const
    {
        const Tensor q = stream("q", x_TD, m_n.queryHeads, positions_T), k = stream("k", x_TD, m_n.keyHeads, positions_T), v = stream("v", x_TD, m_n.valueHeads, positions_T);
        std::vector<Tensor> outputs;
        for (std::int64_t head = 0; head < m_n.heads; ++head)
            outputs.push_back(runHead(x_TD, q.select(1, head * m_n.queryHeads / m_n.heads), k.select(1, head * m_n.keyHeads / m_n.heads),
                                      v.select(1, head * m_n.valueHeads / m_n.heads), head));
        Tensor y = at::cat(outputs, 1).matmul(m_p.at("o_proj.weight").t());
        if (m_p.count("o_proj.bias"))
            y = y + m_p.at("o_proj.bias");
        return y;
    }

private:
    bool on(const char *option) const { return m_options.at(option).get<bool>(); }
    Tensor project(const std::string &name, const Tensor &x) const
    {
        const Tensor y = x.matmul(m_p.at(name + ".weight").t());
        return m_p.count(name + ".bias") ? y + m_p.at(name + ".bias") : y;
    }

    /// [T, heads, width]
    Tensor stream(const std::string &which, const Tensor &x_TD, std::int64_t heads, const Tensor &positions_T) const
    {
        Tensor s = project(which + "_proj", x_TD);
        if (on("short_conv")) {
            const Tensor taps = m_p.at(which + "_conv1d.weight").squeeze(1);
            std::vector<Tensor> rows;
            for (std::int64_t t = 0; t < s.size(0); ++t) {
                Tensor row = at::zeros_like(s[0]);
                for (std::int64_t j = 0; j < taps.size(1); ++j)
                    if (t - (taps.size(1) - 1) + j >= 0)
                        row = row + taps.select(1, j) * s[t - (taps.size(1) - 1) + j];
                rows.push_back(row);
            }
            s = at::stack(rows, 0);
        }
        s = s.view({s.size(0), heads, -1});
        if (which != "v" && m_options.at("qk_norm") == "teacher")
            s = s / (s.square().mean(-1, true) + m_qkNormEps).sqrt() * m_p.at(which + "_norm.weight");
        if (which != "v" && m_options.at("rope") == "teacher")
            s = rotated(s, positions_T);
        if (m_kind == "gdn" || on("short_conv"))
            s = s * at::sigmoid(s);
        if (m_kind == "gla" && which != "v" && m_options.at("feature_map") == "relu")
            s = s.clamp_min(0.0);
        return s;
    }

    Tensor rotated(const Tensor &s_ThK, const Tensor &positions_T) const
    {
        std::vector<Tensor> low, high;
        const std::int64_t half = s_ThK.size(2) / 2;
        for (std::int64_t j = 0; j < half; ++j) {
            const Tensor angle = positions_T.to(s_ThK.scalar_type()).unsqueeze(1) * std::pow(m_ropeTheta, -2.0 * static_cast<double>(j) / static_cast<double>(2 * half));
            const Tensor a = s_ThK.select(2, j), b = s_ThK.select(2, j + half);
            low.push_back(a * angle.cos() - b * angle.sin());
            high.push_back(b * angle.cos() + a * angle.sin());
        }
        low.insert(low.end(), high.begin(), high.end());
        return at::stack(low, 2);
    }

    Tensor runHead(const Tensor &x_TD, const Tensor &q_TK, const Tensor &k_TK, const Tensor &v_TV, std::int64_t head) const
    {
        const std::int64_t T = x_TD.size(0);
        const double scale = 1.0 / std::sqrt(static_cast<double>(m_n.K));
        const auto unit = [](const Tensor &x) { return x / (x.square().sum(-1, true) + 1e-6).sqrt(); };
        const bool delta = m_kind == "gdn";
        const Tensor decay_TX1 = logDecay(x_TD, head).exp().unsqueeze(2), query_TK = (delta ? unit(q_TK) : q_TK) * scale, key_TK = delta ? unit(k_TK) : k_TK;
        Tensor S = at::zeros({m_n.K, m_n.V}, x_TD.options()), beta_T;
        if (delta)
            beta_T = at::sigmoid(project("b_proj", x_TD).select(1, head * m_n.valueHeads / m_n.heads)) * (on("allow_neg_eigval") ? 2.0 : 1.0);
        std::vector<Tensor> outputs;
        for (std::int64_t t = 0; t < T; ++t) {
            S = decay_TX1[t] * S;
            S = S + at::outer(key_TK[t], delta ? beta_T[t] * (v_TV[t] - S.t().mv(key_TK[t])) : v_TV[t]);
            outputs.push_back(S.t().mv(query_TK[t]));
        }
        return normedAndGated(at::stack(outputs, 0), x_TD, head);
    }

    /// [T,1] or [T,K]
    Tensor logDecay(const Tensor &x_TD, std::int64_t head) const
    {
        if (m_kind == "gdn") {
            const std::int64_t h = head * m_n.valueHeads / m_n.heads;
            const Tensor z = project("a_proj", x_TD).select(1, h) + m_p.at("dt_bias")[h];
            return (-m_p.at("A_log")[h].exp() * at::log1p(z.exp())).unsqueeze(1);
        }
        const Tensor low = x_TD.matmul(m_p.at("gk_proj.0.weight").t());
        const Tensor z = project("gk_proj.1", low).view({x_TD.size(0), m_n.keyHeads, m_n.K}).select(1, head * m_n.keyHeads / m_n.heads);
        const Tensor g = -at::log1p((-z).exp()) / m_options.at("gate_logit_normalizer").get<double>();
        return m_options.at("clamp_min").is_null() ? g : g.clamp_min(m_options.at("clamp_min").get<double>());
    }

    Tensor normedAndGated(const Tensor &o_TV, const Tensor &x_TD, std::int64_t head) const
    {
        const char *gain = m_kind == "gdn" ? "o_norm.weight" : on("output_gate") ? "g_norm_swish_gate.weight" : "g_norm.weight";
        Tensor y = o_TV / (o_TV.square().mean(-1, true) + m_options.at("norm_eps").get<double>()).sqrt() * m_p.at(gain);
        if (on("output_gate")) {
            const Tensor z = project("g_proj", x_TD).narrow(1, head * m_n.V, m_n.V);
            y = y * z * at::sigmoid(z);
        }
        return y;
    }

    std::string m_kind;
    const NamedTensors &m_p;
    const nlohmann::json &m_options;
    double m_ropeTheta, m_qkNormEps;
    Sizes m_n{};
};

}  // namespace

at::Tensor referenceForward(const std::string &kind, const NamedTensors &parameters, const nlohmann::json &options, const at::Tensor &x_BTD, const at::Tensor &positions_BT,
                            const at::Tensor &documents_BT, double ropeTheta, double qkNormEps)
{
    const Sequence sequence(kind, parameters, options, ropeTheta, qkNormEps);
    const std::int64_t T = x_BTD.size(1);
    std::vector<at::Tensor> rows;
    for (std::int64_t b = 0; b < x_BTD.size(0); ++b) {
        std::map<std::int64_t, std::vector<std::int64_t>> tokensOf;
        for (std::int64_t t = 0; t < T; ++t) {
            const std::int64_t document = documents_BT.defined() ? documents_BT[b][t].item<std::int64_t>() : 0;
            if (document >= 0)
                tokensOf[document].push_back(t);
        }
        at::Tensor row = at::zeros_like(x_BTD[b]);
        for (const auto &[document, tokens] : tokensOf) {
            const auto index = at::tensor(tokens);
            row = row.index_add(0, index, sequence.run(x_BTD[b].index_select(0, index), positions_BT[b].index_select(0, index)));
        }
        rows.push_back(row);
    }
    return at::stack(rows, 0);
}

Pass referencePass(const std::string &kind, const NamedTensors &parameters, const std::string &optionsJson, const at::Tensor &x_BTD, const at::Tensor &dy_BTD,
                   const nn::TokenPlaces &places, at::ScalarType type)
{
    constexpr double ropeTheta = 10000.0, qkNormEps = 1e-6;   // of tinyConfig
    NamedTensors leaves;
    for (const auto &[name, parameter] : parameters)
        leaves[name] = parameter.detach().to(type, false, true).requires_grad_(true);
    const auto x = x_BTD.detach().to(type, false, true).requires_grad_(true);
    const auto options = nlohmann::json::parse(optionsJson);
    const auto positions_BT = places.positions_BT.defined() ? places.positions_BT : at::arange(x.size(1)).unsqueeze(0).expand({x.size(0), x.size(1)});
    const auto y = referenceForward(kind, leaves, options, x, positions_BT, places.documents_BT, ropeTheta, qkNormEps);
    (y * dy_BTD.to(x.scalar_type())).sum().backward();
    Pass pass{.y_BTD = y.detach(), .dx_BTD = x.grad(), .gradients = {}};
    for (const auto &[name, leaf] : leaves)
        pass.gradients[name] = leaf.grad();
    return pass;
}

}  // namespace stillroom::mixers::test
