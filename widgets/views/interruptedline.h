// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace stillroom::widgets {

class InterruptedJobs;
struct InterruptedJob;
class MessageLine;

/// One line in the page about jobs whose process went away: which, their last checkpoints, and what shall become of them. Hidden while there are none.
class InterruptedLine final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(InterruptedLine)

public:
    explicit InterruptedLine(InterruptedJobs &jobs, QWidget *parent = nullptr);

private:
    void refresh();
    /// What it was, and where it can go on.
    [[nodiscard]] static QString nameOf(const InterruptedJob &job);
    InterruptedJobs &m_jobs;
    MessageLine *m_line;
};

}  // namespace stillroom::widgets
