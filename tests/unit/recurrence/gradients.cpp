// SPDX-License-Identifier: GPL-3.0-or-later
// The hand-written backward against finite differences and against autograd through the token loop.
#include <doctest/doctest.h>

#include <cmath>

#include "recurrence/reference.h"

using namespace stillroom::recurrence;
using namespace stillroom::recurrence::testing;

namespace {

double weightedSum(const Outputs &outputs, std::uint64_t seed) {
    return ((outputs.o_BTHV * randn(outputs.o_BTHV.sizes(), seed)).sum() +
            (outputs.finalState_BHKV * randn(outputs.finalState_BHKV.sizes(), seed + 1)).sum())
        .item<double>();
}

/// max|analytic - central difference| over every element of every input, relative to the largest difference of that input.
void checkAgainstDifferences(const Inputs &inputs, const Options &options) {
    auto leaves = withGradients(inputs);
    const auto analytic = gradientsOf(leaves, chunked(leaves, options), 50);
    Inputs shifted = inputs;
    const auto named = differentiable(shifted);
    for (std::size_t i = 0; i < named.size(); ++i) {
        CAPTURE(named[i].name);
        *named[i].tensor = named[i].tensor->clone();
        auto flat = named[i].tensor->view(-1);
        auto numeric = at::empty_like(flat);
        const double width = 1e-5;
        for (std::int64_t element = 0; element < flat.numel(); ++element) {
            const double value = flat[element].item<double>();
            flat[element] = value + width;
            const double above = weightedSum(chunked(shifted, options), 50);
            flat[element] = value - width;
            const double below = weightedSum(chunked(shifted, options), 50);
            flat[element] = value;
            numeric[element] = (above - below) / (2 * width);
        }
        CHECK(relativeError(analytic[i].reshape(-1), numeric) <= 1e-7);
    }
}

void checkAgainstLoop(const Inputs &inputs, const Options &options, double tolerance) {
    auto chunkedLeaves = withGradients(inputs), loopLeaves = withGradients(inputs);
    const auto gradients = gradientsOf(chunkedLeaves, chunked(chunkedLeaves, options), 60);
    const auto expected = gradientsOf(loopLeaves, tokenLoop(loopLeaves), 60);
    const auto named = differentiable(chunkedLeaves);
    for (std::size_t i = 0; i < named.size(); ++i) {
        CAPTURE(named[i].name);
        CHECK(relativeError(gradients[i], expected[i]) <= tolerance);
    }
}

}  // namespace

TEST_CASE("gradients equal finite differences for every input of every variant") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        checkAgainstDifferences(randomInputs(variant, {.B = 1, .T = 35, .H = 1, .K = 2, .V = 2}, 11), {.chunkLength = 16});
    }
}

TEST_CASE("gradients equal finite differences with packed documents and padding") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        auto inputs = randomInputs(variant, {.B = 1, .T = 21, .H = 1, .K = 2, .V = 2}, 12);
        inputs.documents_BT = at::tensor({-1, 4, 4, 4, -1, 4, 9, 9, 9, 9, -1, 9, 9, 9, 9, 9, 9, 9, 2, 2, -1}, at::kLong).unsqueeze(0);
        checkAgainstDifferences(inputs, {.chunkLength = 16});
    }
}

TEST_CASE("gradients equal those of the token loop at chunk lengths 16, 32, 64 and 128") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        for (const int chunkLength : {16, 32, 64, 128}) {
            CAPTURE(chunkLength);
            checkAgainstLoop(randomInputs(variant, {.B = 2, .T = 150, .H = 2, .K = 4, .V = 3}, 13), {.chunkLength = chunkLength}, 1e-10);
        }
    }
}

TEST_CASE("fp32 gradients stay within 1e-5 of the float64 loop") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        const auto inputs = randomInputs(variant, {.B = 1, .T = 150, .H = 2, .K = 16, .V = 16}, 14, at::kFloat);
        auto leaves = withGradients(inputs), exactLeaves = withGradients(converted(inputs, at::kDouble));
        const auto gradients = gradientsOf(leaves, chunked(leaves), 61);
        const auto exact = gradientsOf(exactLeaves, tokenLoop(exactLeaves), 61);
        const auto named = differentiable(leaves);
        for (std::size_t i = 0; i < named.size(); ++i) {
            CAPTURE(named[i].name);
            CHECK(relativeError(gradients[i], exact[i]) <= 1e-5);
        }
    }
}

TEST_CASE("a gradient through the output alone, or the final state alone, is right") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        for (const bool throughState : {false, true}) {
            CAPTURE(throughState);
            const auto inputs = randomInputs(variant, {.T = 40}, 15);
            auto leaves = withGradients(inputs), loop = withGradients(inputs);
            const auto use = [&](const Outputs &outputs) { return throughState ? outputs.finalState_BHKV : outputs.o_BTHV; };
            use(chunked(leaves)).square().sum().backward();
            use(tokenLoop(loop)).square().sum().backward();
            const auto named = differentiable(leaves), expected = differentiable(loop);
            for (std::size_t i = 0; i < named.size(); ++i) {
                CAPTURE(named[i].name);
                const auto reference = expected[i].tensor->grad().defined() ? expected[i].tensor->grad() : at::zeros_like(*named[i].tensor);
                const auto error = largest(named[i].tensor->grad() - reference);
                CHECK(error <= 1e-10 * std::max(1.0, largest(reference)));
            }
        }
    }
}

TEST_CASE("inputs that ask for no gradient get none, and the others' do not change") {
    const auto inputs = randomInputs({Writing::Tied, DecayKind::Scalar, Read::AfterWrite}, {}, 16);
    auto all = withGradients(inputs), some = withGradients(inputs);
    some.k_BTHK.set_requires_grad(false);
    some.initialState_BHKV.set_requires_grad(false);
    const auto expected = gradientsOf(all, chunked(all), 62);
    static_cast<void>(gradientsOf(some, chunked(some), 62));
    CHECK_FALSE(some.k_BTHK.grad().defined());
    CHECK_FALSE(some.initialState_BHKV.grad().defined());
    CHECK(at::equal(some.q_BTHK.grad(), expected[0]));
    CHECK(at::equal(some.g.grad(), expected[3]));
}

TEST_CASE("the inputs may be strided views") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        const auto inputs = randomInputs(variant, {.T = 40}, 17);
        Inputs views = inputs;
        for (const auto &[name, tensor] : differentiable(views))
            *tensor = tensor->transpose(1, -1).contiguous().transpose(1, -1);
        CHECK(at::equal(chunked(views).o_BTHV, chunked(inputs).o_BTHV));
        CHECK(at::equal(chunked(views).finalState_BHKV, chunked(inputs).finalState_BHKV));
    }
}
