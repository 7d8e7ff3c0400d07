// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/expectedtensors.h"

#include "checkpoint/dtypes.h"
#include "error.h"
#include "shownname.h"

#include <string_view>
#include <unordered_set>

namespace stillroom::checkpoint {

namespace {

void addAttention(std::vector<ExpectedTensor> &list, const ModelConfig &config, const std::string &prefix) {
    const std::int64_t hidden = config.hiddenSize, queries = std::int64_t{config.numHeads} * config.headDim, keys = std::int64_t{config.numKvHeads} * config.headDim;
    const auto linear = [&](const char *name, std::int64_t out, std::int64_t in, bool bias) {
        list.push_back({prefix + name + ".weight", {out, in}});
        if (bias)
            list.push_back({prefix + name + ".bias", {out}});
    };
    linear("q_proj", queries, hidden, config.qkvBias);
    linear("k_proj", keys, hidden, config.qkvBias);
    linear("v_proj", keys, hidden, config.qkvBias);
    linear("o_proj", hidden, queries, config.outputBias);
    if (config.qkNorm) {
        list.push_back({prefix + "q_norm.weight", {config.headDim}});
        list.push_back({prefix + "k_norm.weight", {config.headDim}});
    }
}

void addMlp(std::vector<ExpectedTensor> &list, const ModelConfig &config, const std::string &prefix) {
    const std::int64_t hidden = config.hiddenSize, wide = config.intermediateSize;
    for (const auto *name : {"gate_proj", "up_proj", "down_proj"}) {
        const bool down = std::string_view(name) == "down_proj";
        list.push_back({prefix + name + ".weight", {down ? hidden : wide, down ? wide : hidden}});
        if (config.mlpBias)
            list.push_back({prefix + name + ".bias", {down ? hidden : wide}});
    }
}

// Buffers that old files carry and that follow from the config.
bool isDerived(std::string_view name) {
    return name.ends_with(".rotary_emb.inv_freq");
}

bool isMixerTensor(const ModelConfig &config, std::string_view name) {
    for (int layer = 0; layer < config.numLayers; ++layer)
        if (config.layers[static_cast<std::size_t>(layer)].kind != "softmax" && name.starts_with(mixerPrefix(layer)))
            return true;
    return false;
}

}  // namespace

std::string layerPrefix(int layer) {
    return "model.layers." + std::to_string(layer) + ".";
}

std::string mixerPrefix(int layer) {
    return layerPrefix(layer) + "mixer.";
}

std::vector<ExpectedTensor> expectedTensors(const ModelConfig &config) {
    const std::int64_t hidden = config.hiddenSize;
    std::vector<ExpectedTensor> list{{"model.embed_tokens.weight", {config.vocabSize, hidden}}};
    for (int layer = 0; layer < config.numLayers; ++layer) {
        const auto prefix = layerPrefix(layer);
        list.push_back({prefix + "input_layernorm.weight", {hidden}});
        if (config.layers[static_cast<std::size_t>(layer)].kind == "softmax")
            addAttention(list, config, prefix + "self_attn.");
        list.push_back({prefix + "post_attention_layernorm.weight", {hidden}});
        addMlp(list, config, prefix + "mlp.");
    }
    list.push_back({"model.norm.weight", {hidden}});
    if (!config.tiedHead)
        list.push_back({"lm_head.weight", {config.vocabSize, hidden}});
    return list;
}

void checkTensors(const ModelConfig &config, const TensorSource &source, const std::string &where) {
    std::unordered_set<std::string> expected;
    for (auto &tensor : expectedTensors(config)) {
        const auto *info = source.find(tensor.name);
        if (info == nullptr)
            throw Error(ErrorCode::BadFile, where + " has no weight " + tensor.name + ", which its config asks for"
                                                + (tensor.name == "lm_head.weight" ? "; write \"tie_word_embeddings\": true there if the head shares the embeddings." : "; use the config.json that belongs to the weights."));
        if (info->shape != tensor.shape)
            throw Error(ErrorCode::BadFile, "Weight " + tensor.name + " of " + where + " has shape " + shapeText(info->shape) + ", but its config asks for " + shapeText(tensor.shape) + "; use the config.json that belongs to the weights.");
        if (isInteger(info->dtype))
            throw Error(ErrorCode::BadFile, "Weight " + tensor.name + " of " + where + " holds integers (" + std::string(dtypeName(info->dtype)) + ") where real numbers are needed; replace the weights by an undamaged copy.");
        expected.insert(std::move(tensor.name));
    }
    for (const auto &info : source.tensors()) {
        const bool sharedHead = config.tiedHead && info.name == "lm_head.weight";
        if (!sharedHead && !expected.contains(info.name) && !isDerived(info.name) && !isMixerTensor(config, info.name))
            throw Error(ErrorCode::Unsupported, where + " holds the weight " + shownName(info.name) + ", which its config does not ask for and which would be ignored; use the config.json that belongs to the weights.");
    }
}

}  // namespace stillroom::checkpoint
