// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "nn/softmaxmixer.h"
#include "slowreference.h"
#include "tinymodel.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <map>

namespace transformer_tests {

using namespace stillroom;

namespace {

at::Tensor asTensor(const test::Rows &rows)
{
    std::vector<at::Tensor> tensors;
    for (const auto &row : rows) {
        tensors.push_back(at::tensor(row, at::TensorOptions(at::kDouble)));
    }
    return at::stack(tensors);
}

at::Tensor logitsOf(const nn::Transformer &model, const at::Tensor &ids_BT, const nn::TokenPlaces &places = {}, at::ScalarType type = at::kFloat)
{
    return model.logits(model.forward(ids_BT, places, type).hidden_BTD);
}

std::map<std::string, at::Tensor> gradients(nn::Transformer &model, const at::Tensor &ids_BT, const nn::ForwardOptions &options = {})
{
    model.requireGrad(true);
    test::nextTokenLoss(model.logits(model.forward(ids_BT, {}, at::kFloat, options).hidden_BTD), ids_BT).backward();
    std::map<std::string, at::Tensor> found;
    model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        found[name] = tensor.grad().defined() ? tensor.grad().clone() : at::Tensor();
        tensor.mutable_grad().reset();
    });
    return found;
}

}  // namespace

TEST_CASE("the whole forward is the slow reference's, in float64 and float32")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.qkvBias = config.outputBias = config.mlpBias = config.qkNorm = true;
    config.slidingWindow = {0, 5};
    config.headDim = 6;
    const nn::Transformer model = test::tinyModel(config, 2, at::kDouble);
    const at::Tensor ids = test::randomIds(1, 17, config.vocabSize, 3);
    const test::SlowReference slow = test::slowForward(model, {ids.const_data_ptr<std::int64_t>(), ids.const_data_ptr<std::int64_t>() + 17});
    nn::ForwardOptions options;
    options.keepHiddenStates = options.keepMixerOutputs = true;
    for (const auto &[type, tolerance] : {std::pair{at::kDouble, 1e-12}, std::pair{at::kFloat, 2e-5}}) {
        const nn::ForwardResult result = model.forward(ids, {}, type, options);
        REQUIRE(result.hiddenStates_BTD.size() == 3);
        REQUIRE(result.mixerOutputs_BTD.size() == 2);
        CHECK(test::relativeError(model.logits(result.hidden_BTD)[0], asTensor(slow.logits)) < tolerance);
        for (std::size_t n = 0; n < 3; ++n) {
            CHECK(test::relativeError(result.hiddenStates_BTD[n][0], asTensor(slow.hiddenStates[n])) < tolerance);
        }
        for (std::size_t n = 0; n < 2; ++n) {
            CHECK(test::relativeError(result.mixerOutputs_BTD[n][0], asTensor(slow.mixerOutputs[n])) < tolerance);
        }
    }
}

TEST_CASE("no token sees a later one")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    const at::Tensor ids = test::randomIds(1, 12, 61), changed = ids.clone();
    changed[0][8] = (ids[0][8] + 1) % 61;
    const at::Tensor before = logitsOf(model, ids), after = logitsOf(model, changed);
    CHECK(at::equal(before.narrow(1, 0, 8), after.narrow(1, 0, 8)));
    CHECK_FALSE(at::allclose(before.narrow(1, 8, 4), after.narrow(1, 8, 4)));
}

TEST_CASE("moving all positions by the same amount changes nothing")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.qkNorm = true;
    const nn::Transformer model = test::tinyModel(config);
    const at::Tensor ids = test::randomIds(2, 12, 61);
    nn::TokenPlaces moved;
    moved.positions_BT = at::arange(12, at::TensorOptions(at::kLong)).add(19).expand({2, 12});
    CHECK(test::relativeError(logitsOf(model, ids, moved, at::kDouble), logitsOf(model, ids, {}, at::kDouble)) < 1e-12);
    moved.positions_BT = moved.positions_BT * 2;
    CHECK(test::relativeError(logitsOf(model, ids, moved, at::kDouble), logitsOf(model, ids, {}, at::kDouble)) > 1e-3);
}

TEST_CASE("permuting a batch's rows permutes its logits")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    const at::Tensor ids = test::randomIds(3, 10, 61), order = at::tensor(std::vector<std::int64_t>{2, 0, 1});
    CHECK(test::relativeError(logitsOf(model, ids.index_select(0, order)), logitsOf(model, ids).index_select(0, order)) < 1e-6);
}

TEST_CASE("padding on the left or right changes no valid token, and padded rows stay finite")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.slidingWindow = {0, 4};
    const nn::Transformer model = test::tinyModel(config);
    const at::Tensor ids = test::randomIds(1, 9, 61);
    const at::Tensor expected = logitsOf(model, ids);
    const at::Tensor padding = at::full({1, 5}, 7, at::TensorOptions(at::kLong)), ones = at::ones_like(ids), zeros = at::zeros_like(padding);
    for (const bool left : {true, false}) {
        const at::Tensor padded = left ? at::cat({padding, ids}, 1) : at::cat({ids, padding}, 1);
        const at::Tensor mask = left ? at::cat({zeros, ones}, 1) : at::cat({ones, zeros}, 1);
        const at::Tensor logits = logitsOf(model, padded, nn::placesFromMask(padded, mask));
        CHECK(test::relativeError(logits.narrow(1, left ? 5 : 0, 9), expected) < 1e-5);
        CHECK(logits.isfinite().all().item<bool>());
    }
}

TEST_CASE("packed documents do not see each other")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    const at::Tensor first = test::randomIds(1, 7, 61, 4), second = test::randomIds(1, 6, 61, 5);
    nn::TokenPlaces places;
    places.documents_BT = at::cat({at::full_like(first, 3), at::full_like(second, 4)}, 1);
    const at::Tensor packed = logitsOf(model, at::cat({first, second}, 1), places);
    CHECK(test::relativeError(packed.narrow(1, 0, 7), logitsOf(model, first)) < 1e-5);
    CHECK(test::relativeError(packed.narrow(1, 7, 6), logitsOf(model, second)) < 1e-5);
}

TEST_CASE("a tied head is one parameter whose gradient is the sum of both uses")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    nn::Transformer untied = test::tinyModel(config);
    untied.head_VD = untied.embedding_VD.clone();
    nn::Transformer tied = nn::deepCopy(untied);
    tied.config.tiedHead = true;
    tied.head_VD = tied.embedding_VD;
    const at::Tensor ids = test::randomIds(2, 9, 61);
    auto two = gradients(untied, ids), one = gradients(tied, ids);
    CHECK_FALSE(one.contains("lm_head.weight"));
    CHECK(one.size() + 1 == two.size());
    CHECK(test::relativeError(one["model.embed_tokens.weight"], two["model.embed_tokens.weight"] + two["lm_head.weight"]) < 1e-6);
    tied.visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.detach().clone(); });
    CHECK(tied.head_VD.is_same(tied.embedding_VD));
}

TEST_CASE("the padding id's embedding gets no gradient, as in transformers")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.padId = 5;
    nn::Transformer model = test::tinyModel(config);
    const at::Tensor ids = test::randomIds(2, 9, 61);
    ids[0][3] = 5;
    const at::Tensor gradient = gradients(model, ids)["model.embed_tokens.weight"];
    CHECK(gradient[5].abs().max().item<float>() == 0.0F);
    CHECK(gradient.index_select(0, ids[1]).abs().max().item<float>() > 0.0F);
}

TEST_CASE("a deep copy shares nothing, a copy everything")
{
    nn::Transformer model = test::tinyModel(test::tinyConfig());
    model.requireGrad(true);
    nn::Transformer deep = nn::deepCopy(model), shallow = model;
    std::map<std::string, void *> original;
    model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { original[name] = tensor.data_ptr(); });
    std::size_t numShared = 0;
    shallow.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { numShared += original.at(name) == tensor.data_ptr(); });
    CHECK(numShared == original.size());
    deep.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        CHECK(original.at(name) != tensor.data_ptr());
        CHECK(tensor.requires_grad());
        const at::NoGradGuard noGrad;
        tensor.zero_();
    });
    CHECK(logitsOf(model, test::randomIds(1, 5, 61)).abs().max().item<float>() > 0.0F);
    CHECK(logitsOf(deep, test::randomIds(1, 5, 61)).abs().max().item<float>() == 0.0F);
}

TEST_CASE("norms take no weight decay and every parameter has its checkpoint name")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.qkvBias = config.qkNorm = config.outputBias = config.mlpBias = true;
    nn::Transformer model = test::tinyModel(config);
    std::map<std::string, bool> decay;
    model.visitParameters([&](const std::string &name, at::Tensor &, nn::ParameterTraits traits) { decay[name] = traits.weightDecay; });
    CHECK(decay.size() == 2 * 18 + 3);
    for (const char *name : {"model.layers.1.self_attn.q_proj.bias", "model.layers.0.mlp.down_proj.weight", "model.embed_tokens.weight", "lm_head.weight"}) {
        CHECK(decay.at(name));
    }
    for (const char *name : {"model.layers.1.self_attn.q_norm.weight", "model.layers.0.post_attention_layernorm.weight", "model.norm.weight"}) {
        CHECK_FALSE(decay.at(name));
    }
}

TEST_CASE("checkpointed blocks give the same bits, forward and backward")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.qkNorm = config.qkvBias = true;
    nn::Transformer model = test::tinyModel(config);
    const at::Tensor ids = test::randomIds(2, 11, 61);
    nn::ForwardOptions checkpointed;
    checkpointed.checkpointBlocks = true;
    auto plain = gradients(model, ids), again = gradients(model, ids, checkpointed);
    CHECK(at::equal(logitsOf(model, ids), model.logits(model.forward(ids, {}, at::kFloat, checkpointed).hidden_BTD)));
    REQUIRE(plain.size() == again.size());
    for (const auto &[name, gradient] : plain) {
        INFO(name);
        REQUIRE(gradient.defined());
        CHECK(gradient.abs().max().item<float>() > 0.0F);
        CHECK(at::equal(gradient, again[name]));
    }
}

TEST_CASE("checkpointed blocks pass gradients to what was kept, and only to parameters that want one")
{
    nn::Transformer model = test::tinyModel(test::tinyConfig());
    const at::Tensor ids = test::randomIds(1, 8, 61);
    const auto run = [&](bool checkpointBlocks) {
        model.requireGrad(false);
        at::Tensor &wanted = model.blocks[1].mlp.up_FD;
        at::Tensor query;
        model.blocks[0].mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
            if (name == "q_proj.weight") {
                query = tensor.requires_grad_(true);
            }
        });
        wanted.requires_grad_(true);
        nn::ForwardOptions options;
        options.keepMixerInputs = options.keepMixerOutputs = true;
        options.checkpointBlocks = checkpointBlocks;
        const nn::ForwardResult result = model.forward(ids, {}, at::kFloat, options);
        (result.hidden_BTD.square().mean() + result.mixerOutputs_BTD[0].square().sum() + result.mixerInputs_BTD[1].sum()).backward();
        const std::vector<at::Tensor> found = {wanted.grad().clone(), query.grad().clone()};
        CHECK_FALSE(model.embedding_VD.grad().defined());
        wanted.mutable_grad().reset();
        query.mutable_grad().reset();
        return found;
    };
    const auto plain = run(false), checkpointed = run(true);
    CHECK(test::relativeError(checkpointed[0], plain[0]) < 1e-6);
    CHECK(test::relativeError(checkpointed[1], plain[1]) < 1e-6);
}

TEST_CASE("a stop is seen in forward and in backward, and leaves as our error")
{
    nn::Transformer model = test::tinyModel(test::tinyConfig());
    model.requireGrad(true);
    const at::Tensor ids = test::randomIds(1, 8, 61);
    for (const bool checkpointBlocks : {false, true}) {
        std::stop_source source;
        nn::ForwardOptions options;
        options.stop = source.get_token();
        options.checkpointBlocks = checkpointBlocks;
        const at::Tensor loss = model.forward(ids, {}, at::kFloat, options).hidden_BTD.square().sum();
        source.request_stop();
        try {
            loss.backward();
            FAIL("backward went on");
        } catch (const Error &error) {
            CHECK(error.code() == ErrorCode::Cancelled);
        }
        try {
            static_cast<void>(model.forward(ids, {}, at::kFloat, options));
            FAIL("forward went on");
        } catch (const Error &error) {
            CHECK(error.code() == ErrorCode::Cancelled);
        }
    }
}

TEST_CASE("wrong ids, places, types and devices are refused in words")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    const at::Tensor ids = test::randomIds(1, 4, 61);
    const auto codeOf = [](auto &&work) {
        try {
            work();
        } catch (const Error &error) {
            return error.code();
        }
        return ErrorCode::Io;
    };
    CHECK(codeOf([&] { static_cast<void>(model.forward(ids + 60, {}, at::kFloat)); }) == ErrorCode::Usage);
    CHECK(codeOf([&] { static_cast<void>(model.forward(ids - 61, {}, at::kFloat)); }) == ErrorCode::Usage);
    CHECK(codeOf([&] { static_cast<void>(model.forward(ids.to(at::kFloat), {}, at::kFloat)); }) == ErrorCode::Usage);
    CHECK(codeOf([&] { static_cast<void>(model.forward(ids[0], {}, at::kFloat)); }) == ErrorCode::Usage);
    CHECK(codeOf([&] { static_cast<void>(model.forward(ids, {}, at::kHalf)); }) == ErrorCode::Usage);
    nn::TokenPlaces places;
    places.positions_BT = ids[0];
    CHECK(codeOf([&] { static_cast<void>(model.forward(ids, places, at::kFloat)); }) == ErrorCode::Usage);
    CHECK(codeOf([] { static_cast<void>(nn::parseDevice("gpu")); }) == ErrorCode::Usage);
    CHECK(codeOf([] { static_cast<void>(nn::parseDevice("cuda:")); }) == ErrorCode::Usage);
    CHECK(codeOf([] { static_cast<void>(nn::parseDevice("cuda:99")); }) == ErrorCode::Usage);
    CHECK(nn::parseDevice("cpu") == at::Device(at::kCPU));
    CHECK((nn::parseComputeType("bfloat16") == at::kBFloat16));
    CHECK(codeOf([] { static_cast<void>(nn::parseComputeType("fp8")); }) == ErrorCode::Usage);
}

}  // namespace transformer_tests
