// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/layersets.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace stillroom::analysis {

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

double kendallTau(const experiment::Ranking &a, const experiment::Ranking &b)
{
    if (a.size() != b.size() || !std::is_permutation(a.begin(), a.end(), b.begin()))
        throw Error(ErrorCode::Usage, "two rankings can only be compared when they rank the same layers");
    const auto positions = [&](const experiment::Ranking &ranking) {
        std::vector<double> at;
        for (const int layer : a)
            at.push_back(static_cast<double>(std::find(ranking.begin(), ranking.end(), layer) - ranking.begin()));
        return at;
    };
    return a.size() < 2 ? 1.0 : kendallTauB(positions(a), positions(b));
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
