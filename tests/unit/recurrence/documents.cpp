// SPDX-License-Identifier: GPL-3.0-or-later
// Packed documents never meet; padding anywhere changes nothing.
#include <doctest/doctest.h>

#include "recurrence/reference.h"

using namespace stillroom::recurrence;
using namespace stillroom::recurrence::testing;

namespace {

at::Tensor ids(const std::vector<std::pair<std::int64_t, std::int64_t>> &runs) {
    std::vector<std::int64_t> all;
    for (const auto &[id, length] : runs)
        all.insert(all.end(), static_cast<std::size_t>(length), id);
    return at::tensor(all, at::kLong).unsqueeze(0);
}

}  // namespace

TEST_CASE("packed and padded rows equal the loop, output, state and gradients") {
    const auto documents = at::cat({ids({{-1, 5}, {7, 60}, {-1, 3}, {7, 4}, {3, 30}, {8, 1}, {9, 40}, {-1, 7}}),
                                    ids({{0, 64}, {1, 64}, {2, 22}}), ids({{5, 150}}), ids({{-1, 150}}), ids({{-1, 100}, {2, 50}})},
                                   0);
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        auto inputs = randomInputs(variant, {.B = 5, .T = 150, .H = 2, .K = 4, .V = 3}, 41);
        inputs.documents_BT = documents;
        auto leaves = withGradients(inputs), loop = withGradients(inputs);
        const auto result = chunked(leaves, {.chunkLength = 32}), expected = tokenLoop(loop);
        CHECK(relativeError(result.o_BTHV, expected.o_BTHV) <= 1e-10);
        CHECK(relativeError(result.finalState_BHKV, expected.finalState_BHKV) <= 1e-10);
        const auto gradients = gradientsOf(leaves, result, 80), exact = gradientsOf(loop, expected, 80);
        const auto named = differentiable(leaves);
        for (std::size_t i = 0; i < named.size(); ++i) {
            CAPTURE(named[i].name);
            CHECK(relativeError(gradients[i], exact[i]) <= 1e-10);
        }
    }
}

TEST_CASE("packed documents equal the same documents run alone") {
    const std::vector<std::int64_t> lengths{40, 1, 63, 70, 26};
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        auto inputs = randomInputs(variant, {.B = 1, .T = 200, .H = 2, .K = 8, .V = 8}, 42, at::kFloat);
        inputs.initialState_BHKV = at::Tensor();
        Inputs packed = inputs;
        packed.documents_BT = ids({{0, 40}, {1, 1}, {2, 63}, {3, 70}, {4, 26}});
        const auto together = chunked(packed);
        std::int64_t first = 0;
        for (const auto length : lengths) {
            const auto alone = chunked(tokens(inputs, first, first + length));
            CHECK(relativeError(together.o_BTHV.slice(1, first, first + length), alone.o_BTHV) <= 2e-6);
            first += length;
            if (first == 200)
                CHECK(relativeError(together.finalState_BHKV, alone.finalState_BHKV) <= 2e-6);
        }
    }
}

TEST_CASE("another document's values never reach a document, not even by a bit") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        auto inputs = randomInputs(variant, {.B = 1, .T = 90, .H = 2, .K = 4, .V = 4}, 43, at::kFloat);
        inputs.documents_BT = ids({{0, 30}, {1, 60}});
        auto changed = randomInputs(variant, {.B = 1, .T = 90, .H = 2, .K = 4, .V = 4}, 44, at::kFloat);
        changed.documents_BT = inputs.documents_BT;
        for (std::size_t i = 0; i < differentiable(inputs).size(); ++i)
            if (auto &tensor = *differentiable(changed)[i].tensor; tensor.size(1) == 90)
                tensor.slice(1, 30).copy_(differentiable(inputs)[i].tensor->slice(1, 30));
        const auto original = chunked(inputs), other = chunked(changed);
        CHECK(relativeError(other.o_BTHV.slice(1, 30), original.o_BTHV.slice(1, 30)) <= 1e-6);
        CHECK(largest(other.o_BTHV.slice(1, 0, 30) - original.o_BTHV.slice(1, 0, 30)) > 0.01);
        CHECK(relativeError(other.finalState_BHKV, original.finalState_BHKV) <= 1e-6);
    }
}

TEST_CASE("padding at the left, right or inside changes neither outputs nor states of tokens, at batch 1 and 3") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        for (const std::int64_t B : {1, 3}) {
            CAPTURE(B);
            const auto plain = randomInputs(variant, {.B = B, .T = 50, .H = 2, .K = 6, .V = 5}, 45, at::kFloat);
            const auto expected = chunked(plain);
            for (const auto &[left, inside, right] : {std::tuple{7, 0, 0}, {0, 9, 0}, {0, 0, 30}, {70, 5, 3}}) {
                CAPTURE(left);
                CAPTURE(inside);
                CAPTURE(right);
                Inputs padded = plain;
                const auto junk = randomInputs(variant, {.B = B, .T = left + inside + right, .H = 2, .K = 6, .V = 5}, 46, at::kFloat);
                const auto junkParts = differentiable(const_cast<Inputs &>(junk));
                const auto parts = differentiable(padded);
                for (std::size_t i = 0; i < parts.size(); ++i) {
                    if (parts[i].name == "initialState")
                        continue;
                    const auto &x = *parts[i].tensor, &noise = *junkParts[i].tensor;
                    *parts[i].tensor = at::cat({noise.slice(1, 0, left), x.slice(1, 0, 20), noise.slice(1, left, left + inside),
                                                x.slice(1, 20), noise.slice(1, left + inside)},
                                               1);
                }
                padded.documents_BT = ids({{-1, left}, {0, 20}, {-1, inside}, {0, 30}, {-1, right}}).expand({B, -1}).contiguous();
                const auto result = chunked(padded);
                const auto o = at::cat({result.o_BTHV.slice(1, left, left + 20), result.o_BTHV.slice(1, left + 20 + inside, left + inside + 50)}, 1);
                CHECK(relativeError(o, expected.o_BTHV) <= 2e-6);
                CHECK(relativeError(result.finalState_BHKV, expected.finalState_BHKV) <= 2e-6);
                CHECK(largest(result.o_BTHV.masked_fill(padded.documents_BT.ge(0).view({B, -1, 1, 1}), 0)) == 0.0);
            }
        }
    }
}

TEST_CASE("5 tokens inside a chunk of 64 leave the same state as 5 tokens alone") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        const auto inputs = randomInputs(variant, {.B = 1, .T = 64}, 47, at::kFloat);
        Inputs padded = inputs;
        padded.documents_BT = ids({{0, 5}, {-1, 59}});
        const auto alone = chunked(tokens(inputs, 0, 5)), inside = chunked(padded);
        CHECK(largest(alone.finalState_BHKV - inside.finalState_BHKV) <= 1e-6);
    }
}

TEST_CASE("padding may hold NaN") {
    const Variant variant{Writing::Tied, DecayKind::Channel, Read::AfterWrite};
    auto inputs = randomInputs(variant, {.B = 1, .T = 30}, 48);
    inputs.documents_BT = ids({{-1, 4}, {0, 20}, {-1, 6}});
    for (const auto &[name, tensor] : differentiable(inputs))
        if (name != "initialState")
            tensor->masked_fill_(inputs.documents_BT.lt(0).view({1, 30, 1, 1}), std::numeric_limits<double>::quiet_NaN());
    auto leaves = withGradients(inputs);
    const auto result = chunked(leaves);
    CHECK(at::isfinite(result.o_BTHV).all().item<bool>());
    for (const auto &gradient : gradientsOf(leaves, result, 81))
        CHECK(at::isfinite(gradient.masked_select(at::ones({1}, at::kBool))).all().item<bool>());
}

TEST_CASE("a decode step on padding leaves the state alone and reads zero") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        auto inputs = randomInputs(variant, {.B = 2, .T = 1}, 49);
        const auto start = inputs.initialState_BHKV.clone();
        inputs.initialState_BHKV = at::Tensor();
        inputs.documents_BT = at::tensor({-1, 0}, at::kLong).unsqueeze(1);
        auto state = start.clone();
        const auto o = step(inputs, state);
        CHECK(at::equal(state[0], start[0]));
        CHECK_FALSE(at::equal(state[1], start[1]));
        CHECK(largest(o[0]) == 0.0);
        CHECK(largest(o[1]) > 0.0);
    }
}

TEST_CASE("the matrix keeps documents apart") {
    auto inputs = randomInputs({Writing::Tied, DecayKind::Scalar, Read::AfterWrite}, {.B = 1, .T = 30}, 50);
    inputs.initialState_BHKV = at::Tensor();
    inputs.documents_BT = ids({{0, 12}, {-1, 2}, {1, 16}});
    const auto M_BHTT = matrix(inputs);
    CHECK(largest(M_BHTT.slice(2, 12).slice(3, 0, 14)) == 0.0);
    CHECK(relativeError(at::einsum("bhts,bshv->bthv", {M_BHTT, inputs.v_BTHV}), tokenLoop(inputs).o_BTHV) <= 1e-10);
}
