// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "nn/seed.h"
#include "nn/softmaxmixer.h"
#include "slowreference.h"
#include "tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

namespace softmaxmixer_tests {

using namespace stillroom;

namespace {

at::Tensor draw(at::IntArrayRef shape, std::uint64_t seed)
{
    return at::randn(shape, nn::generatorFor(seed, "test-mixer"), at::TensorOptions(at::kDouble));
}

const nn::SoftmaxMixer &mixerOf(const nn::Transformer &model, std::size_t layer)
{
    return dynamic_cast<const nn::SoftmaxMixer &>(*model.blocks[layer].mixer);
}

}  // namespace

TEST_CASE("weights of the wrong shape are refused by name")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    const nn::SoftmaxMixer &mixer = mixerOf(model, 0);
    nn::SoftmaxWeights weights = mixer.weights();
    weights.wk_GKD = weights.wq_HKD;
    try {
        nn::SoftmaxMixer(mixer.options(), weights, mixer.rope());
        FAIL("accepted");
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::Usage);
        CHECK(std::string(error.what()) == "The softmax mixer's k_proj.weight must have shape [16,32], not [32,32].");
    }
    weights = mixer.weights();
    weights.wo_DHK = at::Tensor();
    CHECK_THROWS_AS(nn::SoftmaxMixer(mixer.options(), weights, mixer.rope()), Error);
    nn::SoftmaxOptions options = mixer.options();
    options.numKvHeads = 3;
    CHECK_THROWS_AS(nn::SoftmaxMixer(options, mixer.weights(), mixer.rope()), Error);
}

TEST_CASE("grouped queries are whole heads of keys and values repeated")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig(), 3, at::kDouble);
    const nn::SoftmaxMixer &grouped = mixerOf(model, 0);
    nn::SoftmaxWeights wide = grouped.weights();
    const auto widened = [](const at::Tensor &w) { return w.view({2, 1, 8, 32}).expand({2, 2, 8, 32}).reshape({32, 32}); };
    wide.wk_GKD = widened(wide.wk_GKD);
    wide.wv_GKD = widened(wide.wv_GKD);
    nn::SoftmaxOptions options = grouped.options();
    options.numKvHeads = 4;
    const nn::SoftmaxMixer full(options, wide, grouped.rope());
    const at::Tensor x = draw({2, 9, 32}, 4);
    const nn::TokenPlaces places = nn::placesFromMask(at::zeros({2, 9}, at::TensorOptions(at::kLong)));
    CHECK(test::relativeError(grouped.forward(x, places, nullptr), full.forward(x, places, nullptr)) < 1e-14);
    CHECK(test::relativeError(grouped.matrix(x, places), full.matrix(x, places)) < 1e-14);
}

TEST_CASE("matrix() holds the slow reference's probabilities: documents, padding and a window included")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.slidingWindow = {0, 4};
    config.qkvBias = config.qkNorm = true;
    config.rmsNormEps = 1e-5;
    const nn::Transformer model = test::tinyModel(config, 5, at::kDouble);
    const std::vector<std::int64_t> ids = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5}, documents = {-1, -1, 0, 0, 0, 0, 0, 0, 7, 7, 7};
    const test::SlowReference slow = test::slowForward(model, ids, documents);
    nn::TokenPlaces places;
    places.documents_BT = at::tensor(documents).unsqueeze(0);
    nn::ForwardOptions options;
    options.keepMixerInputs = true;
    const nn::ForwardResult result = model.forward(at::tensor(ids).unsqueeze(0), places, at::kDouble, options);
    places.positions_BT = at::tensor(std::vector<std::int64_t>{0, 1, 0, 1, 2, 3, 4, 5, 0, 1, 2}).unsqueeze(0);
    for (std::size_t layer = 0; layer < 2; ++layer) {
        const at::Tensor matrix = model.blocks[layer].mixer->matrix(result.mixerInputs_BTD[layer], places);
        REQUIRE(matrix.sizes() == at::IntArrayRef({1, 4, 11, 11}));
        double worst = 0.0;
        for (std::int64_t h = 0; h < 4; ++h) {
            for (std::int64_t t = 0; t < 11; ++t) {
                for (std::int64_t s = 0; s < 11; ++s) {
                    const double expected = slow.probabilities[layer][static_cast<std::size_t>(h)][static_cast<std::size_t>(t)][static_cast<std::size_t>(s)];
                    worst = std::max(worst, std::abs(matrix[0][h][t][s].item<double>() - expected));
                }
            }
        }
        CHECK(worst < 1e-12);
    }
}

TEST_CASE("matrix() times v is what forward projects")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig(), 6, at::kDouble);
    const nn::SoftmaxMixer &mixer = mixerOf(model, 1);
    const at::Tensor x = draw({2, 13, 32}, 7);
    const nn::TokenPlaces places = nn::placesFromMask(at::zeros({2, 13}, at::TensorOptions(at::kLong)));
    const at::Tensor mixed = at::matmul(mixer.matrix(x, places), nn::repeatHeads(mixer.project(x, places).v_BGTK, 2)).transpose(1, 2).flatten(2);
    CHECK(test::relativeError(mixer.forward(x, places, nullptr), at::matmul(mixed, mixer.weights().wo_DHK.t())) < 1e-12);
}

TEST_CASE("costs of a softmax layer")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.slidingWindow = {0, 4};
    const nn::Transformer model = test::tinyModel(config);
    // 2·(32·32 q + 2·32·16 k,v + 32·32 o) and 2·2·H·K per key seen
    CHECK(mixerOf(model, 0).flopsPerToken(100) == 2 * 3072 + 4 * 32 * 100);
    CHECK(mixerOf(model, 1).flopsPerToken(100) == 2 * 3072 + 4 * 32 * 4);
    CHECK(mixerOf(model, 0).stateBytes(3, 100, at::kBFloat16) == 3 * 100 * 2 * 16 * 2);
    CHECK(mixerOf(model, 1).stateBytes(3, 100, at::kFloat) == 3 * 4 * 2 * 16 * 4);
    CHECK(mixerOf(model, 0).initialState(3, 100, at::kBFloat16)->sizeBytes() == 3 * 100 * 2 * 16 * 2);
}

}  // namespace softmaxmixer_tests
