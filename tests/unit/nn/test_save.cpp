// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/modelfiles.h"
#include "error.h"
#include "nn/linear.h"
#include "nn/tensorfile.h"
#include "tinymodel.h"
#include "testdata.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

namespace save_tests {

using namespace stillroom;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
    fs::path path;
    TemporaryFolder()
    {
        std::string name = (fs::temp_directory_path() / "stillroom-nn-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    ~TemporaryFolder() { fs::remove_all(path); }
};

std::map<std::string, at::Tensor> parameters(nn::Transformer &model)
{
    std::map<std::string, at::Tensor> found;
    model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { found[name] = tensor; });
    return found;
}

void checkSameParameters(nn::Transformer &a, nn::Transformer &b)
{
    const auto first = parameters(a), second = parameters(b);
    REQUIRE(first.size() == second.size());
    for (const auto &[name, tensor] : first) {
        INFO(name);
        CHECK(at::equal(tensor, second.at(name)));
    }
}

/// A layer that is not attention: y = x Wᵀ, token by token.
class PlainMixer final : public nn::TokenMixer {
public:
    explicit PlainMixer(at::Tensor weight) : m_weight_DD(std::move(weight)) {}
    [[nodiscard]] std::string_view kind() const override { return "gdn"; }
    [[nodiscard]] std::string optionsJson() const override { return R"({"expand":"head"})"; }
    [[nodiscard]] at::Tensor forward(const at::Tensor &x_BTD, const nn::TokenPlaces &, nn::LayerState *) const override { return nn::linear(x_BTD, m_weight_DD); }
    [[nodiscard]] std::unique_ptr<nn::LayerState> initialState(std::int64_t, std::int64_t, at::ScalarType) const override { return nullptr; }
    [[nodiscard]] std::int64_t stateBytes(std::int64_t, std::int64_t, at::ScalarType) const override { return 0; }
    [[nodiscard]] double flopsPerToken(std::int64_t) const override { return 0.0; }
    [[nodiscard]] at::Tensor matrix(const at::Tensor &, const nn::TokenPlaces &) const override { throw Error(ErrorCode::Unsupported, "none"); }
    [[nodiscard]] bool carries(nn::TeacherFeature) const override { return false; }
    void visitParameters(const nn::ParameterVisitor &visit) override { visit("w.weight", m_weight_DD, {}); }
    [[nodiscard]] std::shared_ptr<nn::TokenMixer> clone() const override { return std::make_shared<PlainMixer>(*this); }

private:
    at::Tensor m_weight_DD;
};

}  // namespace

TEST_CASE("a saved teacher is an ordinary folder that loads with the same bits")
{
    for (const char *name : {"llama_plain", "llama_linear", "llama_dynamic", "llama_yarn", "llama_yarn_mscale", "llama3", "llama_biases", "qwen2", "qwen2_sliding", "qwen3", "mistral"}) {
        INFO(name);
        const TemporaryFolder folder;
        nn::Transformer model = nn::loadTransformer(checkpoint::openModel(stillroom::test::testData() / "nn/models" / name), at::kCPU);
        nn::saveTransformer(model, folder.path / "new");
        const checkpoint::ModelFiles files = checkpoint::openModel(folder.path / "new");
        CHECK(files.format == "huggingface");
        nn::Transformer again = nn::loadTransformer(files, at::kCPU);
        checkSameParameters(model, again);
        const at::Tensor ids = test::randomIds(2, 30, model.config.vocabSize);
        CHECK(at::equal(again.forward(ids, {}, at::kFloat).hidden_BTD, model.forward(ids, {}, at::kFloat).hidden_BTD));
    }
}

TEST_CASE("a saved hybrid keeps each layer's mixer, and needs the loader of its kind")
{
    const TemporaryFolder folder;
    nn::Transformer model = nn::loadTransformer(checkpoint::openModel(stillroom::test::testData() / "nn/models/qwen2"), at::kCPU);
    model.blocks[0].mixer = std::make_shared<PlainMixer>(at::eye(24) * 3);
    model.config.teacherHash = std::string(64, 'a');
    nn::saveTransformer(model, folder.path);
    const checkpoint::ModelFiles files = checkpoint::openModel(folder.path);
    CHECK(files.format == "stillroom_hybrid");
    CHECK(files.tensors->find("model.layers.0.mixer.w.weight") != nullptr);
    CHECK(files.tensors->find("model.layers.1.self_attn.q_proj.bias") != nullptr);
    CHECK_THROWS_AS(static_cast<void>(nn::loadTransformer(files, at::kCPU)), Error);
    const auto loader = [](const checkpoint::LayerMixer &mixer, const checkpoint::ModelConfig &, int layer, const checkpoint::TensorSource &tensors, at::Device) {
        CHECK(mixer.kind == "gdn");
        CHECK(mixer.optionsJson == R"({"expand":"head"})");
        return std::make_shared<PlainMixer>(nn::readTensor(tensors, "model.layers." + std::to_string(layer) + ".mixer.w.weight"));
    };
    nn::Transformer again = nn::loadTransformer(files, at::kCPU, loader);
    checkSameParameters(model, again);
}

TEST_CASE("tokenizer files travel along")
{
    const TemporaryFolder folder;
    fs::create_directories(folder.path / "teacher");
    std::ofstream(folder.path / "teacher/tokenizer.json") << "{}";
    std::ofstream(folder.path / "teacher/merges.txt") << "a b";
    nn::Transformer model = test::tinyModel(test::tinyConfig());
    nn::saveTransformer(model, folder.path / "student", folder.path / "teacher");
    CHECK(fs::exists(folder.path / "student/tokenizer.json"));
    CHECK(fs::exists(folder.path / "student/merges.txt"));
    CHECK_FALSE(fs::exists(folder.path / "student/vocab.json"));
}

TEST_CASE("a GGUF file's vocabulary travels along")
{
    const TemporaryFolder folder;
    nn::Transformer model = test::tinyModel(test::tinyConfig());
    nn::saveTransformer(model, folder.path, stillroom::test::testData() / "checkpoint/gguf_llama.gguf");
    CHECK(checkpoint::openModel(folder.path).tokenizerPath == folder.path / "tokenizer.gguf");
}

TEST_CASE("a folder that cannot be written is an Io error")
{
    nn::Transformer model = test::tinyModel(test::tinyConfig());
    try {
        nn::saveTransformer(model, "/proc/nowhere/model");
        FAIL("written");
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::Io);
    }
}

TEST_CASE("weights of another shape than the config's are refused by name")
{
    const TemporaryFolder folder;
    nn::Transformer model = test::tinyModel(test::tinyConfig());
    nn::saveTransformer(model, folder.path);
    checkpoint::ModelFiles files = checkpoint::openModel(folder.path);
    files.config.intermediateSize += 1;
    try {
        static_cast<void>(nn::loadTransformer(files, at::kCPU));
        FAIL("loaded");
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::BadFile);
        CHECK(std::string(error.what()).find("mlp.gate_proj.weight") != std::string::npos);
    }
}

}  // namespace save_tests
