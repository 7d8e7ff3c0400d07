// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/jobhistory.h"
#include "models/joblog.h"

#include <QWidget>

#include <functional>

class QAction;
class QCheckBox;
class QLabel;
class QMenu;
class QTableView;
class QTabWidget;
class QUndoStack;

namespace stillroom::widgets {

class ElidedLabel;
class JobRunner;

/// The dock of the jobs: what runs and waits, what ran before, and the log of the chosen one. All that can be done with a job, by key or menu.
class JobsPanel final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobsPanel)

public:
    /// \param edits  where removing and moving are steps of undo
    JobsPanel(Session &session, QUndoStack &edits, QWidget *parent = nullptr);

Q_SIGNALS:
    void showRunRequested(const QString &run);
    void leaveRequested();                      ///< Escape: back to the page
    void problem(const QString &text);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    /// The job that a row stands for.
    struct Chosen {
        QString run, spec;
        bool isQueued = false, isActive = false, isRunning = false, isPaused = false, hasBegun = false, canGoOn = false, isPinned = false, isLocked = false, runsElsewhere = false;
        int row = -1;
    };
    QWidget *makeTabs();
    QWidget *makeLog();
    QTableView *makeTable(QAbstractItemModel *model, const QString &name, const QList<int> &letters);
    QWidget *withEmptyText(QTableView *table, const QString &text);
    void makeActions();
    QAction *addAction(const QString &text, const QKeySequence &key, const std::function<void(const Chosen &)> &act);
    void refresh();
    void refreshActions();
    void showLog();
    void showLogTitle();
    void follow();
    void remove(const Chosen &job);
    void copyLog();
    [[nodiscard]] QTableView *table() const;
    [[nodiscard]] Chosen chosen() const;

    Session &m_session;
    QUndoStack &m_edits;
    JobHistory m_past;
    JobLog m_log;
    QTabWidget *m_tabs = nullptr;
    QTableView *m_queueTable = nullptr, *m_pastTable = nullptr, *m_logTable = nullptr;
    QCheckBox *m_held = nullptr;
    ElidedLabel *m_logTitle = nullptr;
    QMenu *m_menu = nullptr;
    QAction *m_pause = nullptr, *m_resume = nullptr, *m_cancel = nullptr, *m_remove = nullptr, *m_earlier = nullptr, *m_later = nullptr, *m_show = nullptr, *m_copy = nullptr, *m_cancelAll = nullptr;
};

}  // namespace stillroom::widgets
