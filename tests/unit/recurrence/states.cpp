// SPDX-License-Identifier: GPL-3.0-or-later
// A sequence cut anywhere, with the state handed over, is the same sequence.
#include <doctest/doctest.h>

#include "recurrence/reference.h"

using namespace stillroom::recurrence;
using namespace stillroom::recurrence::testing;

TEST_CASE("splitting at any token and handing the state over changes nothing") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        const auto inputs = randomInputs(variant, {.T = 140, .K = 8, .V = 6}, 51, at::kFloat);
        const auto whole = chunked(inputs);
        for (const std::int64_t cut : {1, 3, 4, 63, 64, 65}) {
            CAPTURE(cut);
            const auto first = chunked(tokens(inputs, 0, cut));
            auto rest = tokens(inputs, cut, 140);
            rest.initialState_BHKV = first.finalState_BHKV;
            const auto second = chunked(rest);
            CHECK(relativeError(at::cat({first.o_BTHV, second.o_BTHV}, 1), whole.o_BTHV) <= 5e-6);
            CHECK(relativeError(second.finalState_BHKV, whole.finalState_BHKV) <= 5e-6);
        }
    }
}

TEST_CASE("gradients flow through a state that is handed over") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        const auto inputs = randomInputs(variant, {.B = 1, .T = 50}, 52);
        auto whole = withGradients(inputs), split = withGradients(inputs);
        const auto expected = gradientsOf(whole, chunked(whole), 90);
        const auto first = chunked(tokens(split, 0, 23));
        auto rest = tokens(split, 23, 50);
        rest.initialState_BHKV = first.finalState_BHKV;
        const auto second = chunked(rest);
        const auto gradients = gradientsOf(split, {at::cat({first.o_BTHV, second.o_BTHV}, 1), second.finalState_BHKV}, 90);
        const auto named = differentiable(split);
        for (std::size_t i = 0; i < named.size(); ++i) {
            CAPTURE(named[i].name);
            CHECK(relativeError(gradients[i], expected[i]) <= 1e-10);
        }
    }
}

TEST_CASE("a cached call of 16 tokens begins like a single decode step and ends like 16 of them") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        auto inputs = randomInputs(variant, {.T = 16}, 53);
        const auto many = chunked(inputs);
        auto state = inputs.initialState_BHKV.clone();
        inputs.initialState_BHKV = at::Tensor();
        for (std::int64_t t = 0; t < 16; ++t)
            CHECK(relativeError(step(tokens(inputs, t, t + 1), state), many.o_BTHV.slice(1, t, t + 1)) <= 1e-10);
        CHECK(relativeError(state, many.finalState_BHKV) <= 1e-10);
    }
}

TEST_CASE("batch rows do not touch each other") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        const auto inputs = randomInputs(variant, {.B = 3, .T = 70}, 54);
        const auto together = chunked(inputs);
        for (std::int64_t b = 0; b < 3; ++b)
            CHECK(relativeError(together.o_BTHV.slice(0, b, b + 1), chunked(row(inputs, b)).o_BTHV) <= 1e-13);
    }
}

TEST_CASE("the initial state is not written to") {
    const auto inputs = randomInputs({Writing::Tied, DecayKind::Scalar, Read::AfterWrite}, {}, 55);
    const auto before = inputs.initialState_BHKV.clone();
    static_cast<void>(chunked(inputs));
    CHECK(at::equal(inputs.initialState_BHKV, before));
}
