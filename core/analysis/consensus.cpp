// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/consensus.h"

#include "analysis/layersets.h"
#include "error.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>

namespace stillroom::analysis {
namespace {

using PlaceCounts = std::vector<std::vector<int>>;

/// [ranking][layer]: its place, from 0.
PlaceCounts placesOf(const std::vector<experiment::Ranking> &rankings)
{
    if (rankings.empty() || rankings.front().empty())
        throw Error(ErrorCode::Usage, "A consensus needs at least one ranking of at least one layer.");
    const std::size_t numLayers = rankings.front().size();
    PlaceCounts places;
    for (const experiment::Ranking &ranking : rankings) {
        std::vector<int> at(numLayers, -1);
        for (std::size_t place = 0; place < ranking.size(); ++place) {
            const int layer = ranking[place];
            if (ranking.size() != numLayers || layer < 0 || layer >= static_cast<int>(numLayers) || at[static_cast<std::size_t>(layer)] >= 0)
                throw Error(ErrorCode::Usage, "Ranking " + std::to_string(places.size() + 1) + " must name each of the layers 0 to " + std::to_string(numLayers - 1) + " once, as the first does.");
            at[static_cast<std::size_t>(layer)] = static_cast<int>(place);
        }
        places.push_back(at);
    }
    return places;
}

/// [a][b]: how many rankings put a before b.
PlaceCounts preferences(const std::vector<experiment::Ranking> &rankings)
{
    const PlaceCounts places = placesOf(rankings);
    const std::size_t numLayers = places.front().size();
    PlaceCounts prefer(numLayers, std::vector<int>(numLayers, 0));
    for (const std::vector<int> &at : places)
        for (std::size_t a = 0; a < numLayers; ++a)
            for (std::size_t b = 0; b < numLayers; ++b)
                prefer[a][b] += at[a] < at[b] ? 1 : 0;
    return prefer;
}

/// Layers in groups, each of which beats all later ones by a strict majority. One layer reaches another if a chain of layers, each at least tied with
/// the next, leads there; layers that reach each other are one group. By how many layers more than it loses to a layer beats: this lead falls by at least
/// two from one group to the next. In its order the groups stand one after the other, and each ends where no later layer is at least tied with one so far.
std::vector<std::vector<int>> majorityGroups(const PlaceCounts &prefer)
{
    const std::size_t numLayers = prefer.size();
    std::vector<int> lead(numLayers, 0), order(numLayers);
    for (std::size_t a = 0; a < numLayers; ++a)
        for (std::size_t b = 0; b < numLayers; ++b)
            lead[a] += (prefer[a][b] > prefer[b][a] ? 1 : 0) - (prefer[a][b] < prefer[b][a] ? 1 : 0);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return lead[static_cast<std::size_t>(a)] > lead[static_cast<std::size_t>(b)]; });
    const auto holds = [&](int later, int earlier) { return prefer[static_cast<std::size_t>(later)][static_cast<std::size_t>(earlier)] >= prefer[static_cast<std::size_t>(earlier)][static_cast<std::size_t>(later)]; };
    std::vector<std::vector<int>> groups;
    bool open = false;                              // the last group has not ended
    std::int64_t against = 0;                       // pairs of one layer taken so far and a later one at least tied with it
    for (std::size_t place = 0; place < numLayers; ++place) {
        for (std::size_t earlier = 0; earlier < place; ++earlier)
            against -= holds(order[place], order[earlier]) ? 1 : 0;
        for (std::size_t later = place + 1; later < numLayers; ++later)
            against += holds(order[later], order[place]) ? 1 : 0;
        if (!open)
            groups.emplace_back();
        groups.back().push_back(order[place]);
        open = against > 0;
    }
    for (std::vector<int> &group : groups)
        std::sort(group.begin(), group.end());
    return groups;
}

/// The best order of one group. cost[set]: the fewest pairs against, when the layers of `set` come last, in their best order.
void appendBestOrder(const std::vector<int> &group, const PlaceCounts &prefer, experiment::Ranking &ranking)
{
    const auto n = static_cast<unsigned>(group.size());
    const auto againstFirst = [&](unsigned first, std::uint32_t rest) {        // pairs against `first` standing before all of `rest`
        int against = 0;
        for (std::uint32_t left = rest; left != 0; left &= left - 1)
            against += prefer[static_cast<std::size_t>(group[static_cast<std::size_t>(std::countr_zero(left))])][static_cast<std::size_t>(group[first])];
        return against;
    };
    std::vector<int> cost(std::size_t{1} << n, 0);
    std::vector<std::uint8_t> firstOf(std::size_t{1} << n, 0);
    for (std::uint32_t set = 1; set < (1U << n); ++set) {
        cost[set] = std::numeric_limits<int>::max();
        for (unsigned first = 0; first < n; ++first) {
            if ((set >> first & 1U) == 0)
                continue;
            const std::uint32_t rest = set & ~(1U << first);
            const int against = cost[rest] + againstFirst(first, rest);
            if (against < cost[set]) {
                cost[set] = against;
                firstOf[set] = static_cast<std::uint8_t>(first);
            }
        }
    }
    for (std::uint32_t set = (1U << n) - 1U; set != 0; set &= ~(1U << firstOf[set]))
        ranking.push_back(group[firstOf[set]]);
}

constexpr std::size_t largestSearchedGroup = 16;

}  // namespace

MeanPlaces meanPlaces(const std::vector<experiment::Ranking> &rankings, double level)
{
    const PlaceCounts places = placesOf(rankings);
    const std::size_t numLayers = places.front().size();
    MeanPlaces consensus;
    std::vector<int> sums(numLayers, 0);       // whole numbers: equal means are exactly equal
    for (std::size_t layer = 0; layer < numLayers; ++layer) {
        std::vector<double> ranks;
        for (const std::vector<int> &at : places) {
            sums[layer] += at[layer];
            ranks.push_back(at[layer] + 1.0);
        }
        consensus.place_L.push_back(tInterval(ranks, level));
    }
    consensus.ranking.resize(numLayers);
    std::iota(consensus.ranking.begin(), consensus.ranking.end(), 0);
    std::stable_sort(consensus.ranking.begin(), consensus.ranking.end(), [&](int a, int b) { return sums[static_cast<std::size_t>(a)] < sums[static_cast<std::size_t>(b)]; });
    return consensus;
}

std::int64_t pairsAgainst(const experiment::Ranking &consensus, const std::vector<experiment::Ranking> &rankings)
{
    std::vector<experiment::Ranking> all = rankings;
    all.push_back(consensus);
    (void)placesOf(all);                       // of the same layers
    std::int64_t against = 0;
    for (const experiment::Ranking &ranking : rankings)
        against += discordantPairs(consensus, ranking);
    return against;
}

std::optional<experiment::Ranking> kemenyRanking(const std::vector<experiment::Ranking> &rankings)
{
    const PlaceCounts prefer = preferences(rankings);
    experiment::Ranking ranking;
    for (const std::vector<int> &group : majorityGroups(prefer)) {
        if (group.size() > largestSearchedGroup)
            return std::nullopt;
        appendBestOrder(group, prefer, ranking);
    }
    return ranking;
}

double concordance(const std::vector<experiment::Ranking> &rankings)
{
    const PlaceCounts places = placesOf(rankings);
    const auto m = static_cast<double>(places.size()), numLayers = static_cast<double>(places.front().size());
    if (numLayers < 2.0)
        throw Error(ErrorCode::Usage, "Rankings of one layer cannot agree or disagree.");
    double squares = 0.0;
    for (std::size_t layer = 0; layer < places.front().size(); ++layer) {
        double sum = 0.0;
        for (const std::vector<int> &at : places)
            sum += at[layer] + 1.0;
        const double off = sum - m * (numLayers + 1.0) / 2.0;
        squares += off * off;
    }
    return 12.0 * squares / (m * m * (numLayers * numLayers * numLayers - numLayers));
}

}  // namespace stillroom::analysis
