// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "mixers/compare.h"
#include "mixers/registry.h"
#include "nn/tensorfile.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include <unistd.h>

namespace stillroom::mixers::test::files_tests {

namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
public:
    TemporaryFolder() : path(fs::temp_directory_path() / ("stillroom-mixers-" + std::to_string(::getpid()))) { fs::create_directories(path); }
    ~TemporaryFolder() { fs::remove_all(path); }
    fs::path path;
};

nn::Transformer hybrid()
{
    auto config = tinyTeacherWith(true, true);
    config.modelType = "qwen3";
    config.teacherHash = std::string(64, 'a');
    const auto teacher = tinyModel(config);
    auto model = teacher;
    model.blocks[0].mixer = fromTeacher("gdn", R"({"short_conv": true, "carry_bias": true, "qk_norm": "teacher"})", teacher, 0, 9);
    model.blocks[1].mixer = fromTeacher("gla", R"({"num_kv_heads": 2, "rope": "teacher"})", teacher, 1, 9);
    return model;
}

/// Writes the hybrid with one thing changed, and expects a refusal that says what.
void refused(const fs::path &folder, const std::function<void(nlohmann::json &)> &changeConfig, const std::function<void(nn::NamedTensors &)> &changeTensors, const char *message)
{
    CAPTURE(std::string(message));
    fs::remove_all(folder);
    auto model = hybrid();
    nn::saveTransformer(model, folder);
    auto json = nlohmann::json::parse(std::ifstream(folder / "config.json"));
    changeConfig(json);
    std::ofstream(folder / "config.json") << json.dump();
    auto tensors = nn::readTensorsAsStored(folder / "model.safetensors");
    changeTensors(tensors);
    nn::writeTensors(folder / "model.safetensors", tensors, {{"format", "pt"}});
    const auto sentence = [](const auto &call) {
        try {
            call();
        } catch (const Error &error) {
            CHECK(error.code() == ErrorCode::BadFile);
            return std::string(error.what());
        }
        return std::string("not refused");
    };
    const std::string said = sentence([&] { (void)loadModel(checkpoint::openModel(folder), at::kCPU); });
    CAPTURE(said);
    CHECK(said.find(message) != std::string::npos);
    CHECK(sentence([&] { checkLinearLayers(checkpoint::openModel(folder)); }) == said);      // who only looks at a model says the same
}

}  // namespace

TEST_CASE("a hybrid on disk is the hybrid in memory, bit for bit")
{
    const at::NoGradGuard noGrad;
    const TemporaryFolder folder;
    auto model = hybrid();
    nn::saveTransformer(model, folder.path);
    auto loaded = loadModel(checkpoint::openModel(folder.path), at::kCPU);
    REQUIRE(loaded.blocks.size() == 2);
    CHECK(loaded.config.isHybrid());
    for (std::size_t layer = 0; layer < 2; ++layer) {
        CHECK(loaded.blocks[layer].mixer->kind() == model.blocks[layer].mixer->kind());
        CHECK(loaded.blocks[layer].mixer->optionsJson() == model.blocks[layer].mixer->optionsJson());
    }
    std::map<std::string, at::Tensor> saved;
    model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { saved[name] = tensor; });
    loaded.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        CAPTURE(name);
        CHECK(at::equal(tensor, saved.at(name)));
        saved.erase(name);
    });
    CHECK(saved.empty());
    const auto ids = stillroom::test::randomIds(2, 30, model.config.vocabSize);
    CHECK(at::equal(loaded.forward(ids, {}, at::kFloat).hidden_BTD, model.forward(ids, {}, at::kFloat).hidden_BTD));
}

TEST_CASE("a hybrid whose files do not fit together is refused, and says where")
{
    const TemporaryFolder folder;
    const auto sameConfig = [](nlohmann::json &) {};
    const auto sameTensors = [](nn::NamedTensors &) {};
    const auto change = [](const std::string &name, const std::function<void(nn::NamedTensors &, std::size_t)> &apply) {
        return [name, apply](nn::NamedTensors &tensors) {
            for (std::size_t i = 0; i < tensors.size(); ++i)
                if (tensors[i].first == name)
                    return apply(tensors, i);
            FAIL("no " << name);
        };
    };
    refused(folder.path, sameConfig, change("model.layers.0.mixer.A_log", [](nn::NamedTensors &t, std::size_t i) { t.erase(t.begin() + static_cast<std::ptrdiff_t>(i)); }), "model.layers.0.mixer.A_log");
    refused(folder.path, sameConfig, change("model.layers.1.mixer.k_proj.weight", [](nn::NamedTensors &t, std::size_t i) { t[i].second = at::zeros({32, 32}); }), "has the shape [32, 32], but its linear layer needs [16, 32]");
    refused(folder.path, sameConfig, [](nn::NamedTensors &t) { t.emplace_back("model.layers.1.mixer.dt_bias", at::zeros({4})); }, "model.layers.1.mixer.dt_bias");
    refused(folder.path, [](nlohmann::json &json) { json["layers"][0]["mixer"] = "gnd"; }, sameTensors, "gdn");
    refused(folder.path, [](nlohmann::json &json) { json["layers"][0]["options"]["short_con"] = true; }, sameTensors, "short_conv");
    refused(folder.path, [](nlohmann::json &json) { json["layers"][0]["options"]["output_gate"] = false; }, sameTensors, "model.layers.0.mixer.g_proj.weight");
    refused(folder.path, [](nlohmann::json &json) { json["layers"][0]["options"]["num_heads"] = 4096; }, sameTensors, "Layer 0");
    const auto huge = [](nlohmann::json &json) {   // 10 terabytes, if it were believed
        json["layers"][1]["options"] = {{"init", "random"}, {"num_heads", 4096}, {"expand_k", 64}, {"expand_v", 64}};
        json["layers"][0]["options"] = {{"init", "random"}, {"num_heads", 4096}, {"head_dim", 65536}, {"expand_v", 64}};
    };
    refused(folder.path, huge, sameTensors, "needs [268435456, 32]");
}

}  // namespace stillroom::mixers::test::files_tests
