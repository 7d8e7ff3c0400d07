// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/agreementcurve.h"
#include "analysis/chanceoverlap.h"
#include "analysis/layersets.h"
#include "error.h"
#include "randomstream.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>

using namespace stillroom;
using namespace stillroom::analysis;
using doctest::Approx;
using experiment::Ranking;

namespace {

LayerSamples noisy(int numLayers, int numSequences, std::uint64_t seed)
{
    RandomStream stream(seed);
    std::vector<std::vector<double>> values_LS;
    for (int layer = 0; layer < numLayers; ++layer) {
        values_LS.emplace_back();
        for (int s = 0; s < numSequences; ++s)
            values_LS.back().push_back(0.05 * layer + stream.uniform());
    }
    return LayerSamples(std::move(values_LS));
}

}  // namespace

TEST_CASE("the published GDN and GLA rankings of Qwen-3B agree far above chance at every K")
{
    const Ranking gdn{20, 32, 33, 21, 22, 25, 17, 19, 5, 31, 4, 3, 10, 30, 26, 29, 27, 13}, gla{33, 32, 20, 25, 31, 21, 22, 30, 27, 17, 5, 19, 26, 7, 29, 28, 3, 15};
    const auto curve = agreementCurve(gdn, gla, 36);
    REQUIRE(curve.size() == 18);
    CHECK(curve[4].jaccard == Approx(3.0 / 7.0));
    CHECK(curve[8].jaccard == Approx(0.5));
    CHECK(curve[11].jaccard == Approx(10.0 / 14.0));
    CHECK(curve[17].jaccard == Approx(15.0 / 21.0));
    CHECK(curve[2].jaccard == 1.0);
    for (const AgreementPoint &point : curve) {
        const ChanceOverlap chance(point.keep, point.keep, 36);
        CHECK(point.jaccard == Approx(jaccard(experiment::topLayers(gdn, point.keep), experiment::topLayers(gla, point.keep))));
        CHECK(point.chance == chance.meanJaccard());
        CHECK(point.chanceBand.low <= point.chance);
        CHECK(point.chanceBand.high >= point.chance);
        CHECK_FALSE(point.bootstrap);
        if (point.keep >= 3) {
            CHECK(point.jaccard > point.chanceBand.high);
            CHECK(point.pValue < 0.025);
        }
    }
    CHECK(curve[0].pValue == 1.0);       // nothing shared at K = 1
}

TEST_CASE("bootstrap intervals are the percentiles of the draws' own curves")
{
    const LayerSamples samples = noisy(7, 12, 1), others = noisy(7, 12, 2);
    const BootstrapRanks a(samples, 201, 4), b(others, 201, 4);
    const auto curve = agreementCurve(samples.ranking(), others.ranking(), a, b, 0.9);
    const auto fixed = agreementCurve(samples.ranking(), others.ranking(), a, 0.9);
    REQUIRE(curve.size() == 7);
    for (const AgreementPoint &point : curve) {
        std::vector<double> seen, seenFixed;
        for (int index = 0; index < 201; ++index) {
            const Ranking drawA(a.draw(index).begin(), a.draw(index).end()), drawB(b.draw(index).begin(), b.draw(index).end());
            seen.push_back(jaccard(experiment::topLayers(drawA, point.keep), experiment::topLayers(drawB, point.keep)));
            seenFixed.push_back(jaccard(experiment::topLayers(drawA, point.keep), experiment::topLayers(others.ranking(), point.keep)));
        }
        std::sort(seen.begin(), seen.end());
        std::sort(seenFixed.begin(), seenFixed.end());
        // 5 % of 201 is 10.05: the eleventh smallest and the eleventh largest
        REQUIRE(point.bootstrap.has_value());
        CHECK(point.bootstrap->low == Approx(seen[10]));
        CHECK(point.bootstrap->high == Approx(seen[190]));
        const auto &other = fixed[static_cast<std::size_t>(point.keep) - 1];
        CHECK(other.bootstrap->low == Approx(seenFixed[10]));
        CHECK(other.bootstrap->high == Approx(seenFixed[190]));
        CHECK(other.jaccard == point.jaccard);
    }
    CHECK(curve[6].bootstrap->low == 1.0);
}

TEST_CASE("a ranking agrees with itself in every paired draw")
{
    const LayerSamples samples = noisy(6, 5, 3);
    const BootstrapRanks draws(samples, 100, 4);
    for (const AgreementPoint &point : agreementCurve(samples.ranking(), samples.ranking(), draws, draws)) {
        CHECK(point.jaccard == 1.0);
        CHECK(point.bootstrap->low == 1.0);
    }
}

TEST_CASE("rankings that do not fit are refused")
{
    CHECK_THROWS_AS((void)agreementCurve({0, 1}, {1, 1}, 3), Error);
    CHECK_THROWS_AS((void)agreementCurve({0, 1}, {1, 3}, 3), Error);
    CHECK_THROWS_AS((void)agreementCurve({0, 1}, {1, 0}, 2, 1.0), Error);
    CHECK(agreementCurve({}, {1, 0}, 2).empty());
    const BootstrapRanks few(noisy(3, 4, 1), 10), many(noisy(3, 4, 1), 20), wide(noisy(4, 4, 1), 10);
    CHECK_THROWS_AS((void)agreementCurve({0, 1, 2}, {0, 1, 2}, few, many), Error);
    CHECK_THROWS_AS((void)agreementCurve({0, 1, 2}, {0, 1, 2}, few, wide), Error);
}
