// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "evaluation/perplexity.h"
#include "folders.h"
#include "nn/tensorfile.h"
#include "nn/tinymodel.h"
#include "testdata.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <vector>

namespace stillroom::evaluation {

namespace {

using test::tinyConfig;
using test::tinyModel;

std::vector<std::int64_t> idsOf(const at::Tensor &ids)
{
    const at::Tensor flat = ids.to(at::kLong).contiguous().view(-1);
    return {flat.const_data_ptr<std::int64_t>(), flat.const_data_ptr<std::int64_t>() + flat.numel()};
}

std::vector<std::int64_t> text(std::int64_t tokens)
{
    return idsOf(test::randomIds(1, tokens, tinyConfig().vocabSize, 3));
}

/// -ln p(ids[t] | ids[from … t-1]) in float64, from a forward over those tokens alone and sums of exponentials written out.
double lossOfToken(const nn::Transformer &model, const std::vector<std::int64_t> &ids, std::int64_t from, std::int64_t t)
{
    const std::vector<std::int64_t> before(ids.begin() + from, ids.begin() + t);
    const at::Tensor hidden = model.forward(at::tensor(before, at::kLong).unsqueeze(0), {}, at::kDouble).hidden_BTD;
    const at::Tensor logits = model.logits(hidden)[0][t - from - 1].contiguous();
    const double *z = logits.const_data_ptr<double>();
    double sum = 0.0;
    for (std::int64_t v = 0; v < logits.numel(); ++v)
        sum += std::exp(z[v]);
    return std::log(sum) - z[ids[static_cast<std::size_t>(t)]];
}

struct Expected {
    double sum = 0.0;
    std::int64_t tokens = 0;
};

/// Every token but the first of the text, once: from the first window that holds it, unless it begins that window.
Expected slowPerplexity(const nn::Transformer &model, const std::vector<std::int64_t> &ids, std::int64_t window, std::int64_t stride)
{
    Expected expected;
    for (std::int64_t t = 1; t < static_cast<std::int64_t>(ids.size()); ++t)
        for (std::int64_t begin = 0; begin <= t; begin += stride) {
            if (t >= begin + window)
                continue;
            if (t > begin) {
                expected.sum += lossOfToken(model, ids, begin, t);
                ++expected.tokens;
            }
            break;
        }
    return expected;
}

}  // namespace

TEST_CASE("perplexity equals the definition token by token: windows, strides, a last window of any length")
{
    const at::NoGradGuard noGrad;
    const auto model = tinyModel(tinyConfig(), 5, at::kDouble);
    for (const auto &[tokens, window, stride] : std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>>{
             {2, 8, 8}, {8, 8, 8}, {9, 8, 8}, {10, 8, 8}, {23, 8, 8}, {24, 8, 8}, {25, 8, 8}, {23, 8, 4}, {23, 8, 1}, {24, 8, 3}, {17, 8, 7}, {23, 64, 64}, {5, 2, 2}, {6, 2, 1}}) {
        CAPTURE(tokens);
        CAPTURE(window);
        CAPTURE(stride);
        const auto ids = text(tokens);
        const auto expected = slowPerplexity(model, ids, window, stride);
        const auto got = perplexity(model, ids, {.window = window, .stride = stride, .computeType = at::kDouble});
        CHECK(got.tokens == expected.tokens);
        CHECK(got.natsPerToken == doctest::Approx(expected.sum / static_cast<double>(expected.tokens)).epsilon(1e-12));
        CHECK(got.perplexity() == doctest::Approx(std::exp(expected.sum / static_cast<double>(expected.tokens))).epsilon(1e-12));
    }
}

TEST_CASE("tokens are counted exactly: all but one per window without overlap, all but one with it")
{
    const auto model = tinyModel(tinyConfig());
    CHECK(perplexity(model, text(64), {.window = 16}).tokens == 60);
    CHECK(perplexity(model, text(65), {.window = 16}).tokens == 60);    // a window of one token predicts nothing
    CHECK(perplexity(model, text(70), {.window = 16}).tokens == 65);
    CHECK(perplexity(model, text(70), {.window = 16, .stride = 8}).tokens == 69);
    CHECK(perplexity(model, text(2), {}).tokens == 1);
}

TEST_CASE("float32 is float64 to its own precision, over more tokens than one slice of logits")
{
    auto config = tinyConfig();
    config.maxPositions = 4096;
    const auto wide = perplexity(tinyModel(config, 5, at::kDouble), text(700), {.window = 600, .computeType = at::kDouble});
    const auto narrow = perplexity(tinyModel(config, 5, at::kFloat), text(700), {.window = 600, .computeType = at::kFloat});
    CHECK(wide.tokens == 698);
    CHECK(narrow.tokens == 698);
    CHECK(narrow.natsPerToken == doctest::Approx(wide.natsPerToken).epsilon(1e-6));
}

TEST_CASE("a model that knows nothing has the vocabulary's size as its perplexity")
{
    auto model = tinyModel(tinyConfig(), 1, at::kDouble);
    model.head_VD = at::zeros_like(model.head_VD);
    CHECK(perplexity(model, text(40), {.computeType = at::kDouble}).perplexity() == doctest::Approx(61.0).epsilon(1e-12));
}

TEST_CASE("the window is the model's context, at most 2048, and the convention says so")
{
    auto config = tinyConfig();
    CHECK(perplexity(tinyModel(config), text(130), {}).convention == "window 64 tokens, stride 64, no BOS, first token of the text not predicted, nor the first of each window");
    CHECK(perplexity(tinyModel(config), text(130), {}).tokens == 63 + 63 + 1);
    config.maxPositions = 8192;
    CHECK(perplexity(tinyModel(config), text(130), {}).convention.starts_with("window 2048 tokens, stride 2048"));
    CHECK(perplexity(tinyModel(config), text(30), {.window = 16, .stride = 4}).convention == "window 16 tokens, stride 4, no BOS, first token of the text not predicted");
}

TEST_CASE("wrong arguments, a stop and a broken model end with an error that says why")
{
    const auto model = tinyModel(tinyConfig());
    const auto code = [&](const std::vector<std::int64_t> &ids, const PerplexityOptions &options) {
        try {
            (void)perplexity(model, ids, options);
        } catch (const Error &error) {
            return error.code();
        }
        return ErrorCode::Io;   // not thrown by this room: nothing was refused
    };
    CHECK(code({}, {}) == ErrorCode::Usage);
    CHECK(code({1}, {}) == ErrorCode::Usage);
    CHECK(code({1, 61}, {}) == ErrorCode::Usage);
    CHECK(code({1, -1}, {}) == ErrorCode::Usage);
    CHECK(code({1, 2, 3}, {.window = 1}) == ErrorCode::Usage);
    CHECK(code({1, 2, 3}, {.window = 4, .stride = 5}) == ErrorCode::Usage);
    CHECK(code({1, 2, 3}, {.window = -4}) == ErrorCode::Usage);
    CHECK(code({1, 2, 3}, {.window = 4, .stride = -1}) == ErrorCode::Usage);
    std::stop_source stopped;
    stopped.request_stop();
    CHECK(code({1, 2, 3}, {.stop = stopped.get_token()}) == ErrorCode::Cancelled);
    auto broken = tinyModel(tinyConfig());
    broken.finalNorm_D = at::full_like(broken.finalNorm_D, std::numeric_limits<double>::quiet_NaN());
    CHECK_THROWS_WITH_AS((void)perplexity(broken, text(10), {}), doctest::Contains("not finite"), Error);
}

TEST_CASE("progress counts the tokens up to the whole text")
{
    std::vector<std::int64_t> done;
    PerplexityOptions options;
    options.window = 16;
    options.progress = [&](std::int64_t now, std::int64_t total) {
        CHECK(total == 40);
        done.push_back(now);
    };
    (void)perplexity(tinyModel(tinyConfig()), text(40), options);
    CHECK(done == std::vector<std::int64_t>{16, 32, 40});
}

TEST_CASE("SmolLM2-135M's loss is transformers'")
{
    namespace fs = std::filesystem;
    const char *given = std::getenv("STILLROOM_SMOLLM2");
    const fs::path file = given ? fs::path(given) : cacheFolder() / "models/SmolLM2-135M-Instruct.Q4_1.gguf";
    const fs::path goldenFile = stillroom::test::sharedData() / "golden/smollm2_135m/golden.safetensors";
    for (const fs::path &needed : {file, goldenFile})
        if (!fs::exists(needed)) {
            MESSAGE("skipped: " << needed.string() << " is not there");
            return;
        }
    const auto golden = checkpoint::openSafetensors(goldenFile);
    const auto model = nn::loadTransformer(checkpoint::openModel(file), at::kCPU);
    const auto ids = idsOf(nn::readTensor(*golden, "input_ids"));
    const at::Tensor tokenNll = nn::readTensor(*golden, "token_nll").to(at::kDouble)[0];
    const auto whole = perplexity(model, ids, {});
    CHECK(whole.tokens == 266);
    CHECK(whole.natsPerToken == doctest::Approx(tokenNll.mean().item<double>()).epsilon(1e-6));
    CHECK(whole.natsPerToken == doctest::Approx(nn::readTensor(*golden, "nll")[0].item<double>()).epsilon(1e-6));
    // The first 100 tokens alone, from the same values: a window that ends there.
    const auto head = perplexity(model, std::span(ids).first(100), {});
    CHECK(head.tokens == 99);
    CHECK(head.natsPerToken == doctest::Approx(tokenNll.narrow(0, 0, 99).mean().item<double>()).epsilon(1e-6));
}

}  // namespace stillroom::evaluation
