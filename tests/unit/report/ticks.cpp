// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/ticks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

using namespace stillroom::report;

namespace {

void checkTicks(const std::vector<double> &found, const std::vector<double> &expected)
{
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(found[i] == doctest::Approx(expected[i]));
}

}  // namespace

TEST_CASE("ticks are round numbers within the axis, a few of them")
{
    checkTicks(evenTicks(0.0, 1.0), {0.0, 0.2, 0.4, 0.6, 0.8, 1.0});
    checkTicks(evenTicks(0.061, 0.555), {0.1, 0.2, 0.3, 0.4, 0.5});
    checkTicks(evenTicks(-0.3, 0.3), {-0.2, 0.0, 0.2});
    CHECK(!std::signbit(evenTicks(-0.3, 0.3)[1]));
    CHECK(evenTicks(1.0, 1.0).empty());
    CHECK(evenTicks(0.0, std::numeric_limits<double>::infinity()).empty());
    for (double high = 0.1; high < 1e4; high *= 1.37) {
        CHECK(evenTicks(0.0, high).size() >= 3);
        CHECK(evenTicks(0.0, high).size() <= 6);
    }
}

TEST_CASE("ticks end where hardly a double lies between, and are told apart")
{
    for (const double low : {1.0, 1e300, -1.0, 3e-310})
        for (const int steps : {1, 2, 3, 10}) {
            double high = low;
            for (int i = 0; i < steps; ++i)
                high = std::nextafter(high, std::numeric_limits<double>::infinity());
            const std::vector<double> ticks = evenTicks(low, high);
            CHECK(ticks.size() <= 6);
            CHECK(std::is_sorted(ticks.begin(), ticks.end(), std::less_equal<>()));      // none twice
        }
    CHECK(tickTexts({0.0, 0.2, 0.4}) == std::vector<std::string>{"0", "0.2", "0.4"});
    CHECK(tickTexts({0.12342, 0.12344, 0.12346}) == std::vector<std::string>{"0.12342", "0.12344", "0.12346"});
    CHECK(tickTexts({10000.0, 10001.0}) == std::vector<std::string>{"10000", "10001"});
    CHECK(tickTexts({0.01, 0.1, 1.0, 10.0}) == std::vector<std::string>{"0.01", "0.1", "1", "10"});
    CHECK(tickTexts({0.5}) == std::vector<std::string>{"0.5"});
    CHECK(tickTexts({}).empty());
    for (const std::vector<double> &ticks : {evenTicks(0.6180, 0.6181), evenTicks(1234567.0, 1234571.0), evenTicks(-1.0 - 1e-9, -1.0)}) {
        const std::vector<std::string> texts = tickTexts(ticks);
        CHECK(texts.size() >= 3);
        CHECK(std::adjacent_find(texts.begin(), texts.end()) == texts.end());
    }
}

TEST_CASE("ticks of a logarithmic axis are 1, 2, 5 and powers of ten")
{
    checkTicks(logTicks(1.44, 12.1), {2.0, 5.0, 10.0});
    checkTicks(logTicks(1e-5, 1.0), {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0});
    checkTicks(logTicks(2.1, 4.1), {2.5, 3.0, 3.5, 4.0});      // less than two round ones: even
    CHECK(logTicks(1e-30, 1.0).size() <= 8);
    CHECK(logTicks(0.0, 1.0).empty());
    CHECK(logTicks(-1.0, 1.0).empty());
}

TEST_CASE("ticks over many decades have short texts")
{
    CHECK(tickTexts({1e-8, 1e-6, 1e8}) == std::vector<std::string>{"1e-08", "1e-06", "1e+08"});
    CHECK(tickTexts({0.1, 1e10}) == std::vector<std::string>{"0.1", "1e+10"});
}

TEST_CASE("labels keep their distance and their order, as near to their lines as can be")
{
    const auto spread = labelPlaces({0.5, 0.52, 0.9, 0.51}, 0.1, 0.0, 1.0);
    REQUIRE(std::all_of(spread.begin(), spread.end(), [](const auto &place) { return place.has_value(); }));
    CHECK(*spread[0] == doctest::Approx(0.41));      // three around their middle
    CHECK(*spread[3] == doctest::Approx(0.51));
    CHECK(*spread[1] == doctest::Approx(0.61));
    CHECK(*spread[2] == doctest::Approx(0.9));
    const auto edge = labelPlaces({1.0, 1.0}, 0.1, 0.0, 1.0);
    CHECK(*edge[0] == doctest::Approx(0.9));
    CHECK(*edge[1] == doctest::Approx(1.0));
    const auto many = labelPlaces(std::vector<double>(30, 0.5), 0.1, 0.0, 1.0);      // eleven have room: every third
    CHECK(std::count_if(many.begin(), many.end(), [](const auto &place) { return place.has_value(); }) == 10);
    CHECK(many[0].has_value());
    CHECK(!labelPlaces({std::nan("")}, 0.1, 0.0, 1.0)[0].has_value());
    CHECK(labelPlaces({}, 0.1, 0.0, 1.0).empty());
}

TEST_CASE("numbers along an axis stand as often as they have room, and never run together")
{
    const auto every = [](int count, double spacing, double letter) {
        std::vector<double> places, widths;
        for (int i = 0; i < count; ++i) {
            places.push_back(i * spacing);
            widths.push_back(letter * (i < 10 ? 1.0 : 2.0));
        }
        const std::size_t step = everyNthLabel(places, widths, letter);
        for (std::size_t i = step; i < places.size(); i += step)
            CHECK(places[i] - places[i - step] >= 0.5 * (widths[i] + widths[i - step]) + letter);
        return step;
    };
    CHECK(every(30, 30.0, 8.0) == 1);
    CHECK(every(10, 16.0, 8.0) == 1);      // one digit each
    CHECK(every(30, 16.0, 8.0) == 2);
    CHECK(every(30, 10.0, 8.0) == 5);
    CHECK(every(80, 2.5, 8.0) == 10);
    CHECK(every(80, 1.0, 8.0) == 50);
    CHECK(every(1, 0.0, 8.0) == 1);
    CHECK(every(0, 0.0, 8.0) == 1);
    for (const int count : {2, 6, 12, 30, 36, 80})
        for (const double length : {0.0, 100.0, 190.0, 440.0, 1200.0})
            for (const double letter : {3.6, 5.4, 8.0})
                CHECK(every(count, length / count, letter) >= 1);
}

TEST_CASE("a legend has as few rows as fit")
{
    CHECK(columnsThatFit({10.0, 10.0, 10.0}, 5.0, 40.0) == 3);
    CHECK(columnsThatFit({10.0, 10.0, 10.0}, 5.0, 39.0) == 2);
    CHECK(columnsThatFit({30.0, 5.0, 10.0, 5.0}, 5.0, 40.0) == 2);      // the widest of each column
    CHECK(columnsThatFit({100.0, 10.0}, 5.0, 40.0) == 1);
    CHECK(columnsThatFit({}, 5.0, 40.0) == 1);
}

TEST_CASE("two axes have their zeros at the same height")
{
    double lowA = 0.0, highA = 2.0, lowB = -1.0, highB = 3.0;
    alignZeros(lowA, highA, lowB, highB);
    CHECK(lowB == doctest::Approx(-1.0));
    CHECK(highB == doctest::Approx(3.0));
    CHECK(-lowA / (highA - lowA) == doctest::Approx(0.25));
    double a = 0.0, b = 1.0, c = 0.0, d = 5.0;
    alignZeros(a, b, c, d);
    CHECK(a == 0.0);
    CHECK(c == 0.0);
}
