// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/consensus.h"
#include "error.h"
#include "golden.h"
#include "randomstream.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace stillroom;
using namespace stillroom::analysis;
using doctest::Approx;
using experiment::Ranking;

TEST_CASE("the mean of two rankings by hand: AVG with its ties to the lower layer")
{
    // places of layers 0 … 4: 1,2,3,4,5 and 5,2,1,4,3 → means 3, 2, 2, 4, 4
    const MeanPlaces mean = meanPlaces({{0, 1, 2, 3, 4}, {2, 1, 4, 3, 0}});
    CHECK(mean.ranking == Ranking{1, 2, 0, 3, 4});
    CHECK(mean.place_L[0].mean == 3.0);
    CHECK(mean.place_L[0].se == Approx(2.0));
    CHECK(mean.place_L[3].mean == 4.0);
    CHECK(mean.place_L[3].se == 0.0);
    CHECK(meanPlaces({{2, 0, 1}}).ranking == Ranking{2, 0, 1});
    CHECK(std::isinf(meanPlaces({{2, 0, 1}}).place_L[0].high));
}

TEST_CASE("mean places and Kendall's W are scipy's")
{
    for (const auto &row : agreementGolden().at("concordance")) {
        const auto rankings = row.at("rankings").get<std::vector<Ranking>>();
        CHECK(concordance(rankings) == Approx(row.at("w").get<double>()).epsilon(1e-12));
        const MeanPlaces mean = meanPlaces(rankings);
        for (std::size_t layer = 0; layer < mean.place_L.size(); ++layer) {
            CHECK(mean.place_L[layer].mean == Approx(row.at("mean_places")[layer].get<double>()));
            CHECK(mean.place_L[layer].se == Approx(row.at("se")[layer].get<double>()));
        }
    }
    CHECK(concordance({{2, 0, 1}, {2, 0, 1}}) == Approx(1.0));
    CHECK(concordance({{2, 0, 1}, {1, 0, 2}}) == Approx(0.0));
}

TEST_CASE("Kemeny's order is the one that a search of all orders finds, ties to the lower layer")
{
    for (const auto &row : agreementGolden().at("kemeny")) {
        const auto rankings = row.at("rankings").get<std::vector<Ranking>>();
        const auto best = kemenyRanking(rankings);
        REQUIRE(best.has_value());
        CHECK(*best == row.at("ranking").get<Ranking>());
        CHECK(pairsAgainst(*best, rankings) == row.at("against").get<int>());
    }
}

TEST_CASE("Condorcet's circle: every layer beats the next, and the lowest comes first")
{
    const std::vector<Ranking> circle{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    CHECK(*kemenyRanking(circle) == Ranking{0, 1, 2});
    CHECK(pairsAgainst({0, 1, 2}, circle) == 4);
    CHECK(meanPlaces(circle).ranking == Ranking{0, 1, 2});
    // A whole model whose majorities go in circles cannot be searched: it says so instead of taking for ever.
    Ranking order(30);
    std::iota(order.begin(), order.end(), 0);
    std::vector<Ranking> turned;
    for (int i = 0; i < 3; ++i) {
        turned.push_back(order);
        std::rotate(order.begin(), order.begin() + 10, order.end());
    }
    CHECK_FALSE(kemenyRanking(turned).has_value());
}

TEST_CASE("thirty-six layers of three seeds that mostly agree fall into small groups")
{
    RandomStream stream(4);
    std::vector<Ranking> rankings;
    for (int seed = 0; seed < 3; ++seed) {
        Ranking ranking(36);
        std::iota(ranking.begin(), ranking.end(), 0);
        for (int swaps = 0; swaps < 25; ++swaps) {
            const std::size_t place = stream.below(35);
            std::swap(ranking[place], ranking[place + 1]);
        }
        rankings.push_back(ranking);
    }
    const auto best = kemenyRanking(rankings);
    REQUIRE(best.has_value());
    const std::int64_t against = pairsAgainst(*best, rankings);
    CHECK(against <= pairsAgainst(meanPlaces(rankings).ranking, rankings));
    for (std::size_t place = 0; place + 1 < 36; ++place) {       // no swap of neighbours makes it better
        Ranking other = *best;
        std::swap(other[place], other[place + 1]);
        CHECK(pairsAgainst(other, rankings) >= against);
    }
}

TEST_CASE("rankings of different layers have no consensus")
{
    CHECK_THROWS_AS((void)meanPlaces({}), Error);
    CHECK_THROWS_AS((void)meanPlaces({{0, 1}, {0, 2}}), Error);
    CHECK_THROWS_AS((void)meanPlaces({{0, 1}, {0, 1, 2}}), Error);
    CHECK_THROWS_AS((void)kemenyRanking({{0, 0}}), Error);
    CHECK_THROWS_AS((void)pairsAgainst({0}, {{0, 1}}), Error);
    CHECK_THROWS_AS((void)pairsAgainst({0, 2}, {{0, 1}}), Error);
    CHECK_THROWS_AS((void)concordance({{0}}), Error);
}

TEST_CASE("Kemeny's order is the best of all permutations, ties between two rankings and all")
{
    RandomStream stream(11);
    for (int trial = 0; trial < 40; ++trial) {
        std::vector<Ranking> rankings;
        for (int voter = 0; voter < 2 + trial % 3; ++voter) {
            Ranking ranking(6);
            std::iota(ranking.begin(), ranking.end(), 0);
            for (std::size_t place = 0; place + 1 < ranking.size(); ++place)
                std::swap(ranking[place], ranking[place + stream.below(ranking.size() - place)]);
            rankings.push_back(ranking);
        }
        Ranking order(6), first;
        std::iota(order.begin(), order.end(), 0);
        std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
        do {       // in lexicographic order: of equal ones the lower layers first
            if (const std::int64_t against = pairsAgainst(order, rankings); against < fewest) {
                fewest = against;
                first = order;
            }
        } while (std::next_permutation(order.begin(), order.end()));
        const auto best = kemenyRanking(rankings);
        REQUIRE(best);
        CHECK(pairsAgainst(*best, rankings) == fewest);
        CHECK(*best == first);
    }
}

TEST_CASE("a consensus over as many layers as a model may have takes no longer than reading it")
{
    Ranking up(2000), down;
    std::iota(up.begin(), up.end(), 0);
    down = up;
    for (std::size_t place = 0; place + 1 < down.size(); place += 2)
        std::swap(down[place], down[place + 1]);
    const auto best = kemenyRanking({up, down, up});
    REQUIRE(best);
    CHECK(*best == up);
    CHECK(pairsAgainst(up, {up, down, up}) == 1000);
}
