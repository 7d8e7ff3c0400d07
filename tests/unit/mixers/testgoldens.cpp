// SPDX-License-Identifier: GPL-3.0-or-later
// What flash-linear-attention and transformers compute, read from files that tests/golden/mixers and others wrote.
#include "mixers/compare.h"
#include "mixers/registry.h"
#include "nn/linear.h"
#include "nn/tensorfile.h"
#include "recurrence/recurrence.h"
#include "testdata.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <nlohmann/json.hpp>

namespace stillroom::mixers::test::goldens_tests {

namespace {

namespace fs = std::filesystem;

/// A safetensors file: its tensors, and the text values that its writer put beside them.
struct Golden {
    explicit Golden(const fs::path &path) : file(path), source(checkpoint::openSafetensors(path))
    {
        std::ifstream stream(path, std::ios::binary);
        std::uint64_t length = 0;
        char bytes[sizeof length];
        stream.read(bytes, sizeof length);
        std::memcpy(&length, bytes, sizeof length);
        std::string header(length, '\0');
        stream.read(header.data(), static_cast<std::streamsize>(length));
        const auto json = nlohmann::json::parse(header);
        metadata = json.value("__metadata__", nlohmann::json::object());
    }
    at::Tensor operator[](const std::string &name) const { return nn::readTensor(*source, name); }
    bool has(const std::string &name) const { return source->find(name) != nullptr; }

    fs::path file;
    std::shared_ptr<const checkpoint::TensorSource> source;
    nlohmann::json metadata;
};

std::shared_ptr<nn::TokenMixer> mixerOf(const Golden &golden)
{
    auto config = tinyConfig();
    config.hiddenSize = std::stoi(golden.metadata.at("hidden_size").get<std::string>());
    auto options = nlohmann::json::parse(golden.metadata.at("options").get<std::string>());
    options["init"] = "random";   // its heads need not fit the teacher's
    const auto mixer = blank(golden.metadata.at("kind").get<std::string>(), options.dump(), config, 0, at::kCPU);
    std::size_t used = 0;
    mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        CAPTURE(name);
        REQUIRE(golden.has("p." + name));
        const auto value = golden["p." + name];
        REQUIRE(value.sizes() == tensor.sizes());
        tensor.copy_(value);
        ++used;
    });
    std::size_t there = 0;
    for (const auto &info : golden.source->tensors())
        there += info.name.starts_with("p.");
    CHECK(used == there);   // the very parameters that the reference has, by its names
    return mixer;
}

void checkLayer(const Golden &golden)
{
    const auto mixer = mixerOf(golden);
    nn::TokenPlaces places;
    at::Tensor padding = at::zeros({1, 1, 1}, at::kBool);
    if (golden.has("mask")) {
        places.documents_BT = golden["mask"] - 1;
        padding = places.documents_BT.lt(0).unsqueeze(2);
    }
    trainIn(*mixer, at::kFloat);
    const auto pass = forwardBackward(*mixer, golden["x"], golden["dy"], places);
    CHECK(relativeError(pass.y_BTD.masked_fill(padding, 0), golden["y"]) <= 1e-5);
    CHECK(relativeError(pass.dx_BTD, golden["dx"]) <= 5e-5);
    for (const auto &[name, gradient] : pass.gradients) {
        CAPTURE(name);
        CHECK(relativeError(gradient, golden["d." + name]) <= 5e-5);
    }
    if (golden.has("y_next")) {
        const at::NoGradGuard noGrad;
        const auto state = mixer->initialState(golden["x"].size(0), 100, at::kFloat);
        CHECK(relativeError(mixer->forward(golden["x"], places, state.get()), golden["y"]) <= 1e-5);
        CHECK(relativeError(mixer->forward(golden["x_next"], places, state.get()), golden["y_next"]) <= 1e-5);
    }
}

}  // namespace

TEST_CASE("GDN and GLA equal the layers of fla and transformers: outputs, gradients, continuation")
{
    int files = 0;
    for (const auto &entry : fs::directory_iterator(stillroom::test::testData() / "mixers")) {
        ++files;
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        checkLayer(Golden(entry.path()));
    }
    CHECK(files == 8);
}

TEST_CASE("the gated delta rule equals transformers' on the shared golden values")
{
    const fs::path path = stillroom::test::sharedData() / "golden/ops/gated_delta_rule.safetensors";
    if (!fs::exists(path)) {
        MESSAGE("skipped: " << path.string() << " is not there");
        return;
    }
    const Golden golden(path);
    for (const std::string prefix : {"a.", "b.", "strong_decay."}) {
        CAPTURE(prefix);
        NamedTensors leaf;
        for (const char *name : {"q", "k", "v", "g", "beta"})
            leaf[name] = golden[prefix + name].requires_grad_(true);
        const auto khat = nn::l2Norm(leaf["k"]);
        recurrence::Inputs inputs;
        inputs.q_BTHK = nn::l2Norm(leaf["q"]) / std::sqrt(static_cast<double>(khat.size(3)));
        inputs.k_BTHK = khat * leaf["beta"].unsqueeze(3);
        inputs.a_BTHK = -khat * leaf["g"].exp().unsqueeze(3);
        inputs.v_BTHV = leaf["v"];
        inputs.g = leaf["g"];
        const auto outputs = recurrence::chunked(inputs);
        (outputs.o_BTHV * golden[prefix + "do"]).sum().backward();
        CHECK(relativeError(outputs.o_BTHV, golden[prefix + "o"]) <= 1e-5);
        CHECK(relativeError(outputs.finalState_BHKV, golden[prefix + "final_state"]) <= 1e-5);
        for (const auto &[name, tensor] : leaf) {
            CAPTURE(name);
            CHECK(relativeError(tensor.grad(), golden[prefix + "d" + name]) <= 1e-4);
        }
    }
}

namespace {

/// Qwen3.5's softmax layer, which is not one of ours: q_proj also makes a sigmoid gate for each head's output. For this test only.
class GatedSoftmax final : public nn::TokenMixer {
public:
    GatedSoftmax(NamedTensors weights, int heads, int kvHeads, double theta) : m_w(std::move(weights)), m_heads(heads), m_kvHeads(kvHeads), m_theta(theta) {}
    std::string_view kind() const override { return "softmax"; }
    std::string optionsJson() const override { return "{}"; }
    at::Tensor forward(const at::Tensor &x, const nn::TokenPlaces &places, nn::LayerState *) const override
    {
        const auto project = [&](const char *name, std::int64_t heads) { return nn::linear(x, m_w.at(name)).unflatten(2, {heads, -1}).transpose(1, 2); };
        const auto qAndGate = project("q_proj.weight", m_heads).chunk(2, 3);
        const auto q = rotated(nn::rmsNorm(qAndGate[0], m_w.at("q_norm.weight"), 1e-6), places.positions_BT);
        const auto k = rotated(nn::rmsNorm(project("k_proj.weight", m_kvHeads), m_w.at("k_norm.weight"), 1e-6), places.positions_BT).repeat_interleave(m_heads / m_kvHeads, 1);
        const auto v = project("v_proj.weight", m_kvHeads).repeat_interleave(m_heads / m_kvHeads, 1);
        const auto future = at::ones({x.size(1), x.size(1)}, at::kBool).triu(1);
        const auto scores = (q.matmul(k.transpose(2, 3)) / std::sqrt(static_cast<double>(q.size(3)))).masked_fill(future, -std::numeric_limits<double>::infinity());
        const auto o = scores.softmax(3).matmul(v) * at::sigmoid(qAndGate[1]);
        return nn::linear(o.transpose(1, 2).flatten(2), m_w.at("o_proj.weight"));
    }
    std::unique_ptr<nn::LayerState> initialState(std::int64_t, std::int64_t, at::ScalarType) const override { return nullptr; }
    std::int64_t stateBytes(std::int64_t, std::int64_t, at::ScalarType) const override { return 0; }
    double flopsPerToken(std::int64_t) const override { return 0; }
    at::Tensor matrix(const at::Tensor &, const nn::TokenPlaces &) const override { return {}; }
    bool carries(nn::TeacherFeature) const override { return false; }
    void visitParameters(const nn::ParameterVisitor &visit) override
    {
        for (auto &[name, tensor] : m_w)
            visit(name, tensor, {});
    }
    std::shared_ptr<nn::TokenMixer> clone() const override { return std::make_shared<GatedSoftmax>(*this); }

private:
    at::Tensor rotated(const at::Tensor &x_BHTK, const at::Tensor &positions_BT) const
    {
        const std::int64_t half = x_BHTK.size(3) / 2;
        const auto frequency = at::pow(m_theta, at::arange(half, at::kDouble) * (-1.0 / static_cast<double>(half)));
        const auto angle = (positions_BT.to(at::kDouble).unsqueeze(2) * frequency).unsqueeze(1);
        const auto cos = angle.cos().to(x_BHTK.scalar_type()), sin = angle.sin().to(x_BHTK.scalar_type());
        const auto parts = x_BHTK.split(half, 3);
        return at::cat({parts[0] * cos - parts[1] * sin, parts[1] * cos + parts[0] * sin}, 3);
    }

    NamedTensors m_w;
    int m_heads, m_kvHeads;
    double m_theta;
};

/// transformers' names of layer N → ours, with the fused projections taken apart.
struct Qwen35 {
    explicit Qwen35(const fs::path &folder) : weights(folder / "model.safetensors"), json(nlohmann::json::parse(std::ifstream(folder / "config.json")))
    {
        config.hiddenSize = json.at("hidden_size");
        config.numHeads = json.at("num_attention_heads");
        config.numKvHeads = json.at("num_key_value_heads");
        config.headDim = json.at("head_dim");
        config.numLayers = json.at("num_hidden_layers");
        config.vocabSize = json.at("vocab_size");
        config.rmsNormEps = json.at("rms_norm_eps");
        config.maxPositions = json.at("max_position_embeddings");
        config.layers.resize(static_cast<std::size_t>(config.numLayers));
        config.slidingWindow.assign(static_cast<std::size_t>(config.numLayers), 0);
    }

    /// A zero-centred norm's gain: the file holds w − 1.
    at::Tensor gain(const std::string &name) const { return weights[name] + 1; }

    NamedTensors parts(const Golden &from, const std::string &prefix) const
    {
        const std::int64_t rows = json.at("linear_num_key_heads").get<std::int64_t>() * json.at("linear_key_head_dim").get<std::int64_t>();
        NamedTensors named;
        const auto split = [&](const std::string &theirs, const char *suffix) {
            const auto whole = from[prefix + theirs];
            int part = 0;
            for (const char *which : {"q", "k", "v"})
                named[std::string(which) + suffix] = whole.narrow(0, rows * part++, rows);
        };
        split("in_proj_qkv.weight", "_proj.weight");
        split("conv1d.weight", "_conv1d.weight");
        const std::pair<const char *, const char *> renamed[] = {{"in_proj_z.weight", "g_proj.weight"}, {"in_proj_b.weight", "b_proj.weight"}, {"in_proj_a.weight", "a_proj.weight"},
                                                                 {"A_log", "A_log"}, {"dt_bias", "dt_bias"}, {"norm.weight", "o_norm.weight"}, {"out_proj.weight", "o_proj.weight"}};
        for (const auto &[theirs, ours] : renamed)
            named[ours] = from[prefix + theirs];
        return named;
    }

    std::shared_ptr<nn::TokenMixer> mixer(int layer) const
    {
        const std::string prefix = "model.layers." + std::to_string(layer) + ".";
        if (json.at("layer_types")[static_cast<std::size_t>(layer)] == "full_attention") {
            NamedTensors w;
            for (const char *name : {"q_proj.weight", "k_proj.weight", "v_proj.weight", "o_proj.weight"})
                w[name] = weights[prefix + "self_attn." + name];
            for (const char *name : {"q_norm.weight", "k_norm.weight"})
                w[name] = gain(prefix + "self_attn." + name);
            return std::make_shared<GatedSoftmax>(w, config.numHeads, config.numKvHeads, json.at("rope_parameters").at("rope_theta").get<double>());
        }
        const nlohmann::json options{{"init", "random"}, {"short_conv", true}, {"conv_size", json.at("linear_conv_kernel_dim")}, {"head_dim", json.at("linear_key_head_dim")},
                                     {"num_heads", json.at("linear_num_key_heads")}, {"num_v_heads", json.at("linear_num_value_heads")}};
        const auto made = blank("gdn", options.dump(), config, layer, at::kCPU);
        const auto named = parts(weights, prefix + "linear_attn.");
        made->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { tensor.copy_(named.at(name)); });
        return made;
    }

    nn::Transformer model() const
    {
        nn::Transformer model;
        model.config = config;
        model.embedding_VD = weights["model.embed_tokens.weight"];
        model.finalNorm_D = gain("model.norm.weight");
        model.head_VD = weights["lm_head.weight"];
        for (int layer = 0; layer < config.numLayers; ++layer) {
            const std::string prefix = "model.layers." + std::to_string(layer) + ".";
            nn::Block block;
            block.inputNorm_D = gain(prefix + "input_layernorm.weight");
            block.postNorm_D = gain(prefix + "post_attention_layernorm.weight");
            block.mixer = mixer(layer);
            block.mlp.gate_FD = weights[prefix + "mlp.gate_proj.weight"];
            block.mlp.up_FD = weights[prefix + "mlp.up_proj.weight"];
            block.mlp.down_DF = weights[prefix + "mlp.down_proj.weight"];
            model.blocks.push_back(block);
        }
        return model;
    }

    Golden weights;
    nlohmann::json json;
    checkpoint::ModelConfig config = tinyConfig();
};

/// Logits, loss, mixer outputs, and the gradients of the loss in embeddings and mixers 0 (its names) and 1 ("1." before them).
NamedTensors everythingOf(nn::Transformer model, const at::Tensor &ids, at::ScalarType type)
{
    model.visitParameters([type](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.to(type).requires_grad_(true); });
    const auto result = model.forward(ids, {}, type, {.keepMixerOutputs = true});
    const auto logits = model.logits(result.hidden_BTD);
    const auto loss = stillroom::test::nextTokenLoss(logits, ids);
    loss.backward();
    NamedTensors all{{"logits", logits.detach()}, {"loss", loss.detach().view({1})}, {"embedding", model.embedding_VD.grad()}};
    for (std::size_t layer = 0; layer < 4; ++layer)
        all["output " + std::to_string(layer)] = result.mixerOutputs_BTD[layer].detach();
    for (const auto &[name, parameter] : parametersOf(*model.blocks[0].mixer))
        all[name] = parameter.grad();
    for (const auto &[name, parameter] : parametersOf(*model.blocks[1].mixer))
        all["1." + name] = parameter.grad();
    return all;
}

}  // namespace

TEST_CASE("GDN inside a whole network: Qwen3.5's logits, mixer outputs and gradients")
{
    const fs::path folder = stillroom::test::sharedData() / "golden/models/qwen3_5_hybrid";
    if (!fs::exists(folder)) {
        MESSAGE("skipped: " << folder.string() << " is not there");
        return;
    }
    const Golden golden(folder / "golden.safetensors");
    const Qwen35 qwen(folder);
    const auto model = qwen.model();
    for (const int layer : {0, 2, 3}) {   // each layer alone, from transformers' own hidden states
        CAPTURE(layer);
        const auto x = nn::rmsNorm(golden["hidden_states." + std::to_string(layer)], model.blocks[static_cast<std::size_t>(layer)].inputNorm_D, qwen.config.rmsNormEps);
        CHECK(relativeError(model.blocks[static_cast<std::size_t>(layer)].mixer->forward(x, {}, nullptr), golden["attn_output." + std::to_string(layer)]) <= 1e-4);
    }
    // The golden values are float32 themselves: each must be within 1e-4 of ours in float64, and so must ours in float32.
    const auto exact = everythingOf(qwen.model(), golden["input_ids"], at::kDouble), ours = everythingOf(qwen.model(), golden["input_ids"], at::kFloat);
    auto theirs = qwen.parts(golden, "grad.model.layers.0.linear_attn.");
    for (const char *name : {"q_proj.weight", "k_proj.weight", "v_proj.weight", "o_proj.weight", "q_norm.weight", "k_norm.weight"})
        theirs[std::string("1.") + name] = golden[std::string("grad.model.layers.1.self_attn.") + name];
    for (const auto &[name, stored] : {std::pair{"logits", "logits"}, {"loss", "loss"}, {"embedding", "grad.model.embed_tokens.weight"}, {"output 0", "attn_output.0"},
                                       {"output 1", "attn_output.1"}, {"output 2", "attn_output.2"}, {"output 3", "attn_output.3"}})
        theirs[name] = golden[stored];
    REQUIRE(theirs.size() == exact.size());
    for (const auto &[name, value] : exact) {
        CAPTURE(name);
        CHECK(relativeError(theirs.at(name), value) <= 1e-4);
        CHECK(relativeError(ours.at(name), value) <= 1e-4);
    }
}

}  // namespace stillroom::mixers::test::goldens_tests
