// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/modeldescription.h"

#include "error.h"
#include "mixers/modelsize.h"
#include "mixers/registry.h"
#include "text/tokenizer.h"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace stillroom::procedures {
namespace {

using checkpoint::ModelConfig;
using nn::TeacherFeature;

struct NamedFeature {
    TeacherFeature feature;
    const char *name;
    bool present;
};

std::vector<NamedFeature> features(const ModelConfig &config)
{
    const bool windowed = std::any_of(config.slidingWindow.begin(), config.slidingWindow.end(), [](std::int64_t window) { return window > 0; });
    return {{TeacherFeature::QkvBias, "qkv_bias", config.qkvBias},
            {TeacherFeature::OutputBias, "output_bias", config.outputBias},
            {TeacherFeature::QkNorm, "qk_norm", config.qkNorm},
            {TeacherFeature::Rope, "rope", true},
            {TeacherFeature::RopeScaling, "rope_scaling", config.rope.kind != checkpoint::Rope::Kind::Default},
            {TeacherFeature::SlidingWindow, "sliding_window", windowed},
            {TeacherFeature::GroupedQuery, "grouped_query", config.numKvHeads != config.numHeads},
            {TeacherFeature::WideHeads, "wide_heads", config.headDim * config.numHeads != config.hiddenSize}};
}

nlohmann::json mixerSupport(const ModelConfig &config, const std::string &kind)
{
    const auto mixer = mixers::blank(kind, mixers::completeOptions(kind, "{}", config), config, 0, at::kCPU);
    nlohmann::json carried = nlohmann::json::array(), lost = nlohmann::json::array();
    for (const NamedFeature &one : features(config))
        if (one.present)
            (mixer->carries(one.feature) ? carried : lost).push_back(one.name);
    return {{"mixer", kind}, {"carries", carried}, {"does_not_carry", lost}, {"parameters_per_layer", mixer->numParameters()},
            {"state_bytes_per_layer", mixer->stateBytes(1, 1, at::kFloat)}, {"options", nlohmann::json::parse(mixer->optionsJson())}};
}

/// Why a hybrid of this teacher cannot be written exactly in a foreign format (spec interop §2.5); empty: it can.
nlohmann::json flaReasons(const ModelConfig &config)
{
    nlohmann::json reasons = nlohmann::json::array();
    if (config.rope.kind != checkpoint::Rope::Kind::Default)
        reasons.push_back("fla knows no RoPE scaling");
    if (config.qkNorm)
        reasons.push_back("fla hybrids have no q/k norms");
    if (config.headDim * config.numHeads != config.hiddenSize)
        reasons.push_back("fla takes the head width from hidden size and heads");
    if (config.outputBias || config.mlpBias)
        reasons.push_back("fla has no biases after attention or in the MLP");
    if (config.hiddenAct != "silu")
        reasons.push_back("fla's MLP is SwiGLU");
    return reasons;
}

nlohmann::json qwenReasons(const ModelConfig &config)
{
    nlohmann::json reasons = nlohmann::json::array();
    if (!config.qkNorm)
        reasons.push_back("qwen3_5_text always normalises q and k");
    if (config.qkvBias || config.outputBias || config.mlpBias)
        reasons.push_back("qwen3_5_text has no such biases");
    if (std::any_of(config.slidingWindow.begin(), config.slidingWindow.end(), [](std::int64_t window) { return window > 0; }))
        reasons.push_back("qwen3_5_text has no sliding window");
    if (config.rope.kind != checkpoint::Rope::Kind::Default)
        reasons.push_back("RoPE scaling is not verified for qwen3_5_text");
    return reasons;
}

const char *ropeName(checkpoint::Rope::Kind kind)
{
    switch (kind) {
    case checkpoint::Rope::Kind::Default: return "default";
    case checkpoint::Rope::Kind::Linear: return "linear";
    case checkpoint::Rope::Kind::Dynamic: return "dynamic";
    case checkpoint::Rope::Kind::Yarn: return "yarn";
    case checkpoint::Rope::Kind::Llama3: return "llama3";
    }
    return "default";
}

mixers::ModelSize sizeOf(const checkpoint::ModelFiles &files)
{
    mixers::checkLinearLayers(files);      // what a config alone claims is not believed: loading refuses it, too
    try {
        return mixers::modelSize(files.config);
    } catch (const Error &error) {
        throw mixers::naming(files, error);
    }
}

nlohmann::json partsToJson(const mixers::ModelSize &size)
{
    nlohmann::json all = nlohmann::json::array();
    for (const mixers::ModelSize::Part &part : size.parts)
        all.push_back({{"part", part.name}, {"parameters", part.parameters}});
    return all;
}

nlohmann::json tokenizerDescription(const checkpoint::ModelFiles &files)
{
    if (files.tokenizerPath.empty())
        return nullptr;
    try {
        const auto tokenizer = text::loadTokenizer(files.tokenizerPath);
        return {{"vocab_size", tokenizer->vocabSize()}, {"bos", tokenizer->bosId() ? nlohmann::json(*tokenizer->bosId()) : nlohmann::json()},
                {"eos", tokenizer->eosIds()}, {"identity", tokenizer->identity()}, {"path", files.tokenizerPath.string()}, {"chat_template", tokenizer->chatTemplate().has_value()}};
    } catch (const Error &error) {   // a model can be scored on token ids though its tokenizer is not understood
        return {{"error", error.what()}};
    }
}

}  // namespace

nlohmann::json describe(const checkpoint::ModelFiles &files, const std::function<void(std::int64_t, std::int64_t)> &step)
{
    const std::vector<std::string> kinds = mixers::kinds();
    std::int64_t done = 0;
    const auto next = [&, total = std::ssize(kinds) + 1] {
        if (step)
            step(done++, total);
    };
    const ModelConfig &config = files.config;
    std::map<std::string, int> types;
    for (const checkpoint::TensorInfo &info : files.tensors->tensors())
        ++types[std::string(checkpoint::dtypeName(info.dtype))];
    nlohmann::json present = nlohmann::json::array(), mixers = nlohmann::json::array(), layers = nlohmann::json::array();
    for (const NamedFeature &one : features(config))
        if (one.present)
            present.push_back(one.name);
    for (const std::string &kind : kinds) {
        next();
        mixers.push_back(mixerSupport(config, kind));
    }
    next();
    for (const checkpoint::LayerMixer &layer : config.layers)
        layers.push_back(layer.kind);
    const mixers::ModelSize size = sizeOf(files);
    return {{"name", files.name}, {"path", files.path.string()}, {"format", files.format}, {"architecture", config.modelType}, {"num_layers", config.numLayers},
            {"hidden_size", config.hiddenSize}, {"intermediate_size", config.intermediateSize}, {"num_heads", config.numHeads}, {"num_kv_heads", config.numKvHeads},
            {"head_dim", config.headDim}, {"vocab_size", config.vocabSize}, {"context_tokens", config.maxPositions}, {"norm_eps", config.rmsNormEps},
            {"rope", {{"type", ropeName(config.rope.kind)}, {"theta", config.rope.theta}, {"factor", config.rope.factor}}}, {"activation", config.hiddenAct},
            {"tied_head", config.tiedHead}, {"parameters", size.parameters}, {"bytes_float32", size.parameters * 4}, {"stored_types", types},
            {"kv_cache_bytes_per_token_bf16", size.kvBytesPerToken}, {"state_bytes_float32", size.stateBytes}, {"features", present}, {"layer_kinds", layers}, {"sliding_window_tokens", config.slidingWindow}, {"parts", partsToJson(size)}, {"mixers", mixers}, {"tokenizer", tokenizerDescription(files)},
            {"exports", {{{"format", "fla"}, {"exact", flaReasons(config).empty()}, {"reasons", flaReasons(config)}},
                         {{"format", "qwen3_5_text"}, {"exact", qwenReasons(config).empty()}, {"reasons", qwenReasons(config)}},
                         {{"format", "stillroom"}, {"exact", true}, {"reasons", nlohmann::json::array()}}}}};
}

}  // namespace stillroom::procedures
