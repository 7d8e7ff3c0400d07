// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

}  // namespace stillroom::analysis
