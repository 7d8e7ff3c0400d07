// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/decimate.h"
#include "error.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <random>

using namespace stillroom::analysis;

namespace {

std::vector<CurvePoint> noise(std::size_t count, unsigned seed)
{
    std::mt19937 generator(seed);
    std::normal_distribution<double> step(0, 1);
    std::vector<CurvePoint> points;
    double y = 0;
    for (std::size_t i = 0; i < count; ++i)
        points.push_back({static_cast<double>(i), y += step(generator)});
    return points;
}

}  // namespace

TEST_CASE("each column keeps its first, lowest, highest and last point")
{
    const std::vector<CurvePoint> points{{0, 5}, {1, 1}, {2, 9}, {3, 4}, {4, 4}, {5, 2}, {6, 8}, {7, 3}, {8, 6}};
    const std::vector<CurvePoint> expected{{0, 5}, {1, 1}, {2, 9}, {3, 4}, {4, 4}, {5, 2}, {6, 8}, {8, 6}};
    CHECK(decimate(points, 0, 8, 2) == expected);
    CHECK(decimate(points, 0, 8, 9) == points);
}

TEST_CASE("extremes of every column are those of all its points, in order, at most four a column")
{
    const auto points = noise(100'000, 1);
    for (const int columns : {1, 7, 640, 1920}) {
        const auto few = decimate(points, 0, 99'999, columns);
        CHECK(few.size() <= static_cast<std::size_t>(4 * columns));
        CHECK(std::is_sorted(few.begin(), few.end(), [](const CurvePoint &a, const CurvePoint &b) { return a.x < b.x; }));
        const double width = 99'999.0 / columns;
        const auto extremes = [&](const std::vector<CurvePoint> &all) {
            std::vector<std::pair<double, double>> range(static_cast<std::size_t>(columns), {1e300, -1e300});
            for (const CurvePoint &point : all) {
                auto &[low, high] = range[static_cast<std::size_t>(std::min(std::floor(point.x / width), columns - 1.0))];
                low = std::min(low, point.y);
                high = std::max(high, point.y);
            }
            return range;
        };
        CHECK(extremes(few) == extremes(points));
        CHECK(few.front() == points.front());
        CHECK(few.back() == points.back());
    }
}

TEST_CASE("a single spike is never lost")
{
    auto points = noise(1'000'000, 2);
    points[654'321].y = 1e6;
    const auto few = decimate(points, 0, 999'999, 800);
    CHECK(std::count(few.begin(), few.end(), points[654'321]) == 1);
}

TEST_CASE("a zoomed range keeps one neighbour on either side")
{
    const auto points = noise(1000, 3);
    const auto few = decimate(points, 100.5, 109.5, 100);
    REQUIRE(few.size() == 11);
    CHECK(few.front().x == 100);
    CHECK(few.back().x == 110);
    const auto between = decimate(points, 100.2, 100.8, 100);      // no point inside: the line that crosses
    REQUIRE(between.size() == 2);
    CHECK(between[0].x == 100);
    CHECK(between[1].x == 101);
    CHECK(decimate(points, 2000, 3000, 100).size() == 1);
    CHECK(decimate({}, 0, 1, 10).empty());
}

TEST_CASE("gaps stay gaps")
{
    const double nan = std::nan("");
    auto points = noise(1000, 4);
    for (std::size_t i = 400; i < 600; ++i)
        points[i].y = nan;
    const auto few = decimate(points, 0, 999, 10);
    CHECK(few.size() <= 44);
    const auto gaps = std::count_if(few.begin(), few.end(), [](const CurvePoint &point) { return std::isnan(point.y); });
    CHECK(gaps >= 1);
    const auto last = std::find_if(few.rbegin(), few.rend(), [](const CurvePoint &point) { return std::isnan(point.y); });
    CHECK(last->x >= 400);
    CHECK(last->x < 600);
    std::vector<CurvePoint> onlyGaps(100, {0, nan});
    for (std::size_t i = 0; i < onlyGaps.size(); ++i)
        onlyGaps[i].x = static_cast<double>(i);
    for (const CurvePoint &point : decimate(onlyGaps, 0, 99, 4))
        CHECK(std::isnan(point.y));
}

TEST_CASE("equal x, infinite y and awkward widths do no harm")
{
    std::vector<CurvePoint> same(1000, {5, 1});
    same[500].y = 3;
    const auto few = decimate(same, 0, 10, 3);
    CHECK(few.size() <= 4);
    CHECK(std::count(few.begin(), few.end(), CurvePoint{5, 3}) == 1);
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(decimate({{0, 1}, {1, inf}, {2, -inf}, {3, 1}}, 0, 3, 1).size() == 4);
    for (int columns = 1; columns < 400; ++columns)
        CHECK(decimate(noise(300, 5), 0.1, 298.7, columns).size() <= static_cast<std::size_t>(4 * columns + 2));
    CHECK_THROWS_AS((void)decimate(same, 1, 1, 10), stillroom::Error);
    CHECK_THROWS_AS((void)decimate(same, 0, inf, 10), stillroom::Error);
    CHECK_THROWS_AS((void)decimate(same, 0, 1, 0), stillroom::Error);
}

TEST_CASE("a long curve gives what decimating all its points gives, gaps and all")
{
    for (const double gapEvery : {0.0, 1000.0, 37.0}) {
        auto points = noise(50'000, 3);
        for (std::size_t i = 0; i < points.size(); ++i) {
            points[i].y = std::round(points[i].y);      // equal extremes
            if (gapEvery > 0.0 && std::fmod(static_cast<double>(i), gapEvery) < 3.0)
                points[i].y = std::nan("");
        }
        const LongCurve curve(points);
        const auto isSame = [](const CurvePoint &a, const CurvePoint &b) { return a.x == b.x && (a.y == b.y || (std::isnan(a.y) && std::isnan(b.y))); };
        for (const auto &[low, high] : {std::pair{0.0, 49'999.0}, {-10.0, 60'000.0}, {123.4, 20'017.9}, {500.0, 501.0}, {500.25, 500.75}, {60'000.0, 70'000.0}})
            for (const int columns : {1, 3, 640, 4000}) {
                const auto quick = curve.decimated(low, high, columns), slow = decimate(points, low, high, columns);
                REQUIRE(quick.size() == slow.size());
                CHECK(std::equal(quick.begin(), quick.end(), slow.begin(), isSame));
            }
    }
    CHECK(LongCurve(std::vector<CurvePoint>()).decimated(0.0, 1.0, 10).empty());
    CHECK_THROWS(static_cast<void>(LongCurve(std::vector<CurvePoint>()).decimated(1.0, 1.0, 10)));
}
