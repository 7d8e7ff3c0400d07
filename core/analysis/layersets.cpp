// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/layersets.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_map>

namespace stillroom::analysis {
namespace {

/// Sorts a part of the numbers, all different, and says how many of its pairs stood the wrong way round.
std::int64_t sortedInversions(std::vector<int> &numbers, std::size_t first, std::size_t last)
{
    if (last - first < 2)
        return 0;
    const std::size_t middle = first + (last - first) / 2;
    std::int64_t inversions = sortedInversions(numbers, first, middle);
    inversions += sortedInversions(numbers, middle, last);
    std::size_t left = first;
    for (std::size_t right = middle; right < last; ++right) {
        while (left < middle && numbers[left] < numbers[right])
            ++left;
        inversions += static_cast<std::int64_t>(middle - left);
    }
    const auto begin = numbers.begin();
    std::inplace_merge(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(middle), begin + static_cast<std::ptrdiff_t>(last));
    return inversions;
}

}  // namespace

int numShared(const experiment::LayerSet &a, const experiment::LayerSet &b)
{
    experiment::LayerSet both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return static_cast<int>(both.size());
}

double jaccard(const experiment::LayerSet &a, const experiment::LayerSet &b)
{
    const int both = numShared(a, b), either = static_cast<int>(a.size() + b.size()) - both;
    return either == 0 ? 1.0 : static_cast<double>(both) / either;
}

double overlapCoefficient(const experiment::LayerSet &a, const experiment::LayerSet &b)
{
    const std::size_t smaller = std::min(a.size(), b.size());
    return smaller == 0 ? 1.0 : static_cast<double>(numShared(a, b)) / static_cast<double>(smaller);
}

experiment::LayerSet symmetricDifference(const experiment::LayerSet &a, const experiment::LayerSet &b)
{
    experiment::LayerSet differing;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(differing));
    return differing;
}

std::int64_t discordantPairs(const experiment::Ranking &a, const experiment::Ranking &b)
{
    std::unordered_map<int, int> placeInB;
    for (const int layer : b)
        placeInB.emplace(layer, static_cast<int>(placeInB.size()));
    std::vector<int> places;
    for (const int layer : a)
        if (const auto found = placeInB.find(layer); found != placeInB.end()) {
            places.push_back(found->second);
            placeInB.erase(found);
        }
    if (places.size() != a.size() || places.size() != b.size())
        throw Error(ErrorCode::Usage, "two rankings can only be compared when they rank the same layers");
    return sortedInversions(places, 0, places.size());
}

double kendallTau(const experiment::Ranking &a, const experiment::Ranking &b)
{
    const auto against = static_cast<double>(discordantPairs(a, b)), pairs = 0.5 * static_cast<double>(a.size()) * (static_cast<double>(a.size()) - 1.0);
    return a.size() < 2 ? 1.0 : (pairs - 2.0 * against) / pairs;
}

double kendallTauB(const std::vector<double> &a, const std::vector<double> &b)
{
    if (a.size() != b.size())
        throw Error(ErrorCode::Usage, "two score lists can only be compared when they are of one length");
    double balance = 0.0, untiedA = 0.0, untiedB = 0.0;
    const auto sign = [](double x) { return static_cast<double>((x > 0.0) - (x < 0.0)); };
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = i + 1; j < a.size(); ++j) {
            const double x = sign(a[i] - a[j]), y = sign(b[i] - b[j]);
            balance += x * y;
            untiedA += x * x;
            untiedB += y * y;
        }
    return untiedA * untiedB > 0.0 ? balance / std::sqrt(untiedA * untiedB) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace stillroom::analysis
