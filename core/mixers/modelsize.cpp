// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/modelsize.h"

#include "mixers/registry.h"

#include <ATen/ATen.h>

namespace stillroom::mixers {
namespace {

using checkpoint::ModelConfig;

/// Of one softmax layer's attention: its projections and, where the model has them, biases and the norms of q and k.
std::int64_t attentionParameters(const ModelConfig &config)
{
    const std::int64_t hidden = config.hiddenSize, queries = std::int64_t{config.numHeads} * config.headDim, keys = std::int64_t{config.numKvHeads} * config.headDim;
    return 2 * hidden * (queries + keys) + (config.qkvBias ? queries + 2 * keys : 0) + (config.outputBias ? hidden : 0) + (config.qkNorm ? 2 * std::int64_t{config.headDim} : 0);
}

}  // namespace

ModelSize modelSize(const ModelConfig &config)
{
    const std::int64_t hidden = config.hiddenSize, wide = config.intermediateSize, embedding = std::int64_t{config.vocabSize} * hidden;
    ModelSize size;
    std::int64_t softmax = 0, linear = 0;
    for (int layer = 0; layer < config.numLayers; ++layer) {
        const checkpoint::LayerMixer &own = config.layers[static_cast<std::size_t>(layer)];
        if (own.kind == "softmax") {
            softmax += attentionParameters(config);
            size.kvBytesPerToken += std::int64_t{2} * config.numKvHeads * config.headDim * 2;
        } else {
            const auto mixer = shapesOf(own, config, layer);
            linear += mixer->numParameters();
            size.stateBytes += mixer->stateBytes(1, 1, at::kFloat);
        }
    }
    size.parts = {{"embedding", embedding}, {"attention", softmax}};
    if (linear > 0)
        size.parts.push_back({"linear", linear});
    size.parts.push_back({"mlp", (3 * hidden * wide + (config.mlpBias ? 2 * wide + hidden : 0)) * config.numLayers});
    size.parts.push_back({"norms", 2 * hidden * config.numLayers + hidden});
    size.parts.push_back({"head", config.tiedHead ? 0 : embedding});
    for (const ModelSize::Part &part : size.parts)
        size.parameters += part.parameters;
    return size;
}

}  // namespace stillroom::mixers
