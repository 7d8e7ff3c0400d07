// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/rankbiasedoverlap.h"
#include "error.h"
#include "golden.h"

#include <algorithm>
#include <cmath>

using namespace stillroom::analysis;
using doctest::Approx;
using stillroom::experiment::Ranking;

TEST_CASE("extrapolated rank-biased overlap is the package's, for equal and unequal lengths")
{
    int between = 0;
    for (const auto &row : agreementGolden().at("rbo_ext")) {
        const auto a = row.at("a").get<Ranking>(), b = row.at("b").get<Ranking>();
        const double value = rankBiasedOverlap(a, b, row.at("p").get<double>());
        CHECK(value == Approx(row.at("value").get<double>()).epsilon(1e-12));
        CHECK(rankBiasedOverlap(b, a, row.at("p").get<double>()) == value);
        between += value > 0.0 && value < 1.0 ? 1 : 0;
    }
    CHECK(between > 20);
}

TEST_CASE("rank-biased overlap by hand")
{
    // p = 1/2: agreement 0, 1 at depths 1, 2: (1/2)/(1/2) · (0/1 · 1/2 + 2/2 · 1/4) + 2/2 · 1/4 = 1/2
    CHECK(rankBiasedOverlap({0, 1}, {1, 0}, 0.5) == Approx(0.5));
    CHECK(rankBiasedOverlap({3, 1, 4}, {3, 1, 4}, 0.7) == Approx(1.0));
    CHECK(rankBiasedOverlap({3, 1, 4}, {5, 9, 2}, 0.7) == 0.0);
    CHECK(rankBiasedOverlap({}, {}, 0.7) == 1.0);
    CHECK(rankBiasedOverlap({}, {1}, 0.7) == 0.0);
    CHECK(rankBiasedOverlap({2}, {2, 0, 1}, 0.7) == Approx(1.0));      // one agreement seen, extrapolated
}

TEST_CASE("a swap at the top costs more than one at the bottom, and agreement at the top is worth what its weight says")
{
    const Ranking order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    Ranking top = order, bottom = order;
    std::swap(top[0], top[1]);
    std::swap(bottom[8], bottom[9]);
    CHECK(rankBiasedOverlap(order, top, 0.9) < rankBiasedOverlap(order, bottom, 0.9));
    // Ten layers shared in order, then nothing at all in common for so long that the rest weighs nothing: what is left is near the weight of ten places.
    Ranking a = order, b = order;
    for (int i = 0; i < 400; ++i) {
        a.push_back(1000 + i);
        b.push_back(5000 + i);
    }
    double tail = 0.0;
    for (int d = 11; d <= 410; ++d)
        tail += 0.1 * std::pow(0.9, d - 1) * 10.0 / d;
    CHECK(rankBiasedOverlap(a, b, 0.9) == Approx(1.0 - std::pow(0.9, 10) + tail).epsilon(1e-9));
    CHECK(1.0 - std::pow(0.9, 10) + tail == Approx(0.8556).epsilon(1e-3));      // of the doc comment: 86 %
}

TEST_CASE("rankings that name a layer twice and p out of range are refused")
{
    CHECK_THROWS_AS((void)rankBiasedOverlap({1, 1}, {1, 2}), stillroom::Error);
    CHECK_THROWS_AS((void)rankBiasedOverlap({1, 2}, {2, 2}), stillroom::Error);
    CHECK_THROWS_AS((void)rankBiasedOverlap({1}, {1}, 0.0), stillroom::Error);
    CHECK_THROWS_AS((void)rankBiasedOverlap({1}, {1}, 1.0), stillroom::Error);
}
