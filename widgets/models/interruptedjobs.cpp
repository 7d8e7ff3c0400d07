// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/interruptedjobs.h"

#include "error.h"
#include "models/jobrunner.h"
#include "models/keptjobs.h"
#include "models/runtrash.h"

#include <QPointer>
#include <QUndoStack>

#include <algorithm>
#include <memory>
#include <utility>

namespace stillroom::widgets {
namespace {

/// One whose stage somebody has made since has nothing left to do.
bool isDone(const store::Workspace &workspace, const store::Run &run)
{
    try {
        return !run.key.empty() && workspace.stages().findStage(run.key).has_value();
    } catch (const Error &) {      // not a key: what wrote it had other names for stages
        return false;
    }
}

InterruptedJob interruptedJob(const std::filesystem::path &folder, const store::Run &run)
{
    const QueuedJob asked = queuedJob(QString::fromStdString(run.uuid), QString::fromStdString(run.specJson), true, false);
    return {asked.run, QString::fromStdString(run.kind), asked.teacher, asked.mixer, asked.selector, store::lastCheckpoint(folder, run.uuid), run.pinned, run.locked};
}

}  // namespace

InterruptedJobs::InterruptedJobs(Session &session, QUndoStack &edits, QObject *parent) : QObject(parent), m_session(session), m_edits(edits), m_left(leftRuns(session.workspace()))
{
    connect(&session, &Session::stored, this, &InterruptedJobs::read);
    connect(&session.jobs(), &JobRunner::begun, this, [this](const QueuedJob &job) { m_begun << job.run; });
    connect(&session.jobs().queue(), &JobQueue::changed, this, [this] { take(m_jobs); });      // what is in the queue is interrupted no more
    read();
}

void InterruptedJobs::read()
{
    m_session.withStore("interrupted jobs", [own = QPointer<InterruptedJobs>(this), left = m_left, known = m_jobs, folder = m_session.workspace()](store::Workspace &workspace) -> Background::Answer {
        store::RunFilter filter;
        filter.status = store::RunStatus::Interrupted;
        auto jobs = std::make_shared<std::vector<InterruptedJob>>();
        for (const store::Run &run : workspace.runs(filter)) {
            const QString uuid = QString::fromStdString(run.uuid);
            if (run.kind == "inspect" || left.contains(uuid) || isDone(workspace, run))
                continue;
            // Nobody writes to its file any more: it is read once, however often others write to the workspace.
            const auto same = std::find_if(known.begin(), known.end(), [&](const InterruptedJob &job) { return job.run == uuid; });
            jobs->push_back(same == known.end() ? interruptedJob(folder, run) : *same);
            jobs->back().isPinned = run.pinned;
            jobs->back().isLocked = run.locked;
        }
        return [own, jobs] {
            if (own)
                own->take(std::move(*jobs));
        };
    });
}

void InterruptedJobs::take(std::vector<InterruptedJob> jobs)
{
    std::erase_if(jobs, [this](const InterruptedJob &job) { return m_left.contains(job.run) || m_begun.contains(job.run) || m_session.jobs().queue().find(job.run); });
    if (jobs == m_jobs)
        return;
    m_jobs = std::move(jobs);
    Q_EMIT changed();
}

bool InterruptedJobs::isKnown(const QString &run) const
{
    return m_left.contains(run) || std::any_of(m_jobs.begin(), m_jobs.end(), [&](const InterruptedJob &job) { return job.run == run; });
}

void InterruptedJobs::resume()
{
    const std::vector<InterruptedJob> jobs = m_jobs;
    for (auto job = jobs.rbegin(); job != jobs.rend(); ++job)
        m_session.resume(job->run);
    take({});      // from now on the queue says so
}

void InterruptedJobs::keep()
{
    QStringList runs;
    for (const InterruptedJob &job : m_jobs)
        runs << job.run;
    leaveRuns(m_session.workspace(), runs);
    m_left = leftRuns(m_session.workspace());
    take(m_jobs);
}

void InterruptedJobs::leave(const QString &run)
{
    leaveRuns(m_session.workspace(), {run});
    m_left = leftRuns(m_session.workspace());
    Q_EMIT changed();
}

void InterruptedJobs::discard()
{
    QStringList thrown, kept;
    for (const InterruptedJob &job : m_jobs)
        (job.isPinned || job.isLocked ? kept : thrown) << job.run;
    if (!kept.isEmpty()) {
        leaveRuns(m_session.workspace(), kept);
        m_left = leftRuns(m_session.workspace());
    }
    if (std::any_of(m_jobs.begin(), m_jobs.end(), [](const InterruptedJob &job) { return job.isLocked; }))
        Q_EMIT m_session.notice(Session::tr("Locked jobs are kept: unlock them (L on the Runs page) to throw them away."));
    trashRuns(m_session, m_edits, thrown);
    take({});      // until it is read again: what is undone comes back
}

}  // namespace stillroom::widgets
