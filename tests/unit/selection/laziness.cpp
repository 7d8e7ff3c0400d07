// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/laziness.h"

#include "checkpoint/modelfiles.h"
#include "error.h"
#include "mixers/registry.h"
#include "nn/softmaxmixer.h"
#include "nn/tensorfile.h"
#include "nn/tinymodel.h"
#include "testdata.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace stillroom;

namespace {

nn::Transformer lazyTeacher(std::int64_t window = 0)
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.numLayers = 3;
    config.slidingWindow.assign(3, 0);
    config.slidingWindow[1] = window;
    config.layers.assign(3, {});
    return test::tinyModel(config);
}

/// One row of one layer by the definition: the full T×T probabilities in float64, and loops.
double naiveLaziness(const at::Tensor &p_HTT, const std::vector<std::int64_t> &documents_T, const selection::LazinessOptions &options)
{
    std::map<std::int64_t, std::vector<std::int64_t>> tokensOf;
    for (std::size_t t = 0; t < documents_T.size(); ++t)
        if (documents_T[t] >= 0)
            tokensOf[documents_T[t]].push_back(static_cast<std::int64_t>(t));
    const auto p = p_HTT.accessor<double, 3>();
    double sum = 0.0, count = 0.0;
    for (const auto &[document, tokens] : tokensOf) {
        const auto n = static_cast<std::int64_t>(tokens.size());
        for (std::int64_t head = 0; head < p_HTT.size(0); ++head)
            for (std::int64_t q = std::max<std::int64_t>(0, n - options.lastQueries); q < n; ++q) {
                for (std::int64_t k = 0; k < n; ++k)
                    if (k < options.sinkTokens || k >= n - options.recentTokens)
                        sum += p[head][tokens[static_cast<std::size_t>(q)]][tokens[static_cast<std::size_t>(k)]];
                count += 1.0;
            }
    }
    return sum / count;
}

std::vector<std::vector<double>> naiveScores(const nn::Transformer &teacher, const std::vector<distillation::Batch> &batches, const selection::LazinessOptions &options)
{
    const c10::NoGradGuard noGrad;
    std::vector<std::vector<double>> scores(teacher.blocks.size());
    for (const distillation::Batch &batch : batches) {
        nn::ForwardOptions forward;
        forward.keepMixerInputs = true;
        const at::Tensor documents_BT = batch.documents_BT.defined() ? batch.documents_BT : at::zeros_like(batch.ids_BT);
        nn::TokenPlaces places;
        places.documents_BT = documents_BT;
        const nn::ForwardResult result = teacher.forward(batch.ids_BT, places, at::kDouble, forward);
        nn::TokenPlaces complete = nn::placesFromMask(batch.ids_BT);
        complete.documents_BT = documents_BT;
        complete.positions_BT = at::zeros_like(batch.ids_BT);
        for (std::int64_t row = 0; row < batch.ids_BT.size(0); ++row)
            for (std::int64_t t = 1; t < batch.ids_BT.size(1); ++t)   // counted from the start of each run of equal ids
                if (documents_BT[row][t].item<std::int64_t>() == documents_BT[row][t - 1].item<std::int64_t>())
                    complete.positions_BT[row][t] = complete.positions_BT[row][t - 1] + 1;
        for (std::size_t layer = 0; layer < teacher.blocks.size(); ++layer) {
            const at::Tensor p_BHTT = teacher.blocks[layer].mixer->matrix(result.mixerInputs_BTD[layer], complete);
            for (std::int64_t row = 0; row < batch.ids_BT.size(0); ++row) {
                const at::Tensor ids_T = documents_BT[row].contiguous();
                const std::vector<std::int64_t> documents(ids_T.data_ptr<std::int64_t>(), ids_T.data_ptr<std::int64_t>() + ids_T.numel());
                scores[layer].push_back(naiveLaziness(p_BHTT[row], documents, options));
            }
        }
    }
    return scores;
}

/// Plain rows, and rows of two documents with padding on either side.
std::vector<distillation::Batch> lazyBatches(const nn::Transformer &teacher)
{
    distillation::Batch plain, packed;
    plain.ids_BT = test::randomIds(2, 26, teacher.config.vocabSize, 3);
    packed.ids_BT = test::randomIds(3, 26, teacher.config.vocabSize, 4);
    packed.documents_BT = at::zeros_like(packed.ids_BT);
    packed.documents_BT[0].narrow(0, 9, 17).fill_(1);
    packed.documents_BT[1].narrow(0, 0, 6).fill_(-1);
    packed.documents_BT[2].narrow(0, 3, 12).fill_(5);
    packed.documents_BT[2].narrow(0, 20, 6).fill_(-1);
    packed.documents_BT[2].narrow(0, 15, 5).fill_(7);
    return {plain, packed};
}

selection::LazinessOptions lazyOptions(std::int64_t last, std::int64_t sink, std::int64_t recent, at::ScalarType type = at::kFloat)
{
    selection::LazinessOptions options;
    options.lastQueries = last;
    options.sinkTokens = sink;
    options.recentTokens = recent;
    options.computeType = type;
    return options;
}

}  // namespace

TEST_CASE("laziness equals full attention in float64, with documents, padding on both sides, grouped heads and a sliding window")
{
    for (const std::int64_t window : {0, 7}) {
        const nn::Transformer teacher = lazyTeacher(window);
        const auto batches = lazyBatches(teacher);
        for (const auto &[last, sink, recent] : std::vector<std::array<std::int64_t, 3>>{{5, 2, 6}, {1, 0, 3}, {40, 4, 10}, {3, 1, 0}, {4, 0, 0}}) {
            CAPTURE(window);
            CAPTURE(last);
            const auto naive = naiveScores(teacher, batches, lazyOptions(last, sink, recent));
            const auto wide = selection::scoreLaziness(teacher, batches, lazyOptions(last, sink, recent, at::kDouble));
            const auto plain = selection::scoreLaziness(teacher, batches, lazyOptions(last, sink, recent));
            for (std::size_t layer = 0; layer < 3; ++layer) {
                REQUIRE(wide.perSequence_LN[layer].size() == 5);
                for (std::size_t n = 0; n < 5; ++n) {
                    CHECK(std::abs(wide.perSequence_LN[layer][n] - naive[layer][n]) < 1e-12);
                    CHECK(std::abs(plain.perSequence_LN[layer][n] - naive[layer][n]) < 2e-6);
                }
            }
            CHECK(wide.tokens == 2 * 26 + 26 + 20 + 20);
        }
    }
}

TEST_CASE("laziness agrees with the attention that transformers gives")
{
    const auto golden = checkpoint::openSafetensors(test::testData() / "selection/laziness.safetensors");
    int compared = 0;
    for (const char *name : {"llama_plain", "llama3", "llama_biases", "qwen2_sliding", "qwen3", "mistral"}) {
        const nn::Transformer teacher = nn::loadTransformer(checkpoint::openModel(test::testData() / "nn/models" / name), at::kCPU);
        distillation::Batch batch;
        batch.ids_BT = nn::readTensor(*golden, std::string(name) + "/input_ids");
        batch.documents_BT = nn::readTensor(*golden, std::string(name) + "/attention_mask") - 1;
        for (const auto &[last, sink, recent] : std::vector<std::array<std::int64_t, 3>>{{5, 2, 6}, {1, 0, 3}, {40, 4, 10}, {3, 1, 0}, {4, 4, 1020}}) {
            const std::string setting = std::string(name) + "/" + std::to_string(last) + "_" + std::to_string(sink) + "_" + std::to_string(recent);
            CAPTURE(setting);
            const at::Tensor expected_LB = nn::readTensor(*golden, setting);
            const auto ours = selection::scoreLaziness(teacher, {batch}, lazyOptions(last, sink, recent));
            for (std::int64_t layer = 0; layer < expected_LB.size(0); ++layer)
                for (std::int64_t row = 0; row < 2; ++row, ++compared)
                    CHECK(std::abs(ours.perSequence_LN[static_cast<std::size_t>(layer)][static_cast<std::size_t>(row)] - expected_LB[layer][row].item<double>()) < 2e-6);
        }
    }
    CHECK(compared == 6 * 5 * 2 * 2);
}

TEST_CASE("a window that holds every key gives exactly 1, none gives exactly 0")
{
    const nn::Transformer teacher = lazyTeacher();
    const auto batches = lazyBatches(teacher);
    for (const auto &[sink, recent] : std::vector<std::array<std::int64_t, 2>>{{0, 26}, {4, 22}, {26, 0}, {4, 1020}}) {
        const auto whole = selection::scoreLaziness(teacher, batches, lazyOptions(32, sink, recent));
        CHECK(whole.longDocuments == 0);
        for (int layer = 0; layer < 3; ++layer) {
            CHECK(whole.mean(layer) == 1.0);
            CHECK(whole.se(layer) == 0.0);
        }
    }
    selection::LazinessScores ones;
    ones.perSequence_LN = {std::vector<double>(6, 1.0)};     // six sixths are less than 1
    CHECK(ones.mean(0) == 1.0);
    const auto none = selection::scoreLaziness(teacher, batches, lazyOptions(32, 0, 0));
    CHECK(none.mean(1) == 0.0);
    CHECK(selection::scoreLaziness(teacher, batches, lazyOptions(32, 4, 10)).longDocuments == 2 + 1 + 1);   // of 26, 26, 17 and 20 tokens; not those of 9, 12, 5 and 3
}

TEST_CASE("mean, standard error and the laziest layers, by hand")
{
    selection::LazinessScores scores;
    scores.perSequence_LN = {{0.5, 0.9, 0.4}, {0.5, 0.1, 0.8}, {0.2, 0.2, 0.8}};
    CHECK(scores.mean(0) == doctest::Approx(0.6));
    CHECK(scores.se(0) == doctest::Approx(std::sqrt((0.01 + 0.09 + 0.04) / 2.0 / 3.0)));
    // Two lazy layers: {0,1}, {2,0}, {2,1}. One: of the equal 0 and 1 the lower is kept, so 1; then 0; of the equal 1 and 2, 2.
    const std::vector<double> two = scores.lazyShare_L(1), one = scores.lazyShare_L(2);
    CHECK(two == std::vector<double>{2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0});
    CHECK(one == std::vector<double>{1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0});
    CHECK(scores.lazyShare_L(3) == std::vector<double>{0.0, 0.0, 0.0});
    for (const double share : scores.lazyShare_L(0))
        CHECK(share == doctest::Approx(1.0));
    CHECK_THROWS_AS((void)scores.lazyShare_L(4), Error);
}

TEST_CASE("how sequences are batched and queries cut into blocks changes no laziness")
{
    const nn::Transformer teacher = lazyTeacher();
    const auto batches = lazyBatches(teacher);
    selection::LazinessOptions oneByOne = lazyOptions(5, 2, 6), twoByTwo = oneByOne;
    oneByOne.blockElements = 1;
    twoByTwo.blockElements = 2 * 4 * 26;
    for (const auto &options : {oneByOne, twoByTwo}) {
        const auto cut = selection::scoreLaziness(teacher, batches, options), whole = selection::scoreLaziness(teacher, batches, lazyOptions(5, 2, 6));
        for (std::size_t layer = 0; layer < 3; ++layer)
            for (std::size_t n = 0; n < 5; ++n)
                CHECK(std::abs(cut.perSequence_LN[layer][n] - whole.perSequence_LN[layer][n]) < 1e-6);
    }
    std::vector<distillation::Batch> alone;
    for (const distillation::Batch &batch : batches)
        for (std::int64_t row = 0; row < batch.ids_BT.size(0); ++row)
            alone.push_back(distillation::rowsOf(batch, row, 1));
    const auto together = selection::scoreLaziness(teacher, batches, lazyOptions(5, 2, 6)), apart = selection::scoreLaziness(teacher, alone, lazyOptions(5, 2, 6));
    for (std::size_t layer = 0; layer < 3; ++layer)
        for (std::size_t n = 0; n < 5; ++n)
            CHECK(std::abs(together.perSequence_LN[layer][n] - apart.perSequence_LN[layer][n]) < 1e-6);
}

TEST_CASE("laziness refuses what it cannot measure")
{
    nn::Transformer teacher = lazyTeacher();
    auto batches = lazyBatches(teacher);
    CHECK_THROWS_AS((void)selection::scoreLaziness(teacher, {}, {}), Error);
    CHECK_THROWS_AS((void)selection::scoreLaziness(teacher, batches, lazyOptions(0, 4, 10)), Error);
    CHECK_THROWS_AS((void)selection::scoreLaziness(teacher, batches, lazyOptions(4, -1, 10)), Error);
    std::stop_source stop;
    stop.request_stop();
    selection::LazinessOptions stopped;
    stopped.stop = stop.get_token();
    CHECK_THROWS_AS((void)selection::scoreLaziness(teacher, batches, stopped), Error);
    batches[1].documents_BT[0].fill_(-1);
    CHECK_THROWS_AS((void)selection::scoreLaziness(teacher, batches, {}), Error);
    teacher.blocks[1].mixer = mixers::fromTeacher("gdn", "{}", teacher, 1, 3);
    CHECK_THROWS_AS((void)selection::scoreLaziness(teacher, {batches[0]}, {}), Error);
}
