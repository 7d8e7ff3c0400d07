// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "nn/generate.h"
#include "nn/softmaxmixer.h"
#include "nn/zeromixer.h"
#include "tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

namespace zeromixer_tests {

using namespace stillroom;

namespace {

/// A tiny model, its attention without an output bias, one layer of which says nothing.
nn::Transformer silentIn(std::size_t layer)
{
    nn::Transformer model = test::tinyModel(test::tinyConfig());
    model.blocks[layer].mixer = std::make_shared<nn::ZeroMixer>();
    return model;
}

}  // namespace

TEST_CASE("a layer that says nothing is one whose output projection is zero")
{
    const at::Tensor ids_BT = test::randomIds(2, 12, test::tinyConfig().vocabSize);
    for (std::size_t layer = 0; layer < 2; ++layer) {
        nn::Transformer projected = test::tinyModel(test::tinyConfig());
        const auto &softmax = dynamic_cast<const nn::SoftmaxMixer &>(*projected.blocks[layer].mixer);
        nn::SoftmaxWeights weights = softmax.weights();
        weights.wo_DHK = at::zeros_like(weights.wo_DHK);
        projected.blocks[layer].mixer = std::make_shared<nn::SoftmaxMixer>(softmax.options(), weights, softmax.rope());
        CHECK(at::equal(silentIn(layer).forward(ids_BT, {}, at::kFloat).hidden_BTD, projected.forward(ids_BT, {}, at::kFloat).hidden_BTD));
    }
}

TEST_CASE("a model with a silent layer decodes as it reads, in every compute type")
{
    nn::GenerateOptions options;
    options.maxNewTokens = 6;
    const std::vector<std::vector<std::int64_t>> prompts = {{3, 9, 4}, {7, 1, 8, 8, 20}};
    for (std::size_t layer = 0; layer < 2; ++layer) {
        const nn::Transformer model = silentIn(layer);
        options.useCache = true;
        const auto cached = nn::generate(model, prompts, options);
        options.useCache = false;
        CHECK((cached == nn::generate(model, prompts, options)));
        CHECK((model.forward(test::randomIds(1, 5, 61), {}, at::kBFloat16).hidden_BTD.scalar_type() == at::kBFloat16));
        const nn::DecodeState state = model.initialState(1, 8, at::kFloat);
        CHECK(state.layers[layer]->sizeBytes() == 0);
        CHECK(state.clone().layers[layer]->tensors().empty());
    }
    const nn::ZeroMixer mixer;
    CHECK(mixer.stateBytes(4, 100, at::kFloat) == 0);
    CHECK_THROWS_AS((void)mixer.matrix(at::ones({1, 2, 3}), {}), Error);
}

}  // namespace zeromixer_tests
