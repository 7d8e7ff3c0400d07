// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/residualstream.h"

#include "error.h"
#include "tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

namespace residualstream_tests {

using namespace stillroom;

TEST_CASE("a stream that stops at some layers sees there what a whole forward sees, and does not go back")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.numLayers = 5;
    config.slidingWindow.clear();
    const nn::Transformer model = test::tinyModel(config, 4, at::kDouble);
    const at::Tensor ids_BT = test::randomIds(2, 9, config.vocabSize, 3);
    nn::ForwardOptions options;
    options.keepMixerInputs = options.keepMixerOutputs = true;
    const nn::ForwardResult whole = model.forward(ids_BT, {}, at::kDouble, options);
    nn::ResidualStream stream(model, ids_BT, nn::placesFromMask(ids_BT), at::kDouble);
    for (const std::size_t layer : {1U, 2U, 4U}) {
        const nn::MixerValues seen = stream.through(layer);
        CHECK(at::equal(seen.x_BTD, whole.mixerInputs_BTD[layer]));
        CHECK(at::equal(seen.y_BTD, whole.mixerOutputs_BTD[layer]));
        CHECK_THROWS_AS((void)stream.through(layer), Error);
    }
    CHECK_THROWS_AS((void)stream.through(5), Error);
}

}  // namespace residualstream_tests
