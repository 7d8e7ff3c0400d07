// SPDX-License-Identifier: GPL-3.0-or-later
#include "wholefiles.h"

#include "checkpoint/atomicfile.h"
#include "checkpoint/expectedtensors.h"
#include "checkpoint/modelfiles.h"
#include "mixers/registry.h"
#include "nn/transformer.h"
#include "text/ggufarrays.h"

#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <vector>

using namespace stillroom;
using nlohmann::json;

namespace {

constexpr int vocabSize = 48;

checkpoint::ModelConfig tinyConfig()
{
    checkpoint::ModelConfig config;
    config.modelType = "llama";
    config.numLayers = 2;
    config.hiddenSize = 16;
    config.intermediateSize = 24;
    config.numHeads = 2;
    config.numKvHeads = 1;
    config.headDim = 8;
    config.vocabSize = vocabSize;
    config.maxPositions = 64;
    config.eosIds = {2};
    config.layers.resize(2);
    config.slidingWindow = {0, 0};
    config.rope = {.kind = checkpoint::Rope::Kind::Llama3, .factor = 8.0, .originalMaxPositions = 32};
    return config;
}

template <typename T>
checkpoint::TensorToWrite described(const std::string &name, checkpoint::DType dtype, std::vector<std::int64_t> shape, const std::vector<T> &values)
{
    return {{name, dtype, std::move(shape)}, std::as_bytes(std::span(values))};
}

}  // namespace

json whole::config()
{
    return checkpoint::configToJson(tinyConfig());
}

json whole::tokenizer()
{
    json vocabulary{{"<unk>", 0}, {"<s>", 1}, {"</s>", 2}};
    const auto add = [&](const std::string &token) { const auto id = vocabulary.size(); vocabulary[token] = id; };
    for (char c = 'a'; c <= 'z'; ++c)
        add(std::string(1, c));
    for (const char *token : {"\xC4\xA0", "\xC4\x8A", ".", ",", "0", "1", "2", "3", "he", "ll", "hell", "hello", "\xC4\xA0w", "or", "\xC4\xA0wor", "ld", "th", "the", "in"})
        add(token);
    json addedTokens = json::array();
    for (const char *token : {"<unk>", "<s>", "</s>"})
        addedTokens.push_back({{"id", vocabulary[token]}, {"content", token}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}});
    const json splits{{"type", "Split"}, {"pattern", {{"Regex", "\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+|\\s+"}}}, {"behavior", "Isolated"}, {"invert", false}};
    const json bytes{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", false}};
    const json start{{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}}, sequence{{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
    return {{"version", "1.0"},
            {"truncation", nullptr},
            {"padding", nullptr},
            {"added_tokens", addedTokens},
            {"normalizer", {{"type", "NFC"}}},
            {"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", {splits, bytes}}}},
            {"post_processor", {{"type", "TemplateProcessing"}, {"single", {start, sequence}}, {"pair", {start, sequence}}, {"special_tokens", {{"<s>", {{"id", "<s>"}, {"ids", {1}}, {"tokens", {"<s>"}}}}}}}},
            {"decoder", bytes},
            {"model",
             {{"type", "BPE"}, {"dropout", nullptr}, {"unk_token", "<unk>"}, {"continuing_subword_prefix", nullptr}, {"end_of_word_suffix", nullptr}, {"fuse_unk", true}, {"byte_fallback", false},
              {"vocab", vocabulary}, {"merges", {"h e", "l l", "he ll", "hell o", "\xC4\xA0 w", "o r", "\xC4\xA0w or", "l d", "t h", "th e", "i n"}}}}};
}

void whole::writeModel(const std::filesystem::path &folder)
{
    std::filesystem::create_directories(folder);
    const auto expected = checkpoint::expectedTensors(tinyConfig());
    std::vector<std::vector<float>> values;
    std::vector<checkpoint::TensorToWrite> tensors;
    values.reserve(expected.size());
    for (const auto &tensor : expected) {
        const checkpoint::TensorInfo info{tensor.name, checkpoint::DType::F32, tensor.shape};
        auto &weights = values.emplace_back(static_cast<std::size_t>(info.numElements()));
        for (std::size_t i = 0; i < weights.size(); ++i)
            weights[i] = 0.1F * static_cast<float>((i * 7 + values.size()) % 11) - 0.5F;
        tensors.push_back(described(info.name, info.dtype, info.shape, weights));
    }
    checkpoint::writeSafetensors(folder / "model.safetensors", tensors);
    checkpoint::writeFileAtomically(folder / "config.json", config().dump(1));
    checkpoint::writeFileAtomically(folder / "tokenizer.json", tokenizer().dump(1));
}

void whole::writeHybrid(const std::filesystem::path &folder)
{
    writeModel(folder);
    auto model = mixers::loadModel(checkpoint::openModel(folder), at::kCPU);
    model.config.teacherHash = "00ff";
    model.blocks[1].mixer = mixers::fromTeacher("gdn", "{}", model, 1, 7);
    nn::saveTransformer(model, folder);
}

void whole::writeTokens(const std::filesystem::path &file)
{
    const std::vector<std::int64_t> ids{1, 3, 4, 5, 6, 7, 1, 7, 6, 5, 2, 2}, mask{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
    checkpoint::writeSafetensors(file, {described("input_ids", checkpoint::DType::I64, {2, 6}, ids), described("attention_mask", checkpoint::DType::I64, {2, 6}, mask)});
}

GgufBuilder whole::gguf()
{
    auto file = GgufBuilder::smallLlama();
    file.setText("tokenizer.ggml.model", "gpt2");
    file.setText("tokenizer.ggml.pre", "llama-bpe");
    text::test::setTexts(file, "tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "h", "e", "l", "o", "he"});
    text::test::setArray(file, "tokenizer.ggml.scores", std::vector<float>(8, -1.0F));
    text::test::setArray(file, "tokenizer.ggml.token_type", std::vector<std::int32_t>{2, 3, 3, 1, 1, 1, 1, 1});
    text::test::setTexts(file, "tokenizer.ggml.merges", {"h e"});
    file.setInteger("tokenizer.ggml.bos_token_id", 1);
    file.setInteger("tokenizer.ggml.eos_token_id", 2);
    return file;
}
