// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "nn/attentionstats.h"
#include "slowreference.h"
#include "tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cmath>

namespace attentionstats_tests {

using namespace stillroom;

namespace {

void checkAgainst(const std::vector<nn::LayerAttention> &found, const std::vector<std::vector<test::Rows>> &probabilities, const std::vector<std::int64_t> &documents)
{
    REQUIRE(found.size() == probabilities.size());
    for (std::size_t layer = 0; layer < found.size(); ++layer) {
        CHECK(found[layer].layer == static_cast<int>(layer));
        for (std::size_t head = 0; head < probabilities[layer].size(); ++head) {
            nn::HeadAttention mean;
            double numTokens = 0.0;
            for (std::size_t t = 0; t < documents.size(); ++t) {
                if (documents[t] < 0) {
                    continue;
                }
                numTokens += 1.0;
                bool begun = false;
                for (std::size_t s = 0; s <= t; ++s) {
                    const double p = probabilities[layer][head][t][s];
                    mean.meanDistanceTokens += p * (t == s ? 0.5 : static_cast<double>(t - s));
                    mean.entropyNats -= p > 0.0 ? p * std::log(p) : 0.0;
                    mean.sinkMass += !begun && documents[s] == documents[t] ? p : 0.0;
                    begun = begun || documents[s] == documents[t];
                }
            }
            CHECK(found[layer].heads[head].meanDistanceTokens == doctest::Approx(mean.meanDistanceTokens / numTokens).epsilon(1e-10));
            CHECK(found[layer].heads[head].entropyNats == doctest::Approx(mean.entropyNats / numTokens).epsilon(1e-10));
            CHECK(found[layer].heads[head].sinkMass == doctest::Approx(mean.sinkMass / numTokens).epsilon(1e-10));
        }
    }
}

}  // namespace

TEST_CASE("attention statistics are those of the slow reference's probabilities")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.slidingWindow = {0, 4};
    const nn::Transformer model = test::tinyModel(config, 3, at::kDouble);
    const at::Tensor ids = test::randomIds(1, 11, 61);
    const std::vector<std::int64_t> row(ids.const_data_ptr<std::int64_t>(), ids.const_data_ptr<std::int64_t>() + 11), documents = {-1, -1, 0, 0, 0, 0, 0, 5, 5, 5, 5};
    nn::AttentionStatistics plain(model), packed(model);
    plain.add(ids, {}, at::kDouble);
    checkAgainst(plain.result(), test::slowForward(model, row).probabilities, std::vector<std::int64_t>(11, 0));
    nn::TokenPlaces places;
    places.documents_BT = at::tensor(documents).unsqueeze(0);
    packed.add(ids, places, at::kDouble);
    CHECK(packed.numTokens() == 9);
    checkAgainst(packed.result(), test::slowForward(model, row, documents).probabilities, documents);
}

TEST_CASE("batches add up to the mean over all their tokens, whatever the block of rows")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    const at::Tensor ids = test::randomIds(3, 1200, 61);   // 4·3·1200² probabilities: more than one block
    nn::AttentionStatistics together(model), apart(model);
    together.add(ids, {}, at::kFloat);
    for (std::int64_t row = 0; row < 3; ++row) {
        apart.add(ids.narrow(0, row, 1), {}, at::kFloat);
    }
    CHECK(apart.numTokens() == together.numTokens());
    const auto a = together.result(), b = apart.result();
    for (std::size_t head = 0; head < 4; ++head) {
        CHECK(a[1].heads[head].meanDistanceTokens == doctest::Approx(b[1].heads[head].meanDistanceTokens).epsilon(1e-5));
        CHECK(a[1].heads[head].entropyNats == doctest::Approx(b[1].heads[head].entropyNats).epsilon(1e-5));
        CHECK(a[1].heads[head].sinkMass == doctest::Approx(b[1].heads[head].sinkMass).epsilon(1e-5));
    }
}

TEST_CASE("a stop leaves the sums as they were")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    nn::AttentionStatistics statistics(model);
    std::stop_source source;
    source.request_stop();
    CHECK_THROWS_AS(statistics.add(test::randomIds(1, 8, 61), {}, at::kFloat, source.get_token()), Error);
    CHECK(statistics.numTokens() == 0);
    CHECK(statistics.result()[0].heads[0].entropyNats == 0.0);
}

}  // namespace attentionstats_tests
