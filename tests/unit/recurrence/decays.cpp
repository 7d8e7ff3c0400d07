// SPDX-License-Identifier: GPL-3.0-or-later
// Decays from none to total, and keys that make a careless triangular inverse explode.
#include <doctest/doctest.h>

#include <cmath>

#include "recurrence/reference.h"
#include "recurrence/triangular.h"

using namespace stillroom::recurrence;
using namespace stillroom::recurrence::testing;

namespace {

at::Tensor constantDecay(const Variant &variant, const Inputs &inputs, double g) {
    const auto shape = inputs.k_BTHK.sizes();
    return variant.decay == DecayKind::Scalar ? at::full({shape[0], shape[1], shape[2]}, g, inputs.k_BTHK.options())
                                              : at::full(shape, g, inputs.k_BTHK.options());
}

/// Each entry one of the given values.
at::Tensor mixedDecay(const Variant &variant, const Inputs &inputs, const std::vector<double> &values, std::uint64_t seed) {
    const auto like = constantDecay(variant, inputs, 0);
    const auto uniform = randn(like.sizes(), seed).mul(0.7071067811865476).erf().add(1).mul(0.5);
    const auto index = uniform.mul(static_cast<double>(values.size())).to(at::kLong).clamp(0, static_cast<std::int64_t>(values.size()) - 1);
    return at::tensor(values, at::kDouble).index({index}).to(like.scalar_type());
}

std::vector<Variant> decayingVariants() {
    auto variants = allVariants();
    std::erase_if(variants, [](const Variant &variant) { return variant.decay == DecayKind::None; });
    return variants;
}

void checkBothTypes(const Inputs &inputs) {
    for (const auto type : {at::kDouble, at::kFloat}) {
        CAPTURE(c10::toString(type));
        auto leaves = withGradients(converted(inputs, type)), loop = withGradients(converted(converted(inputs, type), at::kDouble));
        const double tolerance = type == at::kDouble ? 1e-10 : 1e-5;
        const auto result = chunked(leaves), expected = tokenLoop(loop);
        CHECK(relativeError(result.o_BTHV, expected.o_BTHV) <= tolerance);
        CHECK(relativeError(result.finalState_BHKV, expected.finalState_BHKV) <= tolerance);
        const auto gradients = gradientsOf(leaves, result, 70), exact = gradientsOf(loop, expected, 70);
        const auto named = differentiable(leaves);
        double scale = 0;
        for (const auto &gradient : exact)
            scale = std::max(scale, largest(gradient));
        for (std::size_t i = 0; i < named.size(); ++i) {
            CAPTURE(named[i].name);
            CHECK(at::isfinite(gradients[i]).all().item<bool>());
            CHECK(largest(gradients[i].to(at::kDouble) - exact[i]) <= tolerance * scale);  // total decay leaves gradients of g near 0
        }
    }
}

}  // namespace

TEST_CASE("any constant decay from 0 to -500 a token is finite and equals the loop") {
    for (const auto &variant : decayingVariants()) {
        CAPTURE(variant.name());
        for (const double g : {0.0, -1e-6, -5.0, -27.6310211159, -50.0, -500.0}) {  // e^-27.6 = 1e-12 a token
            CAPTURE(g);
            auto inputs = randomInputs(variant, {.B = 1, .T = 80, .H = 2, .K = 4, .V = 3}, 21);
            setDecay(inputs, variant, constantDecay(variant, inputs, g));
            checkBothTypes(inputs);
        }
    }
}

TEST_CASE("decays of every size mixed at random equal the loop") {
    for (const auto &variant : decayingVariants()) {
        CAPTURE(variant.name());
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
            auto inputs = randomInputs(variant, {.B = 1, .T = 100, .H = 2, .K = 4, .V = 3}, 22 + seed);
            setDecay(inputs, variant, mixedDecay(variant, inputs, {0.0, -1e-6, -1e-3, -0.1, -5.0, -50.0, -500.0}, seed));
            checkBothTypes(inputs);
        }
    }
}

TEST_CASE("no decay equals a decay of zero, and half the gates may be open") {
    for (const auto &variant : decayingVariants()) {
        CAPTURE(variant.name());
        auto gated = randomInputs(variant, {.T = 130, .K = 8, .V = 8}, 23, at::kFloat);
        setDecay(gated, variant, constantDecay(variant, gated, 0));
        Inputs plain = gated;
        plain.g = at::Tensor();
        CHECK(relativeError(chunked(gated).o_BTHV, chunked(plain).o_BTHV) <= 1e-6);
        CHECK(relativeError(chunked(gated).o_BTHV, tokenLoop(converted(plain, at::kDouble)).o_BTHV) <= 1e-5);
        setDecay(gated, variant, mixedDecay(variant, gated, {0.0, -0.3}, 5));
        CHECK(relativeError(chunked(gated).o_BTHV, tokenLoop(converted(gated, at::kDouble)).o_BTHV) <= 1e-5);
    }
}

TEST_CASE("a scalar decay equals the same decay on every channel") {
    for (const auto writing : {Writing::Additive, Writing::Tied, Writing::General}) {
        const Variant scalar{writing, DecayKind::Scalar, Read::AfterWrite};
        const auto inputs = randomInputs(scalar, {.T = 90}, 24);
        Inputs channel = inputs;
        channel.g = inputs.g.unsqueeze(3).expand_as(inputs.k_BTHK);
        CHECK(relativeError(chunked(channel).o_BTHV, chunked(inputs).o_BTHV) <= 1e-12);
    }
}

TEST_CASE("50,000 tokens of additive per-channel decay stay finite") {
    const Variant variant{Writing::Additive, DecayKind::Channel, Read::AfterWrite};
    auto inputs = withGradients(randomInputs(variant, {.B = 1, .T = 50000, .H = 1, .K = 8, .V = 4}, 25, at::kFloat, 1.0 / 16));
    const auto result = chunked(inputs);
    CHECK(at::isfinite(result.o_BTHV).all().item<bool>());
    for (const auto &gradient : gradientsOf(inputs, result, 71))
        CHECK(at::isfinite(gradient).all().item<bool>());
    const auto tail = tokens(converted(inputs, at::kDouble), 49000, 50000);  // the state forgets: the end does not need the beginning
    CHECK(relativeError(result.o_BTHV.slice(1, 49900), chunked(tail).o_BTHV.slice(1, 900)) <= 1e-4);
}

// The table of correlated keys: the doubling product reaches errors of 1e2, 5e8 and 4e18 on these.
TEST_CASE("the triangular inverse stays exact on correlated keys") {
    const struct {
        double correlation, beta, tolerance;
    } cases[] = {{0.0, 0.95, 1e-6}, {0.5, 0.95, 2e-6}, {0.9, 0.95, 3e-6}, {0.9, 1.9, 5e-5}};
    for (const auto &[correlation, beta, tolerance] : cases) {
        CAPTURE(correlation);
        CAPTURE(beta);
        const auto shared = randn({1, 1, 64}, 30), own = randn({8, 64, 64}, 31);
        auto keys = std::sqrt(correlation) * shared + std::sqrt(1 - correlation) * own;
        keys = keys / keys.norm(2, -1, true);
        const auto a_LCC = -(beta * keys.bmm(keys.transpose(1, 2))).tril(-1);
        const auto exact = at::linalg_inv(at::eye(64, a_LCC.options()) - a_LCC);
        CHECK(largest(unitLowerInverse(a_LCC) - exact) <= 1e-10);
        CHECK(largest(unitLowerInverse(a_LCC.to(at::kFloat)).to(at::kDouble) - exact) <= tolerance);
    }
}

TEST_CASE("a delta rule on correlated keys with beta up to 1.9 equals the loop in fp32") {
    for (const double beta : {0.95, 1.9}) {
        CAPTURE(beta);
        const Variant variant{Writing::Tied, DecayKind::Scalar, Read::AfterWrite};
        auto inputs = randomInputs(variant, {.B = 1, .T = 192, .H = 2, .K = 32, .V = 16}, 32);
        auto keys = std::sqrt(0.9) * randn({1, 1, 1, 32}, 33) + std::sqrt(0.1) * randn({1, 192, 2, 32}, 34);
        keys = keys / keys.norm(2, -1, true);
        inputs.k_BTHK = beta * keys;
        setDecay(inputs, variant, inputs.g * 0.01);
        const auto expected = tokenLoop(converted(converted(inputs, at::kFloat), at::kDouble));
        CHECK(relativeError(chunked(converted(inputs, at::kFloat)).o_BTHV, expected.o_BTHV) <= 1e-4);
        CHECK(relativeError(chunked(inputs).o_BTHV, tokenLoop(inputs).o_BTHV) <= 1e-10);
    }
}
