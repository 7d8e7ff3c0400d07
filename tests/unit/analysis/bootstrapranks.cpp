// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/bootstrapranks.h"
#include "error.h"
#include "golden.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace stillroom::analysis;
using doctest::Approx;
using stillroom::experiment::LayerSet;
using Values = std::vector<std::vector<double>>;

namespace {

std::vector<std::vector<double>> goldenValues()
{
    return agreementGolden().at("bootstrap").at("values").get<std::vector<std::vector<double>>>();
}

}  // namespace

TEST_CASE("chances of the top K are those of an independent bootstrap, within sampling error")
{
    constexpr int numDraws = 20000;
    const BootstrapRanks ranks(LayerSamples(goldenValues()), numDraws, 5);
    const auto &within = agreementGolden().at("bootstrap").at("within");
    for (int layer = 0; layer < 8; ++layer)
        for (int keep = 1; keep <= 8; ++keep) {
            const double expected = within[static_cast<std::size_t>(layer)][static_cast<std::size_t>(keep) - 1].get<double>();
            CHECK(std::abs(ranks.chanceOfTop(layer, keep) - expected) < 4.5 * std::sqrt(expected * (1.0 - expected) * (1.0 / numDraws + 1.0 / 200000)) + 1e-9);
        }
}

TEST_CASE("two sequences: all four draws by hand")
{
    // Draws 00, 01, 10, 11: means of layer 0 are 0, 1, 1, 2, of layer 1 are 3, 1.5, 1.5, 0 → layer 0 first in three of four
    const BootstrapRanks ranks(LayerSamples(Values{{0, 2}, {3, 0}}), 40000, 1);
    CHECK(ranks.chanceOfTop(0, 1) == Approx(0.75).epsilon(0.015));
    CHECK(BootstrapRanks(LayerSamples(Values{{0, 2}, {3, 0}}, true), 40000, 1).chanceOfTop(0, 1) == Approx(0.25).epsilon(0.05));
    CHECK(ranks.chanceOfTop(0, 0) == 0.0);
    CHECK(ranks.chanceOfTop(0, 2) == 1.0);
}

TEST_CASE("counts agree with the draws they are counted from")
{
    const BootstrapRanks ranks(LayerSamples(goldenValues()), 500, 3);
    for (int layer = 0; layer < 8; ++layer) {
        std::vector<double> shares(8, 0.0);
        for (int index = 0; index < 500; ++index) {
            const auto order = ranks.draw(index);
            shares[static_cast<std::size_t>(std::find(order.begin(), order.end(), layer) - order.begin())] += 1.0 / 500;
        }
        const auto found = ranks.placeShares(layer);
        for (std::size_t place = 0; place < 8; ++place)
            CHECK(found[place] == Approx(shares[place]));
        for (int keep = 1; keep <= 8; ++keep)
            CHECK(ranks.chanceOfTop(layer, keep) == Approx(std::accumulate(shares.begin(), shares.begin() + keep, 0.0)));
        const auto interval = ranks.rankInterval(layer, 0.9);
        CHECK(ranks.chanceOfTop(layer, interval.low - 1) <= 0.05);
        CHECK(ranks.chanceOfTop(layer, interval.low) > 0.05);
        CHECK(ranks.chanceOfTop(layer, interval.high) >= 0.95);
        CHECK((interval.high == interval.low || ranks.chanceOfTop(layer, interval.high - 1) < 0.95));
    }
    for (int keep = 0; keep <= 8; ++keep) {
        double places = 0.0;
        for (int layer = 0; layer < 8; ++layer)
            places += ranks.chanceOfTop(layer, keep);
        CHECK(places == Approx(keep));
    }
}

TEST_CASE("how often the same set would be chosen, and how much of it")
{
    const BootstrapRanks ranks(LayerSamples(goldenValues()), 500, 3);
    const LayerSet set = stillroom::experiment::topLayers(LayerSamples(goldenValues()).ranking(), 3);
    double same = 0.0, jaccards = 0.0;
    for (int index = 0; index < 500; ++index) {
        LayerSet top(ranks.draw(index).begin(), ranks.draw(index).begin() + 3);
        std::sort(top.begin(), top.end());
        LayerSet both;
        std::set_intersection(top.begin(), top.end(), set.begin(), set.end(), std::back_inserter(both));
        same += top == set ? 1.0 / 500 : 0.0;
        jaccards += static_cast<double>(both.size()) / static_cast<double>(6 - both.size()) / 500;
    }
    CHECK(same > 0.0);
    CHECK(same < 1.0);
    CHECK(ranks.chanceOfSet(set) == Approx(same));
    CHECK(ranks.meanJaccard(set) == Approx(jaccards));
    CHECK(ranks.chanceOfSet({}) == 1.0);
    CHECK(ranks.meanJaccard({}) == 1.0);
    CHECK(ranks.chanceOfSet({0, 1, 2, 3, 4, 5, 6, 7}) == 1.0);
}

TEST_CASE("draws depend on the seed alone: fewer are the first of more, equal sequences are paired, equal layers go by number")
{
    const LayerSamples samples(goldenValues());
    const BootstrapRanks many(samples, 200, 9), few(samples, 20, 9), other(samples, 200, 10);
    int different = 0;
    for (int index = 0; index < 20; ++index) {
        CHECK(std::ranges::equal(many.draw(index), few.draw(index)));
        different += std::ranges::equal(many.draw(index), other.draw(index)) ? 0 : 1;
    }
    CHECK(different > 10);
    std::vector<std::vector<double>> doubled = goldenValues();
    for (auto &values : doubled)
        for (double &value : values)
            value *= 2.0;
    const BootstrapRanks scaled(LayerSamples(doubled), 200, 9);
    for (int index = 0; index < 200; ++index)
        CHECK(std::ranges::equal(many.draw(index), scaled.draw(index)));
    const BootstrapRanks equal(LayerSamples(Values{{1, 2, 3}, {1, 2, 3}}), 100, 1);
    CHECK(equal.chanceOfTop(0, 1) == 1.0);
}

TEST_CASE("the bootstrap refuses what it cannot answer")
{
    CHECK_THROWS_AS((void)BootstrapRanks(LayerSamples(Values{{1}, {2}})), stillroom::Error);
    CHECK_THROWS_AS((void)BootstrapRanks(LayerSamples(Values{{1, 2}, {2, 3}}), 0), stillroom::Error);
    const BootstrapRanks ranks(LayerSamples(Values{{1, 2}, {2, 3}}), 10);
    CHECK_THROWS_AS((void)ranks.chanceOfTop(2, 1), stillroom::Error);
    CHECK_THROWS_AS((void)ranks.chanceOfTop(0, 3), stillroom::Error);
    CHECK_THROWS_AS((void)ranks.draw(10), stillroom::Error);
    CHECK_THROWS_AS((void)ranks.rankInterval(0, 1.0), stillroom::Error);
    CHECK_THROWS_AS((void)ranks.chanceOfSet({0, 0}), stillroom::Error);
    CHECK_THROWS_AS((void)ranks.placeShares(-1), stillroom::Error);
}
