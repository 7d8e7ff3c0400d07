// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QObject>

class QAction;
class QDockWidget;
class QMainWindow;
class QMenu;

namespace stillroom {

namespace widgets {
class InterruptedJobs;
class InterruptedLine;
class JobNotifier;
class JobsPanel;
class JobsStrip;
class RunsPage;
}

/// What the window has to do with jobs: the strip at the bottom, the dock that it opens, the line about interrupted ones, the word at the end of one.
class WindowJobs final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WindowJobs)

public:
    /// \param window  also the parent; gets the dock
    WindowJobs(widgets::Session &session, widgets::RunsPage &runs, QMainWindow *window);
    [[nodiscard]] widgets::JobsStrip *strip() const { return m_strip; }
    [[nodiscard]] widgets::InterruptedLine *interruptedLine() const { return m_line; }
    [[nodiscard]] widgets::JobNotifier &notifier() const { return *m_notifier; }
    void addToRunMenu(QMenu &menu);
    void addToViewMenu(QMenu &menu);

Q_SIGNALS:
    void showRunRequested(const QString &run);
    void leaveRequested();                     ///< the keyboard goes back to the page
    void problem(const QString &text);

private:
    void makeDock(widgets::RunsPage &runs, QMainWindow *window);
    void pauseOrResume();
    void refreshActions();
    widgets::Session &m_session;
    widgets::JobsStrip *m_strip;
    widgets::InterruptedJobs *m_interrupted;
    widgets::InterruptedLine *m_line;
    widgets::JobNotifier *m_notifier;
    QDockWidget *m_dock = nullptr;
    QAction *m_pause = nullptr, *m_cancelAll = nullptr;
};

}  // namespace stillroom
