// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

/// Long curves on few pixels.
namespace stillroom::analysis {

struct CurvePoint {
    double x = 0.0, y = 0.0;
    [[nodiscard]] bool operator==(const CurvePoint &) const = default;
};

/// At most four points for each of `columns` equal columns of [xMin, xMax] — its first, lowest, highest and last, in order of x — so that lines
/// drawn through them cover the same pixels as through all points, and no spike is lost. The nearest point beyond each edge stays, so that lines
/// leave the picture where they should. A y that is NaN is a gap and stays one (a single NaN point per run of NaNs in a column).
/// Linear in the points within the range, logarithmic in the others.
/// \param points  ascending in x (not checked beyond what is looked at); x finite
/// \throws Error(Usage) unless xMin < xMax are finite and columns ≥ 1
[[nodiscard]] std::vector<CurvePoint> decimate(const std::vector<CurvePoint> &points, double xMin, double xMax, int columns);

/// A curve that is decimated again and again, as one that is moved and zoomed: the places of the extremes of its blocks are known, so that a picture takes time by its
/// columns and hardly by its points. Where there are gaps in sight they are looked for as `decimate` does, point by point.
class LongCurve final {
public:
    LongCurve() = default;
    /// \param points  as for decimate
    explicit LongCurve(std::vector<CurvePoint> points);
    [[nodiscard]] const std::vector<CurvePoint> &points() const { return m_points; }
    /// Point by point what decimate(points(), …) gives. \throws as decimate
    [[nodiscard]] std::vector<CurvePoint> decimated(double xMin, double xMax, int columns) const;

private:
    struct Block {
        std::size_t lowest = 0, highest = 0;      ///< the first of each
        std::size_t gapsBefore = 0;               ///< in the whole curve
    };
    [[nodiscard]] bool hasGap(std::size_t begin, std::size_t end) const;
    template <typename Before> [[nodiscard]] std::size_t extreme(std::size_t begin, std::size_t end, std::size_t Block::*place, Before before) const;
    std::vector<CurvePoint> m_points;
    std::vector<Block> m_blocks;
};

}  // namespace stillroom::analysis
