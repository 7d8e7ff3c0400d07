// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "nn/softmaxmixer.h"
#include "nn/torcherror.h"
#include "nn/transformer.h"

#include <ATen/ATen.h>

namespace stillroom::nn {

namespace {

/// Reads one model's weights, each straight into the memory it stays in.
class WeightReader {
public:
    WeightReader(const checkpoint::TensorSource &source, at::Device device) : m_source(source), m_device(device) {}

    [[nodiscard]] at::Tensor read(const std::string &name, at::IntArrayRef shape) const
    {
        const checkpoint::TensorInfo *info = m_source.find(name);
        if (!info || at::IntArrayRef(info->shape) != shape) {
            throw Error(ErrorCode::BadFile, "The model's weight " + name + (info ? " does not have the shape that its config asks for; use the config.json that belongs to the weights." : " is missing from its files; download them again."));
        }
        at::Tensor weight = at::empty(shape, at::TensorOptions(at::kFloat));
        m_source.readFloat32(name, std::span(weight.data_ptr<float>(), static_cast<std::size_t>(weight.numel())));
        return weight.to(m_device);
    }

    [[nodiscard]] at::Tensor readIf(bool wanted, const std::string &name, at::IntArrayRef shape) const { return wanted ? read(name, shape) : at::Tensor(); }

private:
    const checkpoint::TensorSource &m_source;
    at::Device m_device;
};

SoftmaxWeights readSoftmax(const WeightReader &reader, const checkpoint::ModelConfig &config, const std::string &prefix)
{
    const std::int64_t width = config.hiddenSize, rows = std::int64_t{config.numHeads} * config.headDim, kvRows = std::int64_t{config.numKvHeads} * config.headDim;
    SoftmaxWeights weights;
    weights.wq_HKD = reader.read(prefix + "q_proj.weight", {rows, width});
    weights.wk_GKD = reader.read(prefix + "k_proj.weight", {kvRows, width});
    weights.wv_GKD = reader.read(prefix + "v_proj.weight", {kvRows, width});
    weights.wo_DHK = reader.read(prefix + "o_proj.weight", {width, rows});
    weights.bq_HK = reader.readIf(config.qkvBias, prefix + "q_proj.bias", {rows});
    weights.bk_GK = reader.readIf(config.qkvBias, prefix + "k_proj.bias", {kvRows});
    weights.bv_GK = reader.readIf(config.qkvBias, prefix + "v_proj.bias", {kvRows});
    weights.bo_D = reader.readIf(config.outputBias, prefix + "o_proj.bias", {width});
    weights.qNorm_K = reader.readIf(config.qkNorm, prefix + "q_norm.weight", {config.headDim});
    weights.kNorm_K = reader.readIf(config.qkNorm, prefix + "k_norm.weight", {config.headDim});
    return weights;
}

Mlp readMlp(const WeightReader &reader, const checkpoint::ModelConfig &config, const std::string &prefix)
{
    const std::int64_t width = config.hiddenSize, inner = config.intermediateSize;
    return {
        reader.read(prefix + "gate_proj.weight", {inner, width}),          reader.read(prefix + "up_proj.weight", {inner, width}),
        reader.read(prefix + "down_proj.weight", {width, inner}),          reader.readIf(config.mlpBias, prefix + "gate_proj.bias", {inner}),
        reader.readIf(config.mlpBias, prefix + "up_proj.bias", {inner}),   reader.readIf(config.mlpBias, prefix + "down_proj.bias", {width}),
    };
}

std::shared_ptr<TokenMixer> readMixer(const checkpoint::ModelFiles &files, const WeightReader &reader, int layer, at::Device device, const MixerLoader &linearMixer,
                                      const std::shared_ptr<const RotaryEmbedding> &rope)
{
    const auto &config = files.config;
    const std::size_t index = static_cast<std::size_t>(layer);
    if (index >= config.layers.size() || config.layers[index].kind == "softmax") {
        const std::string prefix = "model.layers." + std::to_string(layer) + ".self_attn.";
        return std::make_shared<SoftmaxMixer>(SoftmaxOptions::ofLayer(config, layer), readSoftmax(reader, config, prefix), rope);
    }
    if (!linearMixer) {
        throw Error(ErrorCode::Unsupported, "Layer " + std::to_string(layer) + " of " + files.path.string() + " is of kind \"" + config.layers[index].kind + "\", but only softmax layers can be read here; give the teacher.");
    }
    return linearMixer(config.layers[index], config, layer, *files.tensors, device);
}

}  // namespace

Transformer loadTransformer(const checkpoint::ModelFiles &files, at::Device device, const MixerLoader &linearMixer)
{
    return asStillroomError("Loading the model", [&] {
        const auto &config = files.config;
        const WeightReader reader(*files.tensors, device);
        const std::int64_t width = config.hiddenSize, vocabulary = config.vocabSize;
        const auto rope = std::make_shared<const RotaryEmbedding>(config.rope, config.headDim, config.maxPositions);
        Transformer model;
        model.config = config;
        model.embedding_VD = reader.read("model.embed_tokens.weight", {vocabulary, width});
        for (int layer = 0; layer < config.numLayers; ++layer) {
            const std::string prefix = "model.layers." + std::to_string(layer) + ".";
            Block block;
            block.inputNorm_D = reader.read(prefix + "input_layernorm.weight", {width});
            block.postNorm_D = reader.read(prefix + "post_attention_layernorm.weight", {width});
            block.mixer = readMixer(files, reader, layer, device, linearMixer, rope);
            block.mlp = readMlp(reader, config, prefix + "mlp.");
            model.blocks.push_back(std::move(block));
        }
        model.finalNorm_D = reader.read("model.norm.weight", {width});
        model.head_VD = config.tiedHead ? model.embedding_VD : reader.read("lm_head.weight", {vocabulary, width});
        return model;
    });
}

}  // namespace stillroom::nn
