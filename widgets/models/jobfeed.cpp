// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/jobfeed.h"

#include "error.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <iterator>
#include <utility>
#include <variant>

namespace stillroom::widgets {
namespace {

constexpr int mostBesideStep = 8;      // measured values and scores that come with one step

bool isSamePhase(const experiment::Event &a, const experiment::Event &b)
{
    const auto *one = std::get_if<experiment::Progress>(&a.body), *other = std::get_if<experiment::Progress>(&b.body);
    return one && other && one->phase == other->phase && a.task == b.task && a.run == b.run;
}

/// Of the steps of a phase that come at once nobody can read any but the last: they are left out here, on the job's thread, so that the window's has less to go through.
void add(std::vector<experiment::Event> &events, const experiment::Event &event)
{
    const auto isBesideStep = [](const experiment::Event &one) { return std::holds_alternative<experiment::Metric>(one.body) || std::holds_alternative<experiment::LayerScore>(one.body); };
    if (std::holds_alternative<experiment::Progress>(event.body)) {
        auto before = events.rbegin();
        for (int i = 0; i < mostBesideStep && before != events.rend() && isBesideStep(*before); ++i)
            ++before;
        if (before != events.rend() && isSamePhase(*before, event))
            events.erase(std::next(before).base());
    }
    events.push_back(event);
}

}  // namespace

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
        std::vector<experiment::Event> read;      // goes after the lock
        const std::lock_guard lock(mailbox->mutex);
        add(mailbox->events, event);
        read.swap(mailbox->read);
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
    if (!arrived.empty()) {
        const std::lock_guard lock(m_mailbox->mutex);
        m_mailbox->read = std::move(arrived);
    }
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
