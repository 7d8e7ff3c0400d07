// SPDX-License-Identifier: GPL-3.0-or-later
// chunked == token loop == M v == decode steps, for every variant.
#include <doctest/doctest.h>

#include "recurrence/reference.h"

using namespace stillroom::recurrence;
using namespace stillroom::recurrence::testing;

TEST_CASE("the chunked form equals the token loop in float64, for every variant, chunk length and length") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        for (const std::int64_t T : {1, 5, 16, 37, 64, 131}) {
            CAPTURE(T);
            auto inputs = randomInputs(variant, {.T = T}, 1);
            const auto expected = tokenLoop(inputs);
            for (const int chunkLength : {16, 32, 64, 128}) {
                CAPTURE(chunkLength);
                const auto result = chunked(inputs, {.chunkLength = chunkLength});
                CHECK(relativeError(result.o_BTHV, expected.o_BTHV) <= 1e-10);
                CHECK(relativeError(result.finalState_BHKV, expected.finalState_BHKV) <= 1e-10);
            }
            inputs.initialState_BHKV = at::Tensor();
            CHECK(relativeError(chunked(inputs).o_BTHV, tokenLoop(inputs).o_BTHV) <= 1e-10);
        }
    }
}

TEST_CASE("fp32 stays within 1e-5 of the float64 loop") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        const auto inputs = randomInputs(variant, {.B = 2, .T = 150, .H = 2, .K = 16, .V = 24}, 2, at::kFloat);
        const auto expected = tokenLoop(converted(inputs, at::kDouble));
        const auto result = chunked(inputs);
        CHECK((result.o_BTHV.scalar_type() == at::kFloat));
        CHECK(relativeError(result.o_BTHV, expected.o_BTHV) <= 1e-5);
        CHECK(relativeError(result.finalState_BHKV, expected.finalState_BHKV) <= 1e-5);
    }
}

TEST_CASE("bf16 inputs give a bf16 output and an fp32 state close to the float64 loop of the same values") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        auto inputs = withGradients(randomInputs(variant, {.T = 70, .K = 16, .V = 16}, 3, at::kBFloat16));
        auto wide = withGradients(converted(inputs, at::kDouble));
        const auto result = chunked(inputs), expected = tokenLoop(wide);
        CHECK((result.o_BTHV.scalar_type() == at::kBFloat16));
        CHECK((result.finalState_BHKV.scalar_type() == at::kFloat));
        CHECK(relativeError(result.o_BTHV, expected.o_BTHV) <= 1e-2);
        CHECK(relativeError(result.finalState_BHKV, expected.finalState_BHKV) <= 1e-2);
        const auto gradients = gradientsOf(inputs, result, 5), exact = gradientsOf(wide, expected, 5);
        const auto names = differentiable(inputs);
        for (std::size_t i = 0; i < names.size(); ++i) {
            CAPTURE(names[i].name);
            CHECK((gradients[i].scalar_type() == names[i].tensor->scalar_type()));
            CHECK(relativeError(gradients[i], exact[i]) <= 2e-2);
        }
    }
}

TEST_CASE("the dense matrix applied to v equals the token loop from a zero state") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        for (const std::int64_t T : {1, 16, 45}) {
            CAPTURE(T);
            auto inputs = randomInputs(variant, {.T = T}, 4);
            inputs.initialState_BHKV = at::Tensor();
            const auto M_BHTT = matrix(inputs);
            const auto o_BTHV = at::einsum("bhts,bshv->bthv", {M_BHTT, inputs.v_BTHV});
            CHECK(relativeError(o_BTHV, tokenLoop(inputs).o_BTHV) <= 1e-10);
            CHECK(largest(M_BHTT.triu(variant.read == Read::AfterWrite ? 1 : 0)) == 0.0);
        }
    }
}

TEST_CASE("the matrix is differentiable and its gradients equal the loop's") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        auto inputs = randomInputs(variant, {.B = 1, .T = 21}, 5);
        inputs.initialState_BHKV = at::Tensor();
        auto dense = withGradients(inputs), loop = withGradients(inputs);
        const auto weights = randn(inputs.v_BTHV.sizes(), 9);
        (at::einsum("bhts,bshv->bthv", {matrix(dense), dense.v_BTHV}) * weights).sum().backward();
        (tokenLoop(loop).o_BTHV * weights).sum().backward();
        const auto names = differentiable(dense), expected = differentiable(loop);
        for (std::size_t i = 0; i < names.size(); ++i) {
            CAPTURE(names[i].name);
            CHECK(relativeError(names[i].tensor->grad(), expected[i].tensor->grad()) <= 1e-10);
        }
    }
}

TEST_CASE("decoding token by token equals the chunked form") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        const auto inputs = randomInputs(variant, {.B = 3, .T = 40}, 6);
        const auto expected = chunked(inputs);
        auto state = inputs.initialState_BHKV.clone();
        for (std::int64_t t = 0; t < 40; ++t) {
            auto token = tokens(inputs, t, t + 1);
            token.initialState_BHKV = at::Tensor();
            const auto o = step(token, state);
            CHECK(relativeError(o, expected.o_BTHV.slice(1, t, t + 1)) <= 1e-10);
        }
        CHECK(relativeError(state, expected.finalState_BHKV) <= 1e-10);
    }
}
