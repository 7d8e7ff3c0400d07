// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/layerbars.h"

#include <doctest/doctest.h>

#include <limits>

using namespace stillroom;
using analysis::LayerBars;

namespace {

/// Two layers, the first of which is kept.
std::vector<int> unsettledOf(double kept, double keptReach, double dropped, double droppedReach)
{
    LayerBars bars;
    bars.bars = {{0, kept, keptReach, {}}, {1, dropped, droppedReach, {}}};
    return analysis::unsettledLayers(bars, {0, 1}, 1);
}

}  // namespace

TEST_CASE("a boundary is not settled where the difference lies within its own interval")
{
    CHECK(unsettledOf(1.0, 0.2, 0.7, 0.2).empty());      // 0.3 > 0.28, though 0.8 … 1.2 and 0.5 … 0.9 overlap
    CHECK(unsettledOf(1.0, 0.2, 0.75, 0.2) == std::vector<int>{0, 1});
    CHECK(unsettledOf(6.0, 3.0, 1.0, 4.0) == std::vector<int>{0, 1});      // 5 = √(3² + 4²)
    CHECK(unsettledOf(1.0, 0.0, 1.0, 0.0) == std::vector<int>{0, 1});      // only the lower number decides
    CHECK(unsettledOf(1.0, 0.0, 0.9, 0.0).empty());
}

TEST_CASE("the nearest layer across the boundary is the rival, and without a boundary all is settled")
{
    LayerBars bars;
    bars.bars = {{0, 3.0, 0.1, {}}, {1, 1.0, 0.1, {}}, {2, 2.95, 0.1, {}}, {3, 5.0, 0.1, {}}};
    CHECK(analysis::unsettledLayers(bars, {3, 0, 2, 1}, 2) == std::vector<int>{0, 2});
    CHECK(analysis::unsettledLayers(bars, {3, 0, 2, 1}, 0).empty());
    CHECK(analysis::unsettledLayers(bars, {3, 0, 2, 1}, 4).empty());
}

TEST_CASE("a bar's whiskers are Student's, however few sequences there are")
{
    const auto reachOf = [](double se, std::int64_t n) {
        return analysis::layerBars({{0, {.selector = "ga-s2", .mixer = "gdn", .layer = 0, .score = 0.5, .klNats = 0.5, .se = se, .numSequences = n}}}).bars.front().reach;
    };
    CHECK(reachOf(0.1, 3) == doctest::Approx(0.4302652729911275).epsilon(1e-9));
    CHECK(reachOf(0.1, 1'000'000) == doctest::Approx(0.195996).epsilon(1e-5));
    CHECK(reachOf(0.1, 1) == 0.0);      // no spread, no interval
    CHECK(reachOf(std::numeric_limits<double>::quiet_NaN(), 48) == 0.0);
}

TEST_CASE("residuals share an axis only in the form that stage 1 is measured in")
{
    experiment::LayerScore score{.selector = "gr-s1", .mixer = "gdn", .layer = 0, .score = 0.5, .unit = "relative squared error", .higherIsBetter = true, .klNats = {}};
    CHECK(analysis::layerBars({{0, score}}).axis == analysis::ScoreAxis::Residual);
    score.unit = "RMS error";
    CHECK(analysis::layerBars({{0, score}}).axis == analysis::ScoreAxis::Score);
    score.selector = "ga-s1";
    CHECK(analysis::layerBars({{0, score}}).axis == analysis::ScoreAxis::Score);
}
