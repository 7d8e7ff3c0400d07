// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/jobrunner.h"

#include <QObject>
#include <QString>

#include <functional>

namespace stillroom::widgets {

/// Tells of the end of a job where nobody looks at the window: a message of the system's tray, or a sign at the window's entry in the task bar. No sound.
class JobNotifier final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobNotifier)

public:
    using Deliver = std::function<void(const QString &title, const QString &text)>;
    /// \param window  also the parent. \param deliver  empty: by the system
    JobNotifier(JobRunner &runner, QWidget *window, Deliver deliver = {});
    void setDeliver(Deliver deliver) { m_deliver = std::move(deliver); }

private:
    void tell(const QueuedJob &job, const experiment::Event &last, JobRunner::End end);
    Deliver m_deliver;
};

}  // namespace stillroom::widgets
