// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keptjobs.h"

#include "experiment/spec.h"
#include "models/workspacemark.h"

#include <QSettings>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>

namespace stillroom::widgets {
namespace {

constexpr int mostJobs = 1000;
const QString specKey = QStringLiteral("spec"), runKey = QStringLiteral("run"), freshKey = QStringLiteral("fresh"), resumeKey = QStringLiteral("resume"), begunKey = QStringLiteral("begun"),
              phaseKey = QStringLiteral("phase"), doneKey = QStringLiteral("done"), totalKey = QStringLiteral("total");

/// A path holds what a settings' key cannot.
QString group(const std::filesystem::path &workspace, const QString &what)
{
    return QStringLiteral("jobs/%1/%2").arg(workspaceMark(workspace), what);
}

/// A settings file may be damaged, or of another version: what this program would not take is no job.
bool isValid(const QueuedJob &job)
{
    try {
        (void)experiment::completeSpec(nlohmann::json::parse(job.spec.toStdString()));
        return !job.run.isEmpty() && !job.kind.isEmpty();
    } catch (const std::exception &) {
        return false;
    }
}

}  // namespace

void keepJobs(const std::filesystem::path &workspace, const std::vector<QueuedJob> &jobs)
{
    QSettings settings;
    const QString array = group(workspace, QStringLiteral("queue"));
    settings.remove(array);
    settings.beginWriteArray(array);
    int place = 0;
    for (const QueuedJob &job : jobs) {
        if (job.isActive())
            continue;
        settings.setArrayIndex(place++);
        settings.setValue(runKey, job.run);
        settings.setValue(specKey, job.spec);
        settings.setValue(freshKey, job.fresh);
        settings.setValue(resumeKey, job.resume);
        settings.setValue(begunKey, job.hasBegun);
        settings.setValue(phaseKey, job.phase);
        settings.setValue(doneKey, job.done);
        settings.setValue(totalKey, job.total);
    }
    settings.endArray();
}

std::vector<QueuedJob> keptJobs(const std::filesystem::path &workspace)
{
    std::vector<QueuedJob> jobs;
    QSettings settings;
    const int count = std::min(settings.beginReadArray(group(workspace, QStringLiteral("queue"))), mostJobs);
    for (int place = 0; place < count; ++place) {
        settings.setArrayIndex(place);
        QueuedJob job = queuedJob(settings.value(runKey).toString(), settings.value(specKey).toString(), settings.value(resumeKey).toBool(), settings.value(freshKey).toBool());
        job.hasBegun = settings.value(begunKey).toBool();
        job.phase = settings.value(phaseKey).toString();
        job.done = settings.value(doneKey).toLongLong();
        job.total = settings.value(totalKey).toLongLong();
        job.state = JobState::Paused;
        if (isValid(job))
            jobs.push_back(std::move(job));
    }
    settings.endArray();
    return jobs;
}

void leaveRuns(const std::filesystem::path &workspace, const QStringList &runs)
{
    QStringList all = leftRuns(workspace);
    for (const QString &run : runs)
        if (!all.contains(run))
            all << run;
    QSettings().setValue(group(workspace, QStringLiteral("left")), all);
}

QStringList leftRuns(const std::filesystem::path &workspace)
{
    return QSettings().value(group(workspace, QStringLiteral("left"))).toStringList();
}

}  // namespace stillroom::widgets
