// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/decimate.h"

#include "error.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stillroom::analysis {

namespace {

using Iterator = std::vector<CurvePoint>::const_iterator;

/// First, lowest, highest and last of a run without gaps, each once, in order.
void appendRun(Iterator begin, Iterator end, std::vector<CurvePoint> &out)
{
    const auto byY = [](const CurvePoint &a, const CurvePoint &b) { return a.y < b.y; };
    std::array<Iterator, 4> wanted{begin, std::min_element(begin, end, byY), std::max_element(begin, end, byY), end - 1};
    std::sort(wanted.begin(), wanted.end());
    const auto last = std::unique(wanted.begin(), wanted.end());
    std::for_each(wanted.begin(), last, [&](Iterator point) { out.push_back(*point); });
}

/// One column: runs of numbers and gaps in turn.
void appendColumn(Iterator begin, Iterator end, std::vector<CurvePoint> &out)
{
    // A column of many short runs would give more points than it has pixels: then its extremes and one gap are enough.
    const auto isGap = [](const CurvePoint &point) { return std::isnan(point.y); };
    const auto numGaps = std::count_if(begin, end, isGap);
    if (numGaps == 0) {
        appendRun(begin, end, out);
        return;
    }
    if (end - begin <= 4) {
        out.insert(out.end(), begin, end);
        return;
    }
    const auto gap = std::find_if(begin, end, isGap);
    const auto after = std::find_if_not(gap, end, isGap);
    if (gap != begin)
        appendRun(begin, gap, out);
    out.push_back(*gap);
    std::vector<CurvePoint> rest;
    std::copy_if(after, end, std::back_inserter(rest), [&](const CurvePoint &point) { return !isGap(point); });
    if (!rest.empty())
        appendRun(rest.begin(), rest.end(), out);
    if (after != end && isGap(*(end - 1)))
        out.push_back(*(end - 1));
}

}  // namespace

std::vector<CurvePoint> decimate(const std::vector<CurvePoint> &points, double xMin, double xMax, int columns)
{
    if (!std::isfinite(xMin) || !std::isfinite(xMax) || !(xMin < xMax) || columns < 1)
        throw Error(ErrorCode::Usage, "A curve is drawn on at least one column between two different finite values of x.");
    const auto byX = [](const CurvePoint &point, double x) { return point.x < x; };
    auto begin = std::lower_bound(points.begin(), points.end(), xMin, byX);
    const auto end = std::upper_bound(begin, points.end(), xMax, [](double x, const CurvePoint &point) { return x < point.x; });
    std::vector<CurvePoint> out;
    if (begin != points.begin())
        out.push_back(*(begin - 1));
    const double width = (xMax - xMin) / columns;
    while (begin != end) {
        const double column = std::min(std::floor((begin->x - xMin) / width), columns - 1.0);
        const double right = xMin + (column + 1.0) * width;
        auto next = column >= columns - 1.0 ? end : std::lower_bound(begin, end, right, byX);
        if (next == begin)
            ++next;            // rounding put the column's edge on the point itself
        appendColumn(begin, next, out);
        begin = next;
    }
    if (end != points.end())
        out.push_back(*end);
    return out;
}

}  // namespace stillroom::analysis
