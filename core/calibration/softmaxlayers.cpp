// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/softmaxlayers.h"

namespace stillroom::calibration {

const nn::SoftmaxMixer *softmaxMixerOf(const nn::Block &block)
{
    return dynamic_cast<const nn::SoftmaxMixer *>(block.mixer.get());
}

void visitSoftmaxLayers(const nn::Transformer &model, const at::Tensor &ids_1T, const nn::TokenPlaces &places, at::ScalarType computeType, const std::stop_token &stop,
                        const SoftmaxLayerVisitor &visit)
{
    nn::ForwardOptions options;
    options.stop = stop;
    options.keepMixerInputs = true;
    at::Tensor h_1TD = model.embed(ids_1T, computeType);
    std::size_t next = 0;
    for (std::size_t layer = 0; layer < model.blocks.size(); ++layer) {
        const nn::SoftmaxMixer *mixer = softmaxMixerOf(model.blocks[layer]);
        if (mixer == nullptr)
            continue;
        nn::ForwardResult kept;
        h_1TD = model.runBlocks(h_1TD, places, next, layer + 1, options, &kept);
        next = layer + 1;
        visit(layer, *mixer, kept.mixerInputs_BTD.back());
    }
}

}  // namespace stillroom::calibration
