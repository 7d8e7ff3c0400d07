// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/jobhistory.h"

#include "models/experimenttable.h"
#include "models/jobnames.h"
#include "models/jobrunner.h"
#include "process.h"
#include "views/jobwords.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QDateTime>
#include <QPointer>

#include <algorithm>
#include <memory>
#include <utility>

namespace stillroom::widgets {
namespace {

PastJob pastJob(const store::Run &run, const QueuedJob &asked)
{
    PastJob job;
    job.run = asked.run;
    job.spec = asked.spec;
    job.kind = QString::fromStdString(run.kind);
    job.teacher = asked.teacher;
    job.mixer = asked.mixer;
    job.selector = asked.selector;
    job.phase = QString::fromStdString(run.progress.phase);
    job.failure = QString::fromStdString(run.failureMessage);
    job.status = run.status;
    job.done = run.progress.done;
    job.total = run.progress.total;
    job.endedSeconds = run.finishedSeconds.value_or(run.heartbeatSeconds);
    job.workedSeconds = std::max(0.0, job.endedSeconds - run.startedSeconds);
    job.pinned = run.pinned;
    job.locked = run.locked;
    return job;
}

/// It has just ended here, and the store is about to hear of it.
bool isEndingHere(const store::Run &run)
{
    static const ProcessIdentity own = thisProcess();
    return run.status == store::RunStatus::Running && run.process.pid == own.pid && run.process.startTicks == own.startTicks && run.process.boot == own.boot;
}

/// Newest first. \param queued  those that are in the queue
std::vector<PastJob> pastJobs(const store::Workspace &workspace, const QStringList &queued)
{
    std::vector<PastJob> jobs;
    std::vector<ListedJob> listed;
    for (const store::Run &run : workspace.runs()) {
        if (static_cast<int>(jobs.size()) >= JobHistory::most)
            break;
        if (run.kind == "inspect" || isEndingHere(run) || queued.contains(QString::fromStdString(run.uuid)))
            continue;
        const QueuedJob asked = queuedJob(QString::fromStdString(run.uuid), QString::fromStdString(run.specJson), false, false);
        const PastJob &job = jobs.emplace_back(pastJob(run, asked));
        listed.push_back({jobText(job.kind, job.mixer, job.selector), teacherText(job.teacher), asked.told});
    }
    const std::vector<QString> names = jobNames(listed);
    for (std::size_t i = 0; i < jobs.size(); ++i)
        jobs[i].name = names[i];
    return jobs;
}

}  // namespace

JobHistory::JobHistory(Session &session, QObject *parent) : QAbstractTableModel(parent), m_session(session)
{
    const auto again = [this] {
        m_stale = true;
        read();
    };
    connect(&session, &Session::stored, this, again);
    connect(&session.jobs().queue(), &JobQueue::changed, this, again);
}

void JobHistory::setWatched(bool watched)
{
    m_watched = watched;
    read();
}

void JobHistory::read()
{
    if (!m_watched || !std::exchange(m_stale, false))
        return;
    QStringList queued;
    for (const QueuedJob &job : m_session.jobs().queue().jobs())
        queued << job.run;
    m_session.withStore("job history", [history = QPointer<JobHistory>(this), queued](store::Workspace &workspace) -> Background::Answer {
        auto jobs = std::make_shared<std::vector<PastJob>>(pastJobs(workspace, queued));
        return [history, jobs] {
            if (history)
                history->take(std::move(*jobs));
        };
    });
}

/// As fine as it can be: mostly one job is new at the front, or none.
void JobHistory::take(std::vector<PastJob> jobs)
{
    const auto sameRun = [](const PastJob &a, const PastJob &b) { return a.run == b.run; };
    const auto isTail = [&](std::size_t added) { return jobs.size() == m_jobs.size() + added && std::equal(m_jobs.begin(), m_jobs.end(), jobs.begin() + static_cast<std::ptrdiff_t>(added), sameRun); };
    const std::size_t added = jobs.size() > m_jobs.size() ? jobs.size() - m_jobs.size() : 0;
    if (!isTail(added)) {
        beginResetModel();
        m_jobs = std::move(jobs);
        endResetModel();
        return;
    }
    if (added > 0) {
        const auto end = jobs.begin() + static_cast<std::ptrdiff_t>(added);
        beginInsertRows({}, 0, static_cast<int>(added) - 1);
        m_jobs.insert(m_jobs.begin(), jobs.begin(), end);
        endInsertRows();
    }
    for (int row = 0; row < rowCount(); ++row) {
        const auto place = static_cast<std::size_t>(row);
        if (m_jobs[place] == jobs[place])
            continue;
        m_jobs[place] = jobs[place];
        Q_EMIT dataChanged(index(row, 0), index(row, NumColumns - 1));
    }
}

int JobHistory::rowOf(const QString &run) const
{
    const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [&](const PastJob &job) { return job.run == run; });
    return found == m_jobs.end() ? -1 : static_cast<int>(found - m_jobs.begin());
}

int JobHistory::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_jobs.size()); }
int JobHistory::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : NumColumns; }

QString JobHistory::text(const PastJob &job, int column) const
{
    switch (column) {
    case Job: return job.name;
    case Teacher: return teacherText(job.teacher);
    case Phase: return job.status == store::RunStatus::Finished ? QString() : phaseName(job.phase);
    case Progress: return job.status == store::RunStatus::Finished ? QString() : percentText(job.done, job.total);
    case Took: return shortDuration(job.workedSeconds);
    case Ended: return momentText(job.endedSeconds, QDateTime::currentDateTime());
    case State: return job.status == store::RunStatus::Running ? tr("running elsewhere") : statusText(job.status);
    default: return {};
    }
}

QVariant JobHistory::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PastJob &job = at(index.row());
    if (role == Qt::DisplayRole)
        return text(job, index.column());
    if (role == RunRole)
        return job.run;
    if (role == Qt::TextAlignmentRole && (index.column() == Progress || index.column() == Took))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return index.column() == State && !job.failure.isEmpty() ? job.failure : index.column() == Teacher ? job.teacher : text(job, index.column());
    return {};
}

QVariant JobHistory::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Job: return tr("Job");
    case Teacher: return tr("Teacher");
    case Phase: return tr("Phase");
    case Progress: return tr("Done");
    case Took: return tr("Took");
    case Ended: return tr("Ended");
    case State: return tr("State");
    default: return {};
    }
}

}  // namespace stillroom::widgets
