// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/modelconfig.h"

#include "checkpoint/expectedtensors.h"
#include "expecterror.h"
#include "goldendata.h"

#include <algorithm>
#include <map>

namespace modelconfig_tests {

using namespace stillroom;
using namespace stillroom::checkpoint;
using Json = nlohmann::json;

namespace {

const std::map<std::string, Rope::Kind> ropeKinds{{"default", Rope::Kind::Default}, {"linear", Rope::Kind::Linear}, {"dynamic", Rope::Kind::Dynamic},
                                                  {"yarn", Rope::Kind::Yarn},       {"llama3", Rope::Kind::Llama3}};

void checkRope(const Rope &rope, const Json &expected) {
    CHECK(rope.kind == ropeKinds.at(expected["kind"].get<std::string>()));
    CHECK(rope.theta == expected["rope_theta"].get<double>());
    const auto number = [&expected](const char *key, double otherwise) {
        return expected.contains(key) && !expected[key].is_null() && expected[key] != 0 ? expected[key].get<double>() : otherwise;
    };
    const auto optional = [&expected](const char *key) {
        return expected.contains(key) && !expected[key].is_null() ? std::optional(expected[key].get<double>()) : std::nullopt;
    };
    CHECK(rope.factor == number("factor", 1.0));
    CHECK(static_cast<double>(rope.originalMaxPositions) == number("original_max_position_embeddings", 0));
    CHECK(rope.lowFreqFactor == number("low_freq_factor", 1.0));
    CHECK(rope.highFreqFactor == number("high_freq_factor", 4.0));
    CHECK(rope.betaFast == number("beta_fast", 32.0));
    CHECK(rope.betaSlow == number("beta_slow", 1.0));
    CHECK(rope.attentionFactor == optional("attention_factor"));
    CHECK(rope.mscale == optional("mscale"));
    CHECK(rope.mscaleAllDim == optional("mscale_all_dim"));
    CHECK(rope.truncate == (!expected.contains("truncate") || expected["truncate"].get<bool>()));
}

void checkConfig(const ModelConfig &config, const Json &expected) {
    CHECK(config.modelType == expected["model_type"].get<std::string>());
    CHECK(config.numKvHeads == expected["num_key_value_heads"].get<int>());
    CHECK(config.headDim == expected["head_dim"].get<int>());
    CHECK(config.rmsNormEps == expected["rms_norm_eps"].get<double>());
    CHECK(config.maxPositions == expected["max_position_embeddings"].get<std::int64_t>());
    CHECK(config.tiedHead == expected["tie_word_embeddings"].get<bool>());
    CHECK(config.hiddenAct == expected["hidden_act"].get<std::string>());
    CHECK(config.slidingWindow == expected["windows"].get<std::vector<std::int64_t>>());
    CHECK(config.eosIds == expected["eos"].get<std::vector<std::int64_t>>());
    CHECK(config.bosId == (expected["bos"].is_null() ? std::nullopt : std::optional(expected["bos"].get<std::int64_t>())));
    CHECK(config.padId == (expected["pad"].is_null() ? std::nullopt : std::optional(expected["pad"].get<std::int64_t>())));
    CHECK(config.numParameters() == expected["parameters"].get<std::int64_t>());
    CHECK_FALSE(config.isHybrid());
    checkRope(config.rope, expected["rope"]);
    std::map<std::string, std::vector<std::int64_t>> weights;
    for (const auto &tensor : expectedTensors(config))
        weights.emplace(tensor.name, tensor.shape);
    CHECK(weights == expected["weights"].get<std::map<std::string, std::vector<std::int64_t>>>());
}

Json small(const char *modelType = "llama") {
    return {{"model_type", modelType}, {"num_hidden_layers", 2}, {"hidden_size", 8}, {"intermediate_size", 12}, {"num_attention_heads", 2}, {"num_key_value_heads", 2}, {"vocab_size", 10}};
}

Json with(Json json, const Json &changes) {
    json.update(changes);
    return json;
}

void refused(ErrorCode code, const std::string &part, const Json &json) {
    expectError(code, part, [&] { static_cast<void>(parseConfig(json, "the config")); });
}

}  // namespace

TEST_CASE("configs of every family say what transformers reads in them") {
    const auto cases = readJsonFile(goldenPath("configs.json"));
    CHECK(cases.size() >= 30);
    for (const auto &entry : cases) {
        const auto name = entry["name"].get<std::string>();
        CAPTURE(name);
        const auto config = parseConfig(entry["config"], name);
        checkConfig(config, entry["expected"]);
        SUBCASE("also after being written and read again") {
            checkConfig(parseConfig(configToJson(config), name), entry["expected"]);
        }
    }
}

TEST_CASE("a hybrid's config survives writing and reading") {
    auto config = parseConfig(small("qwen3"), "teacher");
    config.layers[1] = {"gdn", R"({"expand":2,"output_gate":true})"};
    config.teacherHash = "0123abcd";
    const auto json = configToJson(config);
    CHECK(json["model_type"] == "stillroom_hybrid");
    CHECK(json["teacher"]["model_type"] == "qwen3");
    const auto again = parseConfig(json, "hybrid");
    CHECK(again.isHybrid());
    CHECK(again.teacherHash == "0123abcd");
    CHECK(again.layers[0].kind == "softmax");
    CHECK(again.layers[1].kind == "gdn");
    CHECK(Json::parse(again.layers[1].optionsJson) == Json{{"expand", 2}, {"output_gate", true}});
    CHECK(configToJson(again) == json);

    refused(ErrorCode::Unsupported, "newer Stillroom", with(json, {{"schema", 2}}));
    refused(ErrorCode::BadFile, "\"teacher_hash\" is missing", with(json, {{"teacher_hash", nullptr}}));
    refused(ErrorCode::BadFile, "one entry for each of the 2 layers", with(json, {{"layers", Json::array({json["layers"][0]})}}));
    refused(ErrorCode::Unsupported, "\"surprise\"", with(json, {{"surprise", 1}}));
    auto broken = json;
    broken["layers"][1]["option"] = 1;
    refused(ErrorCode::Unsupported, "layer 1, has the field \"option\"", broken);
    broken = json;
    broken["layers"][0]["options"]["window"] = 128;
    refused(ErrorCode::Unsupported, "layer 0, has the option \"window\" of a softmax layer, which is not understood", broken);
    broken = json;
    broken["teacher"]["hidden_act"] = "mish";
    refused(ErrorCode::Unsupported, "the config, teacher, asks for the activation hidden_act \"mish\"", broken);
}

TEST_CASE("a feature that is not understood is refused by name") {
    const auto unsupported = [](const std::string &part, const Json &changes, const char *type = "llama") { refused(ErrorCode::Unsupported, part, with(small(type), changes)); };
    unsupported("model type \"gemma2\"", {{"model_type", "gemma2"}});
    unsupported("RoPE type \"longrope\"", {{"rope_scaling", {{"type", "longrope"}, {"factor", 2}}}});
    unsupported("RoPE type \"mrope\"", {{"rope_scaling", {{"rope_type", "mrope"}, {"mrope_section", {1, 1, 2}}}}});
    unsupported("\"alpha\"", {{"rope_scaling", {{"rope_type", "dynamic"}, {"factor", 2}, {"alpha", 1000}}}});
    unsupported("differs by layer type (\"full_attention\")", {{"rope_parameters", {{"full_attention", {{"rope_type", "default"}}}}}});
    unsupported("original_max_position_embeddings", {{"rope_scaling", {{"rope_type", "dynamic"}, {"factor", 2}, {"original_max_position_embeddings", 7}}}});
    unsupported("hidden_act \"quick_gelu\"", {{"hidden_act", "quick_gelu"}});
    unsupported("quantization_config (gptq)", {{"quantization_config", {{"quant_method", "gptq"}, {"bits", 4}}}});
    unsupported("\"attn_logit_softcapping\"", {{"attn_logit_softcapping", 50.0}});
    unsupported("partial_rotary_factor", {{"partial_rotary_factor", 0.5}});
    unsupported("partial_rotary_factor", {{"rope_parameters", {{"rope_type", "default"}, {"partial_rotary_factor", 0.25}}}});
    unsupported("\"linear_attention\"", {{"layer_types", {"full_attention", "linear_attention"}}}, "qwen3");
    unsupported("\"is_causal\" to false", {{"is_causal", false}}, "qwen2");
    unsupported("\"rope_interleaved\" to true", {{"rope_interleaved", true}});
    unsupported("\"auto_map\"", {{"auto_map", {{"AutoModel", "modeling.Model"}}}});
    unsupported("\"num_experts\"", {{"num_experts", 8}});
    unsupported("\"embedding_multiplier\"", {{"embedding_multiplier", 12}});
    unsupported("sliding_window, which Llama models do not have", {{"sliding_window", 16}});
    unsupported("attention_bias, which Mistral", {{"attention_bias", true}}, "mistral");
    unsupported("attention_bias, but Qwen2", {{"attention_bias", true}}, "qwen2");
    unsupported("mlp_bias", {{"mlp_bias", true}}, "qwen3");
    unsupported("layer_types that do not agree", {{"layer_types", {"full_attention", "sliding_attention"}}}, "mistral");
    unsupported("pruned_heads", {{"pruned_heads", {{"0", {1}}}}});
}

TEST_CASE("a field that is missing or out of range is named with its range") {
    const auto bad = [](const std::string &part, const Json &changes, const char *type = "llama") { refused(ErrorCode::BadFile, part, with(small(type), changes)); };
    bad("\"model_type\" is missing", {{"model_type", nullptr}});
    for (const auto *key : {"num_hidden_layers", "hidden_size", "intermediate_size", "num_attention_heads", "vocab_size"}) {
        bad("\"" + std::string(key) + "\" is missing", {{key, nullptr}});
        bad("\"" + std::string(key) + "\" is 0, but must be an integer from 1 to ", {{key, 0}});
        bad("\"" + std::string(key) + "\" is -1, but", {{key, -1}});
        bad("\"" + std::string(key) + "\" is 2.5, but", {{key, 2.5}});
        bad("\"" + std::string(key) + "\" is \"8\", but", {{key, "8"}});
        bad("\"" + std::string(key) + "\" is 18446744073709551615, but", {{key, UINT64_MAX}});
    }
    bad("which does not divide num_attention_heads 2", {{"num_key_value_heads", 3}});
    bad("not a multiple of num_attention_heads", {{"hidden_size", 9}});
    bad("need an even number", {{"head_dim", 3}});
    bad("\"rms_norm_eps\" is -1, but must be a number from 0 to 1", {{"rms_norm_eps", -1}});
    bad("\"tie_word_embeddings\" is 1, but must be true or false", {{"tie_word_embeddings", 1}});
    bad("\"rope_theta\" is 0,", {{"rope_theta", 0}});
    bad("rope_scaling, is not a JSON object", {{"rope_scaling", "linear"}});
    bad("rope_scaling: \"factor\" is missing; correct it there", {{"rope_scaling", {{"type", "linear"}}}});
    bad("\"factor\" is missing", {{"rope_scaling", {{"type", "yarn"}}}});
    bad("\"low_freq_factor\" is missing", {{"rope_scaling", {{"type", "llama3"}, {"factor", 8}, {"high_freq_factor", 4}}}});
    bad("must be greater than low_freq_factor", {{"rope_scaling", {{"type", "llama3"}, {"factor", 8}, {"low_freq_factor", 4}, {"high_freq_factor", 4}}}});
    bad("\"eos_token_id\" is 10, but the vocabulary has 10 tokens", {{"eos_token_id", {3, 10}}});
    bad("\"layer_types\" must be a list with one entry for each of the 2 layers", {{"layer_types", {"full_attention"}}}, "qwen2");
    bad("no sliding window is in use", {{"layer_types", {"full_attention", "sliding_attention"}}}, "qwen2");
    bad("\"sliding_window\" is 0, but", {{"use_sliding_window", true}, {"sliding_window", 0}}, "qwen2");
    refused(ErrorCode::BadFile, "the config is not a JSON object", Json::array());
}

TEST_CASE("null is a value where transformers takes it for one, and a damaged file elsewhere") {
    const auto withNull = [](Json config, const char *key) {
        config[key] = nullptr;
        return config;
    };
    for (const char *key : {"rms_norm_eps", "hidden_act", "max_position_embeddings", "tie_word_embeddings", "attention_bias", "mlp_bias"})
        refused(ErrorCode::BadFile, "\"" + std::string(key) + "\" is null, but must have a value or not be there", withNull(small("llama"), key));
    for (const char *key : {"head_dim", "attention_bias", "use_sliding_window", "max_window_layers"})
        refused(ErrorCode::BadFile, "\"" + std::string(key) + "\" is null", withNull(small("qwen3"), key));
    for (const char *key : {"rope_type", "rope_theta"})
        refused(ErrorCode::BadFile, "rope_parameters: \"" + std::string(key) + "\" is null", with(small("llama"), {{"rope_parameters", {{key, nullptr}}}}));
    for (const char *key : {"num_key_value_heads", "head_dim", "rope_scaling", "rope_parameters", "rope_theta", "bos_token_id", "eos_token_id", "pad_token_id", "sliding_window", "layer_types", "pretraining_tp"})
        CHECK_NOTHROW(parseConfig(withNull(small("llama"), key), "the config"));
}

TEST_CASE("a sequence is too long where neither the context nor its scaling covers it") {
    auto config = parseConfig(small("llama"), "the config");
    config.maxPositions = 100;
    config.rope.factor = 4.0;
    for (const Rope::Kind kind : {Rope::Kind::Default, Rope::Kind::Llama3}) {
        config.rope.kind = kind;
        CHECK(contextWarning(config, 100).empty());
        CHECK(contextWarning(config, 101).find("made for 100 tokens (max_position_embeddings), but reads 101") != std::string::npos);
    }
    for (const Rope::Kind kind : {Rope::Kind::Linear, Rope::Kind::Dynamic, Rope::Kind::Yarn}) {
        config.rope.kind = kind;
        CHECK(contextWarning(config, 400).empty());
        CHECK(contextWarning(config, 401).find("made for 400 tokens (with its RoPE scaling), but reads 401") != std::string::npos);
    }
    config.rope.originalMaxPositions = 25;
    CHECK(contextWarning(config, 101).find("made for 100 tokens (max_position_embeddings), but reads 101") != std::string::npos);
    config.rope.kind = Rope::Kind::Linear;
    config.rope.factor = 0.5;
    CHECK(coveredPositions(config) == 100);
}

TEST_CASE("a negative id of the end is refused, not taken for none") {
    for (const Json &ids : {Json(-1), Json(-2), Json{3, -1}})
        refused(ErrorCode::BadFile, "but a token id is 0 or more, and null says that no token ends a text", with(small("llama"), {{"eos_token_id", ids}}));
    CHECK(parseConfig(with(small("llama"), {{"eos_token_id", Json::array({3})}}), "the config").eosIds == std::vector<std::int64_t>{3});
}

TEST_CASE("aliases, neutral values and harmless fields pass") {
    const auto parsed = [](const Json &changes, const char *type = "llama") { return parseConfig(with(small(type), changes), "the config"); };
    CHECK(parsed({{"hidden_act", "swish"}}).hiddenAct == "silu");
    CHECK(parsed({{"hidden_act", "gelu_new"}}).hiddenAct == "gelu_pytorch_tanh");
    CHECK_FALSE(parsed({{"pad_token_id", -1}}).padId.has_value());
    CHECK_FALSE(parsed({{"pad_token_id", 10}}).padId.has_value());
    CHECK(parsed({{"_name_or_path", "x"}, {"unsloth_version", "1"}, {"quantization_config", nullptr}, {"attn_logit_softcapping", nullptr}, {"is_causal", true},
                  {"task_specific_params", Json::object()}, {"some_future_list", Json::array()}, {"use_sliding_window", false}, {"sliding_window", 8}})
              .numLayers == 2);
}

TEST_CASE("what no Hugging Face config can say is not written") {
    auto config = parseConfig(small(), "teacher");
    config.slidingWindow = {0, 8};
    expectError(ErrorCode::Unsupported, "sliding windows", [&] { static_cast<void>(configToJson(config)); });
    config.slidingWindow = {0, 0};
    config.qkvBias = true;
    expectError(ErrorCode::Unsupported, "biases on q, k, v: yes, on the output: no", [&] { static_cast<void>(configToJson(config)); });
    config = parseConfig(small("qwen2"), "teacher");
    config.slidingWindow = {4, 8};
    expectError(ErrorCode::Unsupported, "differ in length", [&] { static_cast<void>(configToJson(config)); });
}

}  // namespace modelconfig_tests
