// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/modeldescription.h"

#include "error.h"
#include "mixers/modelsize.h"
#include "mixers/registry.h"
#include "nn/transformer.h"
#include "procedures/modelargument.h"
#include "store/stagecache.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

using namespace stillroom;

TEST_CASE("the parts of a model are all of its parameters")
{
    const auto sumOf = [](const checkpoint::ModelFiles &files) {
        std::int64_t sum = 0;
        const nlohmann::json description = procedures::describe(files);
        for (const nlohmann::json &part : description["parts"])
            sum += part["parameters"].get<std::int64_t>();
        return sum;
    };
    checkpoint::ModelFiles demo = procedures::openModelArgument("demo");
    CHECK(sumOf(demo) == demo.config.numParameters());
    // Every feature that has parameters of its own.
    for (const bool on : {false, true}) {
        demo.config.tiedHead = demo.config.outputBias = demo.config.mlpBias = demo.config.qkNorm = on;
        demo.config.qkvBias = !on;
        demo.config.numKvHeads = 1;
        CHECK(sumOf(demo) == demo.config.numParameters());
    }
}

TEST_CASE("a hybrid is described by what it is itself, not by its teacher")
{
    const checkpoint::ModelFiles demo = procedures::openModelArgument("demo");
    const nn::Transformer teacher = mixers::loadModel(demo, at::kCPU);
    for (const std::string &kind : mixers::kinds()) {
        CAPTURE(kind);
        nn::Transformer hybrid = teacher;
        hybrid.config.teacherHash = std::string(64, 'a');
        std::int64_t stateBytes = 0;
        for (const std::size_t layer : {1U, 4U}) {
            const auto mixer = mixers::fromTeacher(kind, "{}", teacher, static_cast<int>(layer), 1);
            stateBytes += mixer->stateBytes(1, 1, at::kFloat);
            hybrid.blocks[layer].mixer = mixer;
        }
        const TemporaryFolder folder;
        nn::saveTransformer(hybrid, folder.path() / "hybrid");
        const nlohmann::json description = procedures::describe(procedures::openModelArgument((folder.path() / "hybrid").string()));

        std::int64_t parameters = 0;
        hybrid.visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { parameters += tensor.numel(); });
        CHECK(description["parameters"].get<std::int64_t>() == parameters);
        CHECK(parameters != demo.config.numParameters());
        std::int64_t sum = 0;
        for (const nlohmann::json &part : description["parts"])
            sum += part["parameters"].get<std::int64_t>();
        CHECK(sum == parameters);
        CHECK(description["state_bytes_float32"].get<std::int64_t>() == stateBytes);
        // Four of six layers still keep keys and values.
        const std::int64_t perLayer = std::int64_t{2} * demo.config.numKvHeads * demo.config.headDim * 2;
        CHECK(description["kv_cache_bytes_per_token_bf16"].get<std::int64_t>() == 4 * perLayer);
        CHECK(mixers::modelSize(demo.config).kvBytesPerToken == 6 * perLayer);
    }
}

TEST_CASE("a hybrid whose config claims other shapes than its weights have is not described but refused, as loading refuses it")
{
    const TemporaryFolder folder;
    const checkpoint::ModelFiles demo = procedures::openModelArgument("demo");
    nn::Transformer hybrid = mixers::loadModel(demo, at::kCPU);
    hybrid.config.teacherHash = std::string(64, 'a');
    hybrid.blocks[2].mixer = mixers::fromTeacher("gdn", R"({"init": "random"})", hybrid, 2, 1);
    nn::saveTransformer(hybrid, folder.path());
    CHECK_NOTHROW((void)procedures::describe(procedures::openModelArgument(folder.path().string())));
    nlohmann::json config = nlohmann::json::parse(std::ifstream(folder.path() / "config.json"));
    config["layers"][2]["options"] = {{"init", "random"}, {"num_heads", 4096}, {"head_dim", 65536}, {"expand_v", 64}};       // terabytes, if it were believed
    std::ofstream(folder.path() / "config.json") << config;
    const auto sentence = [&](const auto &call) {
        try {
            (void)call(procedures::openModelArgument(folder.path().string()));
        } catch (const Error &error) {
            CHECK(exitStatus(error.code()) == 4);
            return std::string(error.what());
        }
        return std::string("not refused");
    };
    const std::string described = sentence([](const checkpoint::ModelFiles &files) { return procedures::describe(files); });
    CAPTURE(described);
    CHECK(described.find("but its linear layer needs") != std::string::npos);
    CHECK(described == sentence([](const checkpoint::ModelFiles &files) { return mixers::loadModel(files, at::kCPU); }));
}

TEST_CASE("a description says how far each layer sees and where the tokenizer is")
{
    checkpoint::ModelFiles demo = procedures::openModelArgument("demo");
    demo.config.slidingWindow[2] = 512;
    const nlohmann::json description = procedures::describe(demo);
    CHECK(description["sliding_window_tokens"] == nlohmann::json({0, 0, 512, 0, 0, 0}));
    CHECK(description["tokenizer"]["path"].get<std::string>() == demo.tokenizerPath.string());
}

TEST_CASE("a description says how much of it is done, and ends where it is told to")
{
    const checkpoint::ModelFiles demo = procedures::openModelArgument("demo");
    std::int64_t told = 0, parts = 0;
    const nlohmann::json description = procedures::describe(demo, [&](std::int64_t done, std::int64_t total) {
        CHECK(done == told++);
        parts = total;
    });
    CHECK(told == parts);
    CHECK(parts == std::ssize(description["mixers"]) + 1);
    const auto stop = [](std::int64_t done, std::int64_t) {
        if (done == 2)
            throw Error(ErrorCode::Cancelled, "enough");
    };
    CHECK_THROWS_AS((void)procedures::describe(demo, stop), Error);
}

TEST_CASE("an artifact's model is named by its key, or by the beginning of it where no other begins so")
{
    namespace fs = std::filesystem;
    const TemporaryFolder folder;
    const fs::path artifacts = folder.path() / "artifacts", demo = procedures::openModelArgument("demo").path;
    const std::string first = "abcd1" + std::string(59, '0'), second = "abcd2" + std::string(59, '0'), alignment = "abcde" + std::string(59, '0');
    const store::StageCache cache(folder.path());
    for (const std::string &key : {first, second}) {
        const store::StageDraft draft = cache.beginStage(key);
        fs::copy(demo, draft.folder / "model");
        cache.commitStage(draft, nlohmann::json::object());
    }
    fs::create_directories(artifacts / alignment);      // no model
    CHECK(procedures::openModelArgument(first, folder.path()).path == artifacts / first / "model");
    CHECK(procedures::openModelArgument("abcd2", folder.path()).path == artifacts / second / "model");
    for (const char *none : {"abcd", "abc", "abcde", "ef01", ""})
        CHECK_FALSE(procedures::isModelThere(none, folder.path()));
}

TEST_CASE("an artifact's model that was cut or never finished is refused")
{
    namespace fs = std::filesystem;
    const TemporaryFolder folder;
    const std::string key = "abcd1" + std::string(59, '0');
    const store::StageCache cache(folder.path());
    const store::StageDraft draft = cache.beginStage(key);
    fs::copy(procedures::openModelArgument("demo").path, draft.folder / "model");
    const fs::path artifact = cache.commitStage(draft, nlohmann::json::object()).folder, config = artifact / "model" / "config.json";
    CHECK_NOTHROW((void)procedures::openModelArgument(key, folder.path()));
    const auto whole = fs::file_size(config);
    fs::resize_file(config, whole + 1);
    CHECK_THROWS_WITH_AS((void)procedures::openModelArgument("abcd1", folder.path()), doctest::Contains("is not whole"), Error);
    fs::resize_file(config, whole);
    CHECK_NOTHROW((void)procedures::openModelArgument(key, folder.path()));
    fs::remove(artifact / "DONE");
    CHECK_THROWS_WITH_AS((void)procedures::openModelArgument(key, folder.path()), doctest::Contains("is not whole"), Error);
}
