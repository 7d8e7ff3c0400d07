// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/beamsearch.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace stillroom::selection {
namespace {

constexpr std::int64_t uncountable = std::numeric_limits<std::int64_t>::max() / 8192;

/// C(n, k), at most `uncountable`.
std::int64_t binomial(int n, int k)
{
    double count = 1.0;
    for (int i = 1; i <= std::min(k, n - k); ++i)
        count = count * (n - i + 1) / i;
    return count < static_cast<double>(uncountable) ? std::llround(count) : uncountable;
}

void checkBeam(int numLayers, int largestKeep, int width)
{
    if (width < 1)
        throw Error(ErrorCode::Usage, "the beam holds " + std::to_string(width) + " sets: give at least one");
    if (numLayers < 1 || largestKeep < 0 || largestKeep > numLayers)
        throw Error(ErrorCode::Usage, "the search goes up to K = " + std::to_string(largestKeep) + ": give 0 to the number of layers, " + std::to_string(numLayers));
}

/// Every S ∪ {l} once, in lexicographic order, each with the best parent that it has.
std::vector<MeasuredSet> candidatesAfter(const BeamLevel &level, int numLayers)
{
    std::map<experiment::LayerSet, MeasuredSet> candidates;
    for (std::size_t parent = 0; parent < level.beam.size(); ++parent)
        for (int layer = 0; layer < numLayers; ++layer) {
            experiment::LayerSet set = level.beam[parent].keep;
            const auto place = std::lower_bound(set.begin(), set.end(), layer);
            if (place != set.end() && *place == layer)
                continue;
            set.insert(place, layer);
            candidates.try_emplace(set, MeasuredSet{set, {}, layer, parent});
        }
    std::vector<MeasuredSet> inOrder;
    for (auto &[set, candidate] : candidates)
        inOrder.push_back(std::move(candidate));
    return inOrder;
}

BeamLevel measuredLevel(std::vector<MeasuredSet> candidates, int width, const SetMeasurer &measure)
{
    std::vector<experiment::LayerSet> sets;
    for (const MeasuredSet &candidate : candidates)
        sets.push_back(candidate.keep);
    std::vector<std::vector<double>> measured = measure(sets);
    if (measured.size() != sets.size() || measured.front().empty())
        throw Error(ErrorCode::Usage, "the search asked for " + std::to_string(sets.size()) + " sets and got " + std::to_string(measured.size()) + ": measure each, on at least one sequence");
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        candidates[i].perSequence = std::move(measured[i]);
        const double mean = candidates[i].estimate().mean;
        if (!std::isfinite(mean))
            throw Error(ErrorCode::NonFinite, "a layer set's measure is not finite: the student diverged");
        order.emplace_back(mean, i);   // candidates are in lexicographic order: ties go to the lower layers
    }
    std::sort(order.begin(), order.end());
    BeamLevel level;
    level.numMeasured = static_cast<std::int64_t>(order.size());
    if (order.size() > 1)
        level.margin = analysis::pairedEstimate(candidates[order[1].second].perSequence, candidates[order[0].second].perSequence);
    for (std::size_t i = 0; i < std::min(order.size(), static_cast<std::size_t>(width)); ++i)
        level.beam.push_back(std::move(candidates[order[i].second]));
    return level;
}

}  // namespace

std::vector<int> BeamResult::pathTo(int keep) const
{
    std::vector<int> path;
    const MeasuredSet *set = &best(keep);
    for (int k = keep; k > 0; --k) {
        path.push_back(set->added);
        set = &levels[static_cast<std::size_t>(k) - 1].beam.at(set->parent);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

std::int64_t mostBeamCandidates(int numLayers, int largestKeep, int width)
{
    checkBeam(numLayers, largestKeep, width);
    std::int64_t count = 1;
    for (int k = 0; k < largestKeep; ++k)
        count += std::min(binomial(numLayers, k + 1), std::min<std::int64_t>(width, binomial(numLayers, k)) * (numLayers - k));
    return count;
}

BeamResult beamSearch(const BeamOptions &options, const SetMeasurer &measure)
{
    checkBeam(options.numLayers, options.largestKeep, options.width);
    BeamResult result;
    while (result.levels.size() <= static_cast<std::size_t>(options.largestKeep)) {
        std::vector<MeasuredSet> candidates = result.levels.empty() ? std::vector<MeasuredSet>{{}} : candidatesAfter(result.levels.back(), options.numLayers);
        result.levels.push_back(measuredLevel(std::move(candidates), options.width, measure));
        if (options.onLevel)
            options.onLevel(result.levels.back());
    }
    return result;
}

}  // namespace stillroom::selection
