// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/jobrunner.h"

#include "error.h"
#include "experiment/spec.h"
#include "jobs/run.h"
#include "models/jobfeed.h"
#include "views/jobwords.h"

#include <QUndoCommand>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace stillroom::widgets {
namespace {

double now()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

/// Only what does not run is taken out, also when it is done again.
class JobRunner::Removal final : public QUndoCommand {
public:
    Removal(JobQueue &queue, const QString &run) : QUndoCommand(JobRunner::tr("Remove the job")), m_queue(queue), m_run(run) {}
    void redo() override
    {
        const QueuedJob *job = m_queue.find(m_run);
        m_row = m_queue.rowOf(m_run);
        m_taken = job && !job->isActive() ? m_queue.take(m_run) : std::nullopt;
    }
    void undo() override
    {
        if (m_taken && !m_queue.find(m_run))
            m_queue.insert(m_row, *m_taken);
    }

private:
    JobQueue &m_queue;
    QString m_run;
    int m_row = -1;
    std::optional<QueuedJob> m_taken;
};

class JobRunner::Move final : public QUndoCommand {
public:
    Move(JobQueue &queue, const QString &run, int row) : QUndoCommand(JobRunner::tr("Move the job")), m_queue(queue), m_run(run), m_from(queue.rowOf(run)), m_to(row) {}
    void redo() override { m_queue.move(m_run, m_to); }
    void undo() override { m_queue.move(m_run, m_from); }

private:
    JobQueue &m_queue;
    QString m_run;
    int m_from, m_to;
};

JobRunner::JobRunner(JobFeed &feed, Launch launch, QObject *parent) : QObject(parent), m_feed(feed), m_launch(std::move(launch)), m_clock(now)
{
    connect(&feed, &JobFeed::events, this, &JobRunner::handle);
    connect(&feed, &JobFeed::ended, this, &JobRunner::handleEnd);
    // Whatever puts a job where its turn is: an undone removal, a queue that is held no more.
    connect(&m_queue, &JobQueue::changed, this, &JobRunner::beginNext, Qt::QueuedConnection);
}

void JobRunner::ask(const nlohmann::json &completedSpec, bool resume, bool fresh, const QString &run)
{
    QueuedJob job = queuedJob(run.isEmpty() ? QString::fromStdString(jobs::newUuid()) : run, QString::fromStdString(experiment::canonicalJson(completedSpec)), resume, fresh);
    job.hasBegun = !run.isEmpty();
    Q_EMIT asked();
    const auto isEqual = [&](const QueuedJob &one) {      // one that is being cancelled is as good as gone
        return one.state != JobState::Cancelling && (one.run == job.run || (one.spec == job.spec && one.fresh == job.fresh));
    };
    if (const auto known = std::find_if(m_queue.jobs().begin(), m_queue.jobs().end(), isEqual); known != m_queue.jobs().end()) {
        if (known->state == JobState::Paused)
            this->resume(QString(known->run));
        else
            Q_EMIT said(tr("%1 with these settings is in the queue already.").arg(jobText(*known)));
        return;
    }
    m_queue.append(job);
    beginNext();
    if (const QueuedJob *put = m_queue.find(job.run); put && put->state == JobState::Waiting) {
        const int before = static_cast<int>(std::count_if(m_queue.jobs().begin(), m_queue.jobs().begin() + m_queue.rowOf(job.run), [](const QueuedJob &one) { return one.isActive() || one.state == JobState::Waiting; }));
        Q_EMIT said(before > 0 ? tr("%1 is in the queue: it begins after %n jobs.", nullptr, before).arg(jobText(job)) : tr("%1 is in the queue, which is held: no job begins.").arg(jobText(job)));
    }
}

JobRunner::Risk JobRunner::risk() const
{
    return m_queue.running() ? Risk{std::max(0.0, m_clock() - m_safeSeconds), m_checkpointStep} : Risk{};
}

void JobRunner::beginNext()
{
    const QString run = m_queue.next();
    if (m_closing || m_feed.isRunning() || m_queue.running() || run.isEmpty())
        return;
    const QueuedJob job = *m_queue.find(run);
    try {
        m_launch(job);
    } catch (const std::exception &error) {
        m_queue.take(run);
        Q_EMIT problem(QString::fromUtf8(error.what()));      // the change of the queue begins the next
        return;
    }
    m_safeSeconds = m_clock();
    m_checkpointStep.reset();
    m_first = {};
    m_firstTask.clear();
    m_lastDone = 0;
    m_queue.setState(run, JobState::Running);
    Q_EMIT begun(*m_queue.find(run));
}

bool JobRunner::note(const experiment::Progress &progress, const std::string &task, double seconds)
{
    const QueuedJob *job = m_queue.running();
    if (!job)
        return false;
    if (m_firstTask != task || m_first.phase != progress.phase || progress.done < m_lastDone) {
        m_first = progress;
        m_firstTask = task;
    }
    m_lastDone = progress.done;
    m_remaining[job->run].note(task + '\n' + progress.phase, progress.done, progress.total, seconds);
    return true;
}

void JobRunner::showProgress(const experiment::Progress &progress)
{
    const QString run = m_queue.running()->run;
    const jobs::RemainingTime &remaining = m_remaining[run];
    // By the median step, so that a moment in which the computer slept does not count for long.
    const auto tokens = static_cast<double>(progress.tokens - m_first.tokens), steps = static_cast<double>(progress.done - m_first.done), step = remaining.stepSeconds().value_or(0.0);
    const auto rate = tokens > 0.0 && steps > 0.0 && step > 0.0 ? std::optional(tokens / steps / step) : std::nullopt;
    m_queue.setProgress(run, QString::fromStdString(progress.phase), progress.done, progress.total, rate, remaining.seconds());
}

void JobRunner::handle(const std::vector<experiment::Event> &events)
{
    const experiment::Progress *latest = nullptr;
    for (const experiment::Event &event : events) {
        if (const auto *progress = std::get_if<experiment::Progress>(&event.body)) {
            latest = note(*progress, event.task, event.timeSeconds) ? progress : nullptr;
        } else if (const auto *checkpoint = std::get_if<experiment::CheckpointSaved>(&event.body)) {
            m_safeSeconds = event.timeSeconds;
            m_checkpointStep = checkpoint->step;
        }
    }
    if (latest)
        showProgress(*latest);
}

void JobRunner::handleEnd(const experiment::Event &last)
{
    const QueuedJob *running = m_queue.running();
    if (!running)
        return;
    QueuedJob job = *running;
    End end = std::holds_alternative<experiment::Finished>(last.body) ? End::Finished : std::holds_alternative<experiment::Failed>(last.body) ? End::Failed : End::Cancelled;
    if (end == End::Cancelled && job.state == JobState::Pausing) {
        end = End::Paused;
        m_remaining[job.run].pause();
        m_queue.setState(job.run, JobState::Paused);
    } else {
        m_queue.take(job.run);
        m_remaining.erase(job.run);
    }
    Q_EMIT ended(job, last, end);
    sayWhatFollows(job, end);
}

/// That a job failed or was cancelled says nothing about those that wait, so it is said that they go on.
void JobRunner::sayWhatFollows(const QueuedJob &job, End end)
{
    const QueuedJob *next = m_queue.find(m_queue.next());
    if (end == End::Finished || m_closing || !next)
        return;
    const QString now = jobText(job), then = jobText(*next);
    Q_EMIT said(end == End::Failed ? tr("%1 failed. The queue goes on: %2.").arg(now, then)
                : end == End::Paused ? tr("%1 is paused. The queue goes on: %2.").arg(now, then)
                                     : tr("%1 was cancelled. The queue goes on: %2.").arg(now, then));
}

void JobRunner::pause(const QString &run)
{
    const QueuedJob *job = m_queue.find(run);
    if (!job || job->state != JobState::Running)
        return;
    m_queue.setState(run, JobState::Pausing);
    m_feed.requestStop();
}

void JobRunner::resume(const QString &run)
{
    const QueuedJob *job = m_queue.find(run);
    if (!job || job->state != JobState::Paused)
        return;
    m_queue.setState(run, JobState::Waiting);
    beginNext();
}

void JobRunner::cancel(const QString &run)
{
    const QueuedJob *job = m_queue.find(run);
    if (!job)
        return;
    if (!job->isActive()) {
        remove(run);
        return;
    }
    m_queue.setState(run, JobState::Cancelling);
    m_feed.requestStop();
}

void JobRunner::cancelAll()
{
    QStringList waiting;
    for (const QueuedJob &job : m_queue.jobs())
        if (!job.isActive())
            waiting << job.run;
    if (m_edits && !waiting.isEmpty())
        m_edits->beginMacro(tr("Cancel all jobs"));
    for (const QString &run : waiting)
        remove(run);
    if (m_edits && !waiting.isEmpty())
        m_edits->endMacro();
    if (const QueuedJob *running = m_queue.running())
        cancel(QString(running->run));
    Q_EMIT said(tr("All jobs are cancelled: the queue is empty."));
}

void JobRunner::close()
{
    m_closing = true;
    if (const QueuedJob *running = m_queue.running())
        pause(QString(running->run));
}

void JobRunner::edit(QUndoCommand *step)
{
    if (m_edits) {
        m_edits->push(step);      // takes it over, and does it
        return;
    }
    step->redo();
    delete step;
}

void JobRunner::remove(const QString &run)
{
    if (const QueuedJob *job = m_queue.find(run); job && !job->isActive())
        edit(new Removal(m_queue, run));
}

void JobRunner::move(const QString &run, int row)
{
    const int from = m_queue.rowOf(run), first = m_queue.running() ? 1 : 0;
    if (from >= first && row >= first && row < m_queue.rowCount() && row != from)
        edit(new Move(m_queue, run, row));
}

}  // namespace stillroom::widgets
