// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/configfields.h"
#include "checkpoint/modelconfig.h"
#include "checkpoint/ropeconfig.h"
#include "shownname.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

// Defaults and precedence follow transformers 5.24 (configuration_llama.py, configuration_qwen2.py, configuration_qwen3.py, configuration_mistral.py),
// except that what fixes the model's shape must be said: a default there would only hide a damaged file.
namespace stillroom::checkpoint {

namespace {

using Json = nlohmann::json;

// Fields that say how a model was trained, saved or sampled from, and nothing about its arithmetic.
const std::set<std::string, std::less<>> harmless{
    "architectures", "transformers_version", "torch_dtype", "dtype", "use_cache", "initializer_range", "pretraining_tp", "name_or_path", "tokenizer_class",
    "id2label", "label2id", "num_labels", "problem_type", "finetuning_task", "task_specific_params", "output_attentions", "output_hidden_states", "return_dict",
    "return_dict_in_generate", "output_scores", "chunk_size_feed_forward", "torchscript", "use_bfloat16", "tf_legacy_loss", "gradient_checkpointing",
    "is_decoder", "is_llama_config", "transformers.js_config", "model_max_length", "max_sequence_length", "attn_implementation", "max_window_layers",
    "unk_token_id", "sep_token_id", "cls_token_id", "mask_token_id", "decoder_start_token_id", "forced_bos_token_id", "forced_eos_token_id",
    "suppress_tokens", "begin_suppress_tokens", "bad_words_ids", "do_sample", "temperature", "top_k", "top_p", "typical_p", "repetition_penalty",
    "length_penalty", "no_repeat_ngram_size", "encoder_no_repeat_ngram_size", "num_beams", "num_beam_groups", "diversity_penalty", "num_return_sequences",
    "early_stopping", "max_length", "min_length", "max_new_tokens", "remove_invalid_values", "exponential_decay_length_penalty", "prefix", "license",
    "pruned_heads", "quantization_config", "attention_dropout", "hidden_dropout", "hidden_dropout_prob", "attention_probs_dropout_prob", "resid_pdrop", "embd_pdrop",
    "attn_pdrop", "summary_type", "summary_use_proj", "resid_dropout", "embedding_dropout", "mlp_dropout", "classifier_dropout", "router_aux_loss_coef"};

bool isHarmless(const std::string &key) {
    return harmless.contains(key) || key.starts_with("_") || key.starts_with("unsloth_");
}

// Fields that transformers' code for these families never reads, but that other code writes when the arithmetic differs.
struct Fixed {
    const char *key;
    bool value;
};
constexpr std::array fixedFlags{Fixed{"is_encoder_decoder", false}, Fixed{"add_cross_attention", false}, Fixed{"tie_encoder_decoder", false}, Fixed{"is_causal", true},
                                Fixed{"rope_interleaved", false}, Fixed{"use_qk_norm", false}, Fixed{"qk_layernorm", false}, Fixed{"use_mrope", false}};

void refuseQuantised(ConfigFields &fields) {
    const auto *quantised = fields.find("quantization_config");
    if (quantised == nullptr)
        return;
    const auto method = quantised->is_object() && quantised->contains("quant_method") && (*quantised)["quant_method"].is_string()
                            ? " (" + shownName((*quantised)["quant_method"].get<std::string>()) + ")"
                            : std::string();
    fields.unsupported("has a quantization_config" + method + ", and quantised Hugging Face weights are not read", "use the unquantised model or a GGUF file of it");
}

void refuseUnread(ConfigFields &fields) {
    for (const auto &[key, value] : fixedFlags)
        if (fields.flag(key, value) != value)
            fields.unsupported("sets \"" + std::string(key) + "\" to " + (value ? "false" : "true") + ", which is not supported");
    if (const auto *pruned = fields.find("pruned_heads"); pruned != nullptr && !pruned->empty())
        fields.unsupported("has pruned_heads, which are not supported");
    for (const auto &key : fields.unread())
        if (!isHarmless(key) && !(fields.json()[key].is_structured() && fields.json()[key].empty()))
            fields.unsupported("has the field \"" + shownName(key) + "\", which is not understood", "if it does not change what the model computes, delete it there");
}

// Fields that transformers' classes do not declare as "or None".
void refuseNulls(const ConfigFields &fields, const std::string &modelType) {
    const bool llama = modelType == "llama", qwen2 = modelType == "qwen2", qwen3 = modelType == "qwen3";
    for (const auto &[key, isDeclared] : {std::pair{"rms_norm_eps", true}, {"hidden_act", true}, {"max_position_embeddings", true}, {"tie_word_embeddings", true}, {"attention_bias", llama || qwen3},
                                          {"mlp_bias", llama}, {"head_dim", qwen3}, {"use_sliding_window", qwen2 || qwen3}, {"max_window_layers", qwen2 || qwen3}})
        if (isDeclared)
            fields.refuseNull(key);
}

void parseShape(ConfigFields &fields, ModelConfig &config) {
    config.numLayers = static_cast<int>(fields.integer("num_hidden_layers", 1, 10'000));
    config.hiddenSize = static_cast<int>(fields.integer("hidden_size", 1, 1 << 20));
    config.intermediateSize = static_cast<int>(fields.integer("intermediate_size", 1, 1 << 23));
    config.numHeads = static_cast<int>(fields.integer("num_attention_heads", 1, 1 << 13));
    config.vocabSize = static_cast<int>(fields.integer("vocab_size", 1, 1 << 24));
    std::int64_t kvHeads = config.numHeads;   // also when it is null
    if (!fields.isNull("num_key_value_heads") && config.modelType != "llama")
        kvHeads = config.modelType == "mistral" ? 8 : 32;
    config.numKvHeads = static_cast<int>(fields.integer("num_key_value_heads", 1, 1 << 13, kvHeads));
    if (config.numHeads % config.numKvHeads != 0)
        fields.bad("num_key_value_heads", "is " + std::to_string(config.numKvHeads) + ", which does not divide num_attention_heads " + std::to_string(config.numHeads));
    const bool given = fields.find("head_dim") != nullptr;
    if (!given && config.modelType != "qwen3" && config.hiddenSize % config.numHeads != 0)
        fields.bad("head_dim", "is missing, and hidden_size " + std::to_string(config.hiddenSize) + " is not a multiple of num_attention_heads " + std::to_string(config.numHeads));
    config.headDim = static_cast<int>(fields.integer("head_dim", 2, 1 << 13, config.modelType == "qwen3" ? 128 : config.hiddenSize / config.numHeads));
    if (config.headDim % 2 != 0)
        fields.bad("head_dim", "is " + std::to_string(config.headDim) + ", but rotary embeddings need an even number");
    const std::int64_t positions = config.modelType == "llama" ? 2048 : config.modelType == "mistral" ? 4096 * 32 : 32768;
    config.maxPositions = fields.integer("max_position_embeddings", 1, std::int64_t{1} << 40, positions);
}

void parseBiases(ConfigFields &fields, ModelConfig &config) {
    const bool qwen2 = config.modelType == "qwen2", mistral = config.modelType == "mistral";
    const bool bias = fields.flag("attention_bias", false);
    if (mistral && bias)
        fields.unsupported("sets attention_bias, which Mistral models do not have");
    if (qwen2 && bias)
        fields.unsupported("sets attention_bias, but Qwen2 models always have biases on q, k and v and none on the output");
    config.qkvBias = qwen2 || bias;
    config.outputBias = bias;
    config.mlpBias = fields.flag("mlp_bias", false);
    if (config.mlpBias && config.modelType != "llama")
        fields.unsupported("sets mlp_bias, which " + config.modelType + " models do not have");
    config.qkNorm = config.modelType == "qwen3";
}

void parseActivation(ConfigFields &fields, ModelConfig &config) {
    static const std::array<std::pair<std::string_view, std::string_view>, 6> known{{{"silu", "silu"}, {"swish", "silu"}, {"gelu", "gelu"}, {"relu", "relu"},
        {"gelu_pytorch_tanh", "gelu_pytorch_tanh"}, {"gelu_new", "gelu_pytorch_tanh"}}};   // aliases of one formula
    const auto name = fields.text("hidden_act", "silu");
    const auto found = std::find_if(known.begin(), known.end(), [&name](const auto &entry) { return entry.first == name; });
    if (found == known.end())
        fields.unsupported("asks for the activation hidden_act \"" + shownName(name) + "\", which is not supported (silu, gelu, gelu_pytorch_tanh and relu are)");
    config.hiddenAct = found->second;
}

// layer_types of the file: true = sliding. Empty when it has none.
std::vector<bool> parseLayerTypes(ConfigFields &fields, int numLayers) {
    const auto *types = fields.find("layer_types");
    if (types == nullptr)
        return {};
    if (!types->is_array() || types->size() != static_cast<std::size_t>(numLayers))
        fields.bad("layer_types", "must be a list with one entry for each of the " + std::to_string(numLayers) + " layers");
    std::vector<bool> sliding;
    for (const auto &type : *types) {
        const auto name = type.is_string() ? type.get<std::string>() : std::string();
        if (name != "full_attention" && name != "sliding_attention" && name != "attention")
            fields.unsupported("has a layer of the type " + shownName(type.dump()) + " in layer_types, which is not supported (full_attention and sliding_attention are)");
        sliding.push_back(name == "sliding_attention");
    }
    return sliding;
}

// Llama has no windows; Mistral has them in all layers or none; Qwen2 and Qwen3 from max_window_layers on, unless layer_types says which.
void parseWindows(ConfigFields &fields, ModelConfig &config) {
    const auto layers = static_cast<std::size_t>(config.numLayers);
    const bool qwen = config.modelType == "qwen2" || config.modelType == "qwen3", mistral = config.modelType == "mistral";
    const bool used = fields.flag("use_sliding_window", mistral);
    const bool given = fields.find("sliding_window") != nullptr;
    std::int64_t window = 0;
    if (used || given)
        window = fields.integer("sliding_window", 1, std::int64_t{1} << 40, fields.isNull("sliding_window") ? 0 : 4096);
    const auto types = parseLayerTypes(fields, config.numLayers);
    if (config.modelType == "llama" && (used || (given && fields.json().count("use_sliding_window") == 0)))
        fields.unsupported("has a sliding_window, which Llama models do not have");
    if (mistral && !used && given)
        fields.unsupported("has a sliding_window and switches it off with use_sliding_window, which Mistral models do not have");
    config.slidingWindow.assign(layers, 0);
    if (mistral) {
        std::fill(config.slidingWindow.begin(), config.slidingWindow.end(), window);
        if (std::any_of(types.begin(), types.end(), [window](bool sliding) { return sliding != (window != 0); }))
            fields.unsupported("has layer_types that do not agree with its sliding_window, which Mistral models do not have");
        return;
    }
    const auto first = qwen ? fields.integer("max_window_layers", 0, std::int64_t{1} << 31, 28) : 0;
    const bool windows = qwen && used && window != 0;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const bool sliding = types.empty() ? windows && static_cast<std::int64_t>(layer) >= first : types[layer];
        if (sliding && !windows)
            fields.bad("layer_types", "has sliding_attention layers, but no sliding window is in use");
        config.slidingWindow[layer] = sliding ? window : 0;
    }
}

std::optional<std::int64_t> checkedId(const ConfigFields &fields, const char *key, const Json &value, std::int64_t vocabSize) {
    if (!value.is_number_integer())
        fields.bad(key, "is " + shownName(value.dump()) + ", but must be a token id");
    if (value == -1)
        return std::nullopt;   // an old way to say "none"
    if (value < 0 || value >= vocabSize)
        fields.bad(key, "is " + shownName(value.dump()) + ", but the vocabulary has " + std::to_string(vocabSize) + " tokens");
    return value.get<std::int64_t>();
}

void parseIds(ConfigFields &fields, ModelConfig &config) {
    const bool usual = config.modelType == "llama" || config.modelType == "mistral";
    const bool noBos = fields.json().count("bos_token_id") == 0, noEos = fields.json().count("eos_token_id") == 0;
    if (const auto *bos = fields.find("bos_token_id"))
        config.bosId = checkedId(fields, "bos_token_id", *bos, config.vocabSize);
    else if (noBos && usual && config.vocabSize > 1)
        config.bosId = 1;
    if (const auto *pad = fields.find("pad_token_id"); pad != nullptr && !(pad->is_number_integer() && *pad >= config.vocabSize))
        config.padId = checkedId(fields, "pad_token_id", *pad, config.vocabSize);   // some published files put it behind the vocabulary: none
    if (const auto *eos = fields.find("eos_token_id")) {
        const Json list = eos->is_array() ? *eos : Json::array({*eos});
        for (const auto &value : list) {
            if (value.is_number_integer() && value < 0)
                fields.bad("eos_token_id", "is " + shownName(value.dump()) + ", but a token id is 0 or more, and null says that no token ends a text");
            config.eosIds.push_back(*checkedId(fields, "eos_token_id", value, config.vocabSize));
        }
    } else if (noEos && usual && config.vocabSize > 2) {
        config.eosIds = {2};
    }
}

ModelConfig parseTeacher(const Json &json, const std::string &where) {
    ConfigFields fields(json, where);
    ModelConfig config;
    config.modelType = fields.text("model_type", "");
    if (config.modelType.empty())
        fields.bad("model_type", "is missing");
    if (config.modelType != "llama" && config.modelType != "qwen2" && config.modelType != "qwen3" && config.modelType != "mistral")
        fields.unsupported("is of the model type \"" + shownName(config.modelType) + "\", which is not supported (llama, qwen2, qwen3 and mistral are)");
    refuseQuantised(fields);
    refuseNulls(fields, config.modelType);
    parseShape(fields, config);
    config.rmsNormEps = fields.number("rms_norm_eps", 0, 1, 1e-6);
    config.tiedHead = fields.flag("tie_word_embeddings", false);
    config.rope = parseRope(fields, config.maxPositions);
    parseBiases(fields, config);
    parseActivation(fields, config);
    parseWindows(fields, config);
    parseIds(fields, config);
    refuseUnread(fields);
    config.layers.assign(static_cast<std::size_t>(config.numLayers), LayerMixer{});
    return config;
}

LayerMixer parseLayer(const Json &json, const std::string &where) {
    ConfigFields fields(json, where);
    LayerMixer layer;
    layer.kind = fields.text("mixer", "");
    if (layer.kind.empty())
        fields.bad("mixer", "is missing");
    if (const auto *options = fields.find("options")) {
        if (!options->is_object())
            fields.bad("options", "must be an object");
        if (layer.kind == "softmax" && !options->empty())      // such a layer is the teacher's: what its options ask for would be left undone
            fields.unsupported("has the option \"" + shownName(options->begin().key()) + "\" of a softmax layer, which is not understood", "delete it there or use a newer Stillroom");
        layer.optionsJson = options->dump();
    }
    if (const auto unread = fields.unread(); !unread.empty())
        fields.unsupported("has the field \"" + shownName(unread.front()) + "\", which is not understood", "delete it there or use a newer Stillroom");
    return layer;
}

ModelConfig parseHybrid(const Json &json, const std::string &where) {
    ConfigFields fields(json, where);
    static_cast<void>(fields.text("model_type", ""));
    if (const auto schema = fields.integer("schema", 1, INT64_MAX); schema > 1)
        fields.unsupported("has schema " + std::to_string(schema) + ", and this version reads schema 1", "use a newer Stillroom");
    const auto *teacher = fields.find("teacher");
    if (teacher == nullptr)
        fields.bad("teacher", "is missing");
    auto config = parseTeacher(*teacher, where + ", teacher,");
    config.teacherHash = fields.text("teacher_hash", "");
    if (config.teacherHash.empty())
        fields.bad("teacher_hash", "is missing");
    const auto *layers = fields.find("layers");
    if (layers == nullptr || !layers->is_array() || layers->size() != config.layers.size())
        fields.bad("layers", "must be a list with one entry for each of the " + std::to_string(config.numLayers) + " layers");
    for (std::size_t i = 0; i < layers->size(); ++i)
        config.layers[i] = parseLayer((*layers)[i], where + ", layer " + std::to_string(i) + ",");
    for (const auto &key : fields.unread())
        if (!isHarmless(key))
            fields.unsupported("has the field \"" + shownName(key) + "\", which is not understood", "delete it there or use a newer Stillroom");
    return config;
}

}  // namespace

ModelConfig parseConfig(const nlohmann::json &json, const std::string &where) {
    const bool hybrid = json.is_object() && json.contains("model_type") && json["model_type"] == "stillroom_hybrid";
    return hybrid ? parseHybrid(json, where) : parseTeacher(json, where);
}

}  // namespace stillroom::checkpoint
