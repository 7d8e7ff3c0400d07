// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/growncurve.h"

#include <QVector>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {

CurveExtent CurveExtent::with(const CurveExtent &other) const
{
    return {std::min(low, other.low), std::min(lowPositive, other.lowPositive), std::max(high, other.high), std::max(right, other.right)};
}

void GrownCurve::clear(QCPGraph &graph)
{
    graph.data()->clear();
    m_extent = {};
    m_numPoints = 0;
}

void GrownCurve::follow(QCPGraph &graph, qsizetype numPoints, const std::function<std::pair<double, double>(qsizetype)> &point)
{
    if (numPoints < m_numPoints)
        clear(graph);
    QVector<QCPGraphData> added;
    added.reserve(numPoints - m_numPoints);
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
    if (!added.isEmpty())
        graph.data()->add(added, true);
}

}  // namespace stillroom::widgets
