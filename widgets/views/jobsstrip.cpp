// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/jobsstrip.h"

#include "models/interruptedjobs.h"
#include "models/jobrunner.h"
#include "models/modelopening.h"
#include "views/jobwords.h"
#include "views/labels.h"
#include "views/messageline.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QDateTime>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int barSteps = 1000;
constexpr double mostSecondsLost = 60.0;      ///< without a question

}  // namespace

JobsStrip::JobsStrip(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_question(new MessageLine(MessageLine::Kind::Problem, this)), m_said(new MessageLine(MessageLine::Kind::Notice, this)),
      m_text(new ElidedLabel(Voice::Plain, this)), m_bar(new QProgressBar(this)), m_pause(new QPushButton(tr("Pa&use"), this)), m_cancel(new QPushButton(tr("Cancel"), this)),
      m_resume(new QPushButton(tr("Res&ume"), this)), m_leave(new QPushButton(tr("Dismiss"), this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_question);
    column->addLayout(makeRow());
    setToolTip(tr("Queue, history and logs of the jobs (Ctrl+J)"));
    makeLines();
    follow();
    showState();
}

QLayout *JobsStrip::makeRow()
{
    auto *row = new QHBoxLayout;
    row->setContentsMargins(16, 4, 16, 4);
    row->setSpacing(8);
    row->addWidget(m_text, 1);
    row->addWidget(m_bar);
    row->addLayout(makeButtons());
    setMinimumHeight(m_cancel->sizeHint().height() + 8);
    m_text->setAccessibleName(tr("Job"));
    m_text->setCursor(Qt::PointingHandCursor);
    m_bar->setFixedWidth(fontMetrics().averageCharWidth() * 28);
    m_bar->setAccessibleName(tr("Progress of the job"));
    m_pause->setToolTip(tr("Stop at a checkpoint and keep the job in the queue; the next one begins (Ctrl+P)"));
    m_resume->setToolTip(tr("Go on from the last checkpoint, in the same run (Ctrl+P)"));
    m_leave->setToolTip(tr("It stays among the runs as it is, and is not offered here again"));
    return row;
}

/// What stops a job for a while has the place of what lets it go on, and a place of its own whatever is shown: a second click never meets "Cancel" where "Resume" was.
QLayout *JobsStrip::makeButtons()
{
    auto *places = new QGridLayout;
    places->setSpacing(8);
    const std::pair<QPushButton *, int> placed[] = {{m_resume, 0}, {m_pause, 0}, {m_leave, 1}, {m_cancel, 1}};
    for (const auto &[button, place] : placed) {
        QSizePolicy room = button->sizePolicy();
        room.setRetainSizeWhenHidden(true);
        button->setSizePolicy(room);
        places->addWidget(button, 0, place);
    }
    return places;
}

void JobsStrip::makeLines()
{
    m_cancelNow = m_question->addStep(tr("Cancel the &job"));
    m_question->setDismissLabel(tr("Go on"));
    connect(m_cancelNow, &QPushButton::clicked, this, [this] {
        m_question->hide();
        if (const QueuedJob *running = m_session.jobs().queue().running())
            m_session.jobs().cancel(QString(running->run));
    });
}

void JobsStrip::setInterrupted(InterruptedJobs *interrupted)
{
    m_interrupted = interrupted;
    connect(interrupted, &InterruptedJobs::changed, this, &JobsStrip::showState);
    showState();
}

void JobsStrip::follow()
{
    JobRunner &jobs = m_session.jobs();
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (const QueuedJob *running = m_session.jobs().queue().running())
            m_session.jobs().pause(QString(running->run));
    });
    connect(m_cancel, &QPushButton::clicked, &m_session, &Session::cancel);
    connect(m_resume, &QPushButton::clicked, this, &JobsStrip::goOn);
    connect(m_leave, &QPushButton::clicked, this, [this] { m_interrupted->leave(resumable()); });
    connect(&jobs, &JobRunner::asked, m_said, &QWidget::hide);
    connect(&jobs, &JobRunner::begun, this, &JobsStrip::begin);
    connect(&jobs, &JobRunner::ended, this, &JobsStrip::showOutcome);
    connect(&jobs, &JobRunner::said, m_said, &MessageLine::showText);
    connect(&jobs.queue(), &JobQueue::changed, this, &JobsStrip::showState);
    connect(&jobs.queue(), &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &first) {
        if (first.row() == 0)
            showProgress();
    });
    followOpening();
    connect(&m_session, &Session::teacherChanged, this, &JobsStrip::showState);
    connect(&m_session, &Session::storedRead, this, &JobsStrip::showState);
}

void JobsStrip::followOpening()
{
    ModelOpening &opening = m_session.opening();
    connect(&opening, &ModelOpening::begun, m_said, &QWidget::hide);
    for (const auto change : {&ModelOpening::begun, &ModelOpening::progressed})
        connect(&opening, change, this, &JobsStrip::showState);
    connect(&opening, &ModelOpening::cancelled, this, [this] {
        m_outcome = tr("Opening %1: cancelled.").arg(teacherText(m_session.opening().model()));
        showState();
    });
    connect(&opening, &ModelOpening::ended, this, [this] {
        m_outcome.clear();
        showState();
    });
}

void JobsStrip::begin(const QueuedJob &)
{
    m_outcome.clear();
    m_clock.start();
    m_bar->setRange(0, 0);
    m_bar->setTextVisible(false);
    showState();
}

QString JobsStrip::resumable() const
{
    if (const QueuedJob *paused = m_session.jobs().queue().paused())
        return paused->run;
    const QString run = m_session.teacher().isValid() ? m_session.resumableRun() : QString();
    return m_interrupted && m_interrupted->isKnown(run) ? QString() : run;
}

bool JobsStrip::offersToGoOn() const
{
    return !m_session.jobs().queue().running() && !m_session.opening().isUnderWay() && !resumable().isEmpty();
}

void JobsStrip::goOn()
{
    if (const QString run = resumable(); !run.isEmpty())
        m_session.resume(run);
}

QString JobsStrip::waitingText() const
{
    const int waiting = m_session.jobs().queue().numWaiting();
    return waiting > 0 ? tr("%n wait", "jobs", waiting) : QString();
}

QString JobsStrip::idleText() const
{
    const JobQueue &queue = m_session.jobs().queue();
    const QString run = resumable();
    if (const QueuedJob *paused = queue.find(run)) {
        const QString done = percentText(paused->done, paused->total);
        return done.isEmpty() ? tr("%1 is paused.").arg(jobText(*paused)) : tr("%1 is paused (%2 of %3).", "job, share, phase").arg(jobText(*paused), done, phaseName(paused->phase));
    }
    if (queue.isHeld() && queue.numWaiting() > 0)
        return tr("The queue is held: %n jobs wait.", nullptr, queue.numWaiting());
    if (!run.isEmpty()) {
        const ResumableRun &left = m_session.resumable();
        const QString what = jobText(left.kind, left.mixer, left.selector);
        return (left.wasCancelled ? tr("%1 was cancelled; it can go on from its last checkpoint.") : tr("%1 was interrupted; it can go on from its last checkpoint.")).arg(what);
    }
    return m_outcome.isEmpty() ? tr("No job is running.") : m_outcome;
}

void JobsStrip::showState()
{
    const QueuedJob *running = m_session.jobs().queue().running();
    const bool opens = m_session.opening().isUnderWay();
    m_bar->setVisible(opens || running != nullptr);
    m_cancel->setVisible(opens || running || m_session.jobs().queue().paused());
    m_pause->setVisible(running && !opens);
    m_pause->setEnabled(running && running->state == JobState::Running);
    m_cancel->setEnabled(m_session.canCancel());
    m_cancel->setToolTip(running || opens ? tr("Stop after the current step; a checkpoint of it is kept (Ctrl+.)") : tr("Take the paused job out of the queue; its last checkpoint is kept (Ctrl+.)"));
    const bool offers = offersToGoOn();
    m_resume->setVisible(offers);
    m_leave->setVisible(offers && m_interrupted && !m_session.jobs().queue().find(resumable()));      // one in the queue is removed there
    Q_EMIT offerChanged();
    if (!running)
        m_question->hide();
    if (running || opens) {
        showProgress();
        return;
    }
    m_text->setText(idleText());
}

void JobsStrip::showOutcome(const QueuedJob &job, const experiment::Event &last)
{
    m_said->hide();      // about a job before this one
    const QString took = shortDuration(static_cast<double>(m_clock.elapsed()) / 1000.0);
    if (std::holds_alternative<experiment::Finished>(last.body))
        m_outcome = tr("%1: finished after %2.").arg(jobText(job), took);
    else if (std::holds_alternative<experiment::Failed>(last.body))
        m_outcome = tr("%1: failed after %2.").arg(jobText(job), took);
    else
        m_outcome = tr("%1: cancelled after %2.").arg(jobText(job), took);
    showState();
}

/// How many of the best K would stay, as far as the intervals tell.
QString JobsStrip::settledText() const
{
    const HybridChoice &choice = m_session.choice();
    if (m_session.jobKind() != QLatin1String("score") || !choice.isKnown() || choice.isCustom() || choice.keep() == 0)
        return {};
    const QueuedJob *job = m_session.jobs().queue().running();
    if (!job || !m_session.scores().source() || m_session.scores().source()->run != job->run)      // what is shown is an earlier scoring's
        return {};
    const std::vector<int> unsettled = m_session.unsettledLayers();
    const auto open = std::count_if(unsettled.begin(), unsettled.end(), [&](int layer) { return choice.isKept(layer); });
    return tr("%1 of the best %2 settled").arg(choice.keep() - open).arg(choice.keep());
}

/// Somebody sits there and waits for it; the job goes on behind it.
void JobsStrip::showOpening()
{
    const ModelOpening &opening = m_session.opening();
    QStringList parts{tr("Opening %1…").arg(teacherText(opening.model()))};
    if (const QueuedJob *running = m_session.jobs().queue().running())
        parts << jobText(*running);
    m_text->setText(parts.join(QStringLiteral(" · ")));
    m_bar->setRange(0, opening.total());
    m_bar->setTextVisible(opening.total() > 0);
    m_bar->setValue(opening.done());
}

void JobsStrip::showProgress()
{
    if (m_session.opening().isUnderWay()) {
        showOpening();
        return;
    }
    const QueuedJob *job = m_session.jobs().queue().running();
    if (!job)
        return;
    if (job->state != JobState::Running) {
        m_text->setText(job->state == JobState::Pausing ? tr("Pausing: the current step is being finished…") : tr("Cancelling: the current step is being finished…"));
        return;
    }
    if (job->phase.isEmpty()) {
        QStringList parts{tr("%1…").arg(jobText(*job)), waitingText()};
        parts.removeAll(QString());
        m_text->setText(parts.join(QStringLiteral(" · ")));
        m_bar->setRange(0, 0);
        m_bar->setTextVisible(false);
        return;
    }
    const QLocale locale;
    QStringList parts{jobText(*job), phaseName(job->phase), tr("step %1 of %2").arg(locale.toString(job->done), locale.toString(job->total))};
    if (job->tokensPerSecond)
        parts << tr("%1 tokens/s").arg(shortCount(*job->tokensPerSecond));
    parts << settledText();
    if (job->secondsLeft && job->done < job->total)
        parts << leftText(*job->secondsLeft, QDateTime::currentDateTime());
    parts << waitingText();
    parts.removeAll(QString());
    m_text->setText(parts.join(QStringLiteral(" · ")));
    m_bar->setRange(0, barSteps);
    m_bar->setTextVisible(true);
    m_bar->setValue(job->total > 0 ? static_cast<int>(barSteps * job->done / job->total) : 0);
}

bool JobsStrip::cancelOrAsk()
{
    if (m_session.opening().isUnderWay()) {
        m_session.cancel();
        return true;
    }
    const QueuedJob *running = m_session.jobs().queue().running();
    if (!running)
        return false;
    const JobRunner::Risk risk = m_session.jobs().risk();
    if (risk.seconds <= mostSecondsLost || running->state != JobState::Running) {
        m_session.cancel();
        return true;
    }
    const QString lost = shortDuration(risk.seconds);
    m_question->showText(risk.checkpointStep ? tr("The last checkpoint is that of step %1: up to %2 of work since then may be lost.").arg(QLocale().toString(*risk.checkpointStep), lost)
                                             : tr("There is no checkpoint yet: up to %1 of work may be lost.").arg(lost));
    m_cancelNow->setFocus(Qt::OtherFocusReason);
    return true;
}

void JobsStrip::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape || !cancelOrAsk())
        QWidget::keyPressEvent(event);
}

void JobsStrip::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        Q_EMIT jobsRequested();
}

}  // namespace stillroom::widgets
