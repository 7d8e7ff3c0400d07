// SPDX-License-Identifier: GPL-3.0-or-later
// The same recurrence on a CUDA device, where there is one.
#include <doctest/doctest.h>

#include <algorithm>

#include "recurrence/reference.h"

using namespace stillroom::recurrence;
using namespace stillroom::recurrence::testing;

namespace {

Inputs onCuda(const Inputs &inputs) {
    Inputs moved = inputs;
    for (auto *x : {&moved.q_BTHK, &moved.k_BTHK, &moved.v_BTHV, &moved.g, &moved.a_BTHK, &moved.b_BTHK, &moved.initialState_BHKV, &moved.documents_BT})
        if (x->defined())
            *x = x->detach().to(at::kCUDA);
    return moved;
}

/// Output, state and gradients on the device against the float64 kernel on the CPU, from the same (rounded) inputs.
void checkOnCuda(const Inputs &inputs, double tolerance, int chunkLength = 64) {
    auto device = withGradients(onCuda(inputs)), wide = withGradients(converted(inputs, at::kDouble));
    const auto result = chunked(device, {.chunkLength = chunkLength}), expected = chunked(wide);
    CHECK(relativeError(result.o_BTHV.cpu(), expected.o_BTHV) <= tolerance);
    CHECK(relativeError(result.finalState_BHKV.cpu(), expected.finalState_BHKV) <= tolerance);
    const auto gradients = gradientsOf(device, result, 98), exact = gradientsOf(wide, expected, 98);
    const auto named = differentiable(device);
    double scale = 0;  // of all gradients: a strong decay leaves its own near 0
    for (const auto &gradient : exact)
        scale = std::max(scale, largest(gradient));
    for (std::size_t i = 0; i < named.size(); ++i) {
        CAPTURE(named[i].name);
        CHECK(largest(gradients[i].cpu().to(at::kDouble) - exact[i]) <= tolerance * scale);
    }
}

bool hasDevice() {
    if (at::hasCUDA())
        return true;
    MESSAGE("skipped: no CUDA device");
    return false;
}

}  // namespace

TEST_CASE("fp32, fp64 and bf16 on CUDA meet the float64 kernel, with and without documents") {
    if (!hasDevice())
        return;
    const auto documents = at::tensor({-1, 0, 0, 2, 2, -1, 2, 3, 1, -1}, at::kLong).repeat_interleave(15).expand({2, 150}).contiguous();
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        for (const auto &[type, tolerance] : {std::pair{at::kFloat, 2e-5}, {at::kDouble, 1e-10}, {at::kBFloat16, 5e-2}}) {
            CAPTURE(c10::toString(type));
            auto inputs = randomInputs(variant, {.B = 2, .T = 150, .H = 2, .K = 16, .V = 16}, 99, type);
            checkOnCuda(inputs, tolerance);
            inputs.documents_BT = documents;
            checkOnCuda(inputs, tolerance);
        }
    }
}

TEST_CASE("strong decays stay finite and right on CUDA") {
    if (!hasDevice())
        return;
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        for (const double scale : {10.0, 300.0})
            checkOnCuda(randomInputs(variant, {.B = 1, .T = 130, .H = 2, .K = 16, .V = 16}, 100, at::kFloat, scale), 5e-5);
    }
}

// A compiler once got dk and dbeta wrong on this card family, at chunks of 64 alone.
TEST_CASE("every chunk length on CUDA gives the float64 kernel's outputs, states and gradients, at the widths of real heads") {
    if (!hasDevice())
        return;
    for (const Writing writing : {Writing::Additive, Writing::Tied, Writing::General})
        for (const DecayKind decay : {DecayKind::Scalar, DecayKind::Channel})
            for (const std::int64_t width : {64, 128})
                for (const int chunkLength : {16, 32, 64, 128}) {
                    const Variant variant{writing, decay, Read::AfterWrite};
                    CAPTURE(variant.name());
                    CAPTURE(width);
                    CAPTURE(chunkLength);
                    const Size size{.B = 1, .T = 300, .H = 2, .K = width, .V = width};
                    checkOnCuda(randomInputs(variant, size, 102, at::kFloat), 5e-5, chunkLength);
                    checkOnCuda(randomInputs(variant, size, 103, at::kBFloat16), 5e-2, chunkLength);
                }
}

TEST_CASE("decode steps on CUDA equal the chunked form") {
    if (!hasDevice())
        return;
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        const auto inputs = onCuda(randomInputs(variant, {.B = 2, .T = 20}, 101, at::kFloat));
        const auto expected = chunked(inputs);
        auto state = inputs.initialState_BHKV.clone();
        for (std::int64_t t = 0; t < 20; ++t) {
            auto token = tokens(inputs, t, t + 1);
            token.initialState_BHKV = at::Tensor();
            CHECK(relativeError(step(token, state).cpu(), expected.o_BTHV.slice(1, t, t + 1).cpu()) <= 2e-5);
        }
        CHECK(relativeError(state.cpu(), expected.finalState_BHKV.cpu()) <= 2e-5);
    }
}
