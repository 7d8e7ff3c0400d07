// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "nn/generate.h"
#include "tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <map>

namespace cuda_tests {

using namespace stillroom;

namespace {

bool hasGpu()
{
    if (!at::hasCUDA()) {
        MESSAGE("skipped: this machine has no CUDA device");
    }
    return at::hasCUDA();
}

checkpoint::ModelConfig richConfig()
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.qkNorm = config.qkvBias = true;
    config.slidingWindow = {0, 6};
    return config;
}

std::map<std::string, at::Tensor> gradients(nn::Transformer &model, const at::Tensor &ids_BT, const nn::TokenPlaces &places, at::ScalarType type, bool checkpointBlocks)
{
    model.requireGrad(true);
    nn::ForwardOptions options;
    options.checkpointBlocks = checkpointBlocks;
    const at::Tensor ids = ids_BT.to(model.device());
    const at::Tensor logits = model.logits(model.forward(ids, places, type, options).hidden_BTD).to(at::kFloat);
    test::nextTokenLoss(logits, ids).backward();
    std::map<std::string, at::Tensor> found = {{"logits", logits.detach()}};
    model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        found[name] = tensor.grad();
        tensor.mutable_grad().reset();
    });
    return found;
}

}  // namespace

TEST_CASE("a GPU gives the CPU's numbers in float32 and nearly so in bfloat16")
{
    if (!hasGpu()) {
        return;
    }
    for (const bool packed : {false, true}) {
        nn::Transformer cpu = test::tinyModel(richConfig());
        nn::Transformer gpu = cpu;
        gpu.moveTo(nn::parseDevice("cuda:0"));
        CHECK(cpu.device().is_cpu());
        CHECK(cpu.blocks[0].mixer != gpu.blocks[0].mixer);
        const at::Tensor ids = test::randomIds(2, 16, 61);
        nn::TokenPlaces places;
        if (packed) {
            places.documents_BT = at::cat({at::zeros({2, 5}), at::ones({2, 11})}, 1).to(at::kLong);
        }
        auto expected = gradients(cpu, ids, places, at::kFloat, false);
        for (const bool checkpointBlocks : {false, true}) {
            for (const auto &[name, tensor] : gradients(gpu, ids, places, at::kFloat, checkpointBlocks)) {
                INFO(name);
                CHECK(test::relativeError(tensor, expected[name]) < 1e-4);
            }
            for (const auto &[name, tensor] : gradients(gpu, ids, places, at::kBFloat16, checkpointBlocks)) {
                INFO(name);
                CHECK(test::relativeError(tensor, expected[name]) < 0.15);
            }
        }
    }
}

TEST_CASE("a GPU generates the CPU's tokens")
{
    if (!hasGpu()) {
        return;
    }
    nn::Transformer model = test::tinyModel(richConfig());
    const std::vector<std::vector<std::int64_t>> prompts = {{1, 2, 3}, {4, 5, 6, 7, 8, 9, 10}};
    const auto expected = nn::generate(model, prompts, {});
    model.moveTo(nn::parseDevice("cuda:0"));
    CHECK(nn::generate(model, prompts, {}) == expected);
}

TEST_CASE("a stop asked for on a GPU leaves backward as our error")
{
    if (!hasGpu()) {
        return;
    }
    nn::Transformer model = test::tinyModel(richConfig());
    model.moveTo(nn::parseDevice("cuda:0"));
    model.requireGrad(true);
    std::stop_source source;
    nn::ForwardOptions options;
    options.stop = source.get_token();
    const at::Tensor loss = model.forward(test::randomIds(1, 8, 61), {}, at::kFloat, options).hidden_BTD.square().sum();
    source.request_stop();
    CHECK_THROWS_AS(loss.backward(), Error);
}

}  // namespace cuda_tests
