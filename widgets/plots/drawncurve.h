// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/computetime.h"
#include "analysis/decimate.h"
#include "models/comparison.h"

#include <QString>

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace stillroom::widgets {

/// What x is. Compute time: less the pauses of a run that was resumed, see analysis::pausesOf.
enum class CurveAgainst { Tokens, Steps, WallTime, ComputeTime };

/// How the curves of a plot are drawn.
struct CurveScales {
    CurveAgainst against = CurveAgainst::Tokens;
    double smoothing = 0.0;                   ///< weight of what was before, from 0 (none) to below 1
    bool logarithmic = false, logarithmicX = false;
    [[nodiscard]] bool operator==(const CurveScales &) const = default;
};

/// What the curve of one experiment is drawn from.
struct CurveSource {
    std::string identity;                     ///< of the experiment, see identityOf
    SharedCurve points;                       ///< null: it has no such curve
    std::vector<analysis::Pause> pauses;
    [[nodiscard]] bool operator==(const CurveSource &) const = default;      ///< the same points, not only equal ones
    [[nodiscard]] std::size_t numPoints() const { return points ? points->size() : 0; }
    /// Tokens, steps, or seconds since the first point. \param i  below numPoints()
    [[nodiscard]] double place(std::size_t i, CurveAgainst against) const;
};

/// All curves of a plot.
struct CurvesAsked {
    QString series;
    CurveScales scales;
    std::vector<CurveSource> sources;         ///< of each experiment
    [[nodiscard]] bool operator==(const CurvesAsked &) const = default;
    /// Whether a place, and a range, of one is one of the other.
    [[nodiscard]] bool hasXOf(const CurvesAsked &other) const { return series == other.series && scales.against == other.scales.against && scales.logarithmicX == other.scales.logarithmicX; }
    /// The same curves in the same way, of which some may have other points.
    [[nodiscard]] bool isGrowthOf(const CurvesAsked &other) const;
    [[nodiscard]] bool hasAxesOf(const CurvesAsked &other) const { return hasXOf(other) && scales.logarithmic == other.scales.logarithmic; }
};

/// A whole curve made ready to be drawn, which takes time by its points: smoothed before anything is left out, and with the places of its extremes. It never changes, so
/// that it can be made on one thread and looked at on another. Points in front of a logarithmic x axis are counted, and left out.
class DrawnCurve final {
public:
    struct Extent {
        double left = 1e300, right = -1e300, low = 1e300, high = -1e300;      ///< of what was measured and can be shown; of nothing, left lies right of right
    };

    /// \throws Error(Usage) as analysis::smooth
    DrawnCurve(CurveSource source, const CurveScales &scales);
    [[nodiscard]] bool isOf(const CurveSource &source, const CurveScales &scales) const { return m_source == source && m_scales == scales; }
    [[nodiscard]] std::size_t size() const { return m_line.points().size(); }
    [[nodiscard]] double x(std::size_t i) const { return m_source.place(m_numBefore + i, m_scales.against); }
    /// NaN where it cannot be shown.
    [[nodiscard]] double measured(std::size_t i) const { return (m_scales.smoothing > 0.0 ? m_raw : m_line).points()[i].y; }
    [[nodiscard]] double smoothed(std::size_t i) const { return m_line.points()[i].y; }
    /// The first point that is not before x, and the first behind it; size() for none.
    [[nodiscard]] std::size_t notBefore(double x) const;
    [[nodiscard]] std::size_t behind(double x) const;
    /// Over x, or its decimal logarithm where that axis is logarithmic: columns of pixels are equally wide there.
    [[nodiscard]] const analysis::LongCurve &line() const { return m_line; }
    [[nodiscard]] const analysis::LongCurve &raw() const { return m_raw; }      ///< what was measured; empty where nothing is smoothed: one would cover the other
    [[nodiscard]] const Extent &extent() const { return m_extent; }
    [[nodiscard]] std::size_t numBefore() const { return m_numBefore; }         ///< points in front of the x axis
    [[nodiscard]] std::size_t numDropped() const { return m_numDropped; }       ///< values on it that a logarithmic axis cannot show

private:
    [[nodiscard]] std::vector<double> measure();
    void lay(const std::vector<double> &measured, const std::vector<double> &smoothed);
    CurveSource m_source;
    CurveScales m_scales;
    std::size_t m_numBefore = 0, m_numDropped = 0;
    analysis::LongCurve m_line, m_raw;
    Extent m_extent;
};

/// Of each experiment; null where it has no such curve.
using DrawnCurves = std::vector<std::shared_ptr<const DrawnCurve>>;

/// How many points drawnCurves would go through.
[[nodiscard]] std::size_t numPointsToDraw(const CurvesAsked &asked, const DrawnCurves &known);

/// Takes time by its points, but for the curves that are known: they are used again. \param stop  looked at between two curves: the rest is null then
[[nodiscard]] DrawnCurves drawnCurves(const CurvesAsked &asked, const DrawnCurves &known, const std::stop_token &stop = {});

}  // namespace stillroom::widgets
