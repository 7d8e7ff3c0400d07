// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/klcurve.h"
#include "error.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace stillroom::analysis;
using doctest::Approx;
using Values = std::vector<std::vector<double>>;

namespace {

/// KL = base + fall · shape(K), plus what makes each sequence differ.
KlCurve shaped(const std::vector<double> &shape, double spread)
{
    KlCurve curve;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        curve.keeps.push_back(static_cast<int>(k));
        curve.klNats_KS.emplace_back();
        for (int s = 0; s < 40; ++s)
            curve.klNats_KS.back().push_back(shape[k] * (1.0 + spread * std::sin(1.7 * s + 2.3 * static_cast<double>(k))) + 0.01 * (s % 5));
    }
    return curve;
}

}  // namespace

TEST_CASE("the additive prediction takes the gains off one by one, sequence by sequence")
{
    // All linear: 2 and 4. Layer 0 alone: 1.5, 3; layer 1: 0.5, 1; layer 2: 1.8, 3.9
    const LayerSamples alone(Values{{1.5, 3.0}, {0.5, 1.0}, {1.8, 3.9}});
    const KlCurve curve = additivePrediction(alone, {2.0, 4.0}, {1, 0, 2});
    CHECK(curve.keeps == std::vector<int>{0, 1, 2, 3});
    CHECK(curve.klNats_KS[0] == std::vector<double>{2.0, 4.0});
    CHECK(curve.klNats_KS[1] == std::vector<double>{0.5, 1.0});
    CHECK(curve.klNats_KS[2][0] == Approx(0.0));
    CHECK(curve.klNats_KS[2][1] == Approx(0.0));
    CHECK(curve.klNats_KS[3] == std::vector<double>{0.0, 0.0});      // the teacher, whatever the gains leave over
    const auto means = meanKl(curve);
    CHECK(means[0].mean == 3.0);
    CHECK(means[0].se == Approx(1.0));
    CHECK(means[1].mean == 0.75);
    CHECK(means[3].mean == 0.0);
    CHECK(means[3].low == 0.0);
    CHECK(meanKl({{0, 1}, {{1.0, 1.0}, {-0.2, -0.1}}})[1].mean == 0.0);      // no KL is below 0
}

TEST_CASE("gains that are too small end above 0 before K = L, and the elbow's share is of the whole fall to 0")
{
    // Gains of 0.4, 0.1 and 0.1 of 1.0: the guess is 0.4 at K = 3, where the teacher's KL is 0.
    const LayerSamples alone(Values{{0.6, 0.6}, {0.9, 0.9}, {0.9, 0.9}});
    const ShownKlCurve shown = shownPrediction(additivePrediction(alone, {1.0, 1.0}, {0, 1, 2}));
    REQUIRE(shown.points.size() == 3);
    CHECK(shown.points.back().keep == 2);
    CHECK(shown.points.back().klNats.mean == Approx(0.5));
    CHECK(shown.at(3) == nullptr);
    REQUIRE(shown.elbow);
    CHECK(shown.elbow->keep == 1);
    CHECK(shown.elbow->share == Approx(0.4));                          // not 0.67, of what the guess falls
}

TEST_CASE("the elbow is the point farthest below the line, by hand")
{
    // 10, 4, 2, 1.5, 0 at K = 0 … 4: falls of 0.6, 0.8, 0.85, 1 minus 0.25, 0.5, 0.75, 1 leave 0.35, 0.3, 0.1, 0
    const KlCurve curve = shaped({10.0, 4.0, 2.0, 1.5, 0.0}, 0.0);
    const auto found = elbow(curve);
    REQUIRE(found.has_value());
    CHECK(found->keep == 1);
    CHECK(found->low == 1);
    CHECK(found->high == 1);
    CHECK(found->share == Approx(0.6));
    CHECK(found->found == 1.0);
    // The same curve where only some K were measured: the x axis is K, not the number of the point.
    const KlCurve sparse{{0, 2, 4, 8}, {{8, 8}, {3, 3}, {2, 2}, {0, 0}}};
    CHECK(elbow(sparse)->keep == 2);               // 0.625 - 0.25 = 0.375; 0.75 - 0.5 = 0.25
}

TEST_CASE("the elbow's interval is that of the draws, and pairing keeps it narrow")
{
    const std::vector<double> shape{10.0, 5.0, 3.4, 2.3, 1.4, 0.9, 0.6, 0.3, 0.1};
    const auto noisy = elbow(shaped(shape, 0.5), 500, 3), quiet = elbow(shaped(shape, 0.01), 500, 3);
    REQUIRE(noisy.has_value());
    REQUIRE(quiet.has_value());
    CHECK(quiet->keep == 2);
    CHECK(quiet->low == 2);
    CHECK(quiet->high == 2);
    CHECK(noisy->low <= noisy->keep);
    CHECK(noisy->high >= noisy->keep);
    CHECK(noisy->high > noisy->low);
    const auto again = elbow(shaped(shape, 0.5), 500, 3);
    CHECK(again->low == noisy->low);
    CHECK(again->high == noisy->high);
    // Sequences that differ a thousandfold in level but agree on the gains hardly move it.
    KlCurve levels = shaped(shape, 0.01);
    for (auto &values : levels.klNats_KS)
        for (std::size_t s = 0; s < values.size(); ++s)
            values[s] += 100.0 * static_cast<double>(s);
    CHECK(elbow(levels, 500, 3)->low == 2);
    CHECK(elbow(levels, 500, 3)->high == 2);
}

TEST_CASE("curves without an elbow")
{
    CHECK_FALSE(elbow({{0, 1}, {{2, 2}, {1, 1}}}).has_value());                                // two points are a line
    CHECK_FALSE(elbow({{0, 1, 2}, {{3, 3}, {2, 2}, {1, 1}}}).has_value());                     // so are three in a row
    CHECK_FALSE(elbow({{0, 1, 2}, {{1, 1}, {2, 2}, {3, 3}}}).has_value());                     // it rises
    CHECK_FALSE(elbow({{0, 1, 2}, {{3, 3}, {2.5, 2.5}, {1, 1}}}).has_value());                 // it falls ever faster
}

TEST_CASE("curves that are not whole are refused")
{
    CHECK_THROWS_AS((void)meanKl({}), stillroom::Error);
    CHECK_THROWS_AS((void)meanKl({{0, 1}, {{1, 2}}}), stillroom::Error);
    CHECK_THROWS_AS((void)meanKl({{0, 0}, {{1, 2}, {1, 2}}}), stillroom::Error);
    CHECK_THROWS_AS((void)meanKl({{0, 1}, {{1, 2}, {1}}}), stillroom::Error);
    CHECK_THROWS_AS((void)elbow({{0, 1}, {{1, 2}, {1, std::nan("")}}}), stillroom::Error);
    CHECK_THROWS_AS((void)elbow({{0, 1, 2}, {{3, 3}, {1, 1}, {0, 0}}}, 0), stillroom::Error);
    const LayerSamples alone(Values{{1, 2}, {2, 3}});
    CHECK_THROWS_AS((void)additivePrediction(alone, {1.0}, {0, 1}), stillroom::Error);
    CHECK_THROWS_AS((void)additivePrediction(alone, {1.0, 2.0}, {0}), stillroom::Error);
    CHECK_THROWS_AS((void)additivePrediction(alone, {1.0, 2.0}, {0, 0}), stillroom::Error);
    CHECK_THROWS_AS((void)additivePrediction(LayerSamples(Values{{1, 2}, {2, 3}}, true), {1.0, 2.0}, {0, 1}), stillroom::Error);
}

TEST_CASE("on one sequence an elbow has no interval but the whole curve")
{
    const auto found = elbow({{0, 1, 2, 3, 4}, {{1.0}, {0.4}, {0.2}, {0.1}, {0.0}}});
    REQUIRE(found);
    CHECK(found->keep == 1);
    CHECK(found->low == 0);
    CHECK(found->high == 4);
}

TEST_CASE("a prediction is shown up to where it is not above 0, what was measured as it was")
{
    KlCurve curve{{0, 1, 2, 3, 4}, {{1.0, 1.2}, {0.3, 0.5}, {0.1, 0.0}, {-0.1, -0.2}, {0.1, 0.3}}};
    const ShownKlCurve predicted = shownPrediction(curve);
    REQUIRE(predicted.points.size() == 3);                 // a layer that harms would bring it above 0 again: nothing is known there
    CHECK(predicted.points[2].keep == 2);
    CHECK(predicted.points[2].klNats.mean == Approx(0.05));
    CHECK(predicted.points[2].klNats.low == 0.0);
    REQUIRE(predicted.elbow);
    CHECK(predicted.elbow->keep == elbow(curve)->keep);
    const ShownKlCurve measured = shownMeasurement(curve);
    REQUIRE(measured.points.size() == 5);
    CHECK(measured.points[3].klNats.mean == Approx(-0.15));
    CHECK(measured.points[2].klNats.low < 0.0);
    curve.klNats_KS.pop_back();
    CHECK_THROWS_AS((void)shownPrediction(curve), stillroom::Error);
    CHECK_THROWS_AS((void)shownMeasurement(curve), stillroom::Error);
}
