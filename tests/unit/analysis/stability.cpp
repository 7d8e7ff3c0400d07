// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stability.h"
#include "analysis/layersets.h"
#include "error.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>
#include <random>
#include <set>

using namespace stillroom::analysis;
using stillroom::experiment::Ranking;
using Values = std::vector<std::vector<double>>;

namespace {

/// The rule word by word: min of the last w Jaccard indices ≥ (K-1)/(K+1), and the last w+1 sets share K-1 layers or more, one at least. In whole numbers.
bool settledByTheWord(const std::vector<Ranking> &rankings, int keep, int window)
{
    const auto numSets = static_cast<std::size_t>(window) + 1;
    if (rankings.size() < numSets)
        return false;
    std::vector<std::set<int>> sets;
    for (const Ranking &ranking : rankings)
        sets.emplace_back(ranking.begin(), ranking.begin() + keep);
    const auto common = [](const std::set<int> &a, const std::set<int> &b) {
        return std::count_if(a.begin(), a.end(), [&](int layer) { return b.contains(layer); });
    };
    std::set<int> shared = sets[sets.size() - numSets];
    for (std::size_t e = sets.size() - numSets + 1; e < sets.size(); ++e) {
        const auto both = common(sets[e], sets[e - 1]);
        const auto either = 2 * keep - both;
        if (both * (keep + 1) < either * (keep - 1))
            return false;
        std::erase_if(shared, [&](int layer) { return !sets[e].contains(layer); });
    }
    return static_cast<int>(shared.size()) >= std::max(1, keep - 1);
}

}  // namespace

TEST_CASE("the rule of early stopping, by hand for K = 3 and w = 3")
{
    const Ranking a{0, 1, 2, 3, 4}, swapped{0, 1, 3, 2, 4}, other{0, 4, 3, 2, 1};
    CHECK_FALSE(settled({a, a, a}, 3, 3));                       // three sets are two changes
    CHECK(settled({a, a, a, a}, 3, 3));
    CHECK(settled({other, a, a, a, a}, 3, 3));                   // what was before the window does not count
    CHECK(settled({a, swapped, a, swapped}, 3, 3));              // one swap is 2/4 = (K-1)/(K+1); layers 0 and 1 are always there
    CHECK_FALSE(settled({a, swapped, other, other}, 3, 3));      // each change one swap, but only layer 0 is always there
    CHECK_FALSE(settled({a, a, a, other}, 3, 3));                // two swaps at once: 1/5
    CHECK_FALSE(settled({}, 3, 3));
    CHECK(settled({{0, 1, 2, 3, 4}, {2, 1, 0, 4, 3}, {1, 0, 2, 3, 4}, {0, 2, 1, 4, 3}}, 3, 3));   // order inside the set is free
}

TEST_CASE("for K = 1 the best layer must be one and the same")
{
    CHECK(settled({{0, 1, 2}, {0, 2, 1}, {0, 1, 2}, {0, 1, 2}}, 1, 3));
    CHECK_FALSE(settled({{0, 1, 2}, {1, 2, 0}, {2, 1, 0}, {0, 1, 2}}, 1, 3));
}

TEST_CASE("the rule equals its definition in whole numbers for all K and windows")
{
    std::mt19937 generator(6);
    int numSettled = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        const int numLayers = 3 + static_cast<int>(generator() % 30U);
        Ranking ranking(static_cast<std::size_t>(numLayers));
        std::iota(ranking.begin(), ranking.end(), 0);
        std::shuffle(ranking.begin(), ranking.end(), generator);
        std::vector<Ranking> rankings;
        for (int e = 0; e < 6; ++e) {
            rankings.push_back(ranking);
            for (auto swaps = generator() % 3U; swaps > 0; --swaps) {
                const auto place = generator() % (ranking.size() - 1);
                std::swap(ranking[place], ranking[place + 1]);
            }
        }
        for (const int window : {1, 2, 3, 5}) {
            for (int keep = 1; keep <= numLayers; ++keep) {
                const bool expected = settledByTheWord(rankings, keep, window);
                CHECK(settled(rankings, keep, window) == expected);
                numSettled += expected ? 1 : 0;
            }
        }
    }
    CHECK(numSettled > 1000);
}

TEST_CASE("stable and apart is settled, stable but within 2 SE of each other is not, and what still moves is neither")
{
    const Ranking a{0, 1, 2}, other{2, 1, 0};
    const LayerSamples apart(Values{{1.0, 1.1, 0.9, 1.0}, {2.0, 2.1, 2.2, 1.9}, {5.0, 5.1, 5.0, 5.2}}), close(Values{{1.0, 1.1, 0.9, 1.0}, {2.0, 2.1, 2.2, 1.9}, {2.5, 2.0, 2.3, 1.7}});
    CHECK(stability({a, a, a, a}, apart, 2, 3) == Stability::Settled);
    CHECK(stability({a, a, a, a}, close, 2, 3) == Stability::NotSettled);
    CHECK(stability({a, a, a, a}, close, 1, 3) == Stability::Settled);            // the boundary below the first layer is clear
    CHECK(stability({a, a, a, a}, close, 2, 3, 0.1) == Stability::Settled);
    CHECK(stability({other, a, a, a}, apart, 1, 3) == Stability::Moving);
    CHECK(stability({a, a}, apart, 2, 3) == Stability::Moving);
    CHECK_THROWS_AS((void)stability({a, a, a, a}, apart, 3, 3), stillroom::Error);
}

TEST_CASE("K and window out of range are refused")
{
    CHECK_THROWS_AS((void)settled({{0, 1}}, 0, 3), stillroom::Error);
    CHECK_THROWS_AS((void)settled({{0, 1}}, 3, 3), stillroom::Error);
    CHECK_THROWS_AS((void)settled({{0, 1}}, 1, 0), stillroom::Error);
}
