// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/valuescale.h"
#include "distillation/golden.h"
#include "distillation/tinystudents.h"
#include "mixers/registry.h"
#include "error.h"
#include "mixers/linearmixer.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cmath>
#include <map>

namespace valuescale_tests {

using namespace stillroom;
using namespace stillroom::calibration;
namespace tiny = stillroom::distillation::test;

namespace {

std::shared_ptr<mixers::LinearMixer> linear(const nn::Transformer &teacher, const std::string &kind, const std::string &options)
{
    const auto mixer = std::dynamic_pointer_cast<mixers::LinearMixer>(mixers::fromTeacher(kind, options, teacher, 1, 17));
    mixer->visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.to(at::kDouble); });
    return mixer;
}

/// Taylor-Calibrate's reference recurrence: S ← e^g (S − β S k kᵀ) + β v kᵀ, o = S q, token by token, without the kernel's d^-½.
at::Tensor slowContexts(std::map<std::string, at::Tensor> w, const at::Tensor &x_TD, std::int64_t heads)
{
    const std::int64_t tokens = x_TD.size(0), dim = w["q_proj.weight"].size(0) / heads;
    at::Tensor o_THV = at::zeros({tokens, heads, dim}, at::kDouble);
    for (std::int64_t h = 0; h < heads; ++h) {
        at::Tensor S_VK = at::zeros({dim, dim}, at::kDouble);
        for (std::int64_t t = 0; t < tokens; ++t) {
            const auto stream = [&](const char *name) { return at::silu(at::matmul(w[name].narrow(0, h * dim, dim), x_TD[t])); };
            const auto unit = [](const at::Tensor &vector) { return vector / (vector.square().sum() + 1e-6).sqrt(); };
            const at::Tensor q = unit(stream("q_proj.weight")), k = unit(stream("k_proj.weight")), v = stream("v_proj.weight");
            const at::Tensor beta = at::sigmoid(at::dot(w["b_proj.weight"][h], x_TD[t]));
            const at::Tensor decay = (-w["A_log"][h].exp() * at::softplus(at::dot(w["a_proj.weight"][h], x_TD[t]) + w["dt_bias"][h])).exp();
            S_VK = decay * (S_VK - beta * at::outer(at::matmul(S_VK, k), k)) + beta * at::outer(v, k);
            o_THV[t][h] = at::matmul(S_VK, q);
        }
    }
    return o_THV;
}

std::map<std::string, at::Tensor> parametersByName(nn::TokenMixer &mixer)
{
    std::map<std::string, at::Tensor> parameters;
    mixer.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { parameters[name] = tensor; });
    return parameters;
}

}  // namespace

TEST_CASE("the scale is one-dimensional least squares, head by head, and follows the teacher's amplitude")
{
    const at::Tensor o = tiny::normal({30, 3, 5}, 1, at::kDouble), y = o * at::tensor({2.0, -0.5, 0.03}, at::kDouble).view({1, 3, 1}) + tiny::normal({30, 3, 5}, 2, at::kDouble) * 0.01;
    ContextFit fit, louder;
    fit.add(y.narrow(0, 0, 11), o.narrow(0, 0, 11));
    fit.add(y.narrow(0, 11, 19), o.narrow(0, 11, 19));
    louder.add(y * 7.0, o);
    for (std::int64_t h = 0; h < 3; ++h) {
        const at::Tensor column = o.select(1, h).reshape({-1, 1}), target = y.select(1, h).reshape({-1, 1});
        const double expected = std::get<0>(at::linalg_lstsq(column, target)).item<double>();
        CHECK(fit.scales(3)[static_cast<std::size_t>(h)] == doctest::Approx(expected).epsilon(1e-10));
        CHECK(louder.scales(3)[static_cast<std::size_t>(h)] == doctest::Approx(7.0 * expected).epsilon(1e-10));
        CHECK(louder.cosines(3)[static_cast<std::size_t>(h)] == doctest::Approx(fit.cosines(3)[static_cast<std::size_t>(h)]).epsilon(1e-10));
    }
    CHECK(fit.cosines(3)[1] < -0.9);
    CHECK(fit.studentRms(3)[0] == doctest::Approx(o.select(1, 0).square().mean().sqrt().item<double>()).epsilon(1e-12));
}

TEST_CASE("heads that share a state are fitted together; a silent student gets 0 and no NaN")
{
    const at::Tensor o = tiny::normal({20, 4, 3}, 3, at::kDouble), y = tiny::normal({20, 4, 3}, 4, at::kDouble);
    ContextFit fit;
    fit.add(y, o);
    const double expected = (y * o).narrow(1, 0, 2).sum().item<double>() / o.narrow(1, 0, 2).square().sum().item<double>();
    CHECK(fit.scales(2)[0] == doctest::Approx(expected).epsilon(1e-12));
    ContextFit silent;
    silent.add(y, at::zeros_like(o));
    CHECK(silent.scales(4)[0] == 0.0);
    CHECK(silent.cosines(4)[0] == 0.0);
    CHECK_THROWS_AS(silent.add(y, at::zeros({20, 4, 7}, at::kDouble)), Error);
    CHECK_THROWS_AS(silent.add(y, at::zeros({20, 6, 3}, at::kDouble)), Error);
}

TEST_CASE("gdn's trace is the reference recurrence times the kernel's scale")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const auto mixer = linear(teacher, "gdn", "{}");
    const at::Tensor x = tiny::normal({1, 13, 32}, 5, at::kDouble);
    const mixers::Trace trace = mixer->trace(x, nn::placesFromMask(at::zeros({1, 13}, at::kLong)));
    CHECK(tiny::relativeDifference(trace.context_BTHV[0], slowContexts(parametersByName(*mixer), x[0], 4) / std::sqrt(8.0)) <= 1e-10);
}

TEST_CASE("a trace tells what forward does: its output, its decays and its write strengths")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const at::Tensor x = tiny::normal({2, 9, 32}, 6, at::kDouble), ids = at::zeros({2, 9}, at::kLong);
    nn::TokenPlaces places = nn::placesFromMask(ids, at::tensor({0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}, at::kLong).view({2, 9}));
    for (const std::string &kind : mixers::kinds()) {
        CAPTURE(kind);
        const auto mixer = linear(teacher, kind, "{}");
        const mixers::Trace trace = mixer->trace(x, places);
        const at::Tensor counted = places.documents_BT.ge(0);
        CHECK(tiny::relativeDifference(mixer->outputOf(trace.context_BTHV, x).index({counted}), mixer->forward(x, places, nullptr).index({counted})) <= 1e-12);
        CHECK(trace.context_BTHV.index({counted.logical_not()}).abs().max().item<double>() == 0.0);
        CHECK(trace.beta_BTH.defined() == mixer->has(mixers::Quantity::WriteStrength));
        CHECK(trace.logDecay_BTH.defined() == mixer->has(mixers::Quantity::Decay));
        if (trace.beta_BTH.defined())
            CHECK(trace.beta_BTH.sizes() == at::IntArrayRef({2, 9, mixer->numHeads()}));
    }
}

TEST_CASE("scaled values scale the context where values are linear, and the norm takes the scale out again")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const auto mixer = linear(teacher, "gla", R"({"norm_eps": 0.0})");   // no activation on v, no eps
    const at::Tensor x = tiny::normal({1, 9, 32}, 7, at::kDouble), scales = at::tensor({0.1, 2.0, 10.0, 0.7}, at::kDouble);
    const nn::TokenPlaces places = nn::placesFromMask(at::zeros({1, 9}, at::kLong));
    const at::Tensor context = mixer->trace(x, places).context_BTHV, output = mixer->forward(x, places, nullptr);
    mixer->scaleValues(scales);
    CHECK(tiny::relativeDifference(mixer->trace(x, places).context_BTHV, context * scales.view({1, 1, 4, 1})) <= 1e-12);
    CHECK(tiny::relativeDifference(mixer->forward(x, places, nullptr), output) <= 1e-10);
}

TEST_CASE("gates follow the values, scale and close")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    for (const std::string options : {"{}", R"({"gate_bias": true})", R"({"num_kv_heads": 2})"}) {
        CAPTURE(options);
        const auto mixer = linear(teacher, "gdn", options);
        mixer->setGateFromValues(0.5);
        const auto w = parametersByName(*mixer);
        const at::Tensor values_HVD = w.at("v_proj.weight").view({mixer->numStates(), 8, 32}), gates_HVD = w.at("g_proj.weight").view({4, 8, 32});
        for (std::int64_t h = 0; h < 4; ++h)
            CHECK(at::equal(gates_HVD[h], values_HVD[h * mixer->numStates() / 4] * 0.5));
        const at::Tensor x = tiny::normal({1, 5, 32}, 8, at::kDouble);
        mixer->scaleGate(0.0);
        CHECK(mixer->forward(x, nn::placesFromMask(at::zeros({1, 5}, at::kLong)), nullptr).abs().max().item<double>() == 0.0);
    }
    CHECK_FALSE(linear(teacher, "gdn", R"({"output_gate": false})")->has(mixers::Quantity::OutputGate));
}

TEST_CASE("every parameter has a role: copied, output or new")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const auto count = [&](const std::string &kind, const std::string &options) {
        std::map<mixers::ParameterRole, std::vector<std::string>> byRole;
        const auto mixer = linear(teacher, kind, options);
        mixer->visitParameters([&](const std::string &name, at::Tensor &, nn::ParameterTraits) { byRole[mixer->role(name)].push_back(name); });
        return byRole;
    };
    using Names = std::vector<std::string>;
    auto gdn = count("gdn", R"({"short_conv": true})");
    CHECK(gdn[mixers::ParameterRole::Copied] == Names{"q_proj.weight", "k_proj.weight", "v_proj.weight"});
    CHECK(gdn[mixers::ParameterRole::Output] == Names{"o_norm.weight", "o_proj.weight"});
    CHECK(gdn[mixers::ParameterRole::New].size() == 8);   // three convolutions, a, b, A_log, dt_bias, gate
    CHECK(count("gla", "{}")[mixers::ParameterRole::Output] == Names{"g_norm_swish_gate.weight", "o_proj.weight"});
}

}  // namespace valuescale_tests
