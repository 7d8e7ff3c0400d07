// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/randomsets.h"

#include "error.h"
#include "randomstream.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace stillroom::choices {
namespace {

using experiment::Ranking;

constexpr std::int64_t mostDrawnLayers = 2'000'000;

/// The first `count` of the random order of one draw.
Ranking firstOf(int numLayers, int count, std::uint64_t seed, int draw)
{
    RandomStream stream(seedFor(seed, "random layers", 0, draw));
    Ranking ranking(static_cast<std::size_t>(numLayers));
    std::iota(ranking.begin(), ranking.end(), 0);
    // What is swapped later leaves these places alone.
    for (std::size_t place = 0; place < static_cast<std::size_t>(count) && place + 1 < ranking.size(); ++place)
        std::swap(ranking[place], ranking[place + stream.below(ranking.size() - place)]);
    ranking.resize(static_cast<std::size_t>(count));
    return ranking;
}

}  // namespace

Ranking randomRanking(int numLayers, std::uint64_t seed, int draw)
{
    experiment::checkNumLayers(numLayers);
    return firstOf(numLayers, numLayers, seed, draw);
}

std::vector<experiment::LayerSet> randomSets(int numLayers, int keep, int count, std::uint64_t seed)
{
    experiment::checkNumLayers(numLayers);
    if (keep < 0 || keep > numLayers)
        throw Error(ErrorCode::Usage, "K is " + std::to_string(keep) + " but must be from 0 to " + std::to_string(numLayers) + ".");
    if (const std::int64_t most = experiment::numberOfSets(numLayers, keep, std::max(count, 1)); count < 0 || most < count)
        throw Error(ErrorCode::Usage, std::to_string(keep) + " of " + std::to_string(numLayers) + " layers make only " + std::to_string(most) + (most == 1 ? " set" : " different sets") + ", not " + std::to_string(count) + ": draw fewer.");
    if (std::int64_t{count} * keep > mostDrawnLayers)
        throw Error(ErrorCode::Usage, std::to_string(count) + " random sets of " + std::to_string(keep) + " layers are more than the " + std::to_string(mostDrawnLayers) + " layers that are drawn at once: ask for fewer sets.");
    std::vector<experiment::LayerSet> sets;
    std::set<experiment::LayerSet> known;
    for (int draw = 0; static_cast<int>(sets.size()) < count; ++draw)
        if (experiment::LayerSet set = experiment::topLayers(firstOf(numLayers, keep, seed, draw), keep); known.insert(set).second)
            sets.push_back(std::move(set));
    return sets;
}

}  // namespace stillroom::choices
