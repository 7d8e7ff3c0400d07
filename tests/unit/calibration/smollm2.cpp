// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/attentionstatistics.h"
#include "checkpoint/modelfiles.h"
#include "folders.h"
#include "nn/tensorfile.h"
#include "testdata.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

namespace smollm2_tests {

using namespace stillroom;
using namespace stillroom::calibration;
namespace fs = std::filesystem;

namespace {

/// $STILLROOM_SMOLLM2, else what `stillroom-cli fetch smollm2` brings.
fs::path modelFile()
{
    const char *given = std::getenv("STILLROOM_SMOLLM2");
    return given ? fs::path(given) : cacheFolder() / "models/SmolLM2-135M-Instruct.Q4_1.gguf";
}

double largestDifference(const at::Tensor &a, const at::Tensor &b)
{
    REQUIRE(a.sizes() == b.sizes());
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

}  // namespace

TEST_CASE("SmolLM2-135M has the reference's attention statistics")
{
    const fs::path goldens = test::sharedData() / "golden/smollm2_135m/golden.safetensors";
    for (const fs::path &file : {modelFile(), goldens})
        if (!fs::exists(file)) {
            MESSAGE("skipped: " << file.string() << " is not there");
            return;
        }
    const auto golden = checkpoint::openSafetensors(goldens);
    const nn::Transformer model = nn::loadTransformer(checkpoint::openModel(modelFile()), at::kCPU);
    AttentionStatistics statistics(model);
    statistics.add(nn::readTensor(*golden, "input_ids"), {}, at::kFloat);
    const at::Tensor lookback = at::zeros({30, 9}), entropy = at::zeros({30, 9}), sink = at::zeros({30, 9});
    for (const LayerAttention &layer : statistics.result())
        for (std::size_t head = 0; head < layer.heads.size(); ++head) {
            const auto column = static_cast<std::int64_t>(head);
            lookback[layer.layer][column] = layer.heads[head].meanDistanceTokens.value;
            entropy[layer.layer][column] = layer.heads[head].entropyNats.value;
            sink[layer.layer][column] = layer.heads[head].sinkMass.value;
        }
    CHECK(largestDifference(lookback, nn::readTensor(*golden, "attn_lookback")) <= 1e-3);
    CHECK(largestDifference(entropy, nn::readTensor(*golden, "attn_entropy")) <= 5e-5);
    CHECK(largestDifference(sink, nn::readTensor(*golden, "attn_key0_mass")) <= 2e-5);
}

}  // namespace smollm2_tests
