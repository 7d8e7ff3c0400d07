// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/growncurve.h"

#include "models/roomtogrow.h"

#include <QVector>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace stillroom::widgets {

CurveExtent CurveExtent::with(const CurveExtent &other) const
{
    return {std::min(low, other.low), std::min(lowPositive, other.lowPositive), std::max(high, other.high), std::max(right, other.right)};
}

void GrownCurve::clear(QCPGraph &graph)
{
    graph.data()->clear();
    m_room = 0;
    m_extent = {};
    m_numPoints = 0;
}

void GrownCurve::follow(QCPGraph &graph, qsizetype numPoints, const std::function<std::pair<double, double>(qsizetype)> &point)
{
    if (numPoints < m_numPoints)
        clear(graph);
    if (numPoints > m_room)
        makeRoom(graph, numPoints);
    QVector<QCPGraphData> added;
    added.reserve(graph.data()->isEmpty() ? m_room : numPoints - m_numPoints);      // the first ones are taken over, with their room
    for (; m_numPoints < numPoints; ++m_numPoints) {
        const auto [x, y] = point(m_numPoints);
        added.emplace_back(x, y);
        extend(x, y);
    }
    if (!added.isEmpty())
        graph.data()->add(added, true);
}

/// The container has no way to reserve: it takes over a vector with the room that this one has.
void GrownCurve::makeRoom(QCPGraph &graph, qsizetype numPoints)
{
    m_room = roomToGrow(numPoints);
    QVector<QCPGraphData> points;
    points.reserve(m_room);
    std::copy(graph.data()->constBegin(), graph.data()->constEnd(), std::back_inserter(points));
    graph.data()->set(points, true);
}

void GrownCurve::extend(double x, double y)
{
    m_extent.right = std::max(m_extent.right, x);
    if (!std::isfinite(y))
        return;
    m_extent.low = std::min(m_extent.low, y);
    m_extent.high = std::max(m_extent.high, y);
    if (y > 0.0)
        m_extent.lowPositive = std::min(m_extent.lowPositive, y);
}

}  // namespace stillroom::widgets
