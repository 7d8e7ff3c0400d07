// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/huggingfacefolder.h"

#include "checkpoint/boundedjson.h"
#include "checkpoint/configfields.h"
#include "checkpoint/expectedtensors.h"
#include "checkpoint/safetensors.h"
#include "error.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace stillroom::checkpoint {

namespace {

bool isFile(const std::filesystem::path &path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

// Folder names end in nothing when a path ends in '/'.
std::string folderName(const std::filesystem::path &folder) {
    std::error_code problem;
    const auto whole = std::filesystem::canonical(folder, problem);
    return problem ? folder.string() : whole.filename().string();
}

[[noreturn]] void refuseWithoutConfig(const std::filesystem::path &folder) {
    std::error_code ignored;
    for (const auto &entry : std::filesystem::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".gguf")
            throw Error(ErrorCode::BadFile, folder.string() + " has no config.json; to open the GGUF file in it, name that file: " + entry.path().string() + ".");
    throw Error(ErrorCode::BadFile, folder.string() + " has no config.json, so it is not a model folder; name a folder that has one.");
}

void openWeights(ModelFiles &model) {
    const auto single = model.path / "model.safetensors", index = model.path / "model.safetensors.index.json";
    if (isFile(single)) {
        model.tensors = openSafetensors(single);
        model.files.push_back(single);
        return;
    }
    if (isFile(index)) {
        model.tensors = openSafetensorsIndex(index);
        const auto shards = shardFiles(index);
        model.files.insert(model.files.end(), shards.begin(), shards.end());
        return;
    }
    for (const auto *name : {"pytorch_model.bin", "pytorch_model.bin.index.json", "consolidated.00.pth"})
        if (isFile(model.path / name))
            refusePickle(model.path / name);
    throw Error(ErrorCode::BadFile, model.path.string() + " has no model.safetensors and no model.safetensors.index.json; download the weights, too.");
}

// transformers stops at the ids of generation_config.json where that file names any.
void addGenerationIds(ModelFiles &model) {
    const auto file = model.path / "generation_config.json";
    if (!isFile(file))
        return;
    const auto json = readJsonFile(file);
    if (!json.is_object() || !json.contains("eos_token_id") || json["eos_token_id"].is_null())
        return;
    const auto list = json["eos_token_id"].is_array() ? json["eos_token_id"] : nlohmann::json::array({json["eos_token_id"]});
    std::vector<std::int64_t> ids;
    for (const auto &id : list) {
        if (!id.is_number_integer() || id < 0 || id >= model.config.vocabSize)
            throw Error(ErrorCode::BadFile, file.string() + " names an eos_token_id that is not a token of the vocabulary; correct it there.");
        ids.push_back(id.get<std::int64_t>());
    }
    model.config.eosIds = std::move(ids);
}

void resolveSharedHead(ModelFiles &model) {
    const auto *head = model.tensors->find("lm_head.weight"), *embedding = model.tensors->find("model.embed_tokens.weight");
    if (!model.config.tiedHead || head == nullptr || embedding == nullptr)
        return;
    const auto a = model.tensors->bytes(head->name), b = model.tensors->bytes(embedding->name);
    model.config.tiedHead = head->dtype == embedding->dtype && std::equal(a.begin(), a.end(), b.begin(), b.end());
    if (!model.config.tiedHead)
        model.warning = model.path.string() + " says in its config that the head is the embedding (tie_word_embeddings), but holds a lm_head.weight that differs: that is used, as by transformers 5; set tie_word_embeddings to false there.";
    model.tensors->release(head->name);
    model.tensors->release(embedding->name);
}

std::filesystem::path tokenizerIn(const std::filesystem::path &folder) {
    const bool there = isFile(folder / "tokenizer.json") || isFile(folder / "tokenizer.model") || (isFile(folder / "vocab.json") && isFile(folder / "merges.txt"));
    if (there)
        return folder;
    const auto vocabulary = folder / "tokenizer.gguf";   // what we write beside a hybrid whose teacher was a GGUF file
    return isFile(vocabulary) ? vocabulary : std::filesystem::path();
}

}  // namespace

void refusePickle(const std::filesystem::path &file) {
    throw Error(ErrorCode::Unsupported,
                file.string() + " is a Python pickle, which could run code and is not read; convert it with transformers: model.save_pretrained(folder, safe_serialization=True).");
}

ModelFiles openFolder(const std::filesystem::path &folder) {
    const auto configFile = folder / "config.json";
    if (!isFile(configFile))
        refuseWithoutConfig(folder);
    ModelFiles model;
    model.path = folder;
    model.name = folderName(folder);
    JsonLimits limits;
    limits.maxBytes = std::size_t{4} << 20;
    const auto json = readJsonFile(configFile, limits);
    model.config = parseConfig(json, configFile.string());
    model.format = json["model_type"] == "stillroom_hybrid" ? "stillroom_hybrid" : "huggingface";
    model.files.push_back(configFile);
    openWeights(model);
    resolveSharedHead(model);
    addGenerationIds(model);
    checkTensors(model.config, *model.tensors, folder.string());
    model.tokenizerPath = tokenizerIn(folder);
    return model;
}

}  // namespace stillroom::checkpoint
