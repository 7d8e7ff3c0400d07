// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <deque>

class QCustomPlot;

namespace stillroom::widgets {

/// Canvases that are to be drawn anew, one in a turn of the event loop: a page of several, all of which follow a job, lets keys and mouse in between two of them.
class CanvasLine final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CanvasLine)

public:
    /// The one of the program, as long as it runs.
    [[nodiscard]] static CanvasLine &ofProgram();
    /// Once, however often it is asked for before its turn.
    void add(QCustomPlot &canvas);

private:
    CanvasLine();
    void drawNext();
    std::deque<QPointer<QCustomPlot>> m_waiting;
    QTimer m_turn;
};

}  // namespace stillroom::widgets
