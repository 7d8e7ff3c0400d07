// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/headfigures.h"

#include "report/colours.h"
#include "report/pgfplots.h"

#include <cmath>
#include <doctest/doctest.h>
#include <set>

using namespace stillroom::report;

TEST_CASE("a map of heads is a row a layer, and what was not calibrated stays empty")
{
    const HeadMapShown shown{.statistic = {"half-life", "tokens", true}, .columns = "head with a state", .values_LC = {{1.0, 10.0}, {}, {0.0, 100.0}}, .low = 1.0, .high = 100.0};
    const Figure figure = headMapFigure(shown, {});
    CHECK_NOTHROW(checkTable(figure.table));
    REQUIRE(figure.table.rows.size() == 3);
    CHECK(headOf(figure.table.columns[2]) == "head with a state 1 (tokens)");
    CHECK(figure.table.rows[2][2].value == 100.0);
    CHECK_FALSE(figure.table.rows[1][1].value.has_value());
    const PgfPlot plot = pgfPlot(figure.chart, {}, "map.csv", {});
    CHECK(plot.csv == "x,y,value\n0,0,1\n1,0,10\n0,1,nan\n1,1,nan\n0,2,nan\n1,2,100\n");       // 0 has no place among powers of ten
    CHECK(plot.tex.find("point meta min=0, point meta max=2") != std::string::npos);
    HeadMapShown difference = shown;
    difference.difference = true;
    difference.low = -3.0;
    difference.high = 3.0;
    const Figure change = headMapFigure(difference, {});
    CHECK(change.chart.cells->diverging);
    CHECK_FALSE(change.chart.cells->logarithmic);
    CHECK(pgfPlot(change.chart, {}, "map.csv", {}).tex.find("colormap={difference}{rgb255=(0,114,178) rgb255=(255,255,255) rgb255=(213,94,0)}") != std::string::npos);
}

TEST_CASE("many heads have as many names as can be read")
{
    HeadMapShown shown{.statistic = {"entropy", "nats"}, .columns = "query head", .values_LC = std::vector<std::vector<std::optional<double>>>(36, std::vector<std::optional<double>>(60, 0.5))};
    const std::string tex = pgfPlot(headMapFigure(shown, {}).chart, {}, "map.csv", {}).tex;
    CHECK(tex.find("xtick={0,5,10,") != std::string::npos);
    CHECK(tex.find("ytick={0,2,4,") != std::string::npos);
}

TEST_CASE("a histogram counts every head once, edges and all")
{
    const std::vector<HeadValue> heads{{0, 0, 0.0}, {0, 1, 1.0}, {1, 0, 1.9}, {1, 1, 4.0}};
    const Figure figure = headHistogramFigure({"entropy", "nats"}, "query head", heads, {0.0, 1.0, 2.0, 3.0, 4.0}, {});
    CHECK(figure.table.rows.size() == 4);
    std::vector<double> counts;
    for (const Point &point : figure.chart.series.at(0).points)
        counts.push_back(point.y);
    CHECK(counts == std::vector<double>{1.0, 2.0, 0.0, 1.0});
    CHECK(figure.chart.x.ticks.back() == std::pair(4.0, std::string("4")));
}

TEST_CASE("a narrow histogram tells its ticks apart")
{
    const Figure figure = headHistogramFigure({"entropy", "nats"}, "query head", {{0, 0, 1.00002}}, {1.0, 1.00001, 1.00002, 1.00003, 1.00004}, {});
    std::set<std::string> names;
    for (const auto &[at, name] : figure.chart.x.ticks)
        names.insert(name);
    CHECK(figure.chart.x.ticks.size() >= 3);
    CHECK(names.size() == figure.chart.x.ticks.size());
    CHECK(names.contains("1.00002"));
}

TEST_CASE("one point a head, inside the axes")
{
    const Figure figure = headScatterFigure({"half-life", "tokens", true}, {"entropy", "nats"}, "query head", {{0, 0, 2.0, 1.0}, {3, 1, 200.0, -1.0}}, {});
    CHECK(figure.chart.x.logarithmic);
    CHECK(figure.chart.x.low < 2.0);
    CHECK(figure.chart.x.low > 1.0);
    CHECK(figure.chart.x.high > 200.0);
    CHECK(figure.chart.y.low < -1.0);
    CHECK(figure.table.rows[1][3].value == -1.0);
    CHECK(headScatterFigure({"a"}, {"b"}, "query head", {}, {}).chart.series.empty());
}

TEST_CASE("bins of a profile without a value stay empty")
{
    const double none = std::nan("");
    const Figure figure = headProfileFigure("head-entropy", {.firstTokens = {0, 1, 2, 3, 4, 6}, .lines = {{"attention", "0072B2", false, false, {none, 0.5, 1.0, 1.5, 1.7, 2.0}}, {"nothing", "000000", false, false, {}}}, .xTitle = "position", .yTitle = "entropy", .unit = "nats"}, {});
    CHECK_NOTHROW(checkTable(figure.table));
    CHECK_FALSE(figure.table.rows[0][1].value.has_value());
    CHECK(figure.table.rows[5][0].value == 6.0);
    REQUIRE(figure.chart.series.size() == 1);
    CHECK(figure.chart.series[0].points.size() == 5);
    CHECK(figure.chart.y.high == doctest::Approx(2.12));
}

TEST_CASE("a causal map ends at its diagonal")
{
    const Figure figure = tokenMapFigure("head-student", "map M", {{1.0}, {-2.0, 0.5}}, true, {});
    CHECK(figure.table.rows.size() == 3);
    CHECK(figure.chart.cells->low == -2.0);
    CHECK(figure.chart.cells->high == 2.0);
    CHECK_FALSE(figure.chart.cells->values[0][1].has_value());
    CHECK(tokenMapFigure("head-student", "map M", {}, true, {}).table.rows.empty());
}

TEST_CASE("what is drawn may be smoothed, what is written is what was measured")
{
    CurvesShown shown{.curves = {{"a", "0072B2", Dash::Solid, {{0.0, 1.0}, {10.0, -3.0}}, {1.0, 0.5}}, {"b", "D55E00", Dash::Dashed, {{5.0, 0.0}, {20.0, 2.0}}, {}}}, .who = "experiment", .xTitle = "steps", .valueTitle = "KL", .unit = "nats/token", .logarithmic = true};
    const Figure figure = curvesFigure("run-curves", shown, {});
    CHECK(figure.table.rows.size() == 4);
    CHECK(figure.table.rows[1][2].value == -3.0);
    CHECK(figure.chart.series.at(0).points.at(1).y == 0.5);
    CHECK(figure.chart.series.at(1).points.size() == 1);
    CHECK(figure.table.note == "Not on the axis: 1 of 4 values.");
    CHECK(figure.chart.y.low == doctest::Approx(0.4));
}

TEST_CASE("points at 0 are counted where both axes are logarithmic")
{
    CurvesShown shown{.curves = {{"a", "0072B2", Dash::Solid, {{0.0, 1.0}, {10.0, 0.5}, {100.0, 0.0}, {1000.0, 0.25}}, {}}}, .who = "experiment", .xTitle = "training tokens", .valueTitle = "KL", .unit = "nats/token", .logarithmic = true};
    shown.logarithmicX = true;
    const Figure figure = curvesFigure("run-curves", shown, {});
    CHECK(figure.chart.series.at(0).points.size() == 2);
    CHECK(figure.table.rows.size() == 4);
    CHECK(figure.table.note == "Not on the axis: 2 of 4 values.");
    CHECK(figure.chart.x.logarithmic);
    CHECK(figure.chart.x.low == doctest::Approx(10.0 / 1.05));
    CHECK(figure.chart.x.high == doctest::Approx(1050.0));
}

TEST_CASE("the colours of a scale are viridis, end to end")
{
    CHECK(hexOf(sequentialRgb(0.0)) == "440154");
    CHECK(hexOf(sequentialRgb(0.5)) == "21918C");
    CHECK(hexOf(sequentialRgb(1.0)) == "FDE725");
    CHECK(sequentialRgb(-3.0) == sequentialRgb(0.0));
}
