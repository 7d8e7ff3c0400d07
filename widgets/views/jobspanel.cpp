// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/jobspanel.h"

#include "models/commandline.h"
#include "models/jobrunner.h"
#include "models/runtrash.h"
#include "views/jobwords.h"
#include "views/labels.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

namespace stillroom::widgets {
namespace {

constexpr int queueTab = 0;

}  // namespace

JobsPanel::JobsPanel(Session &session, QUndoStack &edits, QWidget *parent) : QWidget(parent), m_session(session), m_edits(edits), m_past(session), m_log(session)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    auto *splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setObjectName(QStringLiteral("jobsSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(makeTabs());
    splitter->addWidget(makeLog());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    row->addWidget(splitter);
    setFocusProxy(m_tabs);
    makeActions();
    follow();
    refresh();
}

QTableView *JobsPanel::makeTable(QAbstractItemModel *model, const QString &name, const QList<int> &letters)
{
    auto *view = new QTableView(this);
    view->setModel(model);
    view->setAccessibleName(name);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setFrameShape(QFrame::NoFrame);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setTabKeyNavigation(false);      // Tab leaves the table
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->verticalHeader()->hide();
    view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 3 / 2);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    view->horizontalHeader()->setStretchLastSection(true);
    for (int i = 0; i < letters.size(); ++i)
        view->setColumnWidth(i, letters[i] * fontMetrics().horizontalAdvance(QLatin1Char('0')));      // an average letter may be a wide one
    return view;
}

/// What to do next, in the place of a table without rows.
QWidget *JobsPanel::withEmptyText(QTableView *table, const QString &text)
{
    auto *page = new QWidget(this);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    auto *empty = new QLabel(text, page);
    empty->setWordWrap(true);
    empty->setAlignment(Qt::AlignCenter);
    column->addWidget(table, 1);
    column->addWidget(empty, 1);
    const auto show = [table, empty] {
        const bool any = table->model()->rowCount() > 0;
        table->setVisible(any);
        empty->setVisible(!any);
    };
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(table->model(), signal, this, show);
    connect(table->model(), &QAbstractItemModel::modelReset, this, show);
    show();
    return page;
}

QWidget *JobsPanel::makeTabs()
{
    m_tabs = new QTabWidget(this);
    m_tabs->setDocumentMode(true);
    for (QWidget *named : std::initializer_list<QWidget *>{m_tabs, m_tabs->tabBar()})
        named->setAccessibleName(tr("Jobs"));
    m_queueTable = makeTable(&m_session.jobs().queue(), tr("Queue of jobs"), {22, 10, 17, 6, 20, 13, 10});
    m_pastTable = makeTable(&m_past, tr("History of jobs"), {22, 10, 17, 6, 11, 17, 10});
    m_tabs->addTab(withEmptyText(m_queueTable, tr("Nothing runs and nothing waits. What you start while a job runs waits here for its turn.")), tr("Queue"));
    m_tabs->addTab(withEmptyText(m_pastTable, tr("No job has run in this workspace yet. Score the layers of a teacher (Ctrl+R).")), tr("History"));
    m_held = new QCheckBox(tr("Hold the &queue"), this);
    m_held->setToolTip(tr("What runs goes on; no further job begins until this is taken back"));
    auto *actions = new QToolButton(this);
    actions->setText(tr("Job"));
    actions->setToolTip(tr("What can be done with the chosen job"));
    actions->setPopupMode(QToolButton::InstantPopup);
    m_menu = new QMenu(actions);
    actions->setMenu(m_menu);
    auto *corner = new QWidget(this);
    auto *row = new QHBoxLayout(corner);
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(12);
    row->addWidget(m_held);
    row->addWidget(actions);
    m_tabs->setCornerWidget(corner);
    return m_tabs;
}

QWidget *JobsPanel::makeLog()
{
    auto *side = new QWidget(this);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(8, 0, 0, 0);
    column->setSpacing(4);
    m_logTitle = new ElidedLabel(Voice::Quiet, side);
    m_logTitle->setMinimumHeight(m_tabs->tabBar()->sizeHint().height());
    m_logTable = makeTable(&m_log, tr("Log of the job"), {});
    m_logTable->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_logTable->horizontalHeader()->hide();
    for (const int narrow : {JobLog::Time, JobLog::Kind})
        m_logTable->horizontalHeader()->setSectionResizeMode(narrow, QHeaderView::ResizeToContents);
    m_logTable->horizontalHeader()->setResizeContentsPrecision(0);      // of what is in sight
    column->addWidget(m_logTitle);
    column->addWidget(m_logTable, 1);
    auto *copying = new QAction(tr("&Copy the log"), m_logTable);
    copying->setShortcut(QKeySequence::Copy);
    copying->setShortcutContext(Qt::WidgetShortcut);
    connect(copying, &QAction::triggered, this, &JobsPanel::copyLog);
    m_logTable->addAction(copying);
    m_logTable->setContextMenuPolicy(Qt::ActionsContextMenu);
    return side;
}

QAction *JobsPanel::addAction(const QString &text, const QKeySequence &key, const std::function<void(const Chosen &)> &act)
{
    auto *action = new QAction(text, m_tabs);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, [this, act] { act(chosen()); });
    m_tabs->addAction(action);
    m_menu->addAction(action);
    return action;
}

/// Single letters hold while the tables have the keyboard; the menu names them all.
void JobsPanel::makeActions()
{
    JobRunner &jobs = m_session.jobs();
    m_pause = addAction(tr("&Pause"), Qt::Key_P, [&jobs](const Chosen &job) { jobs.pause(job.run); });
    m_resume = addAction(tr("&Resume"), Qt::Key_R, [this](const Chosen &job) { m_session.resume(job.run); });
    m_cancel = addAction(tr("&Cancel"), {}, [&jobs](const Chosen &job) { jobs.cancel(job.run); });
    m_remove = addAction(tr("Remo&ve"), QKeySequence::Delete, [this](const Chosen &job) { remove(job); });
    m_menu->addSeparator();
    m_earlier = addAction(tr("&Earlier"), QKeySequence(QStringLiteral("Ctrl+Up")), [&jobs](const Chosen &job) { jobs.move(job.run, job.row - 1); });
    m_later = addAction(tr("&Later"), QKeySequence(QStringLiteral("Ctrl+Down")), [&jobs](const Chosen &job) { jobs.move(job.run, job.row + 1); });
    m_menu->addSeparator();
    m_show = addAction(tr("&Show the run"), Qt::Key_Return, [this](const Chosen &job) { Q_EMIT showRunRequested(job.run); });
    m_copy = addAction(tr("Copy the command l&ine"), QKeySequence(QStringLiteral("Ctrl+Shift+C")), [this](const Chosen &job) {
        QGuiApplication::clipboard()->setText(runCommandLine(nlohmann::json::parse(job.spec.toStdString()), m_session.workspace(), job.hasBegun && job.canGoOn ? job.run : QString()));
    });
    m_menu->addSeparator();
    m_cancelAll = addAction(tr("Cancel &all jobs"), {}, [&jobs](const Chosen &) { jobs.cancelAll(); });
    for (QTableView *view : {m_queueTable, m_pastTable}) {
        view->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(view, &QWidget::customContextMenuRequested, this, [this, view](const QPoint &at) { m_menu->popup(view->viewport()->mapToGlobal(at)); });
        connect(view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &JobsPanel::showLog);
        connect(view, &QTableView::doubleClicked, m_show, &QAction::trigger);
    }
}

void JobsPanel::follow()
{
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        m_past.setWatched(isVisible() && m_tabs->currentIndex() != queueTab);
        showLog();
    });
    connect(m_held, &QCheckBox::toggled, this, [this](bool on) { m_session.jobs().queue().setHeld(on); });
    connect(&m_session.jobs().queue(), &JobQueue::changed, this, &JobsPanel::refresh);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_past, signal, this, &JobsPanel::refreshActions);
    connect(&m_past, &QAbstractItemModel::dataChanged, this, &JobsPanel::refreshActions);
    connect(&m_log, &QAbstractItemModel::rowsInserted, this, [this] {
        const QScrollBar *bar = m_logTable->verticalScrollBar();
        if (bar->value() >= bar->maximum() - 1)      // who has scrolled up reads
            m_logTable->scrollToBottom();
    });
    connect(&m_log, &JobLog::read, this, [this] {
        showLogTitle();
        m_logTable->scrollToBottom();
    });
    connect(&m_log, &QAbstractItemModel::rowsInserted, this, &JobsPanel::showLogTitle);
}

QTableView *JobsPanel::table() const { return m_tabs->currentIndex() == queueTab ? m_queueTable : m_pastTable; }

JobsPanel::Chosen JobsPanel::chosen() const
{
    const int row = table()->currentIndex().row();
    Chosen chosen;
    if (row < 0)
        return chosen;
    chosen.row = row;
    if (table() == m_queueTable) {
        const QueuedJob &job = m_session.jobs().queue().at(row);
        chosen.run = job.run;
        chosen.spec = job.spec;
        chosen.isQueued = true;
        chosen.isActive = job.isActive();
        chosen.isRunning = job.state == JobState::Running;
        chosen.isPaused = job.state == JobState::Paused;
        chosen.hasBegun = job.hasBegun;
        chosen.canGoOn = job.hasBegun;
        return chosen;
    }
    const PastJob &job = m_past.at(row);
    chosen.run = job.run;
    chosen.spec = job.spec;
    chosen.hasBegun = true;
    chosen.canGoOn = job.canGoOn();
    chosen.isPinned = job.pinned;
    chosen.isLocked = job.locked;
    chosen.runsElsewhere = job.status == store::RunStatus::Running;
    return chosen;
}

void JobsPanel::refresh()
{
    const JobQueue &queue = m_session.jobs().queue();
    m_tabs->setTabText(queueTab, queue.rowCount() > 0 ? tr("Queue (%1)").arg(queue.rowCount()) : tr("Queue"));
    m_held->setChecked(queue.isHeld());
    if (!m_queueTable->currentIndex().isValid() && queue.rowCount() > 0)
        m_queueTable->setCurrentIndex(queue.index(0, 0));
    refreshActions();
}

void JobsPanel::refreshActions()
{
    const JobQueue &queue = m_session.jobs().queue();
    const Chosen job = chosen();
    m_pause->setEnabled(job.isRunning);
    m_resume->setEnabled(job.isQueued ? job.isPaused : job.canGoOn);
    m_cancel->setEnabled(job.isQueued);
    m_remove->setEnabled(!job.run.isEmpty() && !job.isActive && !job.runsElsewhere);
    m_remove->setText(job.isQueued ? tr("Remo&ve") : tr("Mo&ve to the trash"));
    for (QAction *action : {m_earlier, m_later})
        action->setEnabled(job.isQueued && !job.isActive);      // also at the ends, where the table would take the keys for itself
    m_show->setEnabled(job.hasBegun);
    m_copy->setEnabled(!job.run.isEmpty());
    m_cancelAll->setEnabled(queue.rowCount() > 0);
}

void JobsPanel::remove(const Chosen &job)
{
    if (job.isQueued)
        m_session.jobs().remove(job.run);
    else if (job.isLocked)
        Q_EMIT problem(tr("Locked runs stay: unlock this one on the Runs page to throw it away."));
    else if (job.isPinned)
        Q_EMIT problem(tr("Pinned runs stay: unpin this one on the Runs page to throw it away."));
    else
        trashRuns(m_session, m_edits, {job.run});
}

/// What ended last stays there until something else is chosen.
void JobsPanel::showLog()
{
    if (const Chosen job = chosen(); !job.run.isEmpty())
        m_log.show(job.run);
    showLogTitle();
    refreshActions();
}

void JobsPanel::showLogTitle()
{
    const Chosen job = chosen();
    QString what;
    if (!job.run.isEmpty())
        what = table()->model()->index(job.row, 0).data().toString();
    if (m_log.run().isEmpty())
        m_logTitle->setText(tr("The log of the chosen job stands here."));
    else if (m_log.isRead() && m_log.rowCount() == 0)
        m_logTitle->setText(tr("This job has not begun: its log is empty."));
    else
        m_logTitle->setText(what.isEmpty() || job.run != m_log.run() ? tr("Log") : tr("Log: %1").arg(what));
}

void JobsPanel::copyLog()
{
    QGuiApplication::clipboard()->setText(m_log.asText(m_logTable->selectionModel()->selectedRows()));
}

void JobsPanel::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT leaveRequested();
    else
        QWidget::keyPressEvent(event);
}

void JobsPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_past.setWatched(m_tabs->currentIndex() != queueTab);
}

void JobsPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_past.setWatched(false);
}

}  // namespace stillroom::widgets
