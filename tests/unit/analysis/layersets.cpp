// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/layersets.h"
#include "error.h"
#include "golden.h"
#include "randomstream.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace stillroom::analysis;
using doctest::Approx;
using stillroom::experiment::LayerSet;

TEST_CASE("Jaccard indices of the published sets are those of the specification")
{
    // Qwen-3B 25 %: GA-S2 made with GDN and with GLA; the searched set of ten layers
    const LayerSet gdn{5, 17, 19, 20, 21, 22, 25, 32, 33}, gla{20, 21, 22, 25, 27, 30, 31, 32, 33}, searched{5, 16, 17, 19, 20, 21, 22, 25, 27, 32};
    CHECK(jaccard(gdn, gla) == 0.5);
    CHECK(jaccard(gdn, searched) == Approx(8.0 / 11.0));
    CHECK(symmetricDifference(gdn, gla) == LayerSet{5, 17, 19, 27, 30, 31});
    CHECK(jaccard({}, {}) == 1.0);
    CHECK(jaccard({1}, {}) == 0.0);
    CHECK(jaccard(gdn, gdn) == 1.0);
}

TEST_CASE("the overlap coefficient is 1 for a set within another")
{
    CHECK(overlapCoefficient({1, 2, 3}, {2, 3, 4, 5}) == Approx(2.0 / 3.0));
    CHECK(overlapCoefficient({2, 3}, {1, 2, 3, 9}) == 1.0);
    CHECK(overlapCoefficient({1}, {2}) == 0.0);
    CHECK(overlapCoefficient({}, {2}) == 1.0);
    CHECK(numShared({1, 2, 3}, {2, 3, 4, 5}) == 2);
}

TEST_CASE("Kendall's tau-b is scipy's, ties counted")
{
    for (const auto &row : golden().at("tau")) {
        const double found = kendallTauB(row.at("a").get<std::vector<double>>(), row.at("b").get<std::vector<double>>());
        if (row.at("tau").is_null())
            CHECK(std::isnan(found));
        else
            CHECK(found == Approx(row.at("tau").get<double>()).epsilon(1e-12));
    }
    CHECK(std::isnan(kendallTauB({1, 1, 1}, {1, 2, 3})));
    CHECK_THROWS_AS((void)kendallTauB({1}, {1, 2}), stillroom::Error);
}

TEST_CASE("Kendall's tau of rankings: same, reversed, one swap, by hand")
{
    CHECK(kendallTau({4, 0, 3, 1, 2, 5}, {4, 0, 3, 1, 2, 5}) == 1.0);
    CHECK(kendallTau({4, 0, 3, 1, 2, 5}, {5, 2, 1, 3, 0, 4}) == -1.0);
    CHECK(kendallTau({0, 1, 2, 3}, {1, 0, 2, 3}) == Approx(4.0 / 6.0));       // 5 pairs agree, 1 does not
    CHECK(kendallTau({7}, {7}) == 1.0);
    CHECK_THROWS_AS((void)kendallTau({0, 1}, {0, 2}), stillroom::Error);
}

TEST_CASE("discordant pairs are those of the obvious double loop")
{
    stillroom::RandomStream random(7);
    for (const int numLayers : {1, 2, 3, 17, 64}) {
        stillroom::experiment::Ranking a(static_cast<std::size_t>(numLayers)), b;
        std::iota(a.begin(), a.end(), 100);
        b = a;
        for (std::size_t i = 0; i + 1 < b.size(); ++i) {
            std::swap(a[i], a[i + random.below(a.size() - i)]);
            std::swap(b[i], b[i + random.below(b.size() - i)]);
        }
        const auto place = [](const stillroom::experiment::Ranking &ranking, int layer) { return std::find(ranking.begin(), ranking.end(), layer) - ranking.begin(); };
        std::int64_t against = 0;
        std::vector<double> inA, inB;
        for (int i = 100; i < 100 + numLayers; ++i) {
            inA.push_back(static_cast<double>(place(a, i)));
            inB.push_back(static_cast<double>(place(b, i)));
            for (int j = i + 1; j < 100 + numLayers; ++j)
                against += (place(a, i) < place(a, j)) != (place(b, i) < place(b, j)) ? 1 : 0;
        }
        CHECK(discordantPairs(a, b) == against);
        if (numLayers > 1)
            CHECK(kendallTau(a, b) == doctest::Approx(kendallTauB(inA, inB)).epsilon(1e-14));
    }
    CHECK_THROWS_AS((void)discordantPairs({0, 1}, {0, 2}), stillroom::Error);
    CHECK_THROWS_AS((void)discordantPairs({0, 0}, {0, 0}), stillroom::Error);
    CHECK_THROWS_AS((void)discordantPairs({0, 1}, {0}), stillroom::Error);
}
