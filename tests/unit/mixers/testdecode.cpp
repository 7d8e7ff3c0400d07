// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered between calls: any way of cutting a sequence gives what the whole gives.
#include "error.h"
#include "mixers/compare.h"
#include "mixers/registry.h"
#include "nn/generate.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <utility>

namespace stillroom::mixers::test::decode_tests {

namespace {

const std::pair<const char *, const char *> cases[] = {
    {"gdn", "{}"},
    {"gdn", R"({"short_conv": true, "rope": "teacher"})"},
    {"gdn", R"({"num_v_heads": 8, "short_conv": true, "conv_size": 2})"},
    {"gdn", R"({"num_kv_heads": 2, "short_conv": true})"},
    {"gla", "{}"},
    {"gla", R"({"short_conv": true, "num_kv_heads": 2})"},
};

std::shared_ptr<nn::TokenMixer> mixerOf(const std::pair<const char *, const char *> &which)
{
    const auto mixer = fromTeacher(which.first, which.second, tinyModel(tinyConfig()), 0, 3);
    perturb(*mixer, 5);
    return mixer;
}

/// Positions from `first` on, [B,T].
nn::TokenPlaces placesFrom(std::int64_t first, const at::Tensor &x_BTD)
{
    return {.positions_BT = at::arange(first, first + x_BTD.size(1)).unsqueeze(0).expand({x_BTD.size(0), x_BTD.size(1)})};
}

/// The sequence in pieces that end at `ends`, through one state.
at::Tensor inPieces(const nn::TokenMixer &mixer, const at::Tensor &x_BTD, const std::vector<std::int64_t> &ends)
{
    const auto state = mixer.initialState(x_BTD.size(0), x_BTD.size(1), x_BTD.scalar_type());
    std::vector<at::Tensor> pieces;
    std::int64_t start = 0;
    for (const std::int64_t end : ends) {
        const auto piece = x_BTD.slice(1, start, end);
        pieces.push_back(mixer.forward(piece, placesFrom(start, piece), state.get()));
        start = end;
    }
    return at::cat(pieces, 1);
}

}  // namespace

TEST_CASE("token by token, and split anywhere, equals the whole sequence")
{
    const at::NoGradGuard noGrad;
    const std::int64_t T = 131;
    std::vector<std::int64_t> everyToken;
    for (std::int64_t end = 1; end <= T; ++end)
        everyToken.push_back(end);
    for (const auto &which : cases) {
        CAPTURE(std::string(which.second));
        for (const auto &[type, tolerance] : {std::pair{at::kDouble, 1e-11}, {at::kFloat, 1e-5}}) {
            const auto mixer = mixerOf(which);
            mixer->visitParameters([&, wanted = type](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.to(wanted); });
            const auto x = randomNormal({2, T, 32}, 21, type);
            const auto whole = mixer->forward(x, placesFrom(0, x), nullptr);
            CHECK(relativeError(inPieces(*mixer, x, {T}), whole) <= tolerance);
            CHECK(relativeError(inPieces(*mixer, x, everyToken), whole) <= tolerance);
            for (const std::int64_t split : {1, 2, 3, 4, 63, 64, 65, 130}) {
                CAPTURE(split);
                CHECK(relativeError(inPieces(*mixer, x, {split, T}), whole) <= tolerance);
            }
            CHECK(relativeError(inPieces(*mixer, x, {1, 3, 4, 20, 85, 86, 87, T}), whole) <= tolerance);
        }
    }
}

TEST_CASE("a cached call of many tokens goes on from the remembered ones")
{
    const at::NoGradGuard noGrad;
    for (const auto &which : cases) {
        CAPTURE(std::string(which.second));
        const auto mixer = mixerOf(which);
        const auto x = randomNormal({2, 40 + 16, 32}, 22, at::kFloat);
        const auto prefix = x.slice(1, 0, 40), next = x.slice(1, 40, 56);
        const auto state = mixer->initialState(2, 56, at::kFloat);
        (void)mixer->forward(prefix, placesFrom(0, prefix), state.get());
        const auto copy = state->clone();
        const auto many = mixer->forward(next, placesFrom(40, next), state.get());
        const auto one = mixer->forward(next.slice(1, 0, 1), placesFrom(40, next.slice(1, 0, 1)), copy.get());
        CHECK(relativeError(many.slice(1, 0, 1), one) <= 1e-5);
        // Fifteen more single tokens bring the copy, which the first call did not touch, to the same state.
        for (std::int64_t t = 1; t < 16; ++t)
            (void)mixer->forward(next.slice(1, t, t + 1), placesFrom(40 + t, next.slice(1, t, t + 1)), copy.get());
        const auto a = state->tensors(), b = copy->tensors();
        REQUIRE(a.size() == b.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            CHECK(relativeError(a[i].second, b[i].second) <= 1e-5);
    }
}

TEST_CASE("the state is constant in size, counted in bytes, and fp32 whatever the compute type")
{
    for (const auto &which : cases) {
        CAPTURE(std::string(which.second));
        const auto mixer = mixerOf(which);
        for (const auto type : {at::kFloat, at::kBFloat16, at::kDouble}) {
            const auto state = mixer->initialState(3, 1000, type);
            CHECK(state->sizeBytes() == mixer->stateBytes(3, 1000, type));
            CHECK(mixer->stateBytes(3, 7, type) == mixer->stateBytes(3, 1000, type));
            CHECK((state->tensors().front().second.scalar_type() == (type == at::kDouble ? at::kDouble : at::kFloat)));
        }
    }
    // Two key/value heads of width 8 share one state each: 2·8·8 floats, (4+2+2)·8 channels × 3 old inputs, one document id.
    CHECK(mixerOf(cases[3])->stateBytes(1, 0, at::kFloat) == 4 * (2 * 8 * 8 + 64 * 3) + 8);
    CHECK(mixerOf(cases[0])->stateBytes(1, 0, at::kBFloat16) == 4 * (4 * 8 * 8) + 8);
}

TEST_CASE("a cached call has the gradients of its own tokens, also a single one")
{
    for (const auto &which : cases) {
        CAPTURE(std::string(which.second));
        const auto mixer = mixerOf(which);
        trainIn(*mixer, at::kDouble);
        const auto x = randomNormal({2, 9, 32}, 23);
        for (const std::int64_t split : {8, 5}) {
            const auto state = mixer->initialState(2, 9, at::kDouble);
            const auto before = x.slice(1, 0, split), whole = x.clone().requires_grad_(true), next = x.slice(1, split).clone().requires_grad_(true);
            (void)mixer->forward(before, placesFrom(0, before), state.get());
            mixer->forward(next, placesFrom(split, next), state.get()).square().sum().backward();
            mixer->forward(whole, placesFrom(0, whole), nullptr).slice(1, split).square().sum().backward();
            CHECK(relativeError(next.grad(), whole.grad().slice(1, split)) <= 1e-11);
        }
    }
}

TEST_CASE("a state of another kind of layer is refused")
{
    const auto teacher = tinyModel(tinyConfig());
    const auto mixer = fromTeacher("gdn", "{}", teacher, 0, 3);
    const auto foreign = teacher.blocks[0].mixer->initialState(1, 8, at::kFloat);
    CHECK_THROWS_AS((void)mixer->forward(randomNormal({1, 1, 32}, 1, at::kFloat), {}, foreign.get()), Error);
}

TEST_CASE("a hybrid generates the same with and without its state, alone and in a left-padded batch")
{
    auto hybrid = tinyModel(tinyConfig(), 4);
    const auto teacher = hybrid;
    hybrid.blocks[0].mixer = fromTeacher("gdn", R"({"short_conv": true})", teacher, 0, 9);
    hybrid.blocks[1].mixer = fromTeacher("gla", R"({"rope": "teacher"})", teacher, 1, 9);
    const std::vector<std::vector<std::int64_t>> prompts{{5, 17, 3, 44, 9, 9, 21}, {8}, {30, 2, 11}};
    nn::GenerateOptions options;
    options.maxNewTokens = 12;
    options.computeType = at::kDouble;
    const auto together = nn::generate(hybrid, prompts, options);
    options.useCache = false;
    for (std::size_t row = 0; row < prompts.size(); ++row)
        CHECK(nn::generate(hybrid, {prompts[row]}, options).front() == together[row]);
}

}  // namespace stillroom::mixers::test::decode_tests
