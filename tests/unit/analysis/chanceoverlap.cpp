// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/chanceoverlap.h"
#include "error.h"
#include "golden.h"

#include <bit>

using namespace stillroom::analysis;
using doctest::Approx;

TEST_CASE("the overlap of two random sets is scipy's hypergeometric")
{
    for (const auto &row : agreementGolden().at("overlap")) {
        const ChanceOverlap chance(row.at("a").get<int>(), row.at("b").get<int>(), row.at("layers").get<int>());
        for (std::size_t i = 0; i < row.at("shared").size(); ++i) {
            const int shared = row.at("shared")[i].get<int>();
            CHECK(chance.probability(shared) == Approx(row.at("probability")[i].get<double>()).epsilon(1e-10));
            CHECK(chance.atLeast(shared) == Approx(row.at("at_least")[i].get<double>()).epsilon(1e-10));
            CHECK(chance.atMost(shared) == Approx(row.at("at_most")[i].get<double>()).epsilon(1e-10));
        }
        CHECK(chance.meanJaccard() == Approx(row.at("mean_jaccard").get<double>()).epsilon(1e-12));
        for (const auto &quantile : row.at("quantiles"))
            CHECK(chance.jaccardQuantile(quantile[0].get<double>()) == Approx(quantile[1].get<double>()));
    }
}

TEST_CASE("it is what counting all pairs of sets gives")
{
    for (int numLayers = 1; numLayers <= 7; ++numLayers) {
        const unsigned all = 1U << static_cast<unsigned>(numLayers);
        for (int a = 0; a <= numLayers; ++a)
            for (int b = 0; b <= numLayers; ++b) {
                std::vector<int> pairs(static_cast<std::size_t>(numLayers) + 1, 0);
                int total = 0;
                double jaccards = 0.0;
                for (unsigned x = 0; x < all; ++x)
                    for (unsigned y = 0; y < all; ++y) {
                        if (std::popcount(x) != a || std::popcount(y) != b)
                            continue;
                        ++pairs[static_cast<std::size_t>(std::popcount(x & y))];
                        jaccards += (x | y) == 0 ? 1.0 : static_cast<double>(std::popcount(x & y)) / std::popcount(x | y);
                        ++total;
                    }
                const ChanceOverlap chance(a, b, numLayers);
                CHECK(chance.meanJaccard() == Approx(jaccards / total).epsilon(1e-12));
                CHECK(chance.meanJaccard() == ChanceOverlap(b, a, numLayers).meanJaccard());
                int reached = 0;
                for (int shared = 0; shared <= numLayers; ++shared) {
                    CHECK(chance.probability(shared) == Approx(static_cast<double>(pairs[static_cast<std::size_t>(shared)]) / total).epsilon(1e-12));
                    CHECK(chance.atLeast(shared) == Approx(1.0 - static_cast<double>(reached) / total).epsilon(1e-12));
                    reached += pairs[static_cast<std::size_t>(shared)];
                    CHECK(chance.atMost(shared) == Approx(static_cast<double>(reached) / total).epsilon(1e-12));
                }
            }
    }
}

TEST_CASE("the chance level of the published pairs")
{
    // GDN and GLA on Llama-3B at 25 %: 6 of 7 shared where chance gives 1.75; on Qwen-3B 6 of 9 where it gives 2.25
    CHECK(ChanceOverlap(7, 7, 28).atLeast(6) == Approx((7.0 * 21.0 + 1.0) / 1184040.0));     // C(7,6) C(21,1) + C(7,7), of C(28,7)
    CHECK(ChanceOverlap(9, 9, 36).atLeast(6) == Approx((84.0 * 2925.0 + 36.0 * 351.0 + 9.0 * 27.0 + 1.0) / 94143280.0));
    double mean = 0.0;
    for (int shared = 0; shared <= 9; ++shared)
        mean += shared * ChanceOverlap(9, 9, 36).probability(shared);
    CHECK(mean == Approx(2.25));
    CHECK(ChanceOverlap(36, 36, 36).meanJaccard() == 1.0);
    CHECK(ChanceOverlap(0, 0, 5).meanJaccard() == 1.0);
    CHECK(ChanceOverlap(0, 3, 5).atLeast(0) == 1.0);
    CHECK(!isBeyondChance(ChanceOverlap(3, 3, 6).atLeast(3)));      // 1/20, less a rounding error
    CHECK(!isBeyondChance(0.05));
    CHECK(isBeyondChance(0.0499));
}

TEST_CASE("sizes and probabilities out of range are refused")
{
    CHECK_THROWS_AS((void)ChanceOverlap(7, 1, 6), stillroom::Error);
    CHECK_THROWS_AS((void)ChanceOverlap(-1, 1, 6), stillroom::Error);
    CHECK_THROWS_AS((void)ChanceOverlap(1, 1, 6).jaccardQuantile(0.0), stillroom::Error);
    CHECK_THROWS_AS((void)ChanceOverlap(1, 1, 6).jaccardQuantile(1.0), stillroom::Error);
}

TEST_CASE("quantiles of large sets are where the sums of the law reach them")
{
    const ChanceOverlap chance(1500, 2000, 4096);
    for (const double probability : {0.025, 0.5, 0.975}) {
        int shared = 0;
        while (chance.atMost(shared) < probability - 1e-12)
            ++shared;
        CHECK(chance.jaccardQuantile(probability) == static_cast<double>(shared) / (3500 - shared));
    }
}
