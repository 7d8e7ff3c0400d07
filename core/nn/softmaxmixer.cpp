// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/softmaxmixer.h"

#include "error.h"
#include "nn/kvcache.h"
#include "nn/linear.h"
#include "nn/sharedtables.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace stillroom::nn {

namespace {

void checkShape(const char *name, const at::Tensor &tensor, std::vector<std::int64_t> expected, bool optional)
{
    if ((optional && !tensor.defined()) || (tensor.defined() && tensor.sizes() == at::IntArrayRef(expected))) {
        return;
    }
    const auto written = [](at::IntArrayRef shape) {
        std::string text = "[";
        for (std::size_t i = 0; i < shape.size(); ++i) {
            text += (i ? "," : "") + std::to_string(shape[i]);
        }
        return text + "]";
    };
    throw Error(ErrorCode::Usage, std::string("The softmax mixer's ") + name + " must have shape " + written(expected) + ", not " + (tensor.defined() ? written(tensor.sizes()) : "none") + ".");
}

at::Tensor heads(const at::Tensor &x_BTC, std::int64_t numHeads, std::int64_t headDim)
{
    return x_BTC.view({x_BTC.size(0), x_BTC.size(1), numHeads, headDim});
}

/// [B,H,T,K] in, [B,T,H·K] out. `mask` undefined: causal (or, for a single query, everything).
at::Tensor attend(const at::Tensor &q_BHTK, const at::Tensor &k_BGSK, const at::Tensor &v_BGSK, const at::Tensor &mask, bool causal)
{
    const std::int64_t batch = q_BHTK.size(0), numHeads = q_BHTK.size(1), numQueries = q_BHTK.size(2), headDim = q_BHTK.size(3), kvHeads = k_BGSK.size(1);
    const std::optional<at::Tensor> bias = mask.defined() ? std::optional(mask) : std::nullopt;
    if (numQueries == 1) {   // the heads of a group are queries of one key/value head: decoding copies no cache
        const at::Tensor grouped = q_BHTK.reshape({batch, kvHeads, numHeads / kvHeads, headDim});
        return at::scaled_dot_product_attention(grouped, k_BGSK, v_BGSK, bias, 0.0, false).reshape({batch, 1, numHeads * headDim});
    }
    // Fused GPU kernels of 16-bit types read grouped heads as they are; the others want them repeated.
    const bool grouped = q_BHTK.is_cuda() && q_BHTK.scalar_type() == at::kBFloat16 && !mask.defined() && headDim <= 256;
    const std::int64_t groupSize = grouped ? 1 : numHeads / kvHeads;
    const at::Tensor o_BHTK = at::scaled_dot_product_attention(q_BHTK, repeatHeads(k_BGSK, groupSize), repeatHeads(v_BGSK, groupSize), bias, 0.0, causal, std::nullopt, grouped);
    return o_BHTK.transpose(1, 2).flatten(2);
}

}  // namespace

SoftmaxOptions SoftmaxOptions::ofLayer(const checkpoint::ModelConfig &config, int layer)
{
    SoftmaxOptions options;
    options.hiddenSize = config.hiddenSize;
    options.numHeads = config.numHeads;
    options.numKvHeads = config.numKvHeads;
    options.headDim = config.headDim;
    options.normEps = config.rmsNormEps;
    if (!config.slidingWindow.empty()) {
        options.slidingWindow = config.slidingWindow.at(static_cast<std::size_t>(layer));
    }
    return options;
}

at::Tensor repeatHeads(const at::Tensor &x_BGSK, std::int64_t groupSize)
{
    if (groupSize == 1) {
        return x_BGSK;
    }
    const auto size = x_BGSK.sizes();
    return x_BGSK.unsqueeze(2).expand({size[0], size[1], groupSize, size[2], size[3]}).reshape({size[0], size[1] * groupSize, size[2], size[3]});
}

SoftmaxMixer::SoftmaxMixer(const SoftmaxOptions &options, SoftmaxWeights weights, std::shared_ptr<const RotaryEmbedding> rope)
    : m_options(options), m_weights(std::move(weights)), m_rope(std::move(rope))
{
    if (options.numHeads < 1 || options.numKvHeads < 1 || options.numHeads % options.numKvHeads != 0) {
        throw Error(ErrorCode::Usage, "The softmax mixer has " + std::to_string(options.numHeads) + " query heads for " + std::to_string(options.numKvHeads)
                                          + " key/value heads: the former must be a multiple of the latter.");
    }
    const std::int64_t width = options.hiddenSize, headDim = options.headDim, rows = options.numHeads * headDim, kvRows = options.numKvHeads * headDim;
    checkShape("q_proj.weight", m_weights.wq_HKD, {rows, width}, false);
    checkShape("k_proj.weight", m_weights.wk_GKD, {kvRows, width}, false);
    checkShape("v_proj.weight", m_weights.wv_GKD, {kvRows, width}, false);
    checkShape("o_proj.weight", m_weights.wo_DHK, {width, rows}, false);
    checkShape("q_proj.bias", m_weights.bq_HK, {rows}, true);
    checkShape("k_proj.bias", m_weights.bk_GK, {kvRows}, true);
    checkShape("v_proj.bias", m_weights.bv_GK, {kvRows}, true);
    checkShape("o_proj.bias", m_weights.bo_D, {width}, true);
    checkShape("q_norm.weight", m_weights.qNorm_K, {headDim}, true);
    checkShape("k_norm.weight", m_weights.kNorm_K, {headDim}, true);
}

SoftmaxMixer::Qkv SoftmaxMixer::project(const at::Tensor &x_BTD, const TokenPlaces &places) const
{
    at::Tensor q_BTHK = heads(linear(x_BTD, m_weights.wq_HKD, m_weights.bq_HK), m_options.numHeads, m_options.headDim);
    at::Tensor k_BTGK = heads(linear(x_BTD, m_weights.wk_GKD, m_weights.bk_GK), m_options.numKvHeads, m_options.headDim);
    const at::Tensor v_BTGK = heads(linear(x_BTD, m_weights.wv_GKD, m_weights.bv_GK), m_options.numKvHeads, m_options.headDim);
    if (m_weights.qNorm_K.defined()) {
        q_BTHK = rmsNorm(q_BTHK, m_weights.qNorm_K, m_options.normEps);
    }
    if (m_weights.kNorm_K.defined()) {
        k_BTGK = rmsNorm(k_BTGK, m_weights.kNorm_K, m_options.normEps);
    }
    if (m_rope) {
        const RotaryTable table = rotaryTable(m_rope, places, x_BTD.scalar_type());
        q_BTHK = rotate(q_BTHK, table);
        k_BTGK = rotate(k_BTGK, table);
    }
    return {q_BTHK.transpose(1, 2), k_BTGK.transpose(1, 2), v_BTGK.transpose(1, 2)};
}

at::Tensor SoftmaxMixer::attendWhole(const Qkv &qkv, const TokenPlaces &places) const
{
    const at::Tensor mask = sequenceMask(places, m_options.slidingWindow, qkv.q_BHTK.scalar_type());
    return attend(qkv.q_BHTK, qkv.k_BGTK, qkv.v_BGTK, mask, !mask.defined());
}

at::Tensor SoftmaxMixer::attendCached(const Qkv &qkv, const TokenPlaces &places, LayerState &state) const
{
    auto *cache = dynamic_cast<KvCache *>(&state);
    if (!cache) {
        throw Error(ErrorCode::Usage, "A softmax layer was given the decode state of another kind of layer: make the state from this model.");
    }
    const KvCache::Keys keys = cache->append(qkv.k_BGTK.detach(), qkv.v_BGTK.detach(), places.documents_BT);
    const std::int64_t numQueries = qkv.q_BHTK.size(2), numKeys = keys.k_BGSK.size(2), window = m_options.slidingWindow;
    const bool windowCuts = window > 0 && window < numKeys;
    if (!keys.documents_BS.defined() && (numQueries == 1 || (numQueries == numKeys && !windowCuts))) {
        return attend(qkv.q_BHTK, keys.k_BGSK, keys.v_BGSK, {}, numQueries > 1);
    }
    MaskSpec spec{numQueries, numKeys, keys.firstQuery, keys.firstKey, window, {}, {}};
    if (numQueries == 1) {   // every remembered key is before it and in its window
        spec.firstQuery = numKeys;
        spec.firstKey = 0;
        spec.window = 0;
    }
    if (keys.documents_BS.defined()) {
        spec.queryDocuments_BT = places.documents_BT.defined() ? places.documents_BT : at::zeros({qkv.q_BHTK.size(0), numQueries}, keys.documents_BS.options());
        spec.keyDocuments_BS = keys.documents_BS;
    }
    const at::Tensor mask = attentionMask(spec, qkv.q_BHTK.device(), qkv.q_BHTK.scalar_type());
    return attend(qkv.q_BHTK, keys.k_BGSK, keys.v_BGSK, mask, false);
}

at::Tensor SoftmaxMixer::forward(const at::Tensor &x_BTD, const TokenPlaces &places, LayerState *state) const
{
    const Qkv qkv = project(x_BTD, places);
    const at::Tensor o_BTC = state ? attendCached(qkv, places, *state) : attendWhole(qkv, places);
    return linear(o_BTC, m_weights.wo_DHK, m_weights.bo_D);
}

std::unique_ptr<LayerState> SoftmaxMixer::initialState(std::int64_t batch, std::int64_t maxTokens, at::ScalarType computeType) const
{
    const KvCache::Shape shape{batch, m_options.numKvHeads, m_options.headDim, maxTokens, m_options.slidingWindow};
    return std::make_unique<KvCache>(shape, at::TensorOptions(computeType).device(m_weights.wk_GKD.device()));
}

std::int64_t SoftmaxMixer::stateBytes(std::int64_t batch, std::int64_t tokens, at::ScalarType computeType) const
{
    const KvCache::Shape shape{batch, m_options.numKvHeads, m_options.headDim, tokens, m_options.slidingWindow};
    return 2 * shape.batch * shape.kvHeads * shape.capacity() * shape.headDim * static_cast<std::int64_t>(c10::elementSize(computeType));
}

double SoftmaxMixer::flopsPerToken(std::int64_t contextTokens) const
{
    const double width = m_options.hiddenSize, rows = m_options.numHeads * m_options.headDim, kvRows = m_options.numKvHeads * m_options.headDim;
    const std::int64_t seen = m_options.slidingWindow > 0 ? std::min(contextTokens, m_options.slidingWindow) : contextTokens;
    const double projections = 2 * width * (2 * rows + 2 * kvRows);
    return projections + 4 * rows * static_cast<double>(seen);   // q·k and the weighted sum of v
}

at::Tensor SoftmaxMixer::matrix(const at::Tensor &x_BTD, const TokenPlaces &places) const
{
    const Qkv qkv = project(x_BTD, places);
    const at::ScalarType type = x_BTD.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const std::int64_t numTokens = x_BTD.size(1);
    const at::Tensor keys_BHTK = repeatHeads(qkv.k_BGTK, m_options.numHeads / m_options.numKvHeads).to(type);
    const at::Tensor scores_BHTT = at::matmul(qkv.q_BHTK.to(type), keys_BHTK.transpose(2, 3)).div_(std::sqrt(static_cast<double>(m_options.headDim)));
    const MaskSpec spec{numTokens, numTokens, 0, 0, m_options.slidingWindow, places.documents_BT, places.documents_BT};
    return at::softmax(scores_BHTT + attentionMask(spec, x_BTD.device(), type), -1);
}

void SoftmaxMixer::visitParameters(const ParameterVisitor &visit)
{
    const auto each = [&visit](const char *name, at::Tensor &tensor, ParameterTraits traits) {
        if (tensor.defined()) {
            visit(name, tensor, traits);
        }
    };
    const ParameterTraits norm{false, false};
    each("q_proj.weight", m_weights.wq_HKD, {});
    each("q_proj.bias", m_weights.bq_HK, {});
    each("k_proj.weight", m_weights.wk_GKD, {});
    each("k_proj.bias", m_weights.bk_GK, {});
    each("v_proj.weight", m_weights.wv_GKD, {});
    each("v_proj.bias", m_weights.bv_GK, {});
    each("o_proj.weight", m_weights.wo_DHK, {});
    each("o_proj.bias", m_weights.bo_D, {});
    each("q_norm.weight", m_weights.qNorm_K, norm);
    each("k_norm.weight", m_weights.kNorm_K, norm);
}

}  // namespace stillroom::nn
