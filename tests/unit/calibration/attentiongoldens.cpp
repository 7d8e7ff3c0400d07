// SPDX-License-Identifier: GPL-3.0-or-later
// Against transformers' probabilities, reduced in numpy (tests/golden/calibration/attention.py).
#include "calibration/attentionstatistics.h"
#include "checkpoint/modelfiles.h"
#include "nn/tensorfile.h"
#include "testdata.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

namespace attentiongoldens_tests {

using namespace stillroom;
using namespace stillroom::calibration;

namespace {

using Field = std::function<double(const HeadAttention &)>;

const std::vector<std::pair<std::string, Field>> &fields()
{
    static const std::vector<std::pair<std::string, Field>> all = {
        {"distance", [](const HeadAttention &head) { return head.meanDistanceTokens.value; }},
        {"distance_error", [](const HeadAttention &head) { return head.meanDistanceTokens.standardError; }},
        {"versus_uniform", [](const HeadAttention &head) { return head.distanceVersusUniform.value; }},
        {"sink", [](const HeadAttention &head) { return head.sinkMass.value; }},
        {"entropy", [](const HeadAttention &head) { return head.entropyNats.value; }},
        {"relative_entropy", [](const HeadAttention &head) { return head.relativeEntropy.value; }},
    };
    return all;
}

void checkArray(const std::vector<LayerAttention> &layers, const at::Tensor &golden_LH, const Field &field)
{
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        for (std::size_t head = 0; head < layers[layer].heads.size(); ++head)
            CHECK(field(layers[layer].heads[head]) == doctest::Approx(golden_LH[static_cast<std::int64_t>(layer)][static_cast<std::int64_t>(head)].item<double>()).epsilon(1e-4));
}

void checkBins(const std::vector<LayerAttention> &layers, const at::Tensor &golden_LHN, std::vector<double> HeadAttention::*bins)
{
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        for (std::size_t head = 0; head < layers[layer].heads.size(); ++head) {
            const std::vector<double> &found = layers[layer].heads[head].*bins;
            const at::Tensor golden_N = golden_LHN[static_cast<std::int64_t>(layer)][static_cast<std::int64_t>(head)].contiguous();
            REQUIRE(static_cast<std::int64_t>(found.size()) == golden_N.size(0));
            for (std::size_t bin = 0; bin < found.size(); ++bin) {
                const double golden = golden_N.const_data_ptr<double>()[bin];
                CHECK((std::isnan(found[bin]) == std::isnan(golden)));
                if (!std::isnan(golden))
                    CHECK(found[bin] == doctest::Approx(golden).epsilon(1e-4));
            }
        }
}

}  // namespace

TEST_CASE("statistics are those of transformers' probabilities: grouped queries with biases, with q/k norms, with a sliding window")
{
    for (const std::string name : {"qwen2", "qwen3", "mistral"}) {
        CAPTURE(name);
        const auto golden = checkpoint::openSafetensors(test::testData() / "calibration" / (name + ".safetensors"));
        const nn::Transformer model = nn::loadTransformer(checkpoint::openModel(test::testData() / "nn/models" / name), at::kCPU);
        for (const std::int64_t dropped : {0, 1, 4}) {
            CAPTURE(dropped);
            AttentionStatistics statistics(model, {.droppedKeys = dropped});
            statistics.add(nn::readTensor(*golden, "input_ids"), {}, at::kFloat);
            const auto layers = statistics.result();
            const std::string prefix = std::to_string(dropped) + ".";
            for (const auto &[field, value] : fields())
                checkArray(layers, nn::readTensor(*golden, prefix + field), value);
            checkBins(layers, nn::readTensor(*golden, prefix + "lag_share"), &HeadAttention::lagShare);
            checkBins(layers, nn::readTensor(*golden, prefix + "entropy_by_position"), &HeadAttention::entropyByPosition);
            checkArray(layers, nn::readTensor(*golden, "context_rms"), [](const HeadAttention &head) { return head.contextRms.value; });
            checkArray(layers, nn::readTensor(*golden, "context_square"), [](const HeadAttention &head) { return head.contextSquare.value; });
            checkArray(layers, nn::readTensor(*golden, "output_rms"), [](const HeadAttention &head) { return head.outputRms.value; });
        }
    }
}

}  // namespace attentiongoldens_tests
