// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/gguf.h"

#include "checkpoint/ggufmodel.h"
#include "checkpoint/modelfiles.h"
#include "expecterror.h"
#include "ggufbuilder.h"
#include "goldendata.h"
#include "temporaryfolder.h"

#include <cmath>
#include <limits>

namespace gguf_tests {

using namespace stillroom;
using namespace stillroom::checkpoint;

TEST_CASE("metadata of every kind is read as gguf wrote it") {
    const GgufFile file(goldenPath("gguf_llama.gguf"));
    CHECK(file.version() == 3);
    CHECK(file.text("general.architecture") == "llama");
    CHECK(file.text("test.text") == "naïve");
    CHECK(file.integer("llama.block_count") == 2);
    CHECK(file.integer("test.small") == -5);
    CHECK(file.number("test.wide") == 0.1);
    CHECK(file.number("llama.attention.layer_norm_rms_epsilon") == 1e-5);   // the decimal, not the float32's 9.99…e-06
    CHECK(file.number("llama.block_count") == 2.0);
    CHECK(file.flag("tokenizer.ggml.add_bos_token") == true);
    CHECK(file.texts("tokenizer.ggml.tokens") == std::vector<std::string_view>{"<a>", "b\n", "ü"});
    CHECK(file.numbers("tokenizer.ggml.scores") == std::vector<float>{0.5F, -1.0F, std::numeric_limits<float>::infinity()});
    CHECK(file.integers("tokenizer.ggml.token_type") == std::vector<std::int64_t>{1, 3, -1});
    CHECK(file.keys().front() == "general.architecture");
    CHECK(file.has("general.name"));
    CHECK_FALSE(file.text("absent").has_value());
    CHECK_FALSE(file.integer("absent").has_value());
    CHECK_FALSE(file.texts("absent").has_value());
    REQUIRE(file.findTensor("blk.1.ffn_down.weight") != nullptr);
    CHECK(file.findTensor("blk.1.ffn_down.weight")->shape == std::vector<std::int64_t>{32, 64});
    CHECK(file.findTensor("blk.7.ffn_down.weight") == nullptr);

    expectError(ErrorCode::BadFile, "test.large of " + file.path().string() + " is not an integer", [&] { static_cast<void>(file.integer("test.large")); });
    expectError(ErrorCode::BadFile, "is not a text", [&] { static_cast<void>(file.text("test.small")); });
    expectError(ErrorCode::BadFile, "is not an integer", [&] { static_cast<void>(file.integer("test.text")); });
    expectError(ErrorCode::BadFile, "is not a number", [&] { static_cast<void>(file.number("test.text")); });
    expectError(ErrorCode::BadFile, "is not true or false", [&] { static_cast<void>(file.flag("test.small")); });
    expectError(ErrorCode::BadFile, "is not a list of texts", [&] { static_cast<void>(file.texts("tokenizer.ggml.scores")); });
    expectError(ErrorCode::BadFile, "is not a list of real numbers", [&] { static_cast<void>(file.numbers("tokenizer.ggml.tokens")); });
    expectError(ErrorCode::BadFile, "is not a list of integers", [&] { static_cast<void>(file.integers("tokenizer.ggml.tokens")); });
}

TEST_CASE("a vocabulary without tensors has the same metadata, and stands beside a folder's weights as its tokenizer") {
    const TemporaryFolder folder;
    const GgufFile whole(goldenPath("gguf_llama.gguf"));
    writeGgufVocabulary(whole, folder / "tokenizer.gguf");
    const GgufFile vocabulary(folder / "tokenizer.gguf");
    CHECK(vocabulary.tensors().empty());
    CHECK(vocabulary.version() == whole.version());
    CHECK(vocabulary.keys() == whole.keys());
    CHECK(vocabulary.texts("tokenizer.ggml.tokens") == whole.texts("tokenizer.ggml.tokens"));
    CHECK(std::filesystem::file_size(folder / "tokenizer.gguf") == 24 + whole.metadataBytes().size());
    expectError(ErrorCode::BadFile, "", [&] { static_cast<void>(openModel(folder / "tokenizer.gguf")); });
}

TEST_CASE("models in GGUF files have the weights that gguf gives, in Hugging Face's names and order") {
    for (const std::string name : {"gguf_llama", "gguf_llama_bias", "gguf_qwen2", "gguf_qwen3"}) {
        CAPTURE(name);
        const auto model = openModel(goldenPath(name + ".gguf"));
        CHECK(model.format == "gguf");
        CHECK(model.name == "Tiny " + name);
        const auto expected = openSafetensors(goldenPath(name + "_expected.safetensors"));
        CHECK(model.tensors->tensors().size() == expected->tensors().size());
        for (const auto &info : expected->tensors()) {
            REQUIRE_MESSAGE(model.tensors->find(info.name) != nullptr, info.name);
            CHECK(model.tensors->find(info.name)->shape == info.shape);
            CHECK_MESSAGE(allFloats(*model.tensors, info.name) == allFloats(*expected, info.name), info.name);
        }
    }
}

TEST_CASE("a GGUF file's metadata becomes the config") {
    const auto llama = openModel(goldenPath("gguf_llama.gguf")).config;
    CHECK(llama.modelType == "llama");
    CHECK(llama.numLayers == 2);
    CHECK(llama.numHeads == 4);
    CHECK(llama.numKvHeads == 2);
    CHECK(llama.headDim == 8);
    CHECK(llama.vocabSize == 24);
    CHECK(llama.maxPositions == 512);
    CHECK(llama.rmsNormEps == 1e-5);
    CHECK(llama.tiedHead);
    CHECK(llama.bosId == 1);
    CHECK(llama.eosIds == std::vector<std::int64_t>{2});
    CHECK_FALSE(llama.qkvBias);
    const auto biased = openModel(goldenPath("gguf_llama_bias.gguf")).config;
    CHECK(biased.qkvBias);
    CHECK(biased.outputBias);
    CHECK_FALSE(biased.mlpBias);
    CHECK_FALSE(biased.tiedHead);
    CHECK(biased.headDim == 16);   // key_length, not embedding_length / heads
    CHECK(biased.rope.kind == Rope::Kind::Llama3);   // from rope_freqs.weight
    CHECK(biased.rope.factor == 8.0);
    CHECK(biased.rope.originalMaxPositions == 64);
    const auto qwen2 = openModel(goldenPath("gguf_qwen2.gguf")).config;
    CHECK(qwen2.qkvBias);
    CHECK(qwen2.rope.kind == Rope::Kind::Yarn);
    CHECK(qwen2.rope.factor == 4.0);
    CHECK(qwen2.rope.originalMaxPositions == 128);
    CHECK(openModel(goldenPath("gguf_qwen3.gguf")).config.qkNorm);
}

TEST_CASE("only frequency factors of Llama 3.1's rule are understood") {
    Rope rope;
    CHECK(ropeFromFactors({1, 1, 1, 1}, rope, "x").kind == Rope::Kind::Default);
    expectError(ErrorCode::Unsupported, "rope_freqs.weight", [&] { static_cast<void>(ropeFromFactors({1, 1, 2, 5}, rope, "x")); });
    expectError(ErrorCode::Unsupported, "rope_freqs.weight", [&] { static_cast<void>(ropeFromFactors({1, 1, 1, std::nanf("")}, rope, "x")); });
    expectError(ErrorCode::Unsupported, "rope_freqs.weight", [&] { static_cast<void>(ropeFromFactors({1, 1, 1, 0}, rope, "x")); });
}

TEST_CASE("GGUF files that cannot be used are refused by name with the way out") {
    const TemporaryFolder folder;
    const auto refused = [&folder](ErrorCode code, const std::string &part, const GgufBuilder &builder) {
        const auto file = folder / "model.gguf";
        builder.write(file);
        expectError(code, part, [&] { static_cast<void>(openModel(file)); });
    };
    GgufBuilder whole = GgufBuilder::smallLlama();
    CHECK_NOTHROW([&] { whole.write(folder / "whole.gguf"); static_cast<void>(openModel(folder / "whole.gguf")); }());
    const auto changed = [&whole](auto &&change) {
        auto copy = whole;
        change(copy);
        return copy;
    };
    refused(ErrorCode::Unsupported, "version 1", changed([](auto &b) { b.version = 1; }));
    refused(ErrorCode::Unsupported, "version 9", changed([](auto &b) { b.version = 9; }));
    refused(ErrorCode::Unsupported, "big-endian", changed([](auto &b) { b.version = 0x03000000; }));
    refused(ErrorCode::Unsupported, "quantised as IQ4_NL, which is not read; convert", changed([](auto &b) { b.tensors[2].type = 20; b.tensors[2].bytes.resize(18 * 2 * 8); }));
    refused(ErrorCode::Unsupported, "type number 99", changed([](auto &b) { b.tensors[2].type = 99; }));
    refused(ErrorCode::Unsupported, "Q4_2, which ggml has given up", changed([](auto &b) { b.tensors[2].type = 4; }));
    refused(ErrorCode::Unsupported, "architecture \"gemma\"", changed([](auto &b) { b.setText("general.architecture", "gemma"); }));
    refused(ErrorCode::Unsupported, "type \"adapter\"", changed([](auto &b) { b.setText("general.type", "adapter"); }));
    refused(ErrorCode::Unsupported, "one of 3 parts", changed([](auto &b) { b.setInteger("split.count", 3); }));
    refused(ErrorCode::Unsupported, "llama.attention.clamp_kqv, which is not understood", changed([](auto &b) { b.setInteger("llama.attention.clamp_kqv", 1); }));
    refused(ErrorCode::Unsupported, "sets llama.expert_count", changed([](auto &b) { b.setInteger("llama.expert_count", 8); }));
    refused(ErrorCode::Unsupported, "sets llama.rope.dimension_count", changed([](auto &b) { b.setInteger("llama.rope.dimension_count", 8); }));
    refused(ErrorCode::Unsupported, "RoPE type \"longrope\"", changed([](auto &b) { b.setText("llama.rope.scaling.type", "longrope"); }));
    refused(ErrorCode::Unsupported, "blk.0.attn_sinks.weight, which its config does not ask for", changed([](auto &b) { b.addTensor("blk.0.attn_sinks.weight", {2}); }));
    refused(ErrorCode::BadFile, "no general.architecture", changed([](auto &b) { b.remove("general.architecture"); }));
    refused(ErrorCode::BadFile, "no llama.block_count", changed([](auto &b) { b.remove("llama.block_count"); }));
    refused(ErrorCode::BadFile, "layer_norm_rms_epsilon", changed([](auto &b) { b.remove("llama.attention.layer_norm_rms_epsilon"); }));
    refused(ErrorCode::BadFile, "no matrix token_embd.weight", changed([](auto &b) { b.tensors.clear(); }));
    refused(ErrorCode::BadFile, "has no weight model.layers.0.mlp.up_proj.weight", changed([](auto &b) { std::erase_if(b.tensors, [](const auto &t) { return t.name == "blk.0.ffn_up.weight"; }); }));
    refused(ErrorCode::BadFile, "rope_freqs.weight", changed([](auto &b) { b.addTensor("rope_freqs.weight", {3}); }));
}

TEST_CASE("a vocabulary without tensors opens as metadata") {
    const TemporaryFolder folder;
    GgufBuilder builder;
    builder.setText("general.architecture", "llama");
    builder.setText("test.empty", "");
    builder.version = 2;
    builder.write(folder / "vocabulary.gguf");
    const GgufFile file(folder / "vocabulary.gguf");
    CHECK(file.version() == 2);
    CHECK(file.tensors().empty());
    CHECK(file.text("test.empty").value().empty());
    CHECK(file.text("general.architecture") == "llama");
}

}  // namespace gguf_tests
