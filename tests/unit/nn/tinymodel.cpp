// SPDX-License-Identifier: GPL-3.0-or-later
#include "tinymodel.h"

#include "nn/seed.h"
#include "nn/softmaxmixer.h"

#include <ATen/ATen.h>

#include <limits>

namespace stillroom::test {

checkpoint::ModelConfig tinyConfig()
{
    checkpoint::ModelConfig config;
    config.modelType = "llama";
    config.numLayers = 2;
    config.hiddenSize = 32;
    config.intermediateSize = 48;
    config.numHeads = 4;
    config.numKvHeads = 2;
    config.headDim = 8;
    config.vocabSize = 61;
    config.maxPositions = 64;
    config.layers.resize(2);
    config.slidingWindow = {0, 0};
    return config;
}

nn::Transformer tinyModel(const checkpoint::ModelConfig &config, std::uint64_t seed, at::ScalarType type)
{
    at::Generator generator = nn::generatorFor(seed, "tiny-model");
    const auto draw = [&](std::vector<std::int64_t> shape, bool wanted = true) {
        return wanted ? (at::randn(shape, generator, at::TensorOptions(at::kDouble)) * 0.2).to(type) : at::Tensor();
    };
    const std::int64_t width = config.hiddenSize, mlp = config.intermediateSize, rows = config.numHeads * config.headDim, kvRows = config.numKvHeads * config.headDim;
    nn::Transformer model;
    model.config = config;
    model.embedding_VD = draw({config.vocabSize, width});
    const auto rope = std::make_shared<const nn::RotaryEmbedding>(config.rope, config.headDim, config.maxPositions);
    for (int layer = 0; layer < config.numLayers; ++layer) {
        nn::Block block;
        block.inputNorm_D = draw({width}) + 1;
        block.postNorm_D = draw({width}) + 1;
        nn::SoftmaxWeights weights;
        weights.wq_HKD = draw({rows, width});
        weights.wk_GKD = draw({kvRows, width});
        weights.wv_GKD = draw({kvRows, width});
        weights.wo_DHK = draw({width, rows});
        weights.bq_HK = draw({rows}, config.qkvBias);
        weights.bk_GK = draw({kvRows}, config.qkvBias);
        weights.bv_GK = draw({kvRows}, config.qkvBias);
        weights.bo_D = draw({width}, config.outputBias);
        if (config.qkNorm) {
            weights.qNorm_K = draw({config.headDim}) + 1;
            weights.kNorm_K = draw({config.headDim}) + 1;
        }
        block.mixer = std::make_shared<nn::SoftmaxMixer>(nn::SoftmaxOptions::ofLayer(config, layer), weights, rope);
        block.mlp = {draw({mlp, width}), draw({mlp, width}), draw({width, mlp}), draw({mlp}, config.mlpBias), draw({mlp}, config.mlpBias), draw({width}, config.mlpBias)};
        model.blocks.push_back(block);
    }
    model.finalNorm_D = draw({width}) + 1;
    model.head_VD = config.tiedHead ? model.embedding_VD : draw({config.vocabSize, width});
    return model;
}

at::Tensor randomIds(std::int64_t batch, std::int64_t numTokens, std::int64_t vocabSize, std::uint64_t seed)
{
    return at::randint(0, vocabSize, {batch, numTokens}, nn::generatorFor(seed, "tiny-ids"), at::TensorOptions(at::kLong));
}

double relativeError(const at::Tensor &a, const at::Tensor &b)
{
    if (a.sizes() != b.sizes()) {
        return std::numeric_limits<double>::infinity();
    }
    const at::Tensor wideA = a.detach().to(at::kCPU, at::kDouble), wideB = b.detach().to(at::kCPU, at::kDouble);
    const double error = (wideA - wideB).abs().max().item<double>(), size = wideB.abs().max().item<double>();
    return std::isfinite(error) && std::isfinite(size) ? error / std::max(size, 1e-300) : std::numeric_limits<double>::infinity();
}

at::Tensor nextTokenLoss(const at::Tensor &logits_BTV, const at::Tensor &ids_BT)
{
    const std::int64_t last = ids_BT.size(1) - 1;
    return at::cross_entropy_loss(logits_BTV.narrow(1, 0, last).flatten(0, 1), ids_BT.narrow(1, 1, last).flatten());
}

}  // namespace stillroom::test
