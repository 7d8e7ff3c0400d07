// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/softmaxlayers.h"

#include "nn/residualstream.h"

namespace stillroom::calibration {

const nn::SoftmaxMixer *softmaxMixerOf(const nn::Block &block)
{
    return dynamic_cast<const nn::SoftmaxMixer *>(block.mixer.get());
}

void visitSoftmaxLayers(const nn::Transformer &model, const at::Tensor &ids_1T, const nn::TokenPlaces &places, at::ScalarType computeType, const std::stop_token &stop,
                        const SoftmaxLayerVisitor &visit)
{
    nn::ResidualStream stream(model, ids_1T, places, computeType, stop);
    for (std::size_t layer = 0; layer < model.blocks.size(); ++layer) {
        const nn::SoftmaxMixer *mixer = softmaxMixerOf(model.blocks[layer]);
        if (mixer == nullptr)
            continue;
        visit(layer, *mixer, stream.through(layer).x_BTD);
    }
}

}  // namespace stillroom::calibration
