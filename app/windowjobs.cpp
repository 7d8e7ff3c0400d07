// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowjobs.h"

#include "models/interruptedjobs.h"
#include "models/jobrunner.h"
#include "pages/runspage.h"
#include "views/interruptedline.h"
#include "views/jobnotifier.h"
#include "views/jobspanel.h"
#include "views/jobsstrip.h"
#include "whynot.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

namespace stillroom {
namespace {

constexpr int dockLines = 12;

}  // namespace

WindowJobs::WindowJobs(widgets::Session &session, widgets::RunsPage &runs, QMainWindow *window)
    : QObject(window), m_session(session), m_strip(new widgets::JobsStrip(session, window)), m_interrupted(new widgets::InterruptedJobs(session, runs.edits(), this)),
      m_line(new widgets::InterruptedLine(*m_interrupted, window)), m_notifier(new widgets::JobNotifier(session.jobs(), window))
{
    session.jobs().setEdits(&runs.edits());
    m_strip->setInterrupted(m_interrupted);
    makeDock(runs, window);
}

void WindowJobs::makeDock(widgets::RunsPage &runs, QMainWindow *window)
{
    m_dock = new QDockWidget(tr("Jobs"), window);
    m_dock->setObjectName(QStringLiteral("jobs"));
    m_dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    auto *panel = new widgets::JobsPanel(m_session, runs.edits(), m_dock);
    m_dock->setWidget(panel);
    window->addDockWidget(Qt::BottomDockWidgetArea, m_dock);
    window->resizeDocks({m_dock}, {window->fontMetrics().height() * dockLines}, Qt::Vertical);
    m_dock->hide();
    connect(m_dock->toggleViewAction(), &QAction::triggered, panel, [this, panel](bool shown) {
        if (shown)
            panel->setFocus(Qt::ShortcutFocusReason);
        else
            Q_EMIT leaveRequested();
    });
    connect(m_strip, &widgets::JobsStrip::jobsRequested, m_dock, [this] { m_dock->setVisible(m_dock->isHidden()); });
    connect(panel, &widgets::JobsPanel::leaveRequested, this, &WindowJobs::leaveRequested);
    connect(panel, &widgets::JobsPanel::showRunRequested, this, &WindowJobs::showRunRequested);
    connect(panel, &widgets::JobsPanel::problem, this, &WindowJobs::problem);
}

void WindowJobs::addToRunMenu(QMenu &menu)
{
    // Not Ctrl+U: where a line of text or a number has the keyboard, X11 takes that to empty it.
    m_pause = menu.addAction(tr("Pa&use or resume the job"), QKeySequence(QStringLiteral("Ctrl+P")), this, &WindowJobs::pauseOrResume);
    m_cancelAll = menu.addAction(tr("Cancel &all jobs"), this, [this] { m_session.jobs().cancelAll(); });
    connect(m_strip, &widgets::JobsStrip::offerChanged, this, &WindowJobs::refreshActions);      // the queue changed, or what is offered besides
    refreshActions();
}

void WindowJobs::addToViewMenu(QMenu &menu)
{
    QAction *jobs = m_dock->toggleViewAction();
    jobs->setShortcut(QKeySequence(QStringLiteral("Ctrl+J")));
    menu.addAction(jobs);
}

/// What runs is paused; where nothing does, what the strip offers goes on: the first that is paused, else what was cancelled or interrupted last.
void WindowJobs::pauseOrResume()
{
    widgets::JobRunner &jobs = m_session.jobs();
    if (const widgets::QueuedJob *running = jobs.queue().running())
        jobs.pause(QString(running->run));
    else
        m_strip->goOn();
}

void WindowJobs::refreshActions()
{
    const widgets::JobQueue &queue = m_session.jobs().queue();
    const bool any = queue.rowCount() > 0;
    const QString none = tr("No job is running, waiting or paused");
    allow(*m_pause, any || m_strip->offersToGoOn(), none);
    allow(*m_cancelAll, any, none);
}

}  // namespace stillroom
