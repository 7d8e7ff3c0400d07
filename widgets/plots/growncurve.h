// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <functional>
#include <utility>

class QCPGraph;

namespace stillroom::widgets {

/// How far a curve goes; of none, low lies above high.
struct CurveExtent {
    double low = 1e300, lowPositive = 1e300, high = -1e300;      ///< of its finite values; lowPositive: for a logarithmic axis
    double right = 0.0;
    [[nodiscard]] CurveExtent with(const CurveExtent &other) const;
};

/// What of a curve is drawn on a graph. A long training has hundreds of thousands of points: those that are there stay, and only what is new is added.
class GrownCurve final {
public:
    void clear(QCPGraph &graph);
    /// A curve with fewer points than before is another one. \param point  (x, y) of a point from 0 to numPoints - 1; x ascends
    void follow(QCPGraph &graph, qsizetype numPoints, const std::function<std::pair<double, double>(qsizetype)> &point);
    [[nodiscard]] const CurveExtent &extent() const { return m_extent; }
    [[nodiscard]] qsizetype numPoints() const { return m_numPoints; }

private:
    void makeRoom(QCPGraph &graph, qsizetype numPoints);
    void extend(double x, double y);

    CurveExtent m_extent;
    qsizetype m_numPoints = 0, m_room = 0;      ///< room: points that the graph takes without moving those that it has
};

}  // namespace stillroom::widgets
