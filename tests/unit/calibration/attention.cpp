// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/attentionstatistics.h"
#include "calibration/headbins.h"
#include "distillation/allocationmeter.h"
#include "error.h"
#include "nn/slowreference.h"
#include "nn/tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cmath>
#include <map>

namespace attention_tests {

using namespace stillroom;
using namespace stillroom::calibration;

namespace {

using test::Rows;

/// Means over all rows of all documents, as their definitions read; sums to be divided by `rows`.
struct SlowHead {
    double distance = 0.0, uniform = 0.0, sink = 0.0, entropy = 0.0, relative = 0.0, rows = 0.0, rowsThatSeeSeveral = 0.0, allRows = 0.0;
    std::vector<double> lags = std::vector<double>(mostBins), entropies = lags, rowsByBin = lags;
};

std::size_t binOf(std::size_t value)
{
    std::size_t bin = 0;
    while (binStart(static_cast<std::int64_t>(bin) + 1) <= static_cast<std::int64_t>(value))
        ++bin;
    return bin;
}

/// \param tokens  places of one document in `a`. \param window  0: none, counted over places.
void addDocument(SlowHead &head, const Rows &a, const std::vector<std::size_t> &tokens, std::size_t dropped, std::size_t window)
{
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        head.sink += a[tokens[t]][tokens[0]];
        head.allRows += 1.0;
        double kept = 0.0, distance = 0.0, uniform = 0.0, entropy = 0.0, seen = 0.0;
        const auto visible = [&](std::size_t s) { return window == 0 || tokens[t] - tokens[s] < window; };
        for (std::size_t s = dropped; s <= t; ++s)
            kept += a[tokens[t]][tokens[s]];
        for (std::size_t s = dropped; s <= t; ++s) {
            const double p = a[tokens[t]][tokens[s]] / kept, far = s == t ? 0.5 : static_cast<double>(t - s);
            distance += p * far;
            uniform += visible(s) ? far : 0.0;
            seen += visible(s) ? 1.0 : 0.0;
            entropy -= p > 0.0 ? p * std::log(p) : 0.0;
            head.lags[binOf(t - s)] += p;
        }
        if (t < dropped)
            continue;
        head.rows += 1.0;
        head.distance += distance;
        head.uniform += uniform / seen;
        head.entropy += entropy;
        head.relative += seen > 1.0 ? entropy / std::log(seen) : 0.0;
        head.rowsThatSeeSeveral += seen > 1.0 ? 1.0 : 0.0;
        head.entropies[binOf(t)] += entropy;
        head.rowsByBin[binOf(t)] += 1.0;
    }
}

std::vector<std::vector<std::size_t>> tokensOfDocuments(const std::vector<std::int64_t> &documents)
{
    std::map<std::int64_t, std::vector<std::size_t>> tokens;
    for (std::size_t t = 0; t < documents.size(); ++t)
        if (documents[t] >= 0)
            tokens[documents[t]].push_back(t);
    std::vector<std::vector<std::size_t>> result;
    for (const auto &[id, places] : tokens)
        result.push_back(places);
    return result;
}

void checkHead(const HeadAttention &found, const SlowHead &slow)
{
    const auto near = [](double value) { return doctest::Approx(value).epsilon(1e-10); };
    CHECK(found.meanDistanceTokens.value == near(slow.distance / slow.rows));
    CHECK(found.distanceVersusUniform.value == near(slow.distance / slow.uniform));
    CHECK(found.sinkMass.value == near(slow.sink / slow.allRows));
    CHECK(found.entropyNats.value == near(slow.entropy / slow.rows));
    CHECK(found.relativeEntropy.value == near(slow.relative / slow.rowsThatSeeSeveral));
    double mass = 0.0;
    for (std::size_t bin = 0; bin < found.lagShare.size(); ++bin) {
        CHECK(found.lagShare[bin] == near(slow.lags[bin] / slow.rows));
        mass += found.lagShare[bin];
        if (slow.rowsByBin[bin] > 0.0)
            CHECK(found.entropyByPosition[bin] == near(slow.entropies[bin] / slow.rowsByBin[bin]));
        else
            CHECK(std::isnan(found.entropyByPosition[bin]));
    }
    CHECK(mass == near(1.0));
}

void checkSlow(const nn::Transformer &model, const at::Tensor &ids_1T, const std::vector<std::int64_t> &documents, std::int64_t dropped)
{
    const std::int64_t *ids = ids_1T.const_data_ptr<std::int64_t>();
    const auto slow = test::slowForward(model, {ids, ids + ids_1T.numel()}, documents);
    AttentionStatistics statistics(model, {.droppedKeys = dropped});
    nn::TokenPlaces places;
    places.documents_BT = at::tensor(documents).unsqueeze(0);
    statistics.add(ids_1T, places, at::kDouble);
    const auto result = statistics.result();
    REQUIRE(result.size() == model.blocks.size());
    for (std::size_t layer = 0; layer < result.size(); ++layer) {
        const auto window = static_cast<std::size_t>(dynamic_cast<const nn::SoftmaxMixer &>(*model.blocks[layer].mixer).options().slidingWindow);
        CHECK(result[layer].layer == static_cast<int>(layer));
        REQUIRE(result[layer].heads.size() == slow.probabilities[layer].size());
        for (std::size_t head = 0; head < result[layer].heads.size(); ++head) {
            SlowHead sums;
            for (const auto &tokens : tokensOfDocuments(documents))
                addDocument(sums, slow.probabilities[layer][head], tokens, static_cast<std::size_t>(dropped), window);
            checkHead(result[layer].heads[head], sums);
        }
    }
}

bool sameEstimate(const Estimate &a, const Estimate &b)
{
    return a.value == b.value && (a.standardError == b.standardError || (std::isnan(a.standardError) && std::isnan(b.standardError)));
}

bool sameLayer(const LayerAttention &a, const LayerAttention &b)
{
    bool same = a.layer == b.layer && a.numTokens == b.numTokens && a.numSequences == b.numSequences && a.heads.size() == b.heads.size();
    for (std::size_t h = 0; same && h < a.heads.size(); ++h) {
        const HeadAttention &x = a.heads[h], &y = b.heads[h];
        same = sameEstimate(x.meanDistanceTokens, y.meanDistanceTokens) && sameEstimate(x.distanceVersusUniform, y.distanceVersusUniform) && sameEstimate(x.sinkMass, y.sinkMass)
               && sameEstimate(x.entropyNats, y.entropyNats) && sameEstimate(x.relativeEntropy, y.relativeEntropy) && sameEstimate(x.contextRms, y.contextRms)
               && sameEstimate(x.contextSquare, y.contextSquare) && sameEstimate(x.outputRms, y.outputRms) && x.concentration == y.concentration && x.lagShare == y.lagShare;
    }
    return same;
}

/// Attention of chosen scores: one head whose probabilities are a softmax of q kᵀ/√K with q, k and v read off x by unit projections.
struct MadeUpLayer {
    nn::SoftmaxMixer mixer;
    at::Tensor x_1TD;
    nn::TokenPlaces places;
};

/// \param q_TK, k_TK  what the head's queries and keys are to be. K = T here.
MadeUpLayer madeUp(const at::Tensor &q_TK, const at::Tensor &k_TK)
{
    const std::int64_t dim = q_TK.size(1), width = 2 * dim;
    nn::SoftmaxOptions options{static_cast<int>(width), 1, 1, static_cast<int>(dim), 0, 1e-6};
    const at::Tensor eye = at::eye(width, at::kDouble);
    nn::SoftmaxWeights weights{eye.narrow(0, 0, dim), eye.narrow(0, dim, dim), eye.narrow(0, 0, dim), eye.narrow(1, 0, dim).contiguous(), {}, {}, {}, {}, {}, {}};
    const at::Tensor x_1TD = at::cat({q_TK, k_TK}, 1).unsqueeze(0);
    return {nn::SoftmaxMixer(options, weights, nullptr), x_1TD, nn::placesFromMask(at::zeros({1, q_TK.size(0)}, at::kLong))};
}

HeadAttention statisticsOf(const MadeUpLayer &layer, std::int64_t dropped = 0)
{
    LayerAttentionSums sums(0, {.droppedKeys = dropped});
    sums.add(layer.mixer, layer.x_1TD, layer.places);
    return sums.result().heads.at(0);
}

}  // namespace

TEST_CASE("attention statistics are those of the slow reference's probabilities, with documents, padding and dropped keys")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.slidingWindow = {0, 4};
    for (const bool rich : {false, true}) {
        config.qkvBias = config.qkNorm = rich;
        const nn::Transformer model = test::tinyModel(config, 3, at::kDouble);
        const at::Tensor ids = test::randomIds(1, 11, 61);
        for (const std::int64_t dropped : {0, 1, 3}) {
            checkSlow(model, ids, std::vector<std::int64_t>(11, 0), dropped);
            checkSlow(model, ids, {-1, -1, 0, 0, 0, 0, 0, 5, 5, 5, 5}, dropped);
            checkSlow(model, ids, {7, 7, 7, 7, 7, 2, 3, 3, -1, -1, -1}, dropped);
        }
    }
}

TEST_CASE("padding inside a document is as if it were not there")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    const nn::Transformer model = test::tinyModel(config, 5, at::kDouble);
    const at::Tensor ids = test::randomIds(1, 9, 61), mask = at::tensor(std::vector<std::int64_t>{1, 1, 1, 0, 0, 1, 1, 1, 0}).unsqueeze(0);
    AttentionStatistics padded(model), plain(model);
    padded.add(ids, nn::placesFromMask(ids, mask), at::kDouble);
    plain.add(ids.index({mask.ne(0)}).unsqueeze(0), {}, at::kDouble);
    CHECK(padded.numTokens() == 6);
    for (std::size_t layer = 0; layer < 2; ++layer)
        for (std::size_t head = 0; head < 4; ++head) {
            const HeadAttention a = padded.result()[layer].heads[head], b = plain.result()[layer].heads[head];
            CHECK(a.meanDistanceTokens.value == doctest::Approx(b.meanDistanceTokens.value).epsilon(1e-12));
            CHECK(a.entropyNats.value == doctest::Approx(b.entropyNats.value).epsilon(1e-12));
            CHECK(a.outputRms.value == doctest::Approx(b.outputRms.value).epsilon(1e-12));
        }
}

TEST_CASE("streaming gives the bits of one call, whatever came together")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.maxPositions = 1024;
    const nn::Transformer model = test::tinyModel(config);
    const at::Tensor ids = test::randomIds(4, 700, 61);
    AttentionStatistics together(model, {.droppedKeys = 1}), apart(model, {.droppedKeys = 1});
    together.add(ids, {}, at::kFloat);
    for (const auto &[first, count] : {std::pair<std::int64_t, std::int64_t>{0, 1}, {1, 2}, {3, 1}})
        apart.add(ids.narrow(0, first, count), {}, at::kFloat);
    CHECK(apart.numTokens() == 2800);
    CHECK(apart.numSequences() == 4);
    const auto a = together.result(), b = apart.result();
    for (std::size_t layer = 0; layer < 2; ++layer)
        CHECK(sameLayer(a[layer], b[layer]));
}

TEST_CASE("the blocks of a long sequence add up to the whole")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.maxPositions = 1024;
    const nn::Transformer model = test::tinyModel(config, 2, at::kDouble);   // 700 rows: several blocks
    checkSlow(model, test::randomIds(1, 700, 61), std::vector<std::int64_t>(700, 0), 2);
}

TEST_CASE("memory grows with the tokens of a sequence, not with their square, and not with sequences")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.maxPositions = 4096;
    const nn::Transformer model = test::tinyModel(config);
    const auto peak = [&](std::int64_t sequences, std::int64_t tokens) {
        const at::Tensor ids = test::randomIds(sequences, tokens, 61);
        return distillation::measureAllocations([&] {
            AttentionStatistics statistics(model, {.droppedKeys = 1});
            statistics.add(ids, {}, at::kFloat);
        })->peakBytes();
    };
    const std::int64_t whole = 4 * 4096 * std::int64_t{4096} * 4;   // one layer's probabilities at 4096 tokens, 4 heads
    CHECK(peak(1, 4096) < whole / 8);
    CHECK(peak(1, 4096) < 3 * peak(1, 2048));
    CHECK(peak(3, 512) <= peak(1, 512) + peak(1, 512) / 50);
}

TEST_CASE("identity attention looks back half a token and has no entropy")
{
    const at::Tensor sharp = at::eye(16, at::kDouble) * 100.0;
    const HeadAttention head = statisticsOf(madeUp(sharp, sharp));
    CHECK(head.meanDistanceTokens.value == doctest::Approx(0.5).epsilon(1e-12));
    CHECK(head.entropyNats.value == doctest::Approx(0.0).epsilon(1e-12));
    CHECK(head.lagShare[0] == doctest::Approx(1.0).epsilon(1e-12));
}

TEST_CASE("uniform and sink attention have the values known for 256 tokens")
{
    const at::Tensor zeros = at::zeros({256, 256}, at::kDouble);
    const HeadAttention uniform = statisticsOf(madeUp(zeros, zeros));
    CHECK(uniform.meanDistanceTokens.value == doctest::Approx(63.76).epsilon(1e-4));
    CHECK(uniform.entropyNats.value == doctest::Approx(std::lgamma(257.0) / 256.0).epsilon(1e-12));
    CHECK(uniform.entropyNats.value == doctest::Approx(4.560).epsilon(1e-3));
    CHECK(uniform.relativeEntropy.value == doctest::Approx(1.0).epsilon(1e-12));
    CHECK(uniform.distanceVersusUniform.value == doctest::Approx(1.0).epsilon(1e-12));

    at::Tensor keys = zeros.clone();
    keys[0].fill_(100.0);   // all queries point at the first key
    const HeadAttention sink = statisticsOf(madeUp(at::ones_like(zeros), keys));
    CHECK(sink.meanDistanceTokens.value == doctest::Approx(127.50).epsilon(1e-4));
    CHECK(sink.sinkMass.value == doctest::Approx(1.0).epsilon(1e-12));
    CHECK(sink.entropyNats.value == doctest::Approx(0.0).epsilon(1e-12));
}

TEST_CASE("dropping the sink shows what the rest of the row does")
{
    at::Tensor keys = at::zeros({64, 64}, at::kDouble);
    keys[0].fill_(1.5);   // score 12 against 0: e¹² of the mass on the first key
    const MadeUpLayer layer = madeUp(at::ones_like(keys), keys);
    const HeadAttention with = statisticsOf(layer), without = statisticsOf(layer, 1);
    CHECK(with.distanceVersusUniform.value > 1.9);
    CHECK(without.distanceVersusUniform.value == doctest::Approx(1.0).epsilon(1e-10));
    CHECK(without.relativeEntropy.value == doctest::Approx(1.0).epsilon(1e-10));
    CHECK(without.sinkMass.value == with.sinkMass.value);
    CHECK(without.contextRms.value == with.contextRms.value);
}

TEST_CASE("concentration spans a layer's heads, unless they are equal")
{
    CHECK(concentrations({2.0, 1.0, 3.0, 1.5}) == std::vector<double>{0.5, 1.0, 0.0, 0.75});
    CHECK(concentrations({2.0, 2.0}) == std::vector<double>{1.0, 1.0});
    CHECK(concentrations({1.7}) == std::vector<double>{1.0});
    CHECK(concentrations({1.0, 1.0005})[1] == doctest::Approx(0.5));
}

TEST_CASE("bins double every two")
{
    CHECK(binStart(3) == 3);
    CHECK(binStart(4) == 4);
    CHECK(binStart(5) == 6);
    CHECK(binStart(6) == 8);
    CHECK(binsOf(9) == std::vector<std::int64_t>{0, 1, 2, 3, 4, 4, 5, 5, 6});
}

TEST_CASE("a stop leaves the sums as they were, and options are checked")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    AttentionStatistics statistics(model);
    std::stop_source source;
    source.request_stop();
    CHECK_THROWS_AS(statistics.add(test::randomIds(1, 8, 61), {}, at::kFloat, source.get_token()), Error);
    CHECK(statistics.numTokens() == 0);
    CHECK(statistics.result()[0].heads.empty());
    CHECK_THROWS_AS(AttentionStatistics(model, {.droppedKeys = -1}), Error);
    statistics.add(test::randomIds(1, 8, 61), {}, at::kFloat);
    CHECK(std::isnan(statistics.result()[0].heads[0].sinkMass.standardError));   // one sequence has no spread
}

}  // namespace attention_tests
