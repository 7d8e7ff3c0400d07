// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/smooth.h"
#include "error.h"
#include "golden.h"

#include <cmath>
#include <limits>

using namespace stillroom::analysis;
using doctest::Approx;

TEST_CASE("the average is that of scipy's filter, divided by its weights")
{
    for (const auto &row : golden().at("smooth")) {
        const auto found = smooth(row.at("x").get<std::vector<double>>(), row.at("weight").get<double>());
        REQUIRE(found.size() == row.at("y").size());
        for (std::size_t i = 0; i < found.size(); ++i)
            CHECK(found[i] == Approx(row.at("y")[i].get<double>()).epsilon(1e-10));
    }
}

TEST_CASE("by hand, and by its definition")
{
    CHECK(smooth({1, 2}, 0.5)[1] == Approx((0.5 * 1 + 1 * 2) / 1.5));
    CHECK(smooth({3, 1, 4}, 0.0) == std::vector<double>{3, 1, 4});
    CHECK(smooth({7, 7, 7, 7}, 0.9)[3] == Approx(7));
    CHECK(smooth({}, 0.9).empty());
    const std::vector<double> x{3, -1, 4, 1, -5, 9, 2, 6};
    for (std::size_t t = 0; t < x.size(); ++t) {
        double sum = 0, weights = 0;
        for (std::size_t i = 0; i <= t; ++i) {
            sum += std::pow(0.8, static_cast<double>(t - i)) * x[i];
            weights += std::pow(0.8, static_cast<double>(t - i));
        }
        CHECK(smooth(x, 0.8)[t] == Approx(sum / weights).epsilon(1e-13));
    }
}

TEST_CASE("what is not finite passes through and leaves the rest alone")
{
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    const auto with = smooth({1, nan, 2, inf, 4}, 0.7);
    const auto without = smooth({1, 2, 4}, 0.7);
    CHECK(std::isnan(with[1]));
    CHECK(with[3] == inf);
    CHECK(with[0] == without[0]);
    CHECK(with[2] == without[1]);
    CHECK(with[4] == without[2]);
    CHECK_THROWS_AS((void)smooth({1}, 1.0), stillroom::Error);
    CHECK_THROWS_AS((void)smooth({1}, -0.1), stillroom::Error);
    CHECK_THROWS_AS((void)smooth({1}, nan), stillroom::Error);
}
