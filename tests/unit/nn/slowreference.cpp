// SPDX-License-Identifier: GPL-3.0-or-later
#include "slowreference.h"

#include "nn/softmaxmixer.h"

#include <ATen/ATen.h>

#include <cmath>

namespace stillroom::test {

namespace {

using Row = std::vector<double>;

Row values(const at::Tensor &tensor)
{
    const at::Tensor flat = tensor.detach().to(at::kDouble).contiguous();
    return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

Row affine(const Row &x, const at::Tensor &weight, const at::Tensor &bias)
{
    const Row w = values(weight), b = bias.defined() ? values(bias) : Row();
    const std::size_t numOut = static_cast<std::size_t>(weight.size(0));
    Row y(numOut, 0.0);
    for (std::size_t i = 0; i < numOut; ++i) {
        for (std::size_t j = 0; j < x.size(); ++j) {
            y[i] += w[i * x.size() + j] * x[j];
        }
        y[i] += b.empty() ? 0.0 : b[i];
    }
    return y;
}

Row normed(const Row &x, const at::Tensor &weight, double eps)
{
    const Row w = values(weight);
    double squares = 0.0;
    for (const double value : x) {
        squares += value * value;
    }
    Row y = x;
    for (std::size_t j = 0; j < x.size(); ++j) {
        y[j] *= w[j] / std::sqrt(squares / static_cast<double>(x.size()) + eps);
    }
    return y;
}

/// Pair (j, j + K/2) of one head as a complex number times e^{i position θ^(−2j/K)}; plain RoPE only.
void turnHead(double *head, std::size_t headDim, double position, double theta)
{
    for (std::size_t j = 0; j < headDim / 2; ++j) {
        const double angle = position * std::pow(theta, -2.0 * static_cast<double>(j) / static_cast<double>(headDim));
        const double real = head[j], imaginary = head[j + headDim / 2];
        head[j] = real * std::cos(angle) - imaginary * std::sin(angle);
        head[j + headDim / 2] = real * std::sin(angle) + imaginary * std::cos(angle);
    }
}

Row headsNormed(Row x, const at::Tensor &weight, std::size_t headDim, double eps)
{
    if (!weight.defined()) {
        return x;
    }
    for (std::size_t start = 0; start < x.size(); start += headDim) {
        const Row y = normed(Row(x.begin() + static_cast<std::ptrdiff_t>(start), x.begin() + static_cast<std::ptrdiff_t>(start + headDim)), weight, eps);
        std::copy(y.begin(), y.end(), x.begin() + static_cast<std::ptrdiff_t>(start));
    }
    return x;
}

struct Places {
    std::vector<std::int64_t> documents;
    std::vector<double> positions;
};

Rows attention(const nn::SoftmaxMixer &mixer, const checkpoint::ModelConfig &config, const Rows &x, const Places &places, std::vector<Rows> &probabilities)
{
    const nn::SoftmaxWeights &w = mixer.weights();
    const std::size_t headDim = static_cast<std::size_t>(config.headDim), numHeads = static_cast<std::size_t>(config.numHeads), group = static_cast<std::size_t>(config.groupSize());
    const std::size_t window = static_cast<std::size_t>(mixer.options().slidingWindow);
    Rows q, k, v;
    for (std::size_t t = 0; t < x.size(); ++t) {
        q.push_back(headsNormed(affine(x[t], w.wq_HKD, w.bq_HK), w.qNorm_K, headDim, config.rmsNormEps));
        k.push_back(headsNormed(affine(x[t], w.wk_GKD, w.bk_GK), w.kNorm_K, headDim, config.rmsNormEps));
        v.push_back(affine(x[t], w.wv_GKD, w.bv_GK));
        for (Row *row : {&q[t], &k[t]}) {
            for (std::size_t start = 0; start < row->size(); start += headDim) {
                turnHead(row->data() + start, headDim, places.positions[t], config.rope.theta);
            }
        }
    }
    probabilities.assign(numHeads, Rows(x.size(), Row(x.size(), 0.0)));
    Rows outputs;
    for (std::size_t t = 0; t < x.size(); ++t) {
        Row mixed(numHeads * headDim, 0.0);
        for (std::size_t h = 0; h < numHeads; ++h) {
            Row &weight = probabilities[h][t];
            double total = 0.0;
            for (std::size_t s = 0; s <= t; ++s) {
                if (places.documents[s] != places.documents[t] || (window > 0 && t - s >= window)) {
                    continue;
                }
                double score = 0.0;
                for (std::size_t j = 0; j < headDim; ++j) {
                    score += q[t][h * headDim + j] * k[s][h / group * headDim + j];
                }
                weight[s] = std::exp(score / std::sqrt(static_cast<double>(headDim)));
                total += weight[s];
            }
            for (std::size_t s = 0; s <= t; ++s) {
                weight[s] /= total;
                for (std::size_t j = 0; j < headDim; ++j) {
                    mixed[h * headDim + j] += weight[s] * v[s][h / group * headDim + j];
                }
            }
        }
        outputs.push_back(affine(mixed, w.wo_DHK, w.bo_D));
    }
    return outputs;
}

Row mlp(const nn::Mlp &weights, const Row &x)
{
    Row gate = affine(x, weights.gate_FD, weights.gateBias_F);
    const Row up = affine(x, weights.up_FD, weights.upBias_F);
    for (std::size_t j = 0; j < gate.size(); ++j) {
        gate[j] = gate[j] / (1.0 + std::exp(-gate[j])) * up[j];
    }
    return affine(gate, weights.down_DF, weights.downBias_D);
}

void add(Row &to, const Row &what)
{
    for (std::size_t j = 0; j < to.size(); ++j) {
        to[j] += what[j];
    }
}

Places placesOf(std::size_t numTokens, const std::vector<std::int64_t> &documents)
{
    Places places{documents.empty() ? std::vector<std::int64_t>(numTokens, 0) : documents, {}};
    for (std::size_t t = 0; t < numTokens; ++t) {
        const bool starts = t == 0 || places.documents[t] != places.documents[t - 1];
        places.positions.push_back(starts ? 0.0 : places.positions.back() + 1.0);
    }
    return places;
}

}  // namespace

SlowReference slowForward(const nn::Transformer &model, const std::vector<std::int64_t> &ids, const std::vector<std::int64_t> &documents)
{
    const Places places = placesOf(ids.size(), documents);
    SlowReference result;
    Rows h;
    for (const std::int64_t id : ids) {
        h.push_back(values(model.embedding_VD.select(0, id)));
    }
    for (const nn::Block &block : model.blocks) {
        result.hiddenStates.push_back(h);
        Rows x;
        for (const Row &row : h) {
            x.push_back(normed(row, block.inputNorm_D, model.config.rmsNormEps));
        }
        result.probabilities.emplace_back();
        const auto &mixer = dynamic_cast<const nn::SoftmaxMixer &>(*block.mixer);
        result.mixerOutputs.push_back(attention(mixer, model.config, x, places, result.probabilities.back()));
        for (std::size_t t = 0; t < h.size(); ++t) {
            add(h[t], result.mixerOutputs.back()[t]);
            add(h[t], mlp(block.mlp, normed(h[t], block.postNorm_D, model.config.rmsNormEps)));
        }
    }
    for (Row &row : h) {
        row = normed(row, model.finalNorm_D, model.config.rmsNormEps);
        result.logits.push_back(affine(row, model.head_VD, {}));
    }
    result.hiddenStates.push_back(h);
    return result;
}

}  // namespace stillroom::test
