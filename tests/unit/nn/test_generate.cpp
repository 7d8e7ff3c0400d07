// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "nn/generate.h"
#include "nn/kvcache.h"
#include "nn/sampling.h"
#include "tinymodel.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <cmath>

namespace generate_tests {

using namespace stillroom;

namespace {

checkpoint::ModelConfig windowedConfig()
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.slidingWindow = {0, 5};
    config.qkNorm = true;
    return config;
}

std::vector<std::int64_t> prompt(std::int64_t numTokens, std::uint64_t seed)
{
    const at::Tensor ids = test::randomIds(1, numTokens, 61, seed);
    return {ids.const_data_ptr<std::int64_t>(), ids.const_data_ptr<std::int64_t>() + numTokens};
}

/// Feeds `ids` in pieces of the given lengths and returns the logits of all of them.
at::Tensor inPieces(const nn::Transformer &model, const at::Tensor &ids_BT, const std::vector<std::int64_t> &lengths, nn::DecodeState &state, const at::Tensor &documents_BT = {})
{
    const at::NoGradGuard noGrad;
    std::vector<at::Tensor> logits;
    nn::ForwardOptions options;
    options.state = &state;
    std::int64_t start = 0;
    for (const std::int64_t length : lengths) {
        nn::TokenPlaces places;
        if (documents_BT.defined()) {
            places.documents_BT = documents_BT.narrow(1, start, length);
        }
        logits.push_back(model.logits(model.forward(ids_BT.narrow(1, start, length), places, at::kFloat, options).hidden_BTD));
        start += length;
    }
    return at::cat(logits, 1);
}

}  // namespace

TEST_CASE("decoding in pieces gives the logits of the whole, also across a sliding window's ring")
{
    const nn::Transformer model = test::tinyModel(windowedConfig());
    const at::Tensor ids = test::randomIds(2, 17, 61);
    const at::Tensor whole = model.logits(model.forward(ids, {}, at::kFloat).hidden_BTD);
    for (const auto &lengths : std::vector<std::vector<std::int64_t>>{std::vector<std::int64_t>(17, 1), {17}, {4, 1, 1, 6, 5}, {9, 8}, {3, 14}, {5, 1, 11}}) {
        nn::DecodeState state = model.initialState(2, 17, at::kFloat);
        CHECK(test::relativeError(inPieces(model, ids, lengths, state), whole) < 1e-5);
    }
}

TEST_CASE("decoding in pieces keeps padding and documents apart")
{
    const nn::Transformer model = test::tinyModel(windowedConfig());
    const at::Tensor ids = test::randomIds(2, 14, 61);
    const at::Tensor documents = at::tensor(std::vector<std::int64_t>{-1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}).view({2, 14});
    nn::TokenPlaces places;
    places.documents_BT = documents;
    const at::Tensor whole = model.logits(model.forward(ids, places, at::kFloat).hidden_BTD).masked_fill(documents.eq(-1).unsqueeze(2), 0);
    const auto valid = [&documents](const at::Tensor &logits) { return logits.masked_fill(documents.eq(-1).unsqueeze(2), 0); };
    nn::DecodeState once = model.initialState(2, 14, at::kFloat), pieces = model.initialState(2, 14, at::kFloat);
    CHECK(test::relativeError(valid(inPieces(model, ids, {14}, once, documents)), whole) < 1e-5);
    const at::Tensor first = inPieces(model, ids.narrow(1, 0, 6), {6}, pieces, documents.narrow(1, 0, 6));
    const at::Tensor rest = inPieces(model, ids.narrow(1, 6, 8), {1, 4, 3}, pieces);   // each row goes on in its last document
    CHECK(test::relativeError(valid(at::cat({first, rest}, 1)), whole) < 1e-5);
}

TEST_CASE("greedy continuations are the same with and without a cache, alone and in a padded batch")
{
    for (const bool windowed : {false, true}) {
        const nn::Transformer model = test::tinyModel(windowed ? windowedConfig() : test::tinyConfig());
        const std::vector<std::vector<std::int64_t>> prompts = {prompt(3, 1), prompt(9, 2), prompt(6, 3)};
        nn::GenerateOptions options;
        options.maxNewTokens = 20;
        const auto together = nn::generate(model, prompts, options);
        options.useCache = false;
        CHECK(nn::generate(model, prompts, options) == together);
        for (std::size_t row = 0; row < prompts.size(); ++row) {
            REQUIRE(together[row].size() == 20);
            for (const bool useCache : {true, false}) {
                options.useCache = useCache;
                CHECK(nn::generate(model, {prompts[row]}, options)[0] == together[row]);
            }
        }
    }
}

TEST_CASE("a stop id ends its row only and is not returned")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    const std::vector<std::vector<std::int64_t>> prompts = {prompt(4, 1), prompt(5, 2)};
    nn::GenerateOptions options;
    options.maxNewTokens = 12;
    const auto free = nn::generate(model, prompts, options);
    options.stopIds = {free[0][3]};
    std::vector<std::vector<std::int64_t>> live(2);
    options.onToken = [&live](std::int64_t row, std::int64_t id) { live[static_cast<std::size_t>(row)].push_back(id); };
    const auto stopped = nn::generate(model, prompts, options);
    for (std::size_t row = 0; row < 2; ++row) {
        const auto end = std::find(free[row].begin(), free[row].end(), free[0][3]);
        CHECK(stopped[row] == std::vector<std::int64_t>(free[row].begin(), end));
    }
    CHECK(stopped == live);
}

TEST_CASE("sampling follows the softmax, cut by top-k and top-p, and repeats with its seed")
{
    const at::Tensor logits = at::tensor(std::vector<double>{std::log(0.1), std::log(0.4), std::log(0.2), std::log(0.3)});
    const auto frequencies = [&](const nn::SamplingOptions &options) {
        nn::Sampler sampler(options, 0);
        std::vector<double> counts(4, 0.0);
        for (int i = 0; i < 20000; ++i) {
            counts[static_cast<std::size_t>(sampler.draw(logits))] += 1.0 / 20000;
        }
        return counts;
    };
    const auto close = [](const std::vector<double> &found, const std::vector<double> &expected) {
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK(std::abs(found[i] - expected[i]) < 0.02);   // more than five standard errors
            CHECK((expected[i] > 0.0 || found[i] == 0.0));
        }
    };
    close(frequencies({1.0, 0, 1.0, 3}), {0.1, 0.4, 0.2, 0.3});
    close(frequencies({0.5, 0, 1.0, 3}), {1.0 / 30, 16.0 / 30, 4.0 / 30, 9.0 / 30});
    close(frequencies({1.0, 2, 1.0, 3}), {0.0, 4.0 / 7, 0.0, 3.0 / 7});
    close(frequencies({1.0, 0, 0.65, 3}), {0.0, 4.0 / 7, 0.0, 3.0 / 7});
    close(frequencies({1.0, 0, 0.75, 3}), {0.0, 4.0 / 9, 2.0 / 9, 3.0 / 9});
    CHECK(frequencies({0.0, 0, 1.0, 3})[1] == doctest::Approx(1.0));

    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    nn::GenerateOptions options;
    options.maxNewTokens = 15;
    options.sampling = {1.0, 0, 0.9, 11};
    const auto once = nn::generate(model, {prompt(4, 1), prompt(7, 2)}, options);
    CHECK(nn::generate(model, {prompt(4, 1), prompt(7, 2)}, options) == once);
    CHECK(nn::generate(model, {prompt(4, 1)}, options)[0] == once[0]);
    options.sampling.seed = 12;
    CHECK(nn::generate(model, {prompt(4, 1), prompt(7, 2)}, options) != once);
}

TEST_CASE("of equal logits the lower id wins")
{
    const at::Tensor logits = at::zeros({50});
    logits[17] = logits[31] = 2.0;
    CHECK(nn::Sampler({}, 0).draw(logits) == 17);
}

TEST_CASE("a clone of a decode state goes its own way")
{
    const nn::Transformer model = test::tinyModel(windowedConfig());
    const at::Tensor ids = test::randomIds(1, 12, 61), other = test::randomIds(1, 12, 61, 9);
    nn::DecodeState state = model.initialState(1, 12, at::kFloat);
    static_cast<void>(inPieces(model, ids.narrow(1, 0, 7), {7}, state));
    nn::DecodeState copy = state.clone();
    CHECK(copy.sizeBytes() == state.sizeBytes());
    static_cast<void>(inPieces(model, other.narrow(1, 0, 5), {2, 3}, copy));
    const at::Tensor rest = inPieces(model, ids.narrow(1, 7, 5), {1, 4}, state);
    CHECK(test::relativeError(rest, model.logits(model.forward(ids, {}, at::kFloat).hidden_BTD).narrow(1, 7, 5)) < 1e-5);
}

TEST_CASE("a cache is made once, counts its bytes and refuses what does not fit")
{
    const nn::Transformer model = test::tinyModel(windowedConfig());
    nn::DecodeState state = model.initialState(2, 10, at::kFloat);
    CHECK(state.sizeBytes() == (10 + 5) * 2 * 2 * 2 * 8 * 4);   // tokens of both layers · k and v · B · G · K · bytes
    static_cast<void>(inPieces(model, test::randomIds(2, 3, 61), {3}, state));
    const void *before = state.layers[0]->tensors()[0].second.data_ptr();
    static_cast<void>(inPieces(model, test::randomIds(2, 7, 61), {1, 6}, state));
    CHECK(state.layers[0]->tensors()[0].second.data_ptr() == before);
    CHECK_THROWS_AS(inPieces(model, test::randomIds(2, 1, 61), {1}, state), Error);
    nn::DecodeState narrow = model.initialState(1, 10, at::kFloat);
    CHECK_THROWS_AS(inPieces(model, test::randomIds(2, 1, 61), {1}, narrow), Error);
}

TEST_CASE("bad prompts and options are refused, and a stop is heard")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    const auto codeOf = [&](const std::vector<std::vector<std::int64_t>> &prompts, const nn::GenerateOptions &options) {
        try {
            static_cast<void>(nn::generate(model, prompts, options));
        } catch (const Error &error) {
            return error.code();
        }
        return ErrorCode::Io;
    };
    CHECK(codeOf({{1, 2}, {}}, {}) == ErrorCode::Usage);
    CHECK(codeOf({{1, 61}}, {}) == ErrorCode::Usage);
    CHECK(codeOf({{-1}}, {}) == ErrorCode::Usage);
    nn::GenerateOptions options;
    options.sampling.topP = 0.0;
    CHECK(codeOf({{1}}, options) == ErrorCode::Usage);
    options = {};
    options.maxNewTokens = -1;
    CHECK(codeOf({{1}}, options) == ErrorCode::Usage);
    options = {};
    options.sampling.temperature = 1e-320;      // above 0, and logits divided by it are not finite
    CHECK(codeOf({{1}}, options) == ErrorCode::Usage);
    nn::Transformer broken = test::tinyModel(test::tinyConfig());
    broken.finalNorm_D = broken.finalNorm_D / 0.0;
    for (const double temperature : {0.0, 1.0}) {
        options = {};
        options.sampling.temperature = temperature;
        CHECK_THROWS_WITH_AS(static_cast<void>(nn::generate(broken, {{1, 2}}, options)), doctest::Contains("not finite after 0 new tokens"), Error);
    }
    std::stop_source source;
    options = {};
    options.stop = source.get_token();
    options.onToken = [&source](std::int64_t, std::int64_t) { source.request_stop(); };
    CHECK(codeOf({{1}}, options) == ErrorCode::Cancelled);
    CHECK(nn::generate(model, {}, {}).empty());
}

}  // namespace generate_tests
