// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/modelconfig.h"

#include "checkpoint/ropeconfig.h"
#include "error.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace stillroom::checkpoint {

namespace {

using Json = nlohmann::json;

const char *architectureName(const std::string &modelType) {
    return modelType == "llama" ? "LlamaForCausalLM" : modelType == "qwen2" ? "Qwen2ForCausalLM" : modelType == "qwen3" ? "Qwen3ForCausalLM" : "MistralForCausalLM";
}

[[noreturn]] void cannotSay(const std::string &what) {
    throw Error(ErrorCode::Unsupported, "No Hugging Face config.json can say " + what + ".");
}

// The one window length of all layers that have one; 0 when none has.
std::int64_t commonWindow(const ModelConfig &config) {
    std::int64_t window = 0;
    for (const auto length : config.slidingWindow) {
        if (length != 0 && window != 0 && length != window)
            cannotSay("that sliding windows differ in length");
        window = std::max(window, length);
    }
    return window;
}

void addWindows(Json &json, const ModelConfig &config) {
    const auto window = commonWindow(config);
    const auto windowed = std::count_if(config.slidingWindow.begin(), config.slidingWindow.end(), [](std::int64_t length) { return length != 0; });
    if (config.modelType == "mistral") {
        if (windowed != 0 && windowed != config.numLayers)
            cannotSay("that only some layers of a Mistral model have a sliding window");
        json["sliding_window"] = windowed == 0 ? Json() : Json(window);
    } else if (config.modelType == "qwen2" || config.modelType == "qwen3") {
        json["use_sliding_window"] = windowed != 0;
        json["sliding_window"] = windowed == 0 ? Json() : Json(window);
        json["max_window_layers"] = config.numLayers;   // layer_types says it exactly
        for (const auto length : config.slidingWindow)
            json["layer_types"].push_back(length != 0 ? "sliding_attention" : "full_attention");
    } else if (windowed != 0) {
        cannotSay("that a Llama model has sliding windows");
    }
}

void addBiases(Json &json, const ModelConfig &config) {
    const bool fixed = config.modelType == "qwen2" || config.modelType == "mistral";
    const bool expectedQkv = config.modelType == "qwen2";
    if (fixed ? (config.qkvBias != expectedQkv || config.outputBias) : config.qkvBias != config.outputBias)
        cannotSay("that a " + config.modelType + " model has biases on q, k, v: " + (config.qkvBias ? "yes" : "no") + ", on the output: " + (config.outputBias ? "yes" : "no"));
    if (config.modelType != "llama" && config.mlpBias)
        cannotSay("that a " + config.modelType + " model has MLP biases");
    if (!fixed)
        json["attention_bias"] = config.qkvBias;
    if (config.modelType == "llama")
        json["mlp_bias"] = config.mlpBias;
}

Json teacherToJson(const ModelConfig &config) {
    Json json{{"architectures", {architectureName(config.modelType)}},
              {"model_type", config.modelType},
              {"num_hidden_layers", config.numLayers},
              {"hidden_size", config.hiddenSize},
              {"intermediate_size", config.intermediateSize},
              {"num_attention_heads", config.numHeads},
              {"num_key_value_heads", config.numKvHeads},
              {"head_dim", config.headDim},
              {"vocab_size", config.vocabSize},
              {"max_position_embeddings", config.maxPositions},
              {"rms_norm_eps", config.rmsNormEps},
              {"tie_word_embeddings", config.tiedHead},
              {"hidden_act", config.hiddenAct}};
    addRope(json, config.rope);
    addBiases(json, config);
    addWindows(json, config);
    json["bos_token_id"] = config.bosId ? Json(*config.bosId) : Json();
    json["pad_token_id"] = config.padId ? Json(*config.padId) : Json();
    json["eos_token_id"] = config.eosIds.empty() ? Json() : config.eosIds.size() == 1 ? Json(config.eosIds.front()) : Json(config.eosIds);
    return json;
}

}  // namespace

bool ModelConfig::isHybrid() const {
    return std::any_of(layers.begin(), layers.end(), [](const LayerMixer &layer) { return layer.kind != "softmax"; }) || !teacherHash.empty();
}

std::int64_t ModelConfig::numParameters() const {
    const std::int64_t hidden = hiddenSize, queries = std::int64_t{numHeads} * headDim, keys = std::int64_t{numKvHeads} * headDim, wide = intermediateSize;
    std::int64_t layer = hidden * queries * 2 + hidden * keys * 2 + 3 * hidden * wide + 2 * hidden;
    layer += (qkvBias ? queries + 2 * keys : 0) + (outputBias ? hidden : 0) + (mlpBias ? 2 * wide + hidden : 0) + (qkNorm ? 2 * std::int64_t{headDim} : 0);
    return layer * numLayers + hidden + std::int64_t{vocabSize} * hidden * (tiedHead ? 1 : 2);
}

std::int64_t coveredPositions(const ModelConfig &config) {
    using Kind = Rope::Kind;
    const Kind kind = config.rope.kind;
    if (kind != Kind::Linear && kind != Kind::Dynamic && kind != Kind::Yarn)
        return config.maxPositions;
    const std::int64_t original = kind == Kind::Yarn && config.rope.originalMaxPositions > 0 ? config.rope.originalMaxPositions : config.maxPositions;
    return std::max(config.maxPositions, static_cast<std::int64_t>(config.rope.factor * static_cast<double>(original)));   // a linear one may count the stretch already: then too little is said, not too much
}

std::string contextWarning(const ModelConfig &config, std::int64_t numTokens) {
    const std::int64_t covered = coveredPositions(config);
    if (covered < 1 || numTokens <= covered)
        return {};
    const std::string source = covered == config.maxPositions ? "max_position_embeddings" : "with its RoPE scaling";
    return "the model was made for " + std::to_string(covered) + " tokens (" + source + "), but reads " + std::to_string(numTokens) + " at once: what it says beyond them may mean nothing; give it fewer";
}

nlohmann::json configToJson(const ModelConfig &config) {
    if (!config.isHybrid())
        return teacherToJson(config);
    Json layers = Json::array();
    for (const auto &layer : config.layers)
        layers.push_back({{"mixer", layer.kind}, {"options", Json::parse(layer.optionsJson)}});
    return {{"model_type", "stillroom_hybrid"}, {"schema", 1}, {"teacher", teacherToJson(config)}, {"teacher_hash", config.teacherHash}, {"layers", std::move(layers)}};
}

}  // namespace stillroom::checkpoint
