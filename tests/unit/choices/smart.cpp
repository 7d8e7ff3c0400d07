// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/published.h"
#include "choices/smart.h"
#include "error.h"
#include "randomstream.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <optional>
#include <set>

using namespace stillroom;
using namespace stillroom::choices;
using experiment::LayerSet;

namespace {

struct Released {
    int numLayers = 0;
    LayerSet set;
};

LayerSet evenLayers(int numLayers)
{
    LayerSet layers;
    for (int layer = 0; layer < numLayers; layer += 2)
        layers.push_back(layer);
    return layers;
}

/// The MLA layers of the released Zebra-Llama models: 1B, 3B and 8B.
std::vector<Released> zebraLlama()
{
    return {{16, {0, 5, 10, 14}}, {16, {0, 2, 5, 8, 11, 14}}, {16, evenLayers(16)}, {28, {0, 5, 10, 16, 21, 26}}, {28, {0, 3, 7, 10, 14, 18, 22, 26}}, {28, evenLayers(28)},
            {32, {0, 4, 8, 12, 16, 20, 25, 30}}, {32, evenLayers(32)}};
}

std::vector<Released> hybridDistillation()
{
    std::vector<Released> distinct;
    std::set<std::string> seen;
    for (const PublishedSet &one : PublishedSets::shipped().sets())
        if (one.selector == "smart" && seen.insert(one.teacher + "/" + one.budget).second)
            distinct.push_back({one.numLayers, one.set()});
    return distinct;
}

/// SMART by its words: all sets of K layers, those that break a rule left out.
LayerSet smartByTheWord(const std::vector<double> &sensitivity, int keep)
{
    const auto numLayers = static_cast<int>(sensitivity.size());
    const int window = numLayers / keep;
    const auto argmax = [&](int begin, int end) {
        int best = begin;
        for (int layer = begin; layer < end; ++layer)
            if (sensitivity[static_cast<std::size_t>(layer)] > sensitivity[static_cast<std::size_t>(best)])
                best = layer;
        return best;
    };
    LayerSet best;
    double bestSum = 0.0;
    for (unsigned mask = 0; mask < (1U << static_cast<unsigned>(numLayers)); ++mask) {
        if (std::popcount(mask) != keep)
            continue;
        LayerSet set;
        double sum = 0.0;
        for (int layer = 0; layer < numLayers; ++layer)
            if (mask >> static_cast<unsigned>(layer) & 1U) {
                set.push_back(layer);
                sum += sensitivity[static_cast<std::size_t>(layer)];
            }
        if (keep == 1 ? set.front() != argmax(0, numLayers) : set.front() != argmax(0, window) || set.back() != argmax(numLayers - window, numLayers))
            continue;
        const int distance = set.back() - set.front();
        int numLong = 0;
        bool even = true;
        for (std::size_t i = 1; i < set.size(); ++i) {
            const int step = set[i] - set[i - 1], floor = distance / (keep - 1), ceiling = (distance + keep - 2) / (keep - 1);
            even = even && (step == floor || step == ceiling);
            numLong += step > floor ? 1 : 0;
        }
        if (!even || (keep > 1 && numLong != distance % (keep - 1)))
            continue;
        // Sums of small whole numbers are exact, so equal ones are equal; the lexicographically first set wins.
        if (best.empty() || sum > bestSum || (sum == bestSum && set < best)) {
            best = set;
            bestSum = sum;
        }
    }
    return best;
}

}  // namespace

TEST_CASE("all twenty released sets obey SMART's constraints, and the solver finds each from sensitivities that favour it")
{
    std::vector<Released> all = zebraLlama();
    for (const Released &one : hybridDistillation())
        all.push_back(one);
    REQUIRE(all.size() == 20);
    for (const Released &one : all) {
        CAPTURE(one.set.size());
        CHECK(allowedBySmart(one.set, one.numLayers));
        std::vector<double> sensitivity(static_cast<std::size_t>(one.numLayers), 0.0);
        for (const int layer : one.set)
            sensitivity[static_cast<std::size_t>(layer)] = 1.0;
        CHECK(smartSet(sensitivity, static_cast<int>(one.set.size())) == one.set);
    }
}

TEST_CASE("where the distance is a multiple of K-1 the middle is forced, whatever it is worth")
{
    // Qwen-3B at 25 %: ends 3 and 35, eight steps of four
    std::vector<double> sensitivity(36, 0.0);
    sensitivity[3] = sensitivity[35] = 1.0;
    sensitivity[20] = 100.0;
    CHECK(smartSet(sensitivity, 9) == LayerSet{3, 7, 11, 15, 19, 23, 27, 31, 35});
}

TEST_CASE("SMART equals a search through all sets")
{
    RandomStream stream(11);
    for (int trial = 0; trial < 60; ++trial) {
        const int numLayers = 1 + static_cast<int>(stream.below(12));
        std::vector<double> sensitivity;
        for (int layer = 0; layer < numLayers; ++layer)
            sensitivity.push_back(static_cast<double>(stream.below(trial % 2 == 0 ? 4 : 1000)));      // few values: many ties
        for (int keep = 1; keep <= numLayers; ++keep) {
            const LayerSet set = smartSet(sensitivity, keep);
            CHECK(set == smartByTheWord(sensitivity, keep));
            CHECK(allowedBySmart(set, numLayers));
        }
    }
}

TEST_CASE("K = 1 is the most sensitive layer, of equal ones the lower; a constant changes nothing")
{
    CHECK(smartSet({0.5, 2.0, 2.0, -1.0}, 1) == LayerSet{1});
    CHECK(smartSet({0.5, 2.0, 2.0, -1.0}, 4) == LayerSet{0, 1, 2, 3});
    CHECK(smartSet({0.5, 2.0}, 0).empty());
    CHECK(smartSet({-10.5, -9.0, -9.25, -12.0, -8.0, -8.0}, 3) == smartSet({0.5, 2.0, 1.75, -1.0, 3.0, 3.0}, 3));
    CHECK(allowedBySmart({17}, 28));
    CHECK(allowedBySmart({}, 28));
}

TEST_CASE("sets that break a rule are not SMART's")
{
    CHECK(allowedBySmart({2, 5, 8, 11, 14}, 16));
    CHECK_FALSE(allowedBySmart({3, 6, 9, 12, 15}, 16));       // five of sixteen begin in 0 … 2
    CHECK_FALSE(allowedBySmart({0, 4, 10, 14}, 16));          // steps 4, 6, 4
    CHECK_FALSE(allowedBySmart({0, 5, 10, 11}, 16));          // the last window is 12 … 15
    CHECK_FALSE(allowedBySmart({4, 8, 12, 15}, 16));          // the first is 0 … 3
}

TEST_CASE("SMART refuses K out of range and sensitivities that are not finite")
{
    CHECK_THROWS_AS((void)smartSet({1.0, 2.0}, 3), Error);
    CHECK_THROWS_AS((void)smartSet({1.0, 2.0}, -1), Error);
    CHECK_THROWS_AS((void)smartSet({1.0, std::nan("")}, 1), Error);
}

TEST_CASE("SMART's sensitivities are the KLs of layers kept alone, and no others")
{
    const auto score = [](int layer, std::optional<double> kl, bool higherIsBetter = false) {
        experiment::LayerScore made;
        made.layer = layer;
        made.score = 7.0;
        made.klNats = kl;
        made.higherIsBetter = higherIsBetter;
        return made;
    };
    CHECK(smartSensitivities({score(-1, 1.0), score(1, 0.25), score(0, 0.5)}, 2) == std::vector<double>{-0.5, -0.25});
    CHECK(smartSensitivities({score(0, 0.5)}, 2).empty());                                              // a layer is missing
    CHECK(smartSensitivities({score(0, 0.5), score(1, std::nullopt)}, 2).empty());                      // a score that is no KL
    CHECK(smartSensitivities({score(0, 0.5, true), score(1, 0.25, true)}, 2).empty());                  // harm of being linear
    CHECK(smartSensitivities({score(0, 0.5), score(1, std::numeric_limits<double>::infinity())}, 2).empty());
    CHECK_THROWS_AS((void)smartSensitivities({}, 0), Error);
}
