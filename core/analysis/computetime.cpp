// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/computetime.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace stillroom::analysis {
namespace {

constexpr double unusual = 10.0, leastPauseSeconds = 1.0;
constexpr std::size_t leastGaps = 4;

std::vector<double> ascending(const std::vector<double> &times)
{
    std::vector<double> kept;
    for (const double time : times)
        if (std::isfinite(time) && (kept.empty() || time > kept.back()))
            kept.push_back(time);
    return kept;
}

}  // namespace

std::vector<Pause> pausesOf(const std::vector<double> &timesSeconds, bool resumed)
{
    const std::vector<double> times = ascending(timesSeconds);
    if (!resumed || times.size() <= leastGaps)
        return {};
    std::vector<double> gaps;
    for (std::size_t i = 0; i + 1 < times.size(); ++i)
        gaps.push_back(times[i + 1] - times[i]);
    std::vector<double> sorted = gaps;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double usual = *middle;
    std::vector<Pause> pauses;
    for (std::size_t i = 0; i < gaps.size(); ++i)
        if (gaps[i] > std::max(unusual * usual, leastPauseSeconds))
            pauses.push_back({times[i], times[i + 1] - usual});
    return pauses;
}

double computeSeconds(double fromSeconds, double toSeconds, const std::vector<Pause> &pauses)
{
    double seconds = toSeconds - fromSeconds;
    for (const Pause &pause : pauses)
        seconds -= std::max(0.0, std::min(toSeconds, pause.endSeconds) - std::max(fromSeconds, pause.beginSeconds));
    return std::max(0.0, seconds);
}

}  // namespace stillroom::analysis
