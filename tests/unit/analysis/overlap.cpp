// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/chanceoverlap.h"
#include "analysis/layersets.h"
#include "analysis/overlap.h"
#include "error.h"
#include "randomstream.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>
#include <set>

using namespace stillroom;
using namespace stillroom::analysis;
using doctest::Approx;
using experiment::LayerSet;
using experiment::Ranking;

namespace {

using Sets = std::vector<std::optional<LayerSet>>;

/// A set of a random size, drawn layer by layer.
LayerSet someSet(int numLayers, RandomStream &stream)
{
    LayerSet layers;
    const double share = stream.uniform();
    for (int layer = 0; layer < numLayers; ++layer)
        if (stream.uniform() < share)
            layers.push_back(layer);
    return layers;
}

Sets topsOf(const Ranking &ranking, int numLayers)
{
    Sets tops(static_cast<std::size_t>(numLayers) + 1);
    for (int keep = 0; keep <= static_cast<int>(ranking.size()); ++keep)
        tops[static_cast<std::size_t>(keep)] = experiment::topLayers(ranking, keep);
    return tops;
}

}  // namespace

TEST_CASE("two sets are taken apart into what only one holds and what both do")
{
    const Overlap parts = overlap({5, 17, 19, 20, 21, 22, 25, 32, 33}, {20, 21, 22, 25, 27, 30, 31, 32, 33});
    CHECK(parts.onlyA == LayerSet{5, 17, 19});
    CHECK(parts.both == LayerSet{20, 21, 22, 25, 32, 33});
    CHECK(parts.onlyB == LayerSet{27, 30, 31});
    RandomStream stream(3);
    for (int trial = 0; trial < 100; ++trial) {
        const LayerSet a = someSet(20, stream), b = someSet(20, stream);
        const Overlap some = overlap(a, b), swapped = overlap(b, a);
        CHECK(some.onlyA == swapped.onlyB);
        CHECK(some.both == swapped.both);
        CHECK(some.onlyA.size() + some.both.size() == a.size());
        CHECK(static_cast<int>(some.both.size()) == numShared(a, b));
    }
}

TEST_CASE("the matrix holds every pair's index, beside chance for its own sizes")
{
    RandomStream stream(7);
    Sets sets;
    for (int i = 0; i < 12; ++i)
        sets.emplace_back(someSet(18, stream));
    sets[4].reset();                      // no set at this K
    sets[5] = LayerSet{};
    sets[6] = LayerSet{};
    const OverlapMatrix matrix(sets, 18);
    REQUIRE(matrix.size() == 12);
    for (int i = 0; i < matrix.size(); ++i)
        for (int j = 0; j < matrix.size(); ++j) {
            const auto &cell = matrix.at(i, j);
            REQUIRE(cell.has_value() == (i != 4 && j != 4));
            if (!cell)
                continue;
            const LayerSet &a = *sets[static_cast<std::size_t>(i)], &b = *sets[static_cast<std::size_t>(j)];
            const ChanceOverlap chance(static_cast<int>(a.size()), static_cast<int>(b.size()), 18);
            CHECK(cell->shared == numShared(a, b));
            CHECK(cell->jaccard == jaccard(a, b));
            CHECK(cell->chance == Approx(chance.meanJaccard()));
            CHECK(cell->pValue == Approx(chance.atLeast(cell->shared)));
            CHECK(cell->jaccard == matrix.at(j, i)->jaccard);
            if (i == j)
                CHECK(cell->jaccard == 1.0);
        }
    CHECK(OverlapMatrix().size() == 0);
    CHECK_THROWS_AS(OverlapMatrix({LayerSet{0, 1, 2}}, 2), Error);
}

TEST_CASE("the published sets of Qwen-3B at 25 % overlap as counted by hand")
{
    // GA-S2 with GDN and with GLA students, and the ten layers that a search kept.
    const OverlapMatrix matrix({LayerSet{5, 17, 19, 20, 21, 22, 25, 32, 33}, LayerSet{20, 21, 22, 25, 27, 30, 31, 32, 33}, LayerSet{5, 16, 17, 19, 20, 21, 22, 25, 27, 32}}, 36);
    CHECK(matrix.at(0, 1)->jaccard == Approx(0.5));
    CHECK(matrix.at(0, 2)->shared == 8);
    CHECK(matrix.at(0, 2)->jaccard == Approx(8.0 / 11.0));
    CHECK(matrix.at(0, 2)->pValue < 1e-4);
}

TEST_CASE("of two rankings the curve of sets is the agreement curve")
{
    const Ranking gdn{20, 32, 33, 21, 22, 25, 17, 19, 5, 31, 4, 3, 10, 30, 26, 29, 27, 13}, gla{33, 32, 20, 25, 31, 21, 22, 30, 27, 17, 5, 19, 26, 7, 29, 28, 3, 15};
    const auto curve = agreementCurve(gdn, gla, 36, 0.9), sets = agreementOfSets(topsOf(gdn, 36), topsOf(gla, 36), 0.9);
    REQUIRE(sets.size() == curve.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
        CHECK(sets[i].keep == curve[i].keep);
        CHECK(sets[i].jaccard == curve[i].jaccard);
        CHECK(sets[i].chance == curve[i].chance);
        CHECK(sets[i].chanceBand.low == curve[i].chanceBand.low);
        CHECK(sets[i].chanceBand.high == curve[i].chanceBand.high);
        CHECK(sets[i].pValue == curve[i].pValue);
        CHECK_FALSE(sets[i].bootstrap);
    }
}

TEST_CASE("a choice that keeps its size is compared at every K, one without a set at none")
{
    Ranking ranking(6);
    std::iota(ranking.begin(), ranking.end(), 0);
    const Sets fixed(7, LayerSet{0, 1}), none(7);
    const auto curve = agreementOfSets(topsOf(ranking, 6), fixed);
    REQUIRE(curve.size() == 6);
    CHECK(curve[1].jaccard == 1.0);
    CHECK(curve[5].jaccard == Approx(1.0 / 3.0));
    CHECK(curve[5].chance == Approx(1.0 / 3.0));      // all six layers hold any two
    CHECK(curve[5].pValue == Approx(1.0));
    CHECK(agreementOfSets(topsOf(ranking, 6), none).empty());
    CHECK_THROWS_AS((void)agreementOfSets(fixed, Sets(3)), Error);
    CHECK_THROWS_AS((void)agreementOfSets(fixed, fixed, 1.0), Error);
}
