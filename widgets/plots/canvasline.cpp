// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/canvasline.h"

#include <QCoreApplication>

#include <qcustomplot.h>

#include <algorithm>

namespace stillroom::widgets {

CanvasLine::CanvasLine() : QObject(QCoreApplication::instance())
{
    m_turn.setSingleShot(true);
    connect(&m_turn, &QTimer::timeout, this, &CanvasLine::drawNext);
}

CanvasLine &CanvasLine::ofProgram()
{
    static QPointer<CanvasLine> line;      // tests may begin a second application
    if (!line)
        line = new CanvasLine;
    return *line;
}

void CanvasLine::add(QCustomPlot &canvas)
{
    if (std::find(m_waiting.begin(), m_waiting.end(), &canvas) == m_waiting.end())
        m_waiting.emplace_back(&canvas);
    if (!m_turn.isActive() && m_waiting.size() == 1)
        m_turn.start(0);
}

void CanvasLine::drawNext()
{
    while (!m_waiting.empty() && !m_waiting.front())      // gone meanwhile
        m_waiting.pop_front();
    if (m_waiting.empty())
        return;
    const QPointer<QCustomPlot> canvas = m_waiting.front();
    m_waiting.pop_front();      // before it is drawn: its layout may ask for another turn
    canvas->replot();
    if (!m_waiting.empty())      // a timer that is started among those that fire may fire with them
        QMetaObject::invokeMethod(this, [this] { m_turn.start(0); }, Qt::QueuedConnection);
}

}  // namespace stillroom::widgets
