// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"
#include "checkpoint/expectedtensors.h"
#include "checkpoint/modelfiles.h"
#include "checkpoint/safetensors.h"
#include "expecterror.h"
#include "temporaryfolder.h"

#include <nlohmann/json.hpp>

using namespace stillroom;
using namespace stillroom::checkpoint;
using Json = nlohmann::json;

namespace {

Json smallConfig(const char *modelType) {
    return {{"model_type", modelType}, {"num_hidden_layers", 2}, {"hidden_size", 8},  {"intermediate_size", 12}, {"num_attention_heads", 2},
            {"num_key_value_heads", 1}, {"head_dim", 4},         {"vocab_size", 10}, {"eos_token_id", 3}};
}

// Writes config.json and the weights it asks for; `change` may add, drop or alter them first.
template <typename Change>
void writeModel(const std::filesystem::path &folder, const Json &json, Change &&change) {
    writeFileAtomically(folder / "config.json", json.dump());
    std::vector<TensorInfo> infos;
    for (const auto &expected : expectedTensors(parseConfig(json, "config")))
        infos.push_back({expected.name, DType::F32, expected.shape});
    change(infos);
    static const std::vector<std::byte> zeros(4096);
    std::vector<TensorToWrite> tensors;
    for (const auto &info : infos)
        tensors.push_back({info, std::span(zeros).first(static_cast<std::size_t>(info.numElements()) * 4)});
    writeSafetensors(folder / "model.safetensors", tensors);
}

}  // namespace

TEST_CASE("a small folder of every family opens") {
    for (const auto *type : {"llama", "qwen2", "qwen3", "mistral"}) {
        const TemporaryFolder folder;
        auto json = smallConfig(type);
        writeModel(folder.path(), json, [](auto &) {});
        const auto model = openModel(folder.path());
        CHECK(model.format == "huggingface");
        CHECK(model.config.modelType == type);
        CHECK(model.tokenizerPath.empty());
        CHECK(model.config.numParameters() == [&] {
            std::int64_t sum = 0;
            for (const auto &info : model.tensors->tensors())
                sum += info.numElements();
            return sum;
        }());
    }
}

TEST_CASE("weights and config must agree exactly") {
    const auto open = [](const Json &json, auto &&change) {
        const TemporaryFolder folder;
        writeModel(folder.path(), json, change);
        static_cast<void>(openModel(folder.path()));
    };
    const auto json = smallConfig("llama");
    expectError(ErrorCode::BadFile, "has no weight model.norm.weight", [&] { open(json, [](auto &infos) { std::erase_if(infos, [](const auto &i) { return i.name == "model.norm.weight"; }); }); });
    expectError(ErrorCode::BadFile, "\"tie_word_embeddings\": true", [&] { open(json, [](auto &infos) { std::erase_if(infos, [](const auto &i) { return i.name == "lm_head.weight"; }); }); });
    expectError(ErrorCode::BadFile, "has shape [7], but its config asks for [8]", [&] { open(json, [](auto &infos) { infos[1].shape = {7}; }); });
    expectError(ErrorCode::BadFile, "holds integers (I32)", [&] { open(json, [](auto &infos) { infos[1].dtype = DType::I32; }); });
    expectError(ErrorCode::Unsupported, "q_proj.bias, which its config does not ask for",
                [&] { open(json, [](auto &infos) { infos.push_back({"model.layers.0.self_attn.q_proj.bias", DType::F32, {8}}); }); });
    open(json, [](auto &infos) { infos.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", DType::F32, {2}}); });   // a buffer of old files
}

TEST_CASE("golden folders open with the values that transformers says") {
    const std::filesystem::path models = std::filesystem::path(STILLROOM_SHARED_DATA) / "golden" / "models";
    if (!std::filesystem::exists(models)) {
        MESSAGE("skipped: no golden models at " << models.string());
        return;
    }
    const auto llama3 = openModel(models / "llama3_scaled");
    CHECK(llama3.config.rope.kind == Rope::Kind::Llama3);
    CHECK(llama3.config.rope.originalMaxPositions == 32);
    CHECK(llama3.config.tiedHead);
    const auto qwen3 = openModel(models / "qwen3_qknorm_widehead");
    CHECK(qwen3.config.headDim == 24);
    CHECK(qwen3.config.qkNorm);
    CHECK(openModel(models / "qwen2_bias").config.qkvBias);
    CHECK(openModel(models / "llama_gqa_tied").config.groupSize() == 2);
    expectError(ErrorCode::Unsupported, "\"qwen3_5_text\"", [&] { static_cast<void>(openModel(models / "qwen3_5_hybrid")); });
}
