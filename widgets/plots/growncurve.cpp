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
    QVector<QCPGraphData> added;
    const bool moves = numPoints > m_room;
    if (moves) {
        m_room = roomToGrow(numPoints);
        added.reserve(m_room);
        std::copy(graph.data()->constBegin(), graph.data()->constEnd(), std::back_inserter(added));
    } else {
        added.reserve(numPoints - m_numPoints);
    }
    for (; m_numPoints < numPoints; ++m_numPoints) {
        const auto [x, y] = point(m_numPoints);
        added.emplace_back(x, y);
        m_extent.right = std::max(m_extent.right, x);
        if (!std::isfinite(y))
            continue;
        m_extent.low = std::min(m_extent.low, y);
        m_extent.high = std::max(m_extent.high, y);
        if (y > 0.0)
            m_extent.lowPositive = std::min(m_extent.lowPositive, y);
    }
    if (moves)
        graph.data()->set(added, true);
    else if (!added.isEmpty())
        graph.data()->add(added, true);
}

}  // namespace stillroom::widgets
