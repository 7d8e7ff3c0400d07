// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/attentionstatistics.h"

#include "calibration/softmaxlayers.h"
#include "nn/places.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

namespace stillroom::calibration {

AttentionStatistics::AttentionStatistics(const nn::Transformer &model, AttentionOptions options)
    : m_model(model)
{
    for (std::size_t layer = 0; layer < model.blocks.size(); ++layer) {
        if (softmaxMixerOf(model.blocks[layer]) == nullptr)
            continue;
        m_sums.emplace_back(static_cast<int>(layer), options);
    }
}

void AttentionStatistics::add(const at::Tensor &ids_BT, const nn::TokenPlaces &places, at::ScalarType computeType, const std::stop_token &stop)
{
    nn::asStillroomError("Measuring attention", [&] {
        const c10::NoGradGuard noGrad;
        const nn::TokenPlaces all = nn::completePlaces(places, ids_BT.size(0), ids_BT.size(1), m_model.device(), nullptr);
        for (std::int64_t row = 0; row < ids_BT.size(0); ++row) {
            nn::TokenPlaces one;
            one.positions_BT = all.positions_BT.narrow(0, row, 1);
            if (all.documents_BT.defined())
                one.documents_BT = all.documents_BT.narrow(0, row, 1);
            addSequence(ids_BT.narrow(0, row, 1), nn::completePlaces(one, 1, ids_BT.size(1), m_model.device(), nullptr), computeType, stop);
        }
    });
}

void AttentionStatistics::addSequence(const at::Tensor &ids_1T, const nn::TokenPlaces &places, at::ScalarType computeType, const std::stop_token &stop)
{
    std::vector<LayerAttentionSums> sums = m_sums;   // all layers or none, if a stop comes in between; sums are replaced, never written into
    auto next = sums.begin();
    visitSoftmaxLayers(m_model, ids_1T, places, computeType, stop,
                       [&](std::size_t, const nn::SoftmaxMixer &mixer, const at::Tensor &x_1TD) { (next++)->add(mixer, x_1TD, places, stop); });
    m_sums = std::move(sums);
    const std::int64_t counted = places.documents_BT.defined() ? places.documents_BT.ge(0).sum().item<std::int64_t>() : ids_1T.numel();
    m_numTokens += counted;
    m_numSequences += counted > 0 ? 1 : 0;
}

std::vector<LayerAttention> AttentionStatistics::result() const
{
    std::vector<LayerAttention> layers;
    for (const LayerAttentionSums &sums : m_sums)
        layers.push_back(sums.result());
    return layers;
}

}  // namespace stillroom::calibration
