// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/spread.h"

#include <doctest/doctest.h>

#include <cmath>

namespace spread_tests {

using namespace stillroom::analysis;

TEST_CASE("repeated values have a mean, and beside it what is asked for")
{
    const std::vector<double> values{0.1, 0.2, 0.3};      // mean 0.2, s = 0.1
    CHECK(spreadOf(values, Spread::Interval95).high == doctest::Approx(0.2 + 4.302652729911275 * 0.1 / std::sqrt(3.0)));
    CHECK(spreadOf(values, Spread::StandardError).high == doctest::Approx(0.2 + 0.1 / std::sqrt(3.0)));
    CHECK(spreadOf(values, Spread::StandardDeviation).low == doctest::Approx(0.1));
    CHECK(spreadOf({0.1, 0.1, 0.4}, Spread::Range).low == 0.1);
    CHECK(spreadOf({0.1, 0.1, 0.4}, Spread::Range).high == 0.4);
    for (const Spread spread : {Spread::Interval95, Spread::StandardError, Spread::StandardDeviation, Spread::Range}) {
        CHECK(spreadOf(values, spread).mean == doctest::Approx(0.2));
        CHECK(spreadOf(values, spread).n == 3);
    }
}

TEST_CASE("one value says nothing of its error, and is its own range")
{
    CHECK(std::isinf(spreadOf({0.5}, Spread::Interval95).high));
    CHECK(std::isnan(spreadOf({0.5}, Spread::StandardError).high));
    CHECK(std::isnan(spreadOf({0.5}, Spread::StandardDeviation).low));
    CHECK(spreadOf({0.5}, Spread::Range).low == 0.5);
    CHECK(spreadOf({0.5}, Spread::Range).high == 0.5);
}

}  // namespace spread_tests
