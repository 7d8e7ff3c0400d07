// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/residualstream.h"

#include "error.h"

#include <string>
#include <utility>

namespace stillroom::nn {

ResidualStream::ResidualStream(const Transformer &model, const at::Tensor &ids_BT, TokenPlaces places, at::ScalarType computeType, std::stop_token stop)
    : m_model(&model), m_places(std::move(places)), m_stop(std::move(stop)), m_h_BTD(model.embed(ids_BT.to(model.device()), computeType))
{
}

MixerValues ResidualStream::through(std::size_t layer)
{
    if (layer < m_next || layer >= m_model->blocks.size())
        throw Error(ErrorCode::Usage, "Layer " + std::to_string(layer) + " is not ahead of a stream that stands before block " + std::to_string(m_next) + " of " + std::to_string(m_model->blocks.size()) + '.');
    ForwardOptions options;
    options.stop = m_stop;
    m_h_BTD = m_model->runBlocks(std::move(m_h_BTD), m_places, m_next, layer, options);
    options.keepMixerInputs = options.keepMixerOutputs = true;
    ForwardResult kept;
    m_h_BTD = m_model->runBlocks(std::move(m_h_BTD), m_places, layer, layer + 1, options, &kept);
    m_next = layer + 1;
    return {std::move(kept.mixerInputs_BTD.front()), std::move(kept.mixerOutputs_BTD.front())};
}

}  // namespace stillroom::nn
