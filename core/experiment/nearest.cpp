// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/spec.h"

#include <algorithm>
#include <numeric>

namespace stillroom::experiment {

namespace {

/// Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours, one each.
std::size_t editDistance(const std::string &a, const std::string &b)
{
    std::vector<std::size_t> beforeLast(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = std::min(now[j], beforeLast[j - 2] + 1);
        }
        beforeLast.swap(last);
        last.swap(now);
    }
    return last[b.size()];
}

}  // namespace

std::string nearestName(const std::string &name, const std::vector<std::string> &candidates)
{
    constexpr std::size_t longest = 64;       // a longer name is no slip of the finger, and the distance is quadratic
    if (name.size() > longest)
        return {};
    std::string nearest;
    std::size_t best = 0;
    for (const std::string &candidate : candidates) {
        const std::size_t distance = editDistance(name, candidate);
        const std::size_t allowed = std::max<std::size_t>(1, std::max(name.size(), candidate.size()) / 3);
        if (distance <= allowed && (nearest.empty() || distance < best)) {
            nearest = candidate;
            best = distance;
        }
    }
    return nearest;
}

}  // namespace stillroom::experiment
