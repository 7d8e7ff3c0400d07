// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/linear.h"
#include "gradcheck.h"
#include "nn/seed.h"
#include "tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace linear_tests {

using namespace stillroom;

namespace {

at::Tensor draw(at::IntArrayRef shape, std::uint64_t seed, at::ScalarType type = at::kDouble)
{
    return at::randn(shape, nn::generatorFor(seed, "test-linear"), at::TensorOptions(at::kDouble)).to(type);
}

}  // namespace

TEST_CASE("rmsNorm is x / sqrt(mean x² + eps) ∘ w, and its gradients are those of the formula")
{
    const at::Tensor x = draw({2, 3, 7}, 1), w = draw({7}, 2);
    const at::Tensor expected = x / (x * x).mean(-1, true).add(1e-3).sqrt() * w;
    CHECK(test::relativeError(nn::rmsNorm(x, w, 1e-3), expected) < 1e-14);
    CHECK(test::relativeError(nn::rmsNorm(x, {}, 1e-3), expected / w) < 1e-13);
    CHECK(test::gradientError([](const auto &in) { return nn::rmsNorm(in[0], in[1], 1e-3); }, {x, w}) < 1e-7);
    CHECK(test::gradientError([](const auto &in) { return nn::rmsNorm(in[0], {}, 1e-3); }, {x}) < 1e-7);
}

TEST_CASE("l2Norm has its eps inside the root: a finite gradient at zero")
{
    const at::Tensor x = draw({2, 3, 7}, 3);
    CHECK(test::relativeError(nn::l2Norm(x), x / (x * x).sum(-1, true).add(1e-6).sqrt()) < 1e-14);
    CHECK(test::gradientError([](const auto &in) { return nn::l2Norm(in[0], 0.1); }, {x}) < 1e-7);
    const at::Tensor zero = at::zeros({1, 4}, at::TensorOptions(at::kFloat)).requires_grad_();
    nn::l2Norm(zero).sum().backward();
    CHECK(zero.grad().isfinite().all().item<bool>());
    CHECK(zero.grad().min().item<float>() == doctest::Approx(1e3));
}

// Eps outside the root, or max(norm, eps), is another function here: at a norm of 1e-4 it is ten times as long.
TEST_CASE("l2Norm has the bits of x · (1 / sqrt(sum x² + 1e-6)) in float32, down to norms that eps swallows")
{
    const float eps = 1e-6F;
    std::vector<float> sizes{0.0F, 1.0F, 3.0F};
    for (float size = 1e-1F; size > 1e-22F; size *= 0.31F)
        sizes.push_back(size);
    for (const float first : sizes)
        for (const float second : {0.0F, first * 0.7F, -1e-3F}) {
            at::Tensor x = at::zeros({3, 64}, at::TensorOptions(at::kFloat));      // two that count: their sum has one order
            x[1][5] = first;
            x[1][40] = second;
            const volatile float square = first * first, other = second * second;      // rounded each, never fused
            const float inverse = 1.0F / std::sqrt(square + other + eps);
            const at::Tensor y = nn::l2Norm(x);
            CAPTURE(first);
            CAPTURE(second);
            CHECK(y[1][5].item<float>() == first * inverse);
            CHECK(y[1][40].item<float>() == second * inverse);
            CHECK(y.ne(0).sum().item<std::int64_t>() == (first * inverse != 0.0F) + (second * inverse != 0.0F));
        }
}

TEST_CASE("no key is longer than 1 after l2Norm, whatever its size, width and type")
{
    for (const auto &[type, rounding] : {std::pair{at::kDouble, 1e-15}, {at::kFloat, 1e-6}, {at::kBFloat16, 1.0 / 256}, {at::kHalf, 1.0 / 2048}})
        for (const std::int64_t width : {1, 2, 7, 64, 256})
            for (const double size : {0.0, 1e-12, 1e-6, 1e-3, 1.0, 30.0, 1e4}) {
                CAPTURE(c10::toString(type));
                CAPTURE(width);
                CAPTURE(size);
                const at::Tensor khat = nn::l2Norm((draw({40, width}, 9) * size).to(type)).to(at::kDouble), norm = khat.norm(2, -1);
                CHECK(norm.max().item<double>() <= 1.0 + rounding);
                CHECK((size < 30.0 || width == 1 || norm.min().item<double>() >= 0.99));
            }
}

TEST_CASE("norms of bfloat16 are computed in float32 and rounded once")
{
    const at::Tensor x = draw({4, 64}, 4).to(at::kBFloat16), w = draw({64}, 5, at::kFloat);
    const at::Tensor y = nn::rmsNorm(x, w, 1e-5);
    CHECK((y.scalar_type() == at::kBFloat16));
    CHECK(at::equal(y, nn::rmsNorm(x.to(at::kFloat), w, 1e-5).to(at::kBFloat16)));
}

TEST_CASE("linear casts the masters to the type of x and hands fp32 gradients back")
{
    const at::Tensor x = draw({2, 5}, 6), w = draw({3, 5}, 7), b = draw({3}, 8);
    CHECK(test::relativeError(nn::linear(x, w, b), at::matmul(x, w.t()) + b) < 1e-14);
    const at::Tensor master = w.to(at::kFloat).requires_grad_(), bias = b.to(at::kFloat).requires_grad_();
    const at::Tensor y = nn::linear(x.to(at::kBFloat16), master, bias);
    CHECK((y.scalar_type() == at::kBFloat16));
    y.sum().backward();
    CHECK((master.grad().scalar_type() == at::kFloat));
    CHECK((bias.grad().scalar_type() == at::kFloat));
}

}  // namespace linear_tests
