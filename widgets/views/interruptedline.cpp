// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/interruptedline.h"

#include "models/interruptedjobs.h"
#include "views/jobwords.h"
#include "views/messageline.h"
#include "views/quantities.h"

#include <QDateTime>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace stillroom::widgets {
namespace {

constexpr std::size_t mostNamed = 3;

}  // namespace

InterruptedLine::InterruptedLine(InterruptedJobs &jobs, QWidget *parent) : QWidget(parent), m_jobs(jobs), m_line(new MessageLine(MessageLine::Kind::Notice, this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_line);
    QPushButton *resume = m_line->addStep(tr("Resu&me")), *keep = m_line->addStep(tr("&Keep")), *discard = m_line->addStep(tr("Discard"));
    resume->setToolTip(tr("They go into the queue, each from its last checkpoint"));
    discard->setToolTip(tr("They go into the trash of the Runs page, which can be undone (Ctrl+Z)"));
    keep->setToolTip(tr("They stay as they are, and you are not asked again"));
    m_line->setDismissLabel({});
    connect(resume, &QPushButton::clicked, &m_jobs, &InterruptedJobs::resume);
    connect(discard, &QPushButton::clicked, &m_jobs, &InterruptedJobs::discard);
    connect(keep, &QPushButton::clicked, &m_jobs, &InterruptedJobs::keep);
    connect(&m_jobs, &InterruptedJobs::changed, this, &InterruptedLine::refresh);
    refresh();
}

QString InterruptedLine::nameOf(const InterruptedJob &job)
{
    const QString what = tr("%1 (%2)", "job, teacher").arg(jobText(job.kind, job.mixer, job.selector), teacherText(job.teacher));
    if (!job.checkpoint)
        return tr("%1: no checkpoint, it begins anew").arg(what);
    const QString when = momentText(job.checkpoint->timeSeconds, QDateTime::currentDateTime());
    if (job.checkpoint->step > 0)
        return tr("%1: checkpoint at step %2, %3", "job, step, when").arg(what, QLocale().toString(qint64{job.checkpoint->step}), when);
    return tr("%1: checkpoint at %2 tokens, %3", "job, tokens, when").arg(what, shortCount(static_cast<double>(job.checkpoint->tokens)), when);
}

void InterruptedLine::refresh()
{
    const auto &jobs = m_jobs.jobs();
    setVisible(!jobs.empty());
    if (jobs.empty())
        return;
    QStringList names;
    for (const InterruptedJob &job : jobs)
        if (static_cast<std::size_t>(names.size()) < mostNamed)
            names << nameOf(job);
    QString list = names.join(QStringLiteral("; "));
    if (jobs.size() > mostNamed)
        list = tr("%1; and %n more", nullptr, static_cast<int>(jobs.size() - mostNamed)).arg(list);
    m_line->showText(tr("%n jobs were interrupted. %1.", nullptr, static_cast<int>(jobs.size())).arg(list));
}

}  // namespace stillroom::widgets
