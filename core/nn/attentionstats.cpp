// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/attentionstats.h"

#include "nn/places.h"
#include "nn/sharedtables.h"
#include "nn/softmaxmixer.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace stillroom::nn {

namespace {

constexpr std::int64_t blockElements = std::int64_t{1} << 23;   // probabilities held at once: 32 MiB in fp32, a few times that with what is made of them

const SoftmaxMixer *softmaxOf(const Block &block)
{
    return dynamic_cast<const SoftmaxMixer *>(block.mixer.get());
}

/// Distance, entropy and sink mass summed over the valid ones of `numRows` rows from `first` on: [3,H] in float64.
at::Tensor sumsOfRows(const SoftmaxMixer &mixer, const SoftmaxMixer::Qkv &qkv, const at::Tensor &keys_BHTK, const TokenPlaces &places, std::int64_t first, std::int64_t numRows)
{
    const std::int64_t numKeys = first + numRows;
    MaskSpec spec{numRows, numKeys, first, 0, mixer.options().slidingWindow, {}, {}};
    if (places.documents_BT.defined()) {
        spec.queryDocuments_BT = places.documents_BT.narrow(1, first, numRows);
        spec.keyDocuments_BS = places.documents_BT.narrow(1, 0, numKeys);
    }
    const at::ScalarType type = keys_BHTK.scalar_type();
    const at::Tensor q_BHRK = qkv.q_BHTK.narrow(2, first, numRows).to(type) / std::sqrt(static_cast<double>(mixer.options().headDim));
    at::Tensor p_BHRS = at::matmul(q_BHRK, keys_BHTK.narrow(2, 0, numKeys).transpose(2, 3));
    p_BHRS = at::softmax(p_BHRS.add_(attentionMask(spec, p_BHRS.device(), type)), -1);

    const auto real = at::TensorOptions(type).device(p_BHRS.device());
    const at::Tensor distance_RS = (at::arange(first, numKeys, real).unsqueeze(1) - at::arange(numKeys, real)).clamp_min(0.5);
    const at::Tensor isFirst_B1S1 = places.positions_BT.narrow(1, 0, numKeys).eq(0).to(type).unsqueeze(1).unsqueeze(3);
    at::Tensor rows_3BHR = at::stack({(p_BHRS * distance_RS).sum(-1, false, at::kDouble), at::special_entr(p_BHRS).sum(-1, false, at::kDouble),
                                      at::matmul(p_BHRS, isFirst_B1S1).squeeze(-1).to(at::kDouble)});
    if (places.documents_BT.defined()) {
        rows_3BHR = rows_3BHR * spec.queryDocuments_BT.ge(0).unsqueeze(1);
    }
    return rows_3BHR.sum(at::IntArrayRef({1, 3})).to(at::kCPU);
}

at::Tensor sumsOfLayer(const SoftmaxMixer &mixer, const at::Tensor &x_BTD, const TokenPlaces &places, const std::stop_token &stop)
{
    const SoftmaxMixer::Qkv qkv = mixer.project(x_BTD, places);
    const at::ScalarType type = x_BTD.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const std::int64_t batch = x_BTD.size(0), numTokens = x_BTD.size(1), numHeads = mixer.options().numHeads;
    const at::Tensor keys_BHTK = repeatHeads(qkv.k_BGTK, numHeads / mixer.options().numKvHeads).to(type);
    at::Tensor sums_3H = at::zeros({3, numHeads}, at::TensorOptions(at::kDouble));
    const std::int64_t step = std::clamp<std::int64_t>(blockElements / (batch * numHeads * numTokens), 1, numTokens);
    for (std::int64_t first = 0; first < numTokens; first += step) {
        throwIfStopped(stop);
        sums_3H += sumsOfRows(mixer, qkv, keys_BHTK, places, first, std::min(step, numTokens - first));
    }
    return sums_3H;
}

}  // namespace

AttentionStatistics::AttentionStatistics(const Transformer &model)
    : m_model(model)
{
    for (std::size_t layer = 0; layer < model.blocks.size(); ++layer) {
        if (const SoftmaxMixer *mixer = softmaxOf(model.blocks[layer])) {
            m_layers.push_back(static_cast<int>(layer));
            m_sums_3H.push_back(at::zeros({3, mixer->options().numHeads}, at::TensorOptions(at::kDouble)));
        }
    }
}

void AttentionStatistics::add(const at::Tensor &ids_BT, TokenPlaces places, at::ScalarType computeType, const std::stop_token &stop)
{
    asStillroomError("Measuring attention", [&] {
        const at::NoGradGuard noGrad;
        ForwardOptions options;
        options.stop = stop;
        options.keepMixerInputs = true;
        at::Tensor h_BTD = m_model.embed(ids_BT, computeType);
        places = completePlaces(std::move(places), ids_BT.size(0), ids_BT.size(1), m_model.device(), nullptr);
        std::vector<at::Tensor> sums_3H;
        for (std::size_t layer = 0; layer < m_model.blocks.size(); ++layer) {
            ForwardResult kept;
            h_BTD = m_model.runBlocks(h_BTD, places, layer, layer + 1, options, &kept);
            if (const SoftmaxMixer *mixer = softmaxOf(m_model.blocks[layer])) {
                sums_3H.push_back(sumsOfLayer(*mixer, kept.mixerInputs_BTD.front(), places, stop));
            }
        }
        for (std::size_t index = 0; index < sums_3H.size(); ++index) {   // all or nothing, if a stop came in between
            m_sums_3H[index] += sums_3H[index];
        }
        m_numTokens += places.documents_BT.defined() ? places.documents_BT.ge(0).sum().item<std::int64_t>() : ids_BT.numel();
    });
}

std::vector<LayerAttention> AttentionStatistics::result() const
{
    std::vector<LayerAttention> layers;
    const double count = static_cast<double>(std::max<std::int64_t>(m_numTokens, 1));
    for (std::size_t index = 0; index < m_layers.size(); ++index) {
        LayerAttention layer{m_layers[index], {}};
        const at::Tensor means_3H = (m_sums_3H[index] / count).contiguous();
        const double *means = means_3H.const_data_ptr<double>();
        const std::int64_t numHeads = means_3H.size(1);
        for (std::int64_t head = 0; head < numHeads; ++head) {
            layer.heads.push_back({means[head], means[numHeads + head], means[2 * numHeads + head]});
        }
        layers.push_back(std::move(layer));
    }
    return layers;
}

}  // namespace stillroom::nn
