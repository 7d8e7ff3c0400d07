// SPDX-License-Identifier: GPL-3.0-or-later
// Half precision, and what is said when a state runs over.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "error.h"
#include "recurrence/reference.h"

namespace overflow_tests {

using namespace stillroom::recurrence;
using namespace stillroom::recurrence::testing;
using stillroom::Error;
using stillroom::ErrorCode;

namespace {

const Variant deltaRule{Writing::Tied, DecayKind::Scalar, Read::AfterWrite};

/// The same with keys as they come from a projection: sqrt(K) long.
Inputs withoutNorm(Inputs inputs) {
    const auto length = std::sqrt(static_cast<double>(inputs.k_BTHK.size(3)));
    inputs.k_BTHK = inputs.k_BTHK * length;
    inputs.a_BTHK = inputs.a_BTHK * length;
    return inputs;
}

std::string refusalOf(const Inputs &inputs) {
    try {
        (void)chunked(inputs);
    } catch (const Error &error) {
        CHECK((error.code() == ErrorCode::NonFinite));
        return error.what();
    }
    return "was not refused";
}

}  // namespace

TEST_CASE("float16 and bfloat16 inputs meet the float64 loop on the same rounded numbers, outputs and gradients") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        for (const auto &[type, tolerance] : {std::pair{at::kHalf, 4e-3}, {at::kBFloat16, 3e-2}}) {
            CAPTURE(c10::toString(type));
            auto half = withGradients(randomInputs(variant, {.B = 1, .T = 130, .H = 2, .K = 16, .V = 8}, 201, type));
            auto wide = withGradients(converted(half, at::kDouble));
            const auto result = chunked(half), expected = tokenLoop(wide);
            CHECK((result.o_BTHV.scalar_type() == type));
            CHECK(relativeError(result.o_BTHV, expected.o_BTHV) <= tolerance);
            CHECK(relativeError(result.finalState_BHKV, expected.finalState_BHKV) <= 2e-5);   // it never was half
            const auto gradients = gradientsOf(half, result, 202), exact = gradientsOf(wide, expected, 202);
            const auto named = differentiable(half);
            for (std::size_t i = 0; i < named.size(); ++i) {
                CAPTURE(named[i].name);
                CHECK(relativeError(gradients[i], exact[i]) <= tolerance);
            }
        }
    }
}

TEST_CASE("keys that were not normalised make the state run over, and the refusal names the norm, in every precision") {
    for (const auto type : {at::kHalf, at::kBFloat16, at::kFloat}) {
        CAPTURE(c10::toString(type));
        const auto inputs = randomInputs(deltaRule, {.B = 1, .T = 500, .H = 2, .K = 64, .V = 8}, 203, type, 0.01);
        CHECK(at::isfinite(chunked(inputs).o_BTHV).all().item<bool>());
        CHECK(refusalOf(withoutNorm(inputs)).find("have lost their L2 norm") != std::string::npos);
        auto learning = withGradients(withoutNorm(inputs));
        CHECK(refusalOf(learning).find("Normalise the keys") != std::string::npos);
    }
}

TEST_CASE("an output beyond float16 is told from a state that runs over, and a decay above 0 is named") {
    auto inputs = randomInputs(deltaRule, {.B = 1, .T = 20, .H = 1, .K = 8, .V = 4}, 204, at::kHalf);
    inputs.q_BTHK = inputs.q_BTHK.sign() * 3e4;
    inputs.v_BTHV = inputs.v_BTHV.sign() * 3e4;
    CHECK(refusalOf(inputs).find("beyond what half precision holds. Make its inputs smaller") != std::string::npos);
    auto growing = randomInputs({Writing::Additive, DecayKind::Scalar, Read::AfterWrite}, {.B = 1, .T = 200, .H = 1, .K = 8, .V = 4}, 205, at::kFloat);
    growing.g = at::full_like(growing.g, 0.5);
    CHECK(refusalOf(growing).find("log decay g is up to 0.5,") != std::string::npos);
}

TEST_CASE("a document that runs over is found though a later one ends well") {
    auto inputs = withoutNorm(randomInputs(deltaRule, {.B = 1, .T = 500, .H = 1, .K = 64, .V = 8}, 206, at::kFloat, 0.01));
    inputs.documents_BT = at::cat({at::zeros({1, 499}, at::kLong), at::ones({1, 1}, at::kLong)}, 1);
    inputs.initialState_BHKV = at::Tensor();
    CHECK(refusalOf(inputs).find("have lost their L2 norm") != std::string::npos);
}

TEST_CASE("inputs that are not finite go through: their maker is told, not the recurrence") {
    auto inputs = randomInputs(deltaRule, {.B = 1, .T = 40, .H = 1, .K = 8, .V = 4}, 207, at::kFloat);
    inputs.v_BTHV[0][3][0][1] = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(at::isfinite(chunked(inputs).o_BTHV).all().item<bool>());
}

}  // namespace overflow_tests
