// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/ggufmodel.h"

#include "checkpoint/dtypes.h"
#include "checkpoint/expectedtensors.h"
#include "checkpoint/mappedtensors.h"
#include "error.h"
#include "shownname.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

namespace stillroom::checkpoint {

namespace {

using Json = nlohmann::json;

[[noreturn]] void unsupported(const std::string &message, const std::string &advice = "use the model's Hugging Face folder") {
    throw Error(ErrorCode::Unsupported, message + "; " + advice + ".");
}

// The metadata of one architecture ("llama.block_count" …). It remembers what was asked for: what is left is not understood.
class ArchitectureKeys {
public:
    ArchitectureKeys(const GgufFile &file, std::string architecture) : m_file(file), m_prefix(std::move(architecture) + ".") {}
    std::optional<std::int64_t> integer(const std::string &key) { return m_file.integer(asked(key)); }
    std::optional<double> number(const std::string &key) { return m_file.number(asked(key)); }
    std::optional<std::string_view> text(const std::string &key) { return m_file.text(asked(key)); }
    std::optional<bool> flag(const std::string &key) { return m_file.flag(asked(key)); }
    std::int64_t required(const std::string &key) {
        const auto value = integer(key);
        if (!value)
            throw Error(ErrorCode::BadFile, m_file.path().string() + " has no " + m_prefix + key + " in its metadata, so it is not a whole model; replace it by an undamaged copy.");
        return *value;
    }
    void pass(const std::string &key) { static_cast<void>(asked(key)); }
    void requireZero(const std::string &key) {
        if (number(key).value_or(0) != 0)
            refuse(key);
    }
    [[noreturn]] void refuse(const std::string &key) const { unsupported(m_file.path().string() + " sets " + shownName(m_prefix + key) + ", which is not supported"); }
    void refuseUnread() const {
        for (const auto &key : m_file.keys())
            if (key.starts_with(m_prefix) && !m_asked.contains(key))
                unsupported(m_file.path().string() + " has the metadata " + shownName(key) + ", which is not understood");
    }

private:
    const std::string &asked(const std::string &key) { return *m_asked.insert(m_prefix + key).first; }
    const GgufFile &m_file;
    std::string m_prefix;
    std::set<std::string> m_asked;
};

void checkKind(const GgufFile &file) {
    const auto where = file.path().string();
    const auto kind = file.text("general.type").value_or("model");
    if (kind != "model")
        unsupported(where + " is a GGUF file of the type \"" + shownName(kind) + "\" and not a model", "give the file of a model");
    if (const auto parts = file.integer("split.count").value_or(1); parts > 1)
        unsupported(where + " is one of " + std::to_string(parts) + " parts of a model", "put them together with llama-gguf-split --merge and give the whole");
}

std::string architectureOf(const GgufFile &file) {
    const auto name = file.text("general.architecture");
    if (!name)
        throw Error(ErrorCode::BadFile, file.path().string() + " has no general.architecture in its metadata; replace it by an undamaged copy.");
    if (*name != "llama" && *name != "qwen2" && *name != "qwen3")
        unsupported(file.path().string() + " is of the architecture \"" + shownName(*name) + "\", which is not supported (llama, qwen2 and qwen3 are)");
    return std::string(*name);
}

// rope.scaling.* in the words of Hugging Face's rope_scaling; null for none.
Json ropeScaling(ArchitectureKeys &keys) {
    const auto kind = keys.text("rope.scaling.type").value_or("");
    auto factor = keys.number("rope.scaling.factor");
    if (const auto old = keys.number("rope.scale_linear"); old && !factor)
        factor = old;
    const auto original = keys.integer("rope.scaling.original_context_length");
    const auto attention = keys.number("rope.scaling.attn_factor"), yarnAttention = keys.number("rope.scaling.yarn_attn_factor");
    const auto fast = keys.number("rope.scaling.yarn_beta_fast"), slow = keys.number("rope.scaling.yarn_beta_slow");
    if (keys.number("rope.scaling.yarn_ext_factor").value_or(1) != 1)
        keys.refuse("rope.scaling.yarn_ext_factor");
    keys.requireZero("rope.scaling.yarn_log_multiplier");
    keys.pass("rope.scaling.finetuned");
    if (kind == "none" || (kind.empty() && factor.value_or(1) == 1))
        return {};
    Json scaling{{"rope_type", kind.empty() ? "linear" : std::string(kind)}, {"factor", factor.value_or(1)}};
    if (kind == "yarn") {
        scaling["original_max_position_embeddings"] = original ? Json(*original) : Json();
        scaling["beta_fast"] = fast ? Json(*fast) : Json();
        scaling["beta_slow"] = slow ? Json(*slow) : Json();
        const double extra = attention.value_or(1) * yarnAttention.value_or(1);   // on top of what the factor itself gives
        if (extra != 1)
            scaling["attention_factor"] = extra * (1 + 0.1 * std::log(std::max(factor.value_or(1), 1.0)));
    } else if (attention.value_or(1) != 1) {
        keys.refuse("rope.scaling.attn_factor");
    }
    return scaling;
}

void addTokenIds(Json &json, const GgufFile &file) {
    const auto id = [&](const char *key) { return file.integer(key); };
    const auto bos = id("tokenizer.ggml.bos_token_id"), pad = id("tokenizer.ggml.padding_token_id");
    json["bos_token_id"] = bos ? Json(*bos) : Json();
    json["pad_token_id"] = pad ? Json(*pad) : Json();
    json["eos_token_id"] = Json::array();
    for (const auto *key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"})
        if (const auto eos = id(key); eos && std::find(json["eos_token_id"].begin(), json["eos_token_id"].end(), Json(*eos)) == json["eos_token_id"].end())
            json["eos_token_id"].push_back(*eos);
}

const GgufTensor &embeddings(const GgufFile &file) {
    const auto *tensor = file.findTensor("token_embd.weight");
    if (tensor == nullptr || tensor->shape.size() != 2)
        throw Error(ErrorCode::BadFile, file.path().string() + " has no matrix token_embd.weight, so it is not a whole model; replace it by an undamaged copy.");
    return *tensor;
}

// llama.cpp's keys in the words of config.json, so that one reader checks every range.
Json configFromMetadata(const GgufFile &file, const std::string &architecture) {
    ArchitectureKeys keys(file, architecture);
    const auto hidden = keys.required("embedding_length"), heads = keys.required("attention.head_count");
    const auto kvHeads = keys.integer("attention.head_count_kv").value_or(heads);
    const auto headDim = keys.integer("attention.key_length").value_or(heads > 0 ? hidden / heads : 0);
    Json json{{"model_type", architecture}, {"num_hidden_layers", keys.required("block_count")}, {"hidden_size", hidden},
              {"intermediate_size", keys.required("feed_forward_length")}, {"num_attention_heads", heads}, {"num_key_value_heads", kvHeads},
              {"head_dim", headDim}, {"vocab_size", embeddings(file).shape[0]}, {"max_position_embeddings", keys.required("context_length")},
              {"tie_word_embeddings", file.findTensor("output.weight") == nullptr}, {"rope_theta", keys.number("rope.freq_base").value_or(10000.0)},
              {"rope_scaling", ropeScaling(keys)}};
    const auto eps = keys.number("attention.layer_norm_rms_epsilon");
    if (!eps)
        throw Error(ErrorCode::BadFile, file.path().string() + " has no " + architecture + ".attention.layer_norm_rms_epsilon in its metadata; replace it by an undamaged copy.");
    json["rms_norm_eps"] = *eps;
    if (keys.integer("attention.value_length").value_or(headDim) != headDim)
        keys.refuse("attention.value_length");
    if (keys.integer("rope.dimension_count").value_or(headDim) != headDim)
        keys.refuse("rope.dimension_count");
    if (!keys.flag("attention.causal").value_or(true))
        keys.refuse("attention.causal");
    for (const auto *key : {"expert_count", "expert_used_count", "pooling_type", "attention.sliding_window"})
        keys.requireZero(key);
    for (const auto *key : {"vocab_size", "attention.layer_norm_epsilon", "tensor_data_layout"})
        keys.pass(key);
    keys.refuseUnread();
    addTokenIds(json, file);
    return json;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> layerParts{{
    {"attn_norm", "input_layernorm"}, {"ffn_norm", "post_attention_layernorm"}, {"attn_q", "self_attn.q_proj"}, {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"}, {"attn_output", "self_attn.o_proj"}, {"attn_q_norm", "self_attn.q_norm"}, {"attn_k_norm", "self_attn.k_norm"},
    {"ffn_gate", "mlp.gate_proj"}, {"ffn_up", "mlp.up_proj"}, {"ffn_down", "mlp.down_proj"}}};

// "blk.3.attn_q.weight" → "model.layers.3.self_attn.q_proj.weight"; a name that is not known stays as it is and is refused later.
std::string huggingFaceName(const std::string &name) {
    if (name == "token_embd.weight")
        return "model.embed_tokens.weight";
    if (name == "output_norm.weight")
        return "model.norm.weight";
    if (name == "output.weight")
        return "lm_head.weight";
    const auto dot = name.find('.', 4), kind = name.rfind('.');
    if (!name.starts_with("blk.") || dot == std::string::npos || kind <= dot)
        return name;
    int layer = 0;
    const auto parsed = std::from_chars(name.data() + 4, name.data() + dot, layer);
    if (parsed.ec != std::errc() || parsed.ptr != name.data() + dot || layer < 0)
        return name;
    const auto part = std::string_view(name).substr(dot + 1, kind - dot - 1);
    for (const auto &[theirs, ours] : layerParts)
        if (theirs == part)
            return layerPrefix(layer) + std::string(ours) + name.substr(kind);
    return name;
}

// Conversions of Llama models turn the rows of q and k (weights and biases) into the order of llama.cpp's rotary embedding; Qwen's are left alone.
std::int64_t interleavedHeads(const ModelConfig &config, std::string_view name) {
    if (config.modelType != "llama")
        return 0;
    return name.find(".self_attn.q_proj.") != std::string_view::npos ? config.numHeads : name.find(".self_attn.k_proj.") != std::string_view::npos ? config.numKvHeads : 0;
}

std::vector<TensorPlace> placesOf(const GgufFile &file, const ModelConfig &config) {
    std::vector<TensorPlace> places;
    places.reserve(file.tensors().size());
    for (const auto &tensor : file.tensors()) {
        if (tensor.name == "rope_freqs.weight")
            continue;   // part of the config
        if (!tensor.type->dtype)
            unsupported("Tensor " + shownName(tensor.name) + " of " + file.path().string() + " is quantised as " + std::string(tensor.type->name)
                        + ", which is not read", "convert the model with llama-quantize to Q4_K_M, Q8_0 or F16");
        TensorPlace place;
        place.info = {huggingFaceName(tensor.name), *tensor.type->dtype, tensor.shape};
        place.bytes = tensor.bytes;
        place.interleavedHeads = interleavedHeads(config, place.info.name);
        places.push_back(std::move(place));
    }
    return places;
}

void addRopeFactors(const GgufFile &file, ModelConfig &config) {
    const auto *tensor = file.findTensor("rope_freqs.weight");
    if (tensor == nullptr)
        return;
    if (tensor->type->dtype != DType::F32 || tensor->shape != std::vector<std::int64_t>{config.headDim / 2})
        throw Error(ErrorCode::BadFile, "Tensor rope_freqs.weight of " + file.path().string() + " does not hold one float32 for each of the " + std::to_string(config.headDim / 2) + " frequencies; replace the file by an undamaged copy.");
    std::vector<float> factors(static_cast<std::size_t>(config.headDim / 2));
    std::memcpy(factors.data(), tensor->bytes.data(), tensor->bytes.size());
    config.rope = ropeFromFactors(factors, config.rope, file.path().string());
}

}  // namespace

ModelFiles openGguf(const std::filesystem::path &path) {
    const GgufFile file(path);
    checkKind(file);
    const auto architecture = architectureOf(file);
    ModelFiles model;
    model.path = path;
    model.format = "gguf";
    const auto name = file.text("general.name").value_or("");
    model.name = name.empty() ? path.stem().string() : shownName(name);
    model.config = parseConfig(configFromMetadata(file, architecture), path.string());
    if (architecture == "llama") {   // the config cannot say it, the tensors do
        model.config.qkvBias = file.findTensor("blk.0.attn_q.bias") != nullptr;
        model.config.outputBias = file.findTensor("blk.0.attn_output.bias") != nullptr;
        model.config.mlpBias = file.findTensor("blk.0.ffn_gate.bias") != nullptr;
    }
    addRopeFactors(file, model.config);
    model.tensors = std::make_shared<const MappedTensors>(file.map(), placesOf(file, model.config));
    model.files = {path};
    checkTensors(model.config, *model.tensors, path.string());
    if (file.has("tokenizer.ggml.model"))
        model.tokenizerPath = path;
    return model;
}

}  // namespace stillroom::checkpoint
