// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/randomsets.h"

#include "error.h"
#include "randomstream.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace stillroom::choices {
namespace {

/// min(C(n, k), limit): the running product C(n-k+i, i) is whole at every step.
std::int64_t numberOfSets(int n, int k, std::int64_t limit)
{
    std::int64_t sets = 1;
    for (int i = 1; i <= std::min(k, n - k) && sets < limit; ++i)
        sets = sets * (n - std::min(k, n - k) + i) / i;
    return std::min(sets, limit);
}

}  // namespace

experiment::Ranking randomRanking(int numLayers, std::uint64_t seed, int draw)
{
    if (numLayers < 1)
        throw Error(ErrorCode::Usage, "The number of layers is " + std::to_string(numLayers) + " but must be at least 1.");
    RandomStream stream(seedFor(seed, "random layers", 0, draw));
    experiment::Ranking ranking(static_cast<std::size_t>(numLayers));
    std::iota(ranking.begin(), ranking.end(), 0);
    for (std::size_t place = 0; place + 1 < ranking.size(); ++place)
        std::swap(ranking[place], ranking[place + stream.below(ranking.size() - place)]);
    return ranking;
}

std::vector<experiment::LayerSet> randomSets(int numLayers, int keep, int count, std::uint64_t seed)
{
    if (numLayers < 1 || keep < 0 || keep > numLayers)
        throw Error(ErrorCode::Usage, "K is " + std::to_string(keep) + " but must be from 0 to " + std::to_string(numLayers) + ".");
    if (count < 0 || numberOfSets(numLayers, keep, count) < count)
        throw Error(ErrorCode::Usage, "There are only " + std::to_string(numberOfSets(numLayers, keep, count)) + " different sets of " + std::to_string(keep) + " of " +
                                          std::to_string(numLayers) + " layers, not " + std::to_string(count) + ".");
    std::vector<experiment::LayerSet> sets;
    for (int draw = 0; static_cast<int>(sets.size()) < count; ++draw) {
        experiment::LayerSet set = experiment::topLayers(randomRanking(numLayers, seed, draw), keep);
        if (std::find(sets.begin(), sets.end(), set) == sets.end())
            sets.push_back(std::move(set));
    }
    return sets;
}

}  // namespace stillroom::choices
