// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "evaluation/hiddencosine.h"
#include "nn/tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cmath>

namespace stillroom::evaluation {

namespace {

/// The mean cosine of one row over the counted tokens, number by number.
double slowCosine(const at::Tensor &a_TD, const at::Tensor &b_TD, const at::Tensor &counted_T)
{
    double sum = 0.0;
    std::int64_t count = 0;
    for (std::int64_t t = 0; t < a_TD.size(0); ++t) {
        if (!counted_T[t].item<bool>())
            continue;
        double dot = 0.0, aa = 0.0, bb = 0.0;
        for (std::int64_t d = 0; d < a_TD.size(1); ++d) {
            const auto a = a_TD[t][d].item<double>(), b = b_TD[t][d].item<double>();
            dot += a * b;
            aa += a * a;
            bb += b * b;
        }
        sum += dot / std::sqrt(aa * bb);
        ++count;
    }
    return sum / static_cast<double>(count);
}

nn::Transformer withOtherMixer(const nn::Transformer &teacher, std::size_t layer)
{
    nn::Transformer student = teacher;
    student.blocks[layer].mixer = test::tinyModel(teacher.config, 9, at::kDouble).blocks[layer].mixer;
    return student;
}

}  // namespace

TEST_CASE("hidden cosines equal the slow mean over the states of two whole forward passes")
{
    const nn::Transformer teacher = test::tinyModel(test::tinyConfig(), 1, at::kDouble), student = withOtherMixer(teacher, 0);
    const at::Tensor ids_BT = test::randomIds(2, 9, 61, 3);
    at::Tensor counted_BT = at::ones({2, 9}, at::kBool);
    counted_BT[1].narrow(0, 0, 4).fill_(false);
    const HiddenCosines measured = hiddenCosines(teacher, student, ids_BT, {}, counted_BT, at::kDouble);
    nn::ForwardOptions keep;
    keep.keepHiddenStates = true;
    const auto t = teacher.forward(ids_BT, {}, at::kDouble, keep).hiddenStates_BTD, s = student.forward(ids_BT, {}, at::kDouble, keep).hiddenStates_BTD;
    REQUIRE(measured.afterBlock.size() == 2);
    REQUIRE(measured.final.size() == 2);
    for (std::int64_t row = 0; row < 2; ++row) {
        const auto i = static_cast<std::size_t>(row);
        CHECK(measured.afterBlock[0][i] == doctest::Approx(slowCosine(t[1][row], s[1][row], counted_BT[row])).epsilon(1e-12));
        CHECK(measured.final[i] == doctest::Approx(slowCosine(t[2][row], s[2][row], counted_BT[row])).epsilon(1e-12));
        CHECK(measured.afterBlock[0][i] < 0.999);
    }
}

TEST_CASE("a student equals its teacher up to its first other layer, and itself altogether")
{
    const nn::Transformer teacher = test::tinyModel(test::tinyConfig(), 1, at::kDouble);
    const at::Tensor ids_BT = test::randomIds(1, 7, 61, 3), all = at::ones({1, 7}, at::kBool);
    const HiddenCosines second = hiddenCosines(teacher, withOtherMixer(teacher, 1), ids_BT, {}, all, at::kDouble);
    CHECK(second.afterBlock[0][0] == doctest::Approx(1.0).epsilon(1e-14));
    CHECK(second.afterBlock[1][0] < 0.999);
    const HiddenCosines same = hiddenCosines(teacher, teacher, ids_BT, {}, all, at::kFloat);
    CHECK(same.final[0] == doctest::Approx(1.0).epsilon(1e-6));
}

TEST_CASE("hidden cosines leave padding out and batches can be joined")
{
    const nn::Transformer teacher = test::tinyModel(test::tinyConfig(), 1, at::kDouble), student = withOtherMixer(teacher, 0);
    const at::Tensor ids_BT = test::randomIds(2, 6, 61, 5), counted = at::ones({2, 6}, at::kBool);
    HiddenCosines joined = hiddenCosines(teacher, student, ids_BT.narrow(0, 0, 1), {}, counted.narrow(0, 0, 1), at::kDouble);
    joined.append(hiddenCosines(teacher, student, ids_BT.narrow(0, 1, 1), {}, counted.narrow(0, 1, 1), at::kDouble));
    const HiddenCosines whole = hiddenCosines(teacher, student, ids_BT, {}, counted, at::kDouble);
    REQUIRE(joined.final.size() == 2);
    CHECK(joined.final[1] == doctest::Approx(whole.final[1]).epsilon(1e-12));
    CHECK(joined.afterBlock[1][0] == doctest::Approx(whole.afterBlock[1][0]).epsilon(1e-12));

    // Two tokens of padding before the same text.
    const at::Tensor padded = at::cat({at::zeros({1, 2}, at::kLong), ids_BT.narrow(0, 0, 1)}, 1);
    const at::Tensor mask = at::cat({at::zeros({1, 2}, at::kLong), at::ones({1, 6}, at::kLong)}, 1);
    const HiddenCosines behind = hiddenCosines(teacher, student, padded, nn::placesFromMask(padded, mask), mask.to(at::kBool), at::kDouble);
    CHECK(behind.final[0] == doctest::Approx(whole.final[0]).epsilon(1e-10));
}

TEST_CASE("hidden cosines refuse models that cannot be compared, and sequences without a counted token")
{
    const nn::Transformer teacher = test::tinyModel(test::tinyConfig());
    auto deeper = test::tinyConfig();
    deeper.numLayers = 3;
    deeper.layers.resize(3);
    deeper.slidingWindow = {0, 0, 0};
    const at::Tensor ids_BT = test::randomIds(1, 4, 61), all = at::ones({1, 4}, at::kBool);
    CHECK_THROWS_WITH_AS((void)hiddenCosines(teacher, test::tinyModel(deeper), ids_BT, {}, all, at::kFloat), doctest::Contains("same depth and width"), Error);
    CHECK_THROWS_WITH_AS((void)hiddenCosines(teacher, teacher, ids_BT, {}, at::zeros({1, 4}, at::kBool), at::kFloat), doctest::Contains("no token that counts"), Error);
}

}  // namespace stillroom::evaluation
