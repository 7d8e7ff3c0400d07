// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/compare.h"
#include "mixers/initial.h"
#include "mixers/registry.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cmath>

namespace stillroom::mixers::test::initial_tests {

namespace {

NamedTensors start(const std::string &kind, const std::string &options = "{}", int layer = 0, std::uint64_t seed = 1)
{
    return parametersOf(*fromTeacher(kind, options, tinyModel(tinyConfig()), layer, seed));
}

}  // namespace

TEST_CASE("what is drawn depends on seed, layer and name alone")
{
    const auto base = start("gdn");
    const auto again = start("gdn");
    for (const auto &[name, tensor] : base)
        CHECK(at::equal(tensor, again.at(name)));
    for (const char *name : {"a_proj.weight", "b_proj.weight", "g_proj.weight", "A_log", "dt_bias"}) {
        CAPTURE(name);
        CHECK_FALSE(at::equal(base.at(name), start("gdn", "{}", 0, 2).at(name)));
        CHECK_FALSE(at::equal(base.at(name), start("gdn", "{}", 1, 1).at(name)));
        CHECK(at::equal(base.at(name), start("gdn", R"({"short_conv": true, "conv_init": "random", "init": "random"})").at(name)));
    }
    CHECK_FALSE(at::equal(base.at("a_proj.weight"), base.at("b_proj.weight")));
    CHECK(at::equal(start("gla").at("g_proj.weight"), base.at("g_proj.weight")));
}

TEST_CASE("the ranges that the published students start from")
{
    at::Tensor decayRate = at::zeros({20000}), timeStep = at::zeros({20000}), uniform = at::zeros({200, 100});
    drawDecayRate(decayRate, "A_log", 0, 1);
    const auto A = decayRate.to(at::kDouble).exp();
    CHECK(A.max().item<double>() <= 16.0 + 1e-5);
    CHECK(A.min().item<double>() > 0.0);
    CHECK(A.mean().item<double>() == doctest::Approx(8.0).epsilon(0.02));
    CHECK(decayRate.isfinite().all().item<bool>());

    drawTimeStep(timeStep, "dt_bias", 0, 1);
    const auto dt = at::softplus(timeStep.to(at::kDouble));   // undoes what dt_bias holds
    CHECK(dt.min().item<double>() >= 1e-3 * (1 - 1e-4));
    CHECK(dt.max().item<double>() <= 1e-1 * (1 + 1e-4));
    CHECK(dt.log().mean().item<double>() == doctest::Approx(std::log(1e-2)).epsilon(0.01));

    drawLinear(uniform, 100, "g_proj.weight", 0, 1);
    CHECK(uniform.abs().max().item<double>() <= 0.1);
    CHECK(uniform.abs().max().item<double>() > 0.0999);
    CHECK(uniform.to(at::kDouble).square().mean().sqrt().item<double>() == doctest::Approx(0.1 / std::sqrt(3.0)).epsilon(0.02));

    const auto gla = start("gla");
    CHECK(gla.at("gk_proj.1.weight").abs().max().item<double>() <= 0.25);
    CHECK(gla.at("gk_proj.1.bias").abs().max().item<double>() > 0.2);
    CHECK(at::equal(gla.at("g_norm_swish_gate.weight"), at::ones({8})));
}

TEST_CASE("a short convolution starts as the identity, and a biased gate as the constant one")
{
    const auto x = randomNormal({2, 20, 32}, 4, at::kFloat);
    const auto teacher = tinyModel(tinyConfig());
    const auto without = fromTeacher("gdn", "{}", teacher, 0, 1), with = fromTeacher("gdn", R"({"short_conv": true})", teacher, 0, 1);
    CHECK(relativeError(with->forward(x, {}, nullptr), without->forward(x, {}, nullptr)) <= 1e-6);
    const auto open = fromTeacher("gla", R"({"gate_bias": true})", teacher, 0, 1), ungated = fromTeacher("gla", R"({"output_gate": false})", teacher, 0, 1);
    CHECK(relativeError(open->forward(x, {}, nullptr), ungated->forward(x, {}, nullptr)) <= 1e-6);
}

TEST_CASE("a write bias starts at zero, so that the layer is the one without it")
{
    const auto x = randomNormal({2, 20, 32}, 4, at::kFloat);
    const auto teacher = tinyModel(tinyConfig());
    const auto without = fromTeacher("gdn", "{}", teacher, 0, 1), with = fromTeacher("gdn", R"({"write_bias": true})", teacher, 0, 1);
    CHECK(at::equal(with->forward(x, {}, nullptr), without->forward(x, {}, nullptr)));
    CHECK(parametersOf(*with).at("b_proj.bias").numel() == 4);
    CHECK(!parametersOf(*without).contains("b_proj.bias"));
}

TEST_CASE("a blank mixer has the shapes of a started one and nothing but zeros")
{
    for (const char *kind : {"gdn", "gla"}) {
        const auto options = R"({"short_conv": true, "carry_bias": true, "gate_bias": true})";
        const auto config = tinyTeacherWith(true, false);
        const auto made = parametersOf(*blank(kind, options, config, 0, at::kCPU));
        const auto started = parametersOf(*fromTeacher(kind, options, tinyModel(config), 0, 1));
        REQUIRE(made.size() == started.size());
        for (const auto &[name, tensor] : made) {
            CAPTURE(name);
            CHECK(tensor.sizes() == started.at(name).sizes());
            CHECK(tensor.abs().max().item<double>() == 0.0);
        }
    }
}

}  // namespace stillroom::mixers::test::initial_tests
