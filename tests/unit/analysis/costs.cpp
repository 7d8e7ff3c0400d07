// SPDX-License-Identifier: GPL-3.0-or-later
// Against the published facts of Qwen2.5, Llama-3.2 and Jet-Nemotron.
#include "analysis/costs.h"
#include "error.h"

#include <doctest/doctest.h>

using namespace stillroom::analysis;
using doctest::Approx;

namespace {

struct Teacher {
    ModelShape shape;
    double breakEvenTokens;
};

ModelShape shapeOf(int layers, std::int64_t hidden, std::int64_t heads, std::int64_t kvHeads, bool bias)
{
    return {.numLayers = layers, .hiddenSize = hidden, .numHeads = heads, .numKvHeads = kvHeads, .headDim = 128, .qkvBias = bias};
}

/// Gated DeltaNet with an output gate and no convolution: q, k, v, g, o of width H·128; a, b; A_log, dt_bias; the norm.
MixerShape gdnFor(const ModelShape &shape)
{
    const std::int64_t width = shape.numHeads * shape.headDim;
    return {.numParameters = 5 * shape.hiddenSize * width + 2 * shape.hiddenSize * shape.numHeads + 2 * shape.numHeads + shape.headDim, .numHeads = shape.numHeads, .keyDim = shape.headDim,
            .valueDim = shape.headDim};
}

const ModelShape qwen1_5{shapeOf(28, 1536, 12, 2, true)}, qwen3{shapeOf(36, 2048, 16, 2, true)}, qwen7{shapeOf(28, 3584, 28, 4, true)}, llama3{shapeOf(28, 3072, 24, 8, false)};

}  // namespace

TEST_CASE("break-even lengths of the four published teachers")
{
    CHECK(hybridCost(layerCosts(qwen1_5, gdnFor(qwen1_5)), 7).breakEvenTokens == 768);
    CHECK(hybridCost(layerCosts(qwen3, gdnFor(qwen3)), 9).breakEvenTokens == 1024);
    CHECK(hybridCost(layerCosts(qwen7, gdnFor(qwen7)), 7).breakEvenTokens == 896);
    CHECK(hybridCost(layerCosts(llama3, gdnFor(llama3)), 7).breakEvenTokens == 384);
}

TEST_CASE("cache bytes per token and at 64K")
{
    const HybridCost cost = hybridCost(layerCosts(qwen1_5, gdnFor(qwen1_5)), 28);
    CHECK(cost.teacherCacheBytesPerToken == 28'672);
    CHECK(cost.cacheBytesPerToken == 28'672);
    CHECK(cost.teacherCacheBytesPerToken * 65536 == std::int64_t{1792} << 20);
    CHECK(hybridCost(layerCosts(llama3, gdnFor(llama3)), 0).teacherCacheBytesPerToken == 114'688);
    CHECK(hybridCost(layerCosts(qwen3, gdnFor(qwen3)), 0).stateBytes == std::int64_t{36} << 20);      // 16x128x128 fp32 = 1 MiB a layer
    // Jet-Nemotron-4B: 26 recurrent layers of 16 x 128 x 256 fp32 are 52 MiB
    const LayerCosts jet = layerCosts(qwen3, {.numParameters = 0, .numHeads = 16, .keyDim = 128, .valueDim = 256});
    CHECK(jet.stateBytes * 26 == std::int64_t{52} << 20);
    CHECK(hybridCost(jet, 3).cacheBytesPerToken * 65536 == std::int64_t{192} << 20);
}

TEST_CASE("a linear student is larger than its softmax teacher by what is published")
{
    CHECK(static_cast<double>(softmaxParameters(qwen3)) == Approx(9.4e6).epsilon(0.01));
    CHECK(static_cast<double>(gdnFor(qwen3).numParameters) == Approx(21.0e6).epsilon(0.01));
    const LayerCosts costs = layerCosts(qwen3, gdnFor(qwen3));
    CHECK(static_cast<double>(hybridCost(costs, 0).addedParameters) == Approx(418e6).epsilon(0.005));
    CHECK(static_cast<double>(hybridCost(costs, 9).addedParameters) == Approx(313e6).epsilon(0.005));
    CHECK(hybridCost(costs, 36).addedParameters == 0);
}

TEST_CASE("biases and norms of a softmax mixer are counted")
{
    ModelShape shape = shapeOf(1, 10, 2, 1, false);
    shape.headDim = 3;
    CHECK(softmaxParameters(shape) == 10 * 6 * 2 + 10 * 3 * 2);
    shape.qkvBias = shape.outputBias = shape.qkNorm = true;
    CHECK(softmaxParameters(shape) == 180 + (6 + 3 + 3) + 10 + 6);
}

TEST_CASE("bytes to decode a token: weights once, cache once, state twice; equal to the teacher's at twice the break-even length")
{
    ModelShape shape = qwen3;
    shape.numParameters = 3'085'938'688;
    const LayerCosts costs = layerCosts(shape, gdnFor(shape));
    for (int keep = 0; keep <= 36; ++keep) {
        const HybridCost cost = hybridCost(costs, keep);
        CHECK(cost.decodeBytes(8192) == Approx(static_cast<double>(cost.weightBytes + keep * std::int64_t{1024} * 8192 + 2 * (36 - keep) * (std::int64_t{1} << 20))));
        CHECK(cost.teacherDecodeBytes(8192) == Approx(static_cast<double>(2 * shape.numParameters + std::int64_t{36} * 1024 * 8192)));
        const double extraWeights = static_cast<double>(cost.weightBytes - cost.teacherWeightBytes);
        CHECK(cost.decodeBytes(2048) - cost.teacherDecodeBytes(2048) == Approx(extraWeights));
    }
    CHECK(hybridCost(costs, 36).breakEvenTokens == 0.0);
    CHECK_THROWS_AS((void)hybridCost(costs, 37), stillroom::Error);
    CHECK_THROWS_AS((void)hybridCost(costs, -1), stillroom::Error);
}
