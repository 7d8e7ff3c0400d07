// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QElapsedTimer>
#include <QWidget>

class QProgressBar;
class QPushButton;

namespace stillroom::widgets {

class ElidedLabel;
class InterruptedJobs;
class MessageLine;

/// The line at the bottom: what runs, how far it is, when it ends; Pause, Cancel, and Resume where something can go on. A click opens the dock of the jobs.
class JobsStrip final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobsStrip)

public:
    explicit JobsStrip(Session &session, QWidget *parent = nullptr);
    /// Runs that are asked about elsewhere are not offered here as well.
    void setInterrupted(InterruptedJobs *interrupted);
    /// At once, or after a question in the page where more than a minute of work may be lost. \return false where nothing runs
    bool cancelOrAsk();
    /// What the queue says when a job has ended, for whoever has a place for it where nothing moves.
    [[nodiscard]] MessageLine *said() const { return m_said; }
    [[nodiscard]] bool offersToGoOn() const;
    /// With what it offers; nothing where it offers nothing.
    void goOn();

Q_SIGNALS:
    void jobsRequested();
    void offerChanged();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    QLayout *makeRow();
    QLayout *makeButtons();
    void makeLines();
    void follow();
    void followOpening();
    void begin(const QueuedJob &job);
    void showState();
    void showProgress();
    void showOpening();
    void showOutcome(const QueuedJob &job, const experiment::Event &last);
    [[nodiscard]] QString resumable() const;             ///< UUID of what Resume goes on with; empty for nothing
    [[nodiscard]] QString idleText() const;
    [[nodiscard]] QString waitingText() const;
    [[nodiscard]] QString settledText() const;
    Session &m_session;
    InterruptedJobs *m_interrupted = nullptr;
    MessageLine *m_question, *m_said;
    ElidedLabel *m_text;
    QProgressBar *m_bar;
    QPushButton *m_pause, *m_cancel, *m_resume, *m_leave, *m_cancelNow = nullptr;
    QString m_outcome;                      ///< of the job that ran last
    QElapsedTimer m_clock;
};

}  // namespace stillroom::widgets
