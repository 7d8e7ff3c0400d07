// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/margin.h"
#include "error.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <random>

using namespace stillroom::analysis;
using doctest::Approx;
using stillroom::experiment::LayerSet;
using stillroom::experiment::Ranking;
using Values = std::vector<std::vector<double>>;

TEST_CASE("the margin at the boundary, by hand")
{
    // layer 1 best, then 0, then 2; differences of layer 2 to layer 0: 1, 2, 3 → mean 2, s = 1, SE = 1/√3
    const std::vector<std::vector<double>> kl{{2, 5, 3}, {1, 1, 1}, {3, 7, 6}};
    const BoundaryMargin margin = boundaryMargin(LayerSamples(kl), {1, 0, 2}, 2);
    CHECK(margin.lastKept == 0);
    CHECK(margin.firstDropped == 2);
    CHECK(margin.difference.mean == Approx(2));
    CHECK(margin.difference.se == Approx(1 / std::sqrt(3.0)));
    CHECK(margin.inStandardErrors == Approx(2 * std::sqrt(3.0)));
    const std::vector<std::vector<double>> gain{{-2, -5, -3}, {-1, -1, -1}, {-3, -7, -6}};
    CHECK(boundaryMargin(LayerSamples(gain, true), {1, 0, 2}, 2).inStandardErrors == Approx(2 * std::sqrt(3.0)));
}

TEST_CASE("pairing removes what all layers share")
{
    std::mt19937 generator(8);
    std::normal_distribution<double> wide(0, 10), narrow(0, 0.01);
    std::vector<std::vector<double>> kl(2, std::vector<double>(200));
    for (std::size_t s = 0; s < 200; ++s) {
        const double difficulty = wide(generator);
        kl[0][s] = difficulty + narrow(generator);
        kl[1][s] = difficulty + 0.05 + narrow(generator);
    }
    CHECK(boundaryMargin(LayerSamples(kl), {0, 1}, 1).inStandardErrors > 30);
    CHECK(tInterval(kl[0]).se > 0.1);                      // unpaired, the difference of 0.05 would be lost
}

TEST_CASE("equal layers have no margin, a constant difference an infinite one")
{
    CHECK(boundaryMargin(LayerSamples(Values{{1, 2}, {1, 2}}), {0, 1}, 1).inStandardErrors == 0.0);
    CHECK(boundaryMargin(LayerSamples(Values{{1, 2}, {2, 3}}), {0, 1}, 1).inStandardErrors == std::numeric_limits<double>::infinity());
    CHECK(boundaryMargin(LayerSamples(Values{{1, 2}, {2, 3}}), {1, 0}, 1).inStandardErrors == -std::numeric_limits<double>::infinity());
}

TEST_CASE("the tie band holds the layers that cannot be told from the other side")
{
    // 0 is clearly best; 1 and 2 differ by noise around 0; 3 is clearly worst
    const std::vector<std::vector<double>> kl{{1.0, 1.1, 0.9, 1.0}, {2.0, 2.2, 1.9, 2.1}, {2.1, 2.1, 2.0, 2.0}, {9.0, 9.1, 9.0, 9.2}};
    CHECK(tieBand(LayerSamples(kl), {0, 1, 2, 3}, 2) == LayerSet{1, 2});
    CHECK(tieBand(LayerSamples(kl), {0, 1, 2, 3}, 1).empty());
    CHECK(tieBand(LayerSamples(kl), {0, 1, 2, 3}, 3).empty());
}

TEST_CASE("what has no boundary is refused")
{
    const std::vector<std::vector<double>> kl{{1, 2}, {2, 3}};
    CHECK_THROWS_AS((void)boundaryMargin(LayerSamples(kl), {0, 1}, 0), stillroom::Error);
    CHECK_THROWS_AS((void)boundaryMargin(LayerSamples(kl), {0, 1}, 2), stillroom::Error);
    CHECK_THROWS_AS((void)boundaryMargin(LayerSamples(kl), {0, 2}, 1), stillroom::Error);
    CHECK_THROWS_AS((void)boundaryMargin(LayerSamples(kl), {0}, 1), stillroom::Error);
    CHECK_THROWS_AS((void)boundaryMargin(LayerSamples(Values{{1}, {2}}), {0, 1}, 1), stillroom::Error);
}

TEST_CASE("a difference in unknown standard errors is not known")
{
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(inStandardErrors(1.0, unknown)));
    CHECK(std::isnan(inStandardErrors(0.0, unknown)));
    CHECK(inStandardErrors(0.0, 0.0) == 0.0);
}
