// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/compare.h"
#include "mixers/registry.h"
#include "nn/linear.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <cmath>

namespace stillroom::mixers::test::matrix_tests {

TEST_CASE("M times the values, normed, gated and projected, is the mixer's output")
{
    const at::NoGradGuard noGrad;
    const std::int64_t T = 70, H = 4;
    for (const char *kind : {"gdn", "gla"}) {
        const auto mixer = fromTeacher(kind, R"({"rope": "teacher"})", tinyModel(tinyConfig()), 0, 3);
        perturb(*mixer, 5);
        mixer->visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.to(at::kDouble); });
        auto p = parametersOf(*mixer);
        const auto x = randomNormal({2, T, 32}, 6);
        const auto M = mixer->matrix(x, {});
        REQUIRE(M.sizes() == at::IntArrayRef({2, H, T, T}));
        CHECK(M.triu(1).abs().max().item<double>() == 0.0);
        auto v = nn::linear(x, p["v_proj.weight"]);
        if (std::string(kind) == "gdn")
            v = at::silu(v);
        const auto o = M.matmul(v.view({2, T, H, 8}).transpose(1, 2)).transpose(1, 2);
        const auto norm = std::string(kind) == "gdn" ? p["o_norm.weight"] : p["g_norm_swish_gate.weight"];
        const auto gated = o / (o.square().mean(-1, true) + 1e-6).sqrt() * norm * at::silu(nn::linear(x, p["g_proj.weight"])).view({2, T, H, 8});
        CHECK(relativeError(nn::linear(gated.flatten(2), p["o_proj.weight"]), mixer->forward(x, {}, nullptr)) <= 1e-11);
    }
}

TEST_CASE("the map is differentiable, and zero across documents")
{
    const auto mixer = fromTeacher("gdn", "{}", tinyModel(tinyConfig()), 0, 3);
    trainIn(*mixer, at::kDouble);
    const auto x = randomNormal({1, 12, 32}, 6);
    const auto documents = at::tensor({0, 0, 0, 0, -1, 1, 1, 1, 1, 1, 1, 1}, at::kLong).unsqueeze(0);
    const auto M = mixer->matrix(x, {.positions_BT = {}, .documents_BT = documents});
    CHECK(M.slice(2, 5).slice(3, 0, 5).abs().max().item<double>() == 0.0);
    M.square().sum().backward();
    CHECK(parametersOf(*mixer).at("A_log").grad().abs().max().item<double>() > 0.0);
}

TEST_CASE("the half-life of a head is ln 2 over its decay rate")
{
    const at::NoGradGuard noGrad;
    const double halfLifeTokens = 6.0, rate = std::log(2.0) / halfLifeTokens;
    const std::int64_t T = 32;
    for (const char *kind : {"gdn", "gla"}) {
        const auto mixer = fromTeacher(kind, "{}", tinyModel(tinyConfig()), 0, 3);
        // One-hot tokens: keys of any two tokens are orthogonal within 8 tokens, so nothing is erased; queries are all alike.
        mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
            tensor = at::zeros(tensor.sizes(), at::kDouble);
            if (name == "k_proj.weight")
                for (std::int64_t row = 0; row < 32; ++row)
                    for (std::int64_t token = row % 8; token < 32; token += 8)
                        tensor[row][token] = 30.0;
            if (name == "q_proj.weight")
                tensor.fill_(1.0);
            if (name == "dt_bias")
                tensor.fill_(rate + std::log(-std::expm1(-rate)));       // A_log = 0: −g = softplus(dt_bias)
            if (name == "gk_proj.1.bias")
                tensor.fill_(-std::log(std::expm1(16.0 * rate)));          // −g = −logsigmoid(c)/16
        });
        const auto M = mixer->matrix(at::eye(T, at::kDouble).unsqueeze(0), {});
        for (std::int64_t head = 0; head < 4; ++head) {
            CHECK(M[0][head][6][0].item<double>() / M[0][head][0][0].item<double>() == doctest::Approx(0.5).epsilon(1e-9));
            CHECK(M[0][head][10][7].item<double>() / M[0][head][7][7].item<double>() == doctest::Approx(std::sqrt(0.5)).epsilon(1e-9));
        }
    }
}

}  // namespace stillroom::mixers::test::matrix_tests
