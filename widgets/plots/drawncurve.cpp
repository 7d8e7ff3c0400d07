// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/drawncurve.h"

#include "analysis/smooth.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

namespace stillroom::widgets {
namespace {

std::shared_ptr<const DrawnCurve> knownCurve(const CurveSource &source, const CurveScales &scales, const DrawnCurves &known)
{
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto &one) { return one && one->isOf(source, scales); });
    return found == known.end() ? nullptr : *found;
}

}  // namespace

double CurveSource::place(std::size_t i, CurveAgainst against) const
{
    const store::MetricPoint &point = (*points)[i], &first = points->front();
    switch (against) {
    case CurveAgainst::Tokens: return static_cast<double>(point.tokens);
    case CurveAgainst::Steps: return static_cast<double>(point.step);
    case CurveAgainst::WallTime: return point.timeSeconds - first.timeSeconds;
    case CurveAgainst::ComputeTime: return analysis::computeSeconds(first.timeSeconds, point.timeSeconds, pauses);
    }
    return 0.0;
}

bool CurvesAsked::isGrowthOf(const CurvesAsked &other) const
{
    const auto isSameOne = [](const CurveSource &a, const CurveSource &b) { return a.identity == b.identity; };
    return series == other.series && scales == other.scales && std::equal(sources.begin(), sources.end(), other.sources.begin(), other.sources.end(), isSameOne);
}

DrawnCurve::DrawnCurve(CurveSource source, const CurveScales &scales) : m_source(std::move(source)), m_scales(scales)
{
    const std::vector<double> measured = measure();
    lay(measured, analysis::smooth(measured, m_scales.smoothing));
}

/// Values of all points, those in front of the axis too: smoothing begins with them.
std::vector<double> DrawnCurve::measure()
{
    std::vector<double> measured;
    measured.reserve(m_source.numPoints());
    for (std::size_t i = 0; i < m_source.numPoints(); ++i) {
        const double value = (*m_source.points)[i].value;
        const bool hasPlace = !m_scales.logarithmicX || m_source.place(i, m_scales.against) > 0.0, hasHeight = !m_scales.logarithmic || value > 0.0 || !std::isfinite(value);
        m_numBefore += hasPlace ? 0 : 1;
        m_numDropped += hasPlace && !hasHeight ? 1 : 0;
        measured.push_back(hasHeight && std::isfinite(value) ? value : std::nan(""));
    }
    return measured;
}

/// Places ascend: those in front of the axis are the first ones.
void DrawnCurve::lay(const std::vector<double> &measured, const std::vector<double> &smoothed)
{
    const bool smooths = m_scales.smoothing > 0.0;
    std::vector<analysis::CurvePoint> line, raw;
    line.reserve(measured.size() - m_numBefore);
    raw.reserve(smooths ? measured.size() - m_numBefore : 0);
    for (std::size_t i = m_numBefore; i < measured.size(); ++i) {
        const double place = m_source.place(i, m_scales.against), drawn = m_scales.logarithmicX ? std::log10(place) : place;
        line.push_back({drawn, smoothed[i]});
        if (smooths)
            raw.push_back({drawn, measured[i]});
        if (!std::isnan(measured[i]))
            m_extent = {std::min(m_extent.left, place), std::max(m_extent.right, place), std::min(m_extent.low, measured[i]), std::max(m_extent.high, measured[i])};
    }
    m_line = analysis::LongCurve(std::move(line));
    m_raw = analysis::LongCurve(std::move(raw));
}

std::size_t DrawnCurve::notBefore(double x) const
{
    const auto places = std::views::iota(std::size_t{0}, size());
    return *std::ranges::lower_bound(places, x, {}, [this](std::size_t i) { return this->x(i); });
}

std::size_t DrawnCurve::behind(double x) const
{
    const auto places = std::views::iota(std::size_t{0}, size());
    return *std::ranges::upper_bound(places, x, {}, [this](std::size_t i) { return this->x(i); });
}

std::size_t numPointsToDraw(const CurvesAsked &asked, const DrawnCurves &known)
{
    std::size_t all = 0;
    for (const CurveSource &source : asked.sources)
        all += knownCurve(source, asked.scales, known) ? 0 : source.numPoints();
    return all;
}

DrawnCurves drawnCurves(const CurvesAsked &asked, const DrawnCurves &known, const std::stop_token &stop)
{
    DrawnCurves all;
    for (const CurveSource &source : asked.sources) {
        std::shared_ptr<const DrawnCurve> curve = knownCurve(source, asked.scales, known);
        if (!curve && source.points && !stop.stop_requested())
            curve = std::make_shared<const DrawnCurve>(source, asked.scales);
        all.push_back(std::move(curve));
    }
    return all;
}

}  // namespace stillroom::widgets
