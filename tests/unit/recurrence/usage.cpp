// SPDX-License-Identifier: GPL-3.0-or-later
// What is refused, and stopping.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "error.h"
#include "recurrence/reference.h"

using namespace stillroom;
using namespace stillroom::recurrence;
using namespace stillroom::recurrence::testing;

namespace {

const Variant gatedDelta{Writing::Tied, DecayKind::Scalar, Read::AfterWrite};

std::string refusal(const std::function<void(Inputs &)> &spoil, int chunkLength = 64) {
    auto inputs = randomInputs(gatedDelta, {}, 61);
    spoil(inputs);
    try {
        static_cast<void>(chunked(inputs, {.chunkLength = chunkLength}));
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::Usage);
        return error.what();
    }
    return "accepted";
}

bool names(const std::string &message, const std::string &word) { return message.find(word) != std::string::npos; }

ErrorCode codeOf(const std::function<void()> &call) {
    try {
        call();
    } catch (const Error &error) {
        return error.code();
    }
    return ErrorCode::Failed;
}

}  // namespace

TEST_CASE("arguments that do not fit are refused by name") {
    CHECK(names(refusal([](Inputs &inputs) { inputs.k_BTHK = inputs.k_BTHK.slice(1, 1); }), "k has shape"));
    CHECK(names(refusal([](Inputs &inputs) { inputs.q_BTHK = at::Tensor(); }), "q must be given"));
    CHECK(names(refusal([](Inputs &inputs) { inputs.k_BTHK = at::Tensor(); }), "k must be given"));
    CHECK(names(refusal([](Inputs &inputs) { inputs.v_BTHV = inputs.v_BTHV.slice(2, 1); }), "q has shape"));
    CHECK(names(refusal([](Inputs &inputs) { inputs.g = inputs.g.slice(2, 1); }), "g has shape"));
    CHECK(names(refusal([](Inputs &inputs) { inputs.g = inputs.g.to(at::kFloat); }), "g is of type"));
    CHECK(names(refusal([](Inputs &inputs) { inputs.a_BTHK = inputs.a_BTHK.to(at::kFloat); }), "a is of type"));
    CHECK(names(refusal([](Inputs &inputs) { std::swap(inputs.a_BTHK, inputs.b_BTHK); }), "b is given without a"));
    CHECK(names(refusal([](Inputs &inputs) { inputs.initialState_BHKV = inputs.initialState_BHKV.transpose(2, 3); }), "initialState has shape"));
    CHECK(names(refusal([](Inputs &inputs) { inputs.documents_BT = at::zeros({2, 37}, at::kInt); }), "documents is of type"));
    CHECK(names(refusal([](Inputs &inputs) { inputs.documents_BT = at::zeros({2, 36}, at::kLong); }), "documents has shape"));
    CHECK(names(refusal([](Inputs &) {}, 48), "chunkLength is 48"));
}

TEST_CASE("a step refuses more than one token and a state of another shape") {
    auto inputs = randomInputs(gatedDelta, {}, 62);
    auto state = inputs.initialState_BHKV;
    inputs.initialState_BHKV = at::Tensor();
    CHECK(codeOf([&] { static_cast<void>(step(inputs, state)); }) == ErrorCode::Usage);
    auto wrong = state.transpose(2, 3).contiguous();
    CHECK(codeOf([&] { static_cast<void>(step(tokens(inputs, 0, 1), wrong)); }) == ErrorCode::Usage);
}

TEST_CASE("a stop request cancels the forward and the backward") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        std::stop_source source;
        auto inputs = withGradients(randomInputs(variant, {.T = 80}, 63));
        const auto result = chunked(inputs, {.chunkLength = 16, .stop = source.get_token()});
        source.request_stop();
        CHECK(codeOf([&] { result.o_BTHV.sum().backward(); }) == ErrorCode::Cancelled);
        CHECK(codeOf([&] { static_cast<void>(chunked(inputs, {.chunkLength = 16, .stop = source.get_token()})); }) == ErrorCode::Cancelled);
        CHECK_FALSE(inputs.q_BTHK.grad().defined());
    }
}

TEST_CASE("a second derivative is refused, not silently wrong") {
    auto inputs = withGradients(randomInputs(gatedDelta, {}, 64));
    const auto loss = chunked(inputs).o_BTHV.square().sum();
    CHECK(codeOf([&] { loss.backward({}, /*retain_graph=*/true, /*create_graph=*/true); }) == ErrorCode::Usage);
}

TEST_CASE("saved bytes count the inputs and one state per chunk") {
    const auto inputs = randomInputs(gatedDelta, {.K = 64, .V = 64}, 65, at::kFloat);
    // q, k, a, v: 64 floats each; g: one; the state: 64·64 floats per 64 tokens
    CHECK(savedBytesPerTokenHead(64, 64, inputs) == doctest::Approx(4.0 * (4 * 64 + 1 + 64)));
    CHECK(savedBytesPerTokenHead(64, 64, inputs, {.chunkLength = 32}) == doctest::Approx(4.0 * (4 * 64 + 1 + 128)));
}
