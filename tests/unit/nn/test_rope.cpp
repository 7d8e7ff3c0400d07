// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "gradcheck.h"
#include "nn/rope.h"
#include "nn/seed.h"
#include "tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cmath>

namespace rope_tests {

using namespace stillroom;

namespace {

at::Tensor positions(std::int64_t first, std::int64_t numTokens)
{
    return at::arange(first, first + numTokens, at::TensorOptions(at::kLong)).unsqueeze(0);
}

at::Tensor draw(at::IntArrayRef shape, std::uint64_t seed)
{
    return at::randn(shape, nn::generatorFor(seed, "test-rope"), at::TensorOptions(at::kDouble));
}

checkpoint::Rope ropeOfKind(checkpoint::Rope::Kind kind)
{
    checkpoint::Rope rope;
    rope.kind = kind;
    rope.factor = 4.0;
    rope.originalMaxPositions = 32;
    return rope;
}

}  // namespace

TEST_CASE("rotate multiplies pair (j, j + K/2) by e^{i position θ^(−2j/K)}, and back in backward")
{
    checkpoint::Rope rope;
    rope.theta = 50.0;
    const nn::RotaryEmbedding embedding(rope, 6, 64);
    const at::Tensor x = draw({2, 4, 3, 6}, 1);
    const nn::RotaryTable table = embedding.table(positions(3, 4), at::kDouble);
    const at::Tensor y = nn::rotate(x, table);
    for (std::int64_t t = 0; t < 4; ++t) {
        for (std::int64_t j = 0; j < 3; ++j) {
            const double angle = static_cast<double>(3 + t) * std::pow(50.0, -static_cast<double>(j) / 3.0);
            const double real = x[1][t][2][j].item<double>(), imaginary = x[1][t][2][j + 3].item<double>();
            CHECK(y[1][t][2][j].item<double>() == doctest::Approx(real * std::cos(angle) - imaginary * std::sin(angle)).epsilon(1e-12));
            CHECK(y[1][t][2][j + 3].item<double>() == doctest::Approx(real * std::sin(angle) + imaginary * std::cos(angle)).epsilon(1e-12));
        }
    }
    CHECK(test::gradientError([&](const auto &in) { return nn::rotate(in[0], table); }, {x}) < 1e-8);
}

TEST_CASE("scores depend on the distance of positions only, whatever the scaling")
{
    using Kind = checkpoint::Rope::Kind;
    const at::Tensor q = draw({1, 8, 2, 8}, 2), k = draw({1, 8, 2, 8}, 3);
    for (const Kind kind : {Kind::Default, Kind::Linear, Kind::Yarn, Kind::Llama3, Kind::Dynamic}) {
        const nn::RotaryEmbedding embedding(ropeOfKind(kind), 8, 128);
        const auto scores = [&](std::int64_t shift) {
            const nn::RotaryTable table = embedding.table(positions(shift, 8), at::kDouble);
            return at::matmul(nn::rotate(q, table).transpose(1, 2), nn::rotate(k, table).transpose(1, 2).transpose(2, 3));
        };
        CHECK(test::relativeError(scores(50), scores(0)) < 1e-12);
    }
}

TEST_CASE("dynamic scaling is plain RoPE inside the context and looks at each row's own length beyond it")
{
    const nn::RotaryEmbedding plain(checkpoint::Rope(), 8, 16), dynamic(ropeOfKind(checkpoint::Rope::Kind::Dynamic), 8, 16);
    CHECK(at::equal(dynamic.table(positions(0, 16), at::kFloat).cos_BT1R, plain.table(positions(0, 16), at::kFloat).cos_BT1R));
    CHECK_FALSE(at::equal(dynamic.table(positions(0, 17), at::kFloat).cos_BT1R, plain.table(positions(0, 17), at::kFloat).cos_BT1R));
    const at::Tensor shortRow = positions(0, 20).clamp_max(10), longRow = positions(0, 20);
    const at::Tensor both = dynamic.table(at::cat({shortRow, longRow}), at::kFloat).cos_BT1R;
    CHECK(at::equal(both.narrow(0, 0, 1), dynamic.table(shortRow, at::kFloat).cos_BT1R));
    CHECK(at::equal(both.narrow(0, 1, 1), dynamic.table(longRow, at::kFloat).cos_BT1R));
}

TEST_CASE("only YaRN scales cos and sin")
{
    using Kind = checkpoint::Rope::Kind;
    CHECK(nn::RotaryEmbedding(ropeOfKind(Kind::Llama3), 8, 128).attentionFactor() == 1.0);
    CHECK(nn::RotaryEmbedding(ropeOfKind(Kind::Yarn), 8, 128).attentionFactor() == doctest::Approx(0.1 * std::log(4.0) + 1.0));
    checkpoint::Rope given = ropeOfKind(Kind::Yarn);
    given.attentionFactor = 1.25;
    CHECK(nn::RotaryEmbedding(given, 8, 128).table(positions(0, 1), at::kDouble).cos_BT1R.flatten()[0].item<double>() == 1.25);
    checkpoint::Rope scaled = ropeOfKind(Kind::Yarn);
    scaled.mscale = 2.0;
    scaled.mscaleAllDim = 0.5;
    CHECK(nn::RotaryEmbedding(scaled, 8, 128).attentionFactor() == doctest::Approx((0.2 * std::log(4.0) + 1.0) / (0.05 * std::log(4.0) + 1.0)));
}

TEST_CASE("RoPE refuses heads that it cannot turn and scalings that are not finite")
{
    CHECK_THROWS_AS(nn::RotaryEmbedding(checkpoint::Rope(), 7, 64), Error);
    CHECK_THROWS_AS(nn::RotaryEmbedding(ropeOfKind(checkpoint::Rope::Kind::Dynamic), 2, 64), Error);
    checkpoint::Rope nothing = ropeOfKind(checkpoint::Rope::Kind::Linear);
    nothing.factor = 0.0;
    CHECK_THROWS_AS(nn::RotaryEmbedding(nothing, 8, 64), Error);
}

}  // namespace rope_tests
