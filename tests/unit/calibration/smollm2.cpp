// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/attentionstatistics.h"
#include "calibration/phaseone.h"
#include "checkpoint/modelfiles.h"
#include "folders.h"
#include "mixers/registry.h"
#include "nn/tensorfile.h"
#include "testdata.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <vector>

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

fs::path goldenFile()
{
    return test::sharedData() / "golden/smollm2_135m/golden.safetensors";
}

bool filesAreThere()
{
    bool there = true;
    for (const fs::path &file : {modelFile(), goldenFile()})
        if (!fs::exists(file)) {
            MESSAGE("skipped: " << file.string() << " is not there");
            there = false;
        }
    return there;
}

/// Median over the heads of all layers.
double medianOf(const PhaseOneResult &result, double HeadState::*field)
{
    std::vector<double> values;
    for (const LayerCalibration &report : result.reports)
        for (const HeadState &head : report.after.heads)
            values.push_back(head.*field);
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double floorShare(const PhaseOneResult &result)
{
    double sum = 0.0;
    for (const LayerCalibration &report : result.reports)
        sum += report.floorShare;
    return sum / static_cast<double>(result.reports.size());
}

double largestWriteError(const PhaseOneResult &result)
{
    double largest = 0.0;
    for (const LayerCalibration &report : result.reports)
        for (std::size_t head = 0; head < report.heads.size(); ++head)
            largest = std::max(largest, std::abs(report.after.heads[head].beta.mean - report.heads[head].betaTarget));
    return largest;
}

}  // namespace

TEST_CASE("SmolLM2-135M has the reference's attention statistics")
{
    if (!filesAreThere())
        return;
    const fs::path goldens = goldenFile();
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

TEST_CASE("on SmolLM2-135M whole heads match the teacher's contexts and leave the floor, rows of heads do not, and write strengths are met")
{
    if (!filesAreThere())
        return;
    const at::NoGradGuard noGrad;
    const nn::Transformer model = nn::loadTransformer(checkpoint::openModel(modelFile()), at::kCPU);
    const distillation::Batch text{nn::readTensor(*checkpoint::openSafetensors(goldenFile()), "input_ids"), {}, {}};
    const auto calibrated = [&](const std::string &options, const PhaseOneOptions &phase) {
        std::vector<distillation::AlignedLayer> students;
        for (const int layer : {2, 9, 16})
            students.push_back({layer, mixers::fromTeacher("gdn", options, model, layer, 1)});
        return calibratePhaseOne(model, students, text, phase, at::kFloat);
    };
    const PhaseOneResult ours = calibrated("{}", {}), published = calibrated(R"({"expand": "row"})", PhaseOneOptions::published());
    MESSAGE("sigma at the floor: " << floorShare(ours) << " ours, " << floorShare(published) << " published; median cosine of contexts: " << medianOf(ours, &HeadState::contextCosine)
                                   << " ours, " << medianOf(published, &HeadState::contextCosine) << " published; largest error of a write strength: " << largestWriteError(ours)
                                   << " ours, " << largestWriteError(published) << " published");
    CHECK(floorShare(ours) < floorShare(published));
    CHECK(medianOf(ours, &HeadState::contextCosine) > medianOf(published, &HeadState::contextCosine) + 0.2);
    CHECK(largestWriteError(ours) <= 1e-3);
    CHECK(largestWriteError(published) > 1e-2);
}

TEST_CASE("write strengths that were set on one half of a text are nearly met on the other")
{
    if (!filesAreThere())
        return;
    const at::NoGradGuard noGrad;
    const nn::Transformer model = nn::loadTransformer(checkpoint::openModel(modelFile()), at::kCPU);
    const at::Tensor ids_1T = nn::readTensor(*checkpoint::openSafetensors(goldenFile()), "input_ids");
    const distillation::Batch first{ids_1T.narrow(1, 0, 133), {}, {}}, second{ids_1T.narrow(1, 133, 134), {}, {}};
    std::vector<distillation::AlignedLayer> students;
    for (const int layer : {2, 9, 16, 29})
        students.push_back({layer, mixers::fromTeacher("gdn", "{}", model, layer, 1)});
    const auto missOnTheOther = [&](WriteInit init) {
        PhaseOneOptions phase;
        phase.writeInit = init;
        const PhaseOneResult set = calibratePhaseOne(model, students, first, phase, at::kFloat), met = calibratePhaseOne(model, set.layers, second, PhaseOneOptions::measuring(), at::kFloat);
        double sum = 0.0;
        for (std::size_t i = 0; i < students.size(); ++i)
            for (std::size_t h = 0; h < 9; ++h)
                sum += std::abs(met.reports[i].after.heads[h].beta.mean - set.reports[i].heads[h].betaTarget) / (9.0 * static_cast<double>(students.size()));
        return sum;
    };
    const double data = missOnTheOther(WriteInit::Data), weight = missOnTheOther(WriteInit::Weight);
    MESSAGE("mean error of a write strength on the other half: " << data << " by data, " << weight << " by weight");
    CHECK(data <= 0.02);
    CHECK(weight >= 3.0 * data);
}

}  // namespace smollm2_tests
