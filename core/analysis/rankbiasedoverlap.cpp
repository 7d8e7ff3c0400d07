// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/rankbiasedoverlap.h"

#include "error.h"

#include <string>
#include <unordered_set>

namespace stillroom::analysis {
namespace {

void demandUnique(const experiment::Ranking &ranking)
{
    std::unordered_set<int> seen;
    for (const int layer : ranking)
        if (!seen.insert(layer).second)
            throw Error(ErrorCode::Usage, "A ranking names layer " + std::to_string(layer) + " twice.");
}

}  // namespace

double rankBiasedOverlap(const experiment::Ranking &a, const experiment::Ranking &b, double p)
{
    if (!(p > 0.0 && p < 1.0))
        throw Error(ErrorCode::Usage, "The persistence of rank-biased overlap is " + std::to_string(p) + " but must lie between 0 and 1.");
    demandUnique(a);
    demandUnique(b);
    const experiment::Ranking &shorter = a.size() <= b.size() ? a : b, &longer = a.size() <= b.size() ? b : a;
    const std::size_t s = shorter.size(), l = longer.size();
    if (s == 0)
        return l == 0 ? 1.0 : 0.0;
    std::unordered_set<int> above;               // what either has named so far
    double shared = 0.0, sharedAtShort = 0.0, sum = 0.0, weight = 1.0;
    const auto meet = [&](int layer) {
        if (!above.insert(layer).second)
            shared += 1.0;
    };
    for (std::size_t d = 1; d <= l; ++d) {
        meet(longer[d - 1]);
        if (d <= s) {
            meet(shorter[d - 1]);
            sharedAtShort = shared;
        }
        weight *= p;
        const auto depth = static_cast<double>(d), length = static_cast<double>(s);
        sum += weight * shared / depth;
        if (d > s)
            sum += weight * sharedAtShort * (depth - length) / (length * depth);
    }
    return (1.0 - p) / p * sum + weight * ((shared - sharedAtShort) / static_cast<double>(l) + sharedAtShort / static_cast<double>(s));
}

}  // namespace stillroom::analysis
