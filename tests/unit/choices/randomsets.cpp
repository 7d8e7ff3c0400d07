// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/randomsets.h"
#include "error.h"
#include "randomstream.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>

using namespace stillroom;
using namespace stillroom::choices;
using experiment::LayerSet;
using experiment::Ranking;

TEST_CASE("the stream is SplitMix64")
{
    RandomStream stream(1234567);            // the first values that the reference implementation prints for this seed
    for (const std::uint64_t expected : {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U, 16408922859458223821U})
        CHECK(stream.next() == expected);
}

TEST_CASE("draws below n are even, also where n does not divide 2^64")
{
    RandomStream stream(3);
    std::map<std::uint64_t, int> seen;
    for (int i = 0; i < 60000; ++i)
        ++seen[stream.below(6)];
    REQUIRE(seen.size() == 6);
    for (const auto &[value, times] : seen)
        CHECK(std::abs(times - 10000) < 400);       // four standard deviations are 365
    // Two thirds of 2^64: a plain remainder would give the lower half twice as often.
    const std::uint64_t wide = 0xaaaaaaaaaaaaaaabU;
    int low = 0;
    for (int i = 0; i < 60000; ++i)
        low += stream.below(wide) < wide / 2 ? 1 : 0;
    CHECK(std::abs(low - 30000) < 500);
    for (int i = 0; i < 1000; ++i) {
        const double u = stream.uniform();
        CHECK((u >= 0.0 && u < 1.0));
    }
}

TEST_CASE("a random ranking is a permutation that depends on seed and draw alone")
{
    Ranking sorted = randomRanking(30, 7, 2);
    CHECK(sorted == randomRanking(30, 7, 2));
    CHECK(sorted != randomRanking(30, 7, 3));
    CHECK(sorted != randomRanking(30, 8, 2));
    std::sort(sorted.begin(), sorted.end());
    for (int layer = 0; layer < 30; ++layer)
        CHECK(sorted[static_cast<std::size_t>(layer)] == layer);
    CHECK(randomRanking(1, 7, 0) == Ranking{0});
    CHECK_THROWS_AS((void)randomRanking(0, 7, 0), Error);
}

TEST_CASE("every set is equally likely")
{
    std::map<LayerSet, int> seen;
    for (int draw = 0; draw < 20000; ++draw)
        ++seen[experiment::topLayers(randomRanking(6, 5, draw), 3)];
    REQUIRE(seen.size() == 20);
    double chiSquare = 0.0;
    for (const auto &[set, times] : seen)
        chiSquare += (times - 1000.0) * (times - 1000.0) / 1000.0;
    CHECK(chiSquare < 43.8);                 // its 99.9 % quantile with 19 degrees of freedom
}

TEST_CASE("random sets differ from each other and grow with K")
{
    const auto sets = randomSets(6, 2, 15, 1);           // all there are
    CHECK(std::set<LayerSet>(sets.begin(), sets.end()).size() == 15);
    const auto some = randomSets(36, 9, 5, 4);
    CHECK(some.front() == experiment::topLayers(randomRanking(36, 4, 0), 9));
    const auto more = randomSets(36, 12, 5, 4);
    for (std::size_t i = 0; i < 5; ++i)
        CHECK(std::includes(more[i].begin(), more[i].end(), some[i].begin(), some[i].end()));
    CHECK(randomSets(6, 0, 1, 1) == std::vector<LayerSet>{{}});
    CHECK(randomSets(300, 150, 3, 1).size() == 3);       // the number of such sets does not fit any integer
    CHECK_THROWS_AS((void)randomSets(6, 2, 16, 1), Error);
    CHECK_THROWS_AS((void)randomSets(6, 7, 1, 1), Error);
}

TEST_CASE("ten thousand sets of the largest model there is are drawn at once; more layers than one answer holds are refused")
{
    const auto sets = randomSets(experiment::mostLayers, 100, 10000, 2);
    CHECK(std::set<LayerSet>(sets.begin(), sets.end()).size() == 10000);
    for (const int draw : {0, 1, 9999})
        CHECK(sets[static_cast<std::size_t>(draw)] == experiment::topLayers(randomRanking(experiment::mostLayers, 2, draw), 100));
    const auto refusal = [](int numLayers, int keep, int count) -> std::string {
        try {
            (void)randomSets(numLayers, keep, count, 1);
        } catch (const Error &error) {
            CHECK(error.code() == ErrorCode::Usage);
            return error.what();
        }
        return "";
    };
    CHECK(refusal(4096, 2048, 10000).find("ask for fewer sets") != std::string::npos);
    CHECK(refusal(100000, 10, 1).find("from 1 to 4096") != std::string::npos);
    CHECK(refusal(6, 3, -1).find("not -1") != std::string::npos);
}
