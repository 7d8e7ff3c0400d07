// SPDX-License-Identifier: GPL-3.0-or-later
#include "tinystudents.h"

#include "../nn/tinymodel.h"
#include "golden.h"
#include "mixers/registry.h"

#include <algorithm>

namespace stillroom::distillation::test {

namespace {

checkpoint::ModelConfig configOf(int layers)
{
    checkpoint::ModelConfig config = stillroom::test::tinyConfig();
    config.numLayers = layers;
    config.layers.resize(static_cast<std::size_t>(layers));
    config.slidingWindow.assign(static_cast<std::size_t>(layers), 0);
    return config;
}

}  // namespace

nn::Transformer tinyTeacher(at::ScalarType type, bool tiedHead)
{
    checkpoint::ModelConfig config = configOf(4);
    config.tiedHead = tiedHead;
    return stillroom::test::tinyModel(config, 3, type);
}

nn::Transformer softmaxModel(int layers, int width, int vocabulary, int heads, int headDim)
{
    checkpoint::ModelConfig config = configOf(layers);
    config.hiddenSize = width;
    config.intermediateSize = 11 * width / 4;
    config.vocabSize = vocabulary;
    config.numHeads = heads;
    config.numKvHeads = heads / 2;
    config.headDim = headDim;
    return stillroom::test::tinyModel(config);
}

std::vector<AlignedLayer> linearLayers(const nn::Transformer &teacher, const std::vector<int> &layers, const std::string &kind)
{
    std::vector<AlignedLayer> made;
    for (const int layer : layers) {
        made.push_back({layer, mixers::fromTeacher(kind, "{}", teacher, layer, 17)});
        made.back().mixer->visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.to(teacher.embedding_VD.scalar_type()); });
    }
    return made;
}

nn::Transformer hybridOf(const nn::Transformer &teacher, const std::vector<AlignedLayer> &layers)
{
    nn::Transformer model = teacher;
    for (const AlignedLayer &layer : layers)
        model.blocks[static_cast<std::size_t>(layer.layer)].mixer = layer.mixer;
    return model;
}

Batch raggedBatch(std::int64_t sequences, std::int64_t length, std::uint64_t seed)
{
    Batch batch;
    batch.ids_BT = stillroom::test::randomIds(sequences, length, 61, seed);
    const at::Tensor column_T = at::arange(length), row_B1 = at::arange(sequences).unsqueeze(1);
    batch.documents_BT = at::where(column_T.lt(row_B1.remainder(4)), at::tensor(-1, at::kLong), column_T.ge(length / 2).to(at::kLong));
    batch.lossMask_BT = normal({sequences, length}, seed + 1).gt(-0.8);
    batch.lossMask_BT.select(1, length - 1).fill_(true);
    return batch;
}

TensorBatchSource shuffledSource(std::int64_t batchSize, std::int64_t length) { return TensorBatchSource(raggedBatch(10, length), batchSize, 5); }

std::vector<at::Tensor> parametersOf(nn::TokenMixer &mixer)
{
    std::vector<at::Tensor> parameters;
    mixer.visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { parameters.push_back(tensor.detach().clone()); });
    return parameters;
}

std::vector<at::Tensor> parametersOf(nn::Transformer model)
{
    std::vector<at::Tensor> parameters;
    model.visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { parameters.push_back(tensor.detach().clone()); });
    return parameters;
}

bool sameBits(const std::vector<at::Tensor> &a, const std::vector<at::Tensor> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const at::Tensor &x, const at::Tensor &y) { return at::equal(x, y); });
}

double largestRelative(const std::vector<at::Tensor> &a, const std::vector<at::Tensor> &b)
{
    double largest = a.size() == b.size() ? 0.0 : 1e300;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, relativeDifference(a[i], b[i]));
    return largest;
}

}  // namespace stillroom::distillation::test
