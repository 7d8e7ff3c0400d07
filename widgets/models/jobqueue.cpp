// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/jobqueue.h"

#include "models/jobnames.h"
#include "models/storedresults.h"
#include "views/jobwords.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QDateTime>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace stillroom::widgets {
namespace {

QString memberText(const nlohmann::json &object, const char *name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

/// Repetitions with other seeds have equal settings, which are read once then.
experiment::Sibling siblingOf(nlohmann::json spec)
{
    experiment::Sibling told;
    if (const auto seed = spec.find("seed"); seed != spec.end() && seed->is_number_integer())
        told.seed = seed->get<std::int64_t>();
    for (const char *own : experiment::fieldsOfRepetition)
        spec.erase(own);
    told.settings = spec.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return told;
}

}  // namespace

QString jobStateText(JobState state)
{
    switch (state) {
    case JobState::Waiting: return JobQueue::tr("waiting");
    case JobState::Running: return JobQueue::tr("running");
    case JobState::Pausing: return JobQueue::tr("pausing");
    case JobState::Cancelling: return JobQueue::tr("cancelling");
    case JobState::Paused: return JobQueue::tr("paused");
    }
    return {};
}

QueuedJob queuedJob(const QString &run, const QString &specJson, bool resume, bool fresh)
{
    QueuedJob job;
    job.run = run;
    job.spec = specJson;
    job.resume = resume;
    job.fresh = fresh;
    nlohmann::json spec = nlohmann::json::parse(specJson.toStdString(), nullptr, false);
    if (!spec.is_object())
        return job;
    job.kind = memberText(spec, "kind");
    job.teacher = spec.contains("model") ? memberText(spec, "model") : teacherOf(specJson.toStdString());
    job.selector = memberText(spec, "selector");
    if (const auto mixer = spec.find("mixer"); mixer != spec.end() && mixer->is_object())
        job.mixer = memberText(*mixer, "kind");
    job.told = siblingOf(std::move(spec));
    return job;
}

JobQueue::JobQueue(QObject *parent) : QAbstractTableModel(parent) {}

int JobQueue::rowOf(const QString &run) const
{
    const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [&](const QueuedJob &job) { return job.run == run; });
    return found == m_jobs.end() ? -1 : static_cast<int>(found - m_jobs.begin());
}

const QueuedJob *JobQueue::find(const QString &run) const
{
    const int row = rowOf(run);
    return row < 0 ? nullptr : &at(row);
}

const QueuedJob *JobQueue::running() const
{
    return !m_jobs.empty() && m_jobs.front().isActive() ? &m_jobs.front() : nullptr;
}

const QueuedJob *JobQueue::paused() const
{
    const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [](const QueuedJob &job) { return job.state == JobState::Paused; });
    return found == m_jobs.end() ? nullptr : &*found;
}

int JobQueue::numWaiting() const
{
    return static_cast<int>(std::count_if(m_jobs.begin(), m_jobs.end(), [](const QueuedJob &job) { return job.state == JobState::Waiting; }));
}

QString JobQueue::next() const
{
    const int row = firstWaitingRow();
    return m_held || row == rowCount() ? QString() : at(row).run;
}

void JobQueue::setHeld(bool held)
{
    if (std::exchange(m_held, held) != held)
        Q_EMIT changed();
}

int JobQueue::firstWaitingRow() const
{
    const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [](const QueuedJob &job) { return job.state == JobState::Waiting; });
    return static_cast<int>(found - m_jobs.begin());
}

void JobQueue::append(const QueuedJob &job) { insert(rowCount(), job); }

void JobQueue::insert(int row, const QueuedJob &job)
{
    const int at = std::clamp(row, firstFreeRow(), rowCount());
    beginInsertRows({}, at, at);
    m_jobs.insert(m_jobs.begin() + at, job);
    endInsertRows();
    nameJobs();
    Q_EMIT changed();
}

void JobQueue::moveRow(int from, int to)
{
    if (from == to)
        return;
    beginMoveRows({}, from, from, {}, to > from ? to + 1 : to);      // Qt names the row before which it goes
    QueuedJob job = std::move(m_jobs[static_cast<std::size_t>(from)]);
    m_jobs.erase(m_jobs.begin() + from);
    m_jobs.insert(m_jobs.begin() + to, std::move(job));
    endMoveRows();
}

void JobQueue::nameJobs()
{
    std::vector<ListedJob> listed;
    for (const QueuedJob &job : m_jobs)
        listed.push_back({jobText(job), teacherText(job.teacher), job.told});
    const std::vector<QString> names = jobNames(listed);
    std::map<QString, QString> byRun;
    for (std::size_t i = 0; i < names.size(); ++i)
        byRun[m_jobs[i].run] = names[i];
    if (std::exchange(m_names, byRun) != byRun && !m_jobs.empty())
        Q_EMIT dataChanged(index(0, Job), index(rowCount() - 1, Job));
}

bool JobQueue::move(const QString &run, int row)
{
    const int from = rowOf(run);
    if (from < firstFreeRow() || row < firstFreeRow() || row >= rowCount() || row == from)
        return false;
    moveRow(from, row);
    Q_EMIT changed();
    return true;
}

std::optional<QueuedJob> JobQueue::take(const QString &run)
{
    const int row = rowOf(run);
    if (row < 0)
        return std::nullopt;
    beginRemoveRows({}, row, row);
    QueuedJob job = std::move(m_jobs[static_cast<std::size_t>(row)]);
    m_jobs.erase(m_jobs.begin() + row);
    endRemoveRows();
    nameJobs();
    Q_EMIT changed();
    return job;
}

void JobQueue::setState(const QString &run, JobState state)
{
    int row = rowOf(run);
    if (row < 0 || at(row).state == state)
        return;
    if (const int to = state == JobState::Running ? 0 : state == JobState::Waiting ? std::min(firstWaitingRow(), row) : row; to != row) {
        moveRow(row, to);
        row = to;
    }
    QueuedJob &job = m_jobs[static_cast<std::size_t>(row)];
    job.state = state;
    job.hasBegun = job.hasBegun || state == JobState::Running;
    job.resume = job.resume || (state == JobState::Waiting && job.hasBegun);
    if (state != JobState::Running)
        job.secondsLeft = job.tokensPerSecond = std::nullopt;
    Q_EMIT dataChanged(index(row, 0), index(row, NumColumns - 1));
    Q_EMIT changed();
}

void JobQueue::setProgress(const QString &run, const QString &phase, qint64 done, qint64 total, std::optional<double> tokensPerSecond, std::optional<double> secondsLeft)
{
    const int row = rowOf(run);
    if (row < 0)
        return;
    QueuedJob &job = m_jobs[static_cast<std::size_t>(row)];
    job.phase = phase;
    job.done = done;
    job.total = total;
    job.tokensPerSecond = tokensPerSecond;
    job.secondsLeft = secondsLeft;
    Q_EMIT dataChanged(index(row, Phase), index(row, Rate));
}

int JobQueue::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_jobs.size()); }
int JobQueue::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : NumColumns; }

QString JobQueue::text(int row, int column) const
{
    const QueuedJob &job = at(row);
    switch (column) {
    case Job: {
        const auto name = m_names.find(job.run);
        return name == m_names.end() ? jobText(job) : name->second;      // while it is being put in
    }
    case Teacher: return teacherText(job.teacher);
    case Phase: return phaseName(job.phase);
    case Progress: return percentText(job.done, job.total);
    case Left: return job.secondsLeft && job.done < job.total ? leftText(*job.secondsLeft, QDateTime::currentDateTime()) : QString();
    case Rate: return job.tokensPerSecond ? tr("%1 tokens/s").arg(shortCount(*job.tokensPerSecond)) : QString();
    case State: return jobStateText(job.state);
    default: return {};
    }
}

QVariant JobQueue::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const QueuedJob &job = at(index.row());
    if (role == Qt::DisplayRole)
        return text(index.row(), index.column());
    if (role == RunRole)
        return job.run;
    if (role == Qt::TextAlignmentRole && index.column() == Progress)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return index.column() == Teacher ? job.teacher : text(index.row(), index.column());
    return {};
}

QVariant JobQueue::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Job: return tr("Job");
    case Teacher: return tr("Teacher");
    case Phase: return tr("Phase");
    case Progress: return tr("Done");
    case Left: return tr("Left in this phase");
    case Rate: return tr("Throughput");
    case State: return tr("State");
    default: return {};
    }
}

}  // namespace stillroom::widgets
