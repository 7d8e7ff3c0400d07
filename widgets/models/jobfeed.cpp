// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/jobfeed.h"

#include "error.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <utility>

namespace stillroom::widgets {

JobFeed::JobFeed(QObject *parent) : QObject(parent)
{
    m_timer.setInterval(std::chrono::milliseconds(50));
    connect(&m_timer, &QTimer::timeout, this, &JobFeed::drain);
}

JobFeed::~JobFeed() = default;

void JobFeed::start(const nlohmann::json &completedSpec, jobs::LaunchOptions options)
{
    if (m_job)
        throw Error(ErrorCode::Usage, "a job is running: wait for it, or cancel it first");
    m_mailbox = std::make_shared<Mailbox>();
    options.observer = [mailbox = m_mailbox, also = std::move(options.observer)](const experiment::Event &event) {
        if (also)
            also(event);
        const std::lock_guard lock(mailbox->mutex);
        mailbox->events.push_back(event);
    };
    m_job = jobs::launch(completedSpec, std::move(options));
    m_stopping = false;
    m_last.reset();
    m_timer.start();
    Q_EMIT started();
}

QString JobFeed::runId() const
{
    return m_job ? QString::fromStdString(m_job->runId()) : QString();
}

void JobFeed::requestStop()
{
    if (!m_job || m_stopping)
        return;
    m_job->requestStop();
    m_stopping = true;
    Q_EMIT stopping();
}

void JobFeed::drain()
{
    const bool over = m_job && m_job->finished();   // read before the mailbox, so that no event comes after it
    std::vector<experiment::Event> arrived;
    {
        const std::lock_guard lock(m_mailbox->mutex);
        arrived.swap(m_mailbox->events);
    }
    if (!arrived.empty())
        Q_EMIT events(arrived);
    for (const experiment::Event &event : arrived)
        if (experiment::isLast(event.body))
            m_last = event;
    if (!over)
        return;
    m_timer.stop();
    m_job.reset();
    m_stopping = false;
    std::optional<experiment::Event> last = std::exchange(m_last, std::nullopt);
    if (!last) {
        last.emplace();
        last->body = experiment::Failed{"failed", "the job ended without saying why", ""};
    }
    Q_EMIT ended(*last);
}

}  // namespace stillroom::widgets
