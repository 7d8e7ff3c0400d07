// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/intervals.h"
#include "error.h"
#include "golden.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace stillroom::analysis;
using doctest::Approx;

TEST_CASE("quantiles of Student's t are scipy's")
{
    for (const auto &row : golden().at("quantiles")) {
        const double expected = row[2].get<double>();
        const double found = studentQuantile(row[0].get<double>(), row[1].get<double>());
        CHECK_MESSAGE(std::abs(found - expected) <= 1e-9 * std::abs(expected) + 1e-14, row.dump());
    }
    CHECK(studentQuantile(0.975, 1) == Approx(std::tan(0.475 * std::numbers::pi)).epsilon(1e-12));      // one degree: the Cauchy distribution
    CHECK(studentQuantile(0.025, 4) == -studentQuantile(0.975, 4));
}

TEST_CASE("the incomplete beta function is scipy's")
{
    for (const auto &row : golden().at("beta")) {
        const double expected = row[3].get<double>();
        CHECK_MESSAGE(std::abs(incompleteBeta(row[0].get<double>(), row[1].get<double>(), row[2].get<double>()) - expected) <= 1e-12 * std::abs(expected) + 1e-15, row.dump());
    }
}

TEST_CASE("means and their intervals are scipy's")
{
    for (const auto &row : golden().at("intervals")) {
        const Interval interval = tInterval(row.at("x").get<std::vector<double>>(), row.at("level").get<double>());
        CHECK(interval.mean == Approx(row.at("mean").get<double>()).epsilon(1e-11));
        CHECK(interval.se == Approx(row.at("se").get<double>()).epsilon(1e-11));
        CHECK(interval.low == Approx(row.at("low").get<double>()).epsilon(1e-9));
        CHECK(interval.high == Approx(row.at("high").get<double>()).epsilon(1e-9));
        CHECK(interval.n == static_cast<std::int64_t>(row.at("x").size()));
    }
    for (const auto &row : golden().at("paired")) {
        const Interval interval = pairedInterval(row.at("x").get<std::vector<double>>(), row.at("y").get<std::vector<double>>(), row.at("level").get<double>());
        CHECK(interval.low == Approx(row.at("low").get<double>()).epsilon(1e-9));
        CHECK(interval.high == Approx(row.at("high").get<double>()).epsilon(1e-9));
    }
}

TEST_CASE("one value has an unbounded interval, equal values a narrow one, and none is refused")
{
    const Interval one = tInterval({2.5});
    CHECK(one.mean == 2.5);
    CHECK(one.low == -std::numeric_limits<double>::infinity());
    CHECK(one.high == std::numeric_limits<double>::infinity());
    const Interval equal = tInterval({2.0, 2.0, 2.0, 2.0});
    CHECK(equal.se == 0.0);
    CHECK(equal.low == 2.0);
    CHECK_THROWS_AS((void)tInterval({}), stillroom::Error);
    CHECK_THROWS_AS((void)tInterval({1, 2}, 1.0), stillroom::Error);
    CHECK_THROWS_AS((void)pairedInterval({1, 2}, {1}), stillroom::Error);
    CHECK_THROWS_AS((void)studentQuantile(0.0, 3), stillroom::Error);
    CHECK_THROWS_AS((void)studentQuantile(0.5, 0), stillroom::Error);
}

TEST_CASE("the standard error of one value is not known")
{
    CHECK(std::isnan(estimate({2.0}).se));
    CHECK(std::isnan(tInterval({2.0}).se));
    CHECK(std::isnan(pairedEstimate({2.0}, {1.0}).se));
    CHECK(estimate({2.0}).mean == 2.0);
}
