// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/decimate.h"

#include "error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

/// Walks the columns in sight; `append` takes the points of each.
template <typename Append> std::vector<CurvePoint> byColumns(const std::vector<CurvePoint> &points, double xMin, double xMax, int columns, Append append)
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
        append(begin, next, out);
        begin = next;
    }
    if (end != points.end())
        out.push_back(*end);
    return out;
}

bool isLower(const CurvePoint &a, const CurvePoint &b) { return a.y < b.y; }
bool isHigher(const CurvePoint &a, const CurvePoint &b) { return a.y > b.y; }

constexpr std::size_t blockSize = 64;

}  // namespace

std::vector<CurvePoint> decimate(const std::vector<CurvePoint> &points, double xMin, double xMax, int columns)
{
    return byColumns(points, xMin, xMax, columns, appendColumn);
}

LongCurve::LongCurve(std::vector<CurvePoint> points) : m_points(std::move(points))
{
    std::size_t gaps = 0;
    for (std::size_t begin = 0; begin < m_points.size(); begin += blockSize) {
        const std::size_t end = std::min(begin + blockSize, m_points.size());
        Block block{begin, begin, gaps};
        for (std::size_t i = begin; i < end; ++i) {
            gaps += std::isnan(m_points[i].y) ? std::size_t{1} : std::size_t{0};
            block.lowest = isLower(m_points[i], m_points[block.lowest]) ? i : block.lowest;
            block.highest = isHigher(m_points[i], m_points[block.highest]) ? i : block.highest;
        }
        m_blocks.push_back(block);
    }
    m_blocks.push_back({0, 0, gaps});      // behind the last one
}

/// Of the blocks that [begin, end) touches: one beside it costs time, never a point.
bool LongCurve::hasGap(std::size_t begin, std::size_t end) const
{
    return m_blocks[(end + blockSize - 1) / blockSize].gapsBefore > m_blocks[begin / blockSize].gapsBefore;
}

/// The first extreme, as the standard algorithms find it. There are no gaps in the blocks that are touched.
template <typename Before> std::size_t LongCurve::extreme(std::size_t begin, std::size_t end, std::size_t Block::*place, Before before) const
{
    std::size_t best = begin;
    const auto take = [&](std::size_t i) { best = before(m_points[i], m_points[best]) ? i : best; };
    std::size_t i = begin;
    for (; i < end && i % blockSize != 0; ++i)
        take(i);
    for (; i + blockSize <= end; i += blockSize)
        take(m_blocks[i / blockSize].*place);
    for (; i < end; ++i)
        take(i);
    return best;
}

std::vector<CurvePoint> LongCurve::decimated(double xMin, double xMax, int columns) const
{
    const auto append = [&](Iterator from, Iterator to, std::vector<CurvePoint> &out) {
        const auto begin = static_cast<std::size_t>(from - m_points.begin()), end = static_cast<std::size_t>(to - m_points.begin());
        if (hasGap(begin, end)) {
            appendColumn(from, to, out);
            return;
        }
        std::array<std::size_t, 4> wanted{begin, extreme(begin, end, &Block::lowest, isLower), extreme(begin, end, &Block::highest, isHigher), end - 1};
        std::sort(wanted.begin(), wanted.end());
        std::for_each(wanted.begin(), std::unique(wanted.begin(), wanted.end()), [&](std::size_t point) { out.push_back(m_points[point]); });
    };
    return byColumns(m_points, xMin, xMax, columns, append);
}

}  // namespace stillroom::analysis
