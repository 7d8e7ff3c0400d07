// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/runfigures.h"

#include <doctest/doctest.h>

using namespace stillroom::report;

TEST_CASE("a bar for each run that was measured, with its interval")
{
    const RunBarsShown shown{.measure = "KL (nats/token)", .unit = {}, .better = Better::Lower,
                             .bars = {{"first", "0072B2", false, 0.3, 0.02, 64}, {"second", "D55E00", true, {}, {}, {}}, {"third", "009E73", true, 0.5, {}, {}}}};
    const Figure figure = runBarsFigure(shown, {});
    CHECK_NOTHROW(checkTable(figure.table));
    CHECK(figure.table.rows.size() == 3);
    CHECK(figure.table.rows[0][1].reach == 0.02);
    CHECK(figure.table.rows[0][1].n == 64);
    CHECK_FALSE(figure.table.rows[1][1].value.has_value());
    REQUIRE(figure.chart.series.size() == 2);
    CHECK(figure.chart.series[1].points.front().x == 2.0);      // the place in the middle stays empty
    CHECK(figure.chart.series[1].hatched);
    CHECK(figure.chart.y.title == "KL (nats/token)");
    CHECK(figure.chart.y.low == 0.0);
    CHECK(figure.chart.y.high == doctest::Approx(0.53));
}

TEST_CASE("what is below 0 hangs from it, and nothing is a figure of no rows")
{
    const RunBarsShown shown{.measure = "hidden cosine", .unit = {}, .better = Better::Higher, .bars = {{"a", "0072B2", false, -0.5, 0.1, {}}, {"b", "D55E00", false, 0.4, 0.1, {}}}};
    const Figure figure = runBarsFigure(shown, {});
    CHECK(figure.chart.y.low == doctest::Approx(-0.666));
    CHECK(figure.chart.y.high == doctest::Approx(0.566));
    CHECK(runBarsFigure({}, {}).table.rows.empty());
}
