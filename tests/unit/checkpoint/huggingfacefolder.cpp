// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"
#include "checkpoint/expectedtensors.h"
#include "checkpoint/modelfiles.h"
#include "checkpoint/safetensors.h"
#include "expecterror.h"
#include "goldendata.h"
#include "temporaryfolder.h"
#include "testdata.h"

#include <nlohmann/json.hpp>

namespace huggingfacefolder_tests {

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

TEST_CASE("a sharded folder that transformers wrote reads as one model") {
    const auto model = openModel(goldenPath("sharded"));
    const auto expected = openSafetensors(goldenPath("sharded_expected.safetensors"));
    CHECK(model.files.size() == 4);   // config.json and three shards
    CHECK(model.tensors->tensors().size() == expected->tensors().size());
    for (const auto &info : expected->tensors()) {
        REQUIRE(model.tensors->find(info.name) != nullptr);
        CHECK(model.tensors->find(info.name)->dtype == DType::BF16);
        CHECK_MESSAGE(allFloats(*model.tensors, info.name) == allFloats(*expected, info.name), info.name);
        CHECK(model.tensors->bytes(info.name).size() == static_cast<std::size_t>(info.numElements()) * 2);
        model.tensors->release(info.name);
    }
    expectError(ErrorCode::BadFile, "has no tensor nothing", [&] { static_cast<void>(model.tensors->bytes("nothing")); });
}

TEST_CASE("an index that does not fit its shards is refused") {
    const TemporaryFolder folder;
    const std::vector<std::byte> data(4);
    writeSafetensors(folder / "one.safetensors", {{{"a", DType::F32, {1}}, data}});
    writeSafetensors(folder / "two.safetensors", {{{"b", DType::F32, {1}}, data}});
    const auto refused = [&folder](const std::string &part, const Json &index) {
        writeFileAtomically(folder / "index.json", index.dump());
        expectError(ErrorCode::BadFile, part, [&] { static_cast<void>(openSafetensorsIndex(folder / "index.json")); });
    };
    writeFileAtomically(folder / "index.json", Json{{"weight_map", {{"a", "one.safetensors"}, {"b", "two.safetensors"}}}}.dump());
    CHECK(openSafetensorsIndex(folder / "index.json")->tensors().size() == 2);
    refused("no \"weight_map\"", Json::object());
    refused("no \"weight_map\"", {{"weight_map", Json::object()}});
    refused("b lies in one.safetensors, but it does not", {{"weight_map", {{"a", "one.safetensors"}, {"b", "one.safetensors"}}}});
    refused("not a plain name", {{"weight_map", {{"a", "../one.safetensors"}}}});
    refused("not a plain name", {{"weight_map", {{"a", "/etc/passwd"}}}});
    refused("not a plain name", {{"weight_map", {{"a", ".."}}}});
    refused("not a plain name", {{"weight_map", {{"a", 1}}}});
    refused("three.safetensors", {{"weight_map", {{"a", "three.safetensors"}}}});
    writeSafetensors(folder / "two.safetensors", {{{"a", DType::F32, {1}}, data}, {{"b", DType::F32, {1}}, data}});
    refused("the tensor a in two files", {{"weight_map", {{"a", "one.safetensors"}, {"b", "two.safetensors"}}}});
    writeSafetensors(folder / "two.safetensors", {{{"b", DType::F32, {1}}, data}, {{"c", DType::F32, {1}}, data}});
    refused("hold 3 tensors, but it lists 2", {{"weight_map", {{"a", "one.safetensors"}, {"b", "two.safetensors"}}}});
}

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

TEST_CASE("a tied head that is stored all the same is believed when it differs") {
    for (const bool differs : {false, true}) {
        const TemporaryFolder folder;
        auto json = smallConfig("llama");
        json["tie_word_embeddings"] = true;
        writeFileAtomically(folder / "config.json", json.dump());
        const std::vector<float> embeddings(80, 1.0F);
        std::vector<float> head(80, 1.0F);
        head[79] = differs ? 2.0F : 1.0F;
        std::vector<TensorToWrite> tensors;
        for (const auto &expected : expectedTensors(parseConfig(json, "config")))
            tensors.push_back({{expected.name, DType::F32, expected.shape},
                               std::as_bytes(std::span(embeddings)).first(static_cast<std::size_t>(TensorInfo{{}, DType::F32, expected.shape}.numElements()) * 4)});
        static const std::vector<std::byte> zeros(4096);
        for (auto &tensor : tensors)
            if (tensor.info.name != "model.embed_tokens.weight")
                tensor.data = std::span(zeros).first(static_cast<std::size_t>(tensor.info.numElements()) * 4);
        tensors.push_back({{"lm_head.weight", DType::F32, {10, 8}}, std::as_bytes(std::span(head))});
        writeSafetensors(folder / "model.safetensors", tensors);
        const ModelFiles model = openModel(folder.path());
        CHECK(model.config.tiedHead == !differs);
        CHECK(model.warning.empty() == !differs);
        CHECK((model.warning.find("holds a lm_head.weight that differs: that is used, as by transformers 5") != std::string::npos) == differs);
    }
}

TEST_CASE("a hybrid's linear layers bring their own tensors and no others") {
    auto config = parseConfig(smallConfig("llama"), "teacher");
    config.layers[1].kind = "gdn";
    config.teacherHash = "abc";
    const auto json = configToJson(config);
    const auto open = [&json](auto &&change) {
        const TemporaryFolder folder;
        writeModel(folder.path(), json, change);
        return openModel(folder.path());
    };
    const auto model = open([](auto &infos) { infos.push_back({"model.layers.1.mixer.A_log", DType::F32, {2}}); });
    CHECK(model.format == "stillroom_hybrid");
    CHECK(model.config.isHybrid());
    CHECK(model.tensors->find("model.layers.1.mixer.A_log") != nullptr);
    CHECK(model.tensors->find("model.layers.0.self_attn.q_proj.weight") != nullptr);
    expectError(ErrorCode::Unsupported, "model.layers.0.mixer.A_log", [&] { static_cast<void>(open([](auto &infos) { infos.push_back({"model.layers.0.mixer.A_log", DType::F32, {2}}); })); });
    expectError(ErrorCode::Unsupported, "model.layers.1.self_attn.q_proj.weight",
                [&] { static_cast<void>(open([](auto &infos) { infos.push_back({"model.layers.1.self_attn.q_proj.weight", DType::F32, {8, 8}}); })); });
}

TEST_CASE("the ids of generation_config.json stop generation") {
    const TemporaryFolder folder;
    writeModel(folder.path(), smallConfig("llama"), [](auto &) {});
    CHECK(openModel(folder.path()).config.eosIds == std::vector<std::int64_t>{3});
    writeFileAtomically(folder / "generation_config.json", std::string_view(R"({"eos_token_id": [4, 5], "do_sample": true})"));
    CHECK(openModel(folder.path()).config.eosIds == std::vector<std::int64_t>{4, 5});
    writeFileAtomically(folder / "generation_config.json", std::string_view(R"({"eos_token_id": 10})"));
    expectError(ErrorCode::BadFile, "generation_config.json names an eos_token_id", [&] { static_cast<void>(openModel(folder.path())); });
}

TEST_CASE("paths that are no model are refused with the way out") {
    const TemporaryFolder folder;
    const auto refused = [](ErrorCode code, const std::string &part, const std::filesystem::path &path) { expectError(code, part, [&] { static_cast<void>(openModel(path)); }); };
    refused(ErrorCode::BadFile, "There is no model at " + (folder / "nowhere").string(), folder / "nowhere");
    refused(ErrorCode::BadFile, "has no config.json, so it is not a model folder", folder.path());
    writeFileAtomically(folder / "model.gguf", std::string_view("GGUF"));
    refused(ErrorCode::BadFile, "name that file: " + (folder / "model.gguf").string(), folder.path());
    writeFileAtomically(folder / "notes.txt", std::string_view("hello"));
    refused(ErrorCode::BadFile, "is not a model: name a Hugging Face folder", folder / "notes.txt");
    refused(ErrorCode::BadFile, "is not a model", "/dev/null");
    writeFileAtomically(folder / "config.json", smallConfig("llama").dump());
    refused(ErrorCode::BadFile, "has no model.safetensors and no", folder.path());
    for (const auto *name : {"pytorch_model.bin", "pytorch_model.bin.index.json", "consolidated.00.pth"}) {
        writeFileAtomically(folder / name, std::string_view("pickle"));
        refused(ErrorCode::Unsupported, std::string(name) + " is a Python pickle", folder.path());
        std::filesystem::remove(folder / name);
    }
    writeFileAtomically(folder / "weights.pt", std::string_view("pickle"));
    refused(ErrorCode::Unsupported, "safe_serialization=True", folder / "weights.pt");
}

TEST_CASE("a tokenizer is found in its folder") {
    const TemporaryFolder folder;
    writeModel(folder.path(), smallConfig("llama"), [](auto &) {});
    writeFileAtomically(folder / "vocab.json", std::string_view("{}"));
    CHECK(openModel(folder.path()).tokenizerPath.empty());
    writeFileAtomically(folder / "merges.txt", std::string_view(""));
    CHECK(openModel(folder.path()).tokenizerPath == folder.path());
}

TEST_CASE("golden folders open with the values that transformers says") {
    const std::filesystem::path models = stillroom::test::sharedData() / "golden" / "models";
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

}  // namespace huggingfacefolder_tests
