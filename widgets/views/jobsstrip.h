// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QElapsedTimer>
#include <QWidget>

class QProgressBar;
class QPushButton;

namespace stillroom::widgets {

class ElidedLabel;

/// The line at the bottom: what runs, how far it is, when it ends; Cancel, and Resume where a run was interrupted.
class JobsStrip final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobsStrip)

public:
    explicit JobsStrip(Session &session, QWidget *parent = nullptr);

private:
    void follow();
    void begin();
    void showState();
    void showProgress(const experiment::Progress &progress, const QString &task);
    void showOutcome(const experiment::Event &last);
    [[nodiscard]] QString jobText() const;
    [[nodiscard]] QString rateText(const experiment::Progress &progress);
    [[nodiscard]] QString settledText() const;
    Session &m_session;
    ElidedLabel *m_text;
    QProgressBar *m_bar;
    QPushButton *m_cancel, *m_resume;
    QString m_kind, m_outcome;              ///< of the job that runs or ran last
    QElapsedTimer m_clock;
    experiment::Progress m_first;           ///< of the phase: the rate is counted from here, whatever was done before a resume
};

}  // namespace stillroom::widgets
