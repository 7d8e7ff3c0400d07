// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace stillroom::widgets {

/// The line at the bottom: what runs, how far it is, when it ends; Cancel, and Resume where a run was interrupted.
class JobsStrip final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobsStrip)

public:
    explicit JobsStrip(Session &session, QWidget *parent = nullptr);

private:
    void showIdle();
    void showProgress(const experiment::Progress &progress, const QString &task);
    Session &m_session;
    QLabel *m_text;
    QProgressBar *m_bar;
    QPushButton *m_cancel, *m_resume;
};

/// "1.2 M", "340 k": a count for people, in the locale's way.
[[nodiscard]] QString shortCount(double count);
/// "48 s", "3 min 20 s".
[[nodiscard]] QString shortDuration(double seconds);
/// "6.0 KiB", "3.1 MiB".
[[nodiscard]] QString shortBytes(double bytes);

}  // namespace stillroom::widgets
