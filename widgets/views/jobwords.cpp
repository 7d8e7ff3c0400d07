// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/jobwords.h"

#include "experiment/shownnames.h"
#include "models/jobqueue.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace stillroom::widgets {
namespace {

struct Jobs {
    Q_DECLARE_TR_FUNCTIONS(Jobs)
};

constexpr double secondsAMinute = 60.0, secondsAnHour = 3600.0;

/// Coarser the longer it takes: nobody wants the seconds of an hour.
QString aboutDuration(double seconds)
{
    if (seconds < secondsAMinute)
        return shortDuration(seconds);
    if (seconds < secondsAnHour)
        return Jobs::tr("%1 min").arg(static_cast<qint64>(seconds / secondsAMinute + 0.5));
    return shortDuration(seconds);
}

}  // namespace

QString jobText(const QString &kind, const QString &mixer, const QString &selector)
{
    const QString probe = mixer.toUpper();
    if (kind == QLatin1String("inspect"))
        return Jobs::tr("Reading the attention of a model");
    if (kind == QLatin1String("score"))
        return Jobs::tr("Scoring %1 with %2").arg(probe, selectorMark(selector));
    if (kind == QLatin1String("distill"))
        return Jobs::tr("Distilling %1").arg(probe);
    if (kind == QLatin1String("calibrate"))
        return Jobs::tr("Calibrating %1").arg(probe);
    if (kind == QLatin1String("align"))
        return Jobs::tr("Aligning %1").arg(probe);
    if (kind == QLatin1String("evaluate"))
        return Jobs::tr("Evaluating");
    if (kind == QLatin1String("generate"))
        return Jobs::tr("Generating text");
    if (kind == QLatin1String("train-teacher"))
        return Jobs::tr("Training a teacher");
    if (kind == QLatin1String("pipeline"))
        return Jobs::tr("A pipeline of stages");
    return kind;
}

QString jobText(const QueuedJob &job)
{
    return jobText(job.kind, job.mixer, job.selector);
}

QString teacherText(const QString &argument)
{
    return QString::fromStdString(experiment::teacherName(argument.toStdString()));
}

QString momentText(double unixSeconds, const QDateTime &now)
{
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(unixSeconds * 1000.0));
    return moment.date() == now.date() ? QLocale().toString(moment.time(), QLocale::ShortFormat) : QLocale().toString(moment, QLocale::ShortFormat);
}

QString leftText(double secondsLeft, const QDateTime &now)
{
    const QDateTime end = now.addMSecs(static_cast<qint64>(secondsLeft * 1000.0));
    return Jobs::tr("≈ %1 left, %2", "duration, time at which it ends").arg(aboutDuration(secondsLeft), momentText(static_cast<double>(end.toMSecsSinceEpoch()) / 1000.0, now));
}

QString percentText(qint64 done, qint64 total)
{
    return total > 0 ? Jobs::tr("%1 %").arg(100 * done / total) : QString();
}

}  // namespace stillroom::widgets
