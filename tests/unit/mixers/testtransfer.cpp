// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "mixers/compare.h"
#include "mixers/registry.h"
#include "mixers/transfer.h"
#include "nn/softmaxmixer.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

namespace stillroom::mixers::test::transfer_tests {

namespace {

checkpoint::ModelConfig groupedConfig(int groupSize, bool biases, bool qkNorm)
{
    auto config = tinyTeacherWith(biases, qkNorm);
    config.numKvHeads = 2;
    config.numHeads = 2 * groupSize;
    return config;
}

/// The teacher with its attention replaced by softmax attention over the linear mixers' own weights, all heads with their own K and V.
nn::Transformer softmaxPutBack(const nn::Transformer &teacher, const std::string &kind, const std::string &options)
{
    nn::Transformer model = teacher;
    model.config.numKvHeads = model.config.numHeads;
    const auto rope = std::make_shared<const nn::RotaryEmbedding>(model.config.rope, model.config.headDim, model.config.maxPositions);
    for (int layer = 0; layer < model.config.numLayers; ++layer) {
        auto w = parametersOf(*fromTeacher(kind, options, teacher, layer, 1));
        const nn::SoftmaxWeights weights{.wq_HKD = w["q_proj.weight"], .wk_GKD = w["k_proj.weight"], .wv_GKD = w["v_proj.weight"], .wo_DHK = w["o_proj.weight"],
                                         .bq_HK = w["q_proj.bias"], .bk_GK = w["k_proj.bias"], .bv_GK = w["v_proj.bias"], .bo_D = w["o_proj.bias"],
                                         .qNorm_K = w["q_norm.weight"], .kNorm_K = w["k_norm.weight"]};
        model.blocks[static_cast<std::size_t>(layer)].mixer = std::make_shared<nn::SoftmaxMixer>(nn::SoftmaxOptions::ofLayer(model.config, layer), weights, rope);
    }
    return model;
}

double putBackError(const nn::Transformer &teacher, const std::string &kind, const std::string &options)
{
    const at::NoGradGuard noGrad;
    const auto ids = stillroom::test::randomIds(2, 40, teacher.config.vocabSize);
    const auto logits = [&](const nn::Transformer &model) { return model.logits(model.forward(ids, {}, at::kFloat).hidden_BTD); };
    return relativeError(logits(softmaxPutBack(teacher, kind, options)), logits(teacher));
}

}  // namespace

TEST_CASE("whole heads are repeated: query head n reads key/value head floor(n/G)")
{
    const auto rows = at::arange(12.0).view({6, 2});   // two heads of three rows
    const auto widened = widenRows(rows, 2, 6, Expand::Head);
    REQUIRE(widened.size(0) == 18);
    for (std::int64_t n = 0; n < 6; ++n)
        for (std::int64_t i = 0; i < 3; ++i)
            CHECK(at::equal(widened[3 * n + i], rows[3 * (n / 3) + i]));
    const auto scrambled = widenRows(rows, 2, 6, Expand::Row);
    for (std::int64_t r = 0; r < 18; ++r)
        CHECK(at::equal(scrambled[r], rows[r / 3]));
    CHECK(at::equal(widenRows(rows, 2, 2, Expand::Head), widenRows(rows, 2, 2, Expand::Row)));
    CHECK(at::equal(widenRows(at::arange(6), 2, 4, Expand::Head), at::tensor({0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}, at::kLong)));
}

TEST_CASE("with softmax put back, the carried weights give the teacher's logits; scrambled rows do not")
{
    for (const int groupSize : {1, 3, 4, 7}) {
        CAPTURE(groupSize);
        for (const char *kind : {"gdn", "gla"}) {
            const auto plain = tinyModel(groupedConfig(groupSize, false, false), 2);
            CHECK(putBackError(plain, kind, "{}") <= 1e-5);
            const auto full = tinyModel(groupedConfig(groupSize, true, true), 3);
            CHECK(putBackError(full, kind, R"({"carry_bias": true, "qk_norm": "teacher"})") <= 1e-5);
            CHECK(putBackError(full, kind, R"({"qk_norm": "teacher"})") > 1e-2);      // what dropped biases cost
            CHECK(putBackError(full, kind, R"({"carry_bias": true})") > 1e-2);        // and dropped norms
            if (groupSize == 1)
                CHECK(putBackError(plain, kind, R"({"expand": "row"})") <= 1e-5);
            else
                CHECK(putBackError(plain, kind, R"({"expand": "row"})") > 1e-2);
        }
    }
}

TEST_CASE("heads that keep the teacher's grouping, or widen the values, compute what expanded heads compute")
{
    const at::NoGradGuard noGrad;
    const auto teacher = tinyModel(tinyConfig());
    const auto x = randomNormal({2, 70, 32}, 3, at::kFloat);
    // GLA draws its decay per key head: make them agree.
    for (const char *kind : {"gdn", "gla"}) {
        const auto expanded = fromTeacher(kind, "{}", teacher, 0, 1), shared = fromTeacher(kind, R"({"num_kv_heads": 2})", teacher, 0, 1);
        auto narrow = parametersOf(*shared);
        expanded->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
            const auto &from = narrow.at(name);
            tensor.copy_(from.sizes() == tensor.sizes() ? from : widenRows(from, 2, 4, Expand::Head));
        });
        CHECK(relativeError(shared->forward(x, {}, nullptr), expanded->forward(x, {}, nullptr)) <= 1e-5);
    }
    const auto usual = fromTeacher("gdn", "{}", teacher, 0, 1), wide = fromTeacher("gdn", R"({"num_v_heads": 8})", teacher, 0, 1);
    auto narrow = parametersOf(*usual);
    wide->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        if (name != "o_proj.weight" && narrow.at(name).sizes() != tensor.sizes())
            tensor.copy_(widenRows(narrow.at(name), 4, 8, Expand::Head));
    });
    CHECK(relativeError(wide->forward(x, {}, nullptr), usual->forward(x, {}, nullptr)) <= 1e-5);
}

TEST_CASE("only a softmax layer that exists can be carried over, and the teacher stays as it was")
{
    auto teacher = tinyModel(tinyConfig());
    CHECK_THROWS_WITH_AS((void)fromTeacher("gdn", "{}", teacher, 2, 1), doctest::Contains("layers are 0 to 1"), Error);
    const auto before = teacher.blocks[0].mixer->clone();
    const auto mixer = fromTeacher("gdn", "{}", teacher, 0, 1);
    perturb(*mixer, 1);
    const auto was = parametersOf(*before), is = parametersOf(*teacher.blocks[0].mixer);
    const auto fresh = parametersOf(*tinyModel(tinyConfig()).blocks[0].mixer);
    for (const auto &[name, tensor] : is)
        CHECK(at::equal(tensor, fresh.at(name)));
    teacher.blocks[0].mixer = mixer;
    CHECK_THROWS_WITH_AS((void)fromTeacher("gla", "{}", teacher, 0, 1), doctest::Contains("already"), Error);
}

}  // namespace stillroom::mixers::test::transfer_tests
