// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/teacherstart.h"

#include "error.h"
#include "nn/rope.h"
#include "nn/seed.h"
#include "nn/softmaxmixer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace stillroom::procedures {
namespace {

constexpr double embeddingDeviation = 0.5;
constexpr std::int64_t localPairs = 4;      // rotary pairs that carry a local head's pattern: the fastest ones tell neighbours apart
constexpr int localOffsets = 3;

/// Draws one matrix after another; which numbers a matrix gets follows from its place in the model alone.
class Weights {
public:
    Weights(std::uint64_t seed, int layer) : m_seed(seed), m_layer(layer) {}
    at::Tensor normal(std::int64_t rows, std::int64_t columns, double deviation)
    {
        at::Generator generator = nn::generatorFor(m_seed, "teacher start", m_layer, m_index++);
        return at::randn({rows, columns}, generator, at::TensorOptions(at::kFloat)).mul_(deviation);
    }
    /// [out, in] with unit variance of the output for inputs of unit variance, times `scale`.
    at::Tensor matrix(std::int64_t out, std::int64_t in, double scale = 1.0) { return normal(out, in, scale / std::sqrt(static_cast<double>(in))); }

private:
    std::uint64_t m_seed;
    int m_layer, m_index = 0;
};

at::Tensor zerosIf(bool wanted, std::int64_t size) { return wanted ? at::zeros({size}, at::TensorOptions(at::kFloat)) : at::Tensor(); }

/// Constant vectors on a few rotary pairs of q and k: the key's points along the first axis, the query's is the same turned back by `offset` positions, so that
/// after RoPE the score of a token d places back is Σ a² cos(ω (d - offset)) / √K, with its peak at d = offset.
void lookBack(at::Tensor &queryBias, at::Tensor &keyBias, const checkpoint::ModelConfig &config, const nn::RotaryEmbedding &rope, double peak)
{
    const at::Tensor frequencies = rope.inverseFrequencies(at::kDouble);
    const double *omega = frequencies.const_data_ptr<double>();
    float *q = queryBias.data_ptr<float>(), *k = keyBias.data_ptr<float>();
    const std::int64_t half = config.headDim / 2, pairs = std::min(localPairs, half);
    const double a = std::sqrt(peak * std::sqrt(static_cast<double>(config.headDim)) / static_cast<double>(pairs));
    for (std::int64_t i = 0; i < pairs; ++i) {
        for (std::int64_t head = 0; head < config.numHeads; ++head) {
            const double turn = omega[i] * static_cast<double>(1 + head % localOffsets);
            q[head * config.headDim + i] = static_cast<float>(a * std::cos(turn));
            q[head * config.headDim + i + half] = static_cast<float>(-a * std::sin(turn));
        }
        for (std::int64_t head = 0; head < config.numKvHeads; ++head)
            k[head * config.headDim + i] = static_cast<float>(a);
    }
}

nn::Block startBlock(const checkpoint::ModelConfig &config, const TeacherStart &start, const std::shared_ptr<const nn::RotaryEmbedding> &rope, std::uint64_t seed, int layer)
{
    const std::int64_t width = config.hiddenSize, inner = config.intermediateSize;
    const std::int64_t queries = std::int64_t{config.numHeads} * config.headDim, keys = std::int64_t{config.numKvHeads} * config.headDim;
    const double towardsStream = 1.0 / std::sqrt(2.0 * config.numLayers);
    Weights draw(seed, layer);
    nn::SoftmaxWeights attention;
    attention.wq_HKD = draw.matrix(queries, width);
    attention.wk_GKD = draw.matrix(keys, width);
    attention.wv_GKD = draw.matrix(keys, width);
    attention.wo_DHK = draw.matrix(width, queries, towardsStream);
    attention.bq_HK = zerosIf(config.qkvBias, queries);
    attention.bk_GK = zerosIf(config.qkvBias, keys);
    attention.bv_GK = zerosIf(config.qkvBias, keys);
    if (start.localHeads && layer != start.freeLayer)
        lookBack(attention.bq_HK, attention.bk_GK, config, *rope, start.localPeak);
    nn::Block block;
    block.inputNorm_D = at::ones({width}, at::TensorOptions(at::kFloat));
    block.postNorm_D = at::ones({width}, at::TensorOptions(at::kFloat));
    block.mixer = std::make_shared<nn::SoftmaxMixer>(nn::SoftmaxOptions::ofLayer(config, layer), std::move(attention), rope);
    block.mlp.gate_FD = draw.matrix(inner, width);
    block.mlp.up_FD = draw.matrix(inner, width);
    block.mlp.down_DF = draw.matrix(width, inner, towardsStream);
    return block;
}

}  // namespace

nn::Transformer startTeacher(const checkpoint::ModelConfig &config, const TeacherStart &start, std::uint64_t seed)
{
    if (start.localHeads && !config.qkvBias)
        throw Error(ErrorCode::Usage, "local heads start from biases on queries and keys: set qkv_bias to true or local_init to false");
    if (start.localHeads && (start.freeLayer < 0 || start.freeLayer >= config.numLayers))
        throw Error(ErrorCode::Usage, "retrieval_layer is " + std::to_string(start.freeLayer) + ", give 0 to " + std::to_string(config.numLayers - 1));
    const auto rope = std::make_shared<const nn::RotaryEmbedding>(config.rope, config.headDim, config.maxPositions);
    nn::Transformer teacher;
    teacher.config = config;
    Weights outside(seed, -1);
    teacher.embedding_VD = outside.normal(config.vocabSize, config.hiddenSize, embeddingDeviation);
    for (int layer = 0; layer < config.numLayers; ++layer)
        teacher.blocks.push_back(startBlock(config, start, rope, seed, layer));
    teacher.finalNorm_D = at::ones({config.hiddenSize}, at::TensorOptions(at::kFloat));
    teacher.head_VD = config.tiedHead ? teacher.embedding_VD : outside.matrix(config.vocabSize, config.hiddenSize);
    return teacher;
}

}  // namespace stillroom::procedures
