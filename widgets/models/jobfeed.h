// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"
#include "jobs/run.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <mutex>
#include <optional>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace stillroom::widgets {

/// One background job and its events, brought to the GUI thread at most 20 times a second, of steps that come at once the last one. Never waits on that thread.
class JobFeed final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobFeed)

public:
    explicit JobFeed(QObject *parent = nullptr);
    ~JobFeed() override;

    /// \throws stillroom::Error when it cannot be started (a job is running, the child's program is not there).
    void start(const nlohmann::json &completedSpec, jobs::LaunchOptions options);
    [[nodiscard]] bool isRunning() const { return m_job != nullptr; }
    [[nodiscard]] QString runId() const;
    void requestStop();
    [[nodiscard]] bool isStopping() const { return m_stopping; }

Q_SIGNALS:
    void events(const std::vector<stillroom::experiment::Event> &events);
    void started();
    void stopping();
    /// After the last event was handed on. \param last  finished, failed or cancelled.
    void ended(const stillroom::experiment::Event &last);

private:
    void drain();
    struct Mailbox {                        ///< filled on the job's thread
        std::mutex mutex;
        std::vector<experiment::Event> events;
        /// Handed on. Emptied by the job's thread, whose memory it is: to give back another thread's memory is to wait for it where it is busy with its own.
        std::vector<experiment::Event> read;
    };
    std::shared_ptr<Mailbox> m_mailbox;     ///< shared with the observer, so that a late event finds it alive
    std::unique_ptr<jobs::Job> m_job;
    std::optional<experiment::Event> m_last;        ///< a job may say its last word a while before its thread is over
    QTimer m_timer;
    bool m_stopping = false;
};

}  // namespace stillroom::widgets
