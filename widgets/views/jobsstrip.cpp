// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/jobsstrip.h"

#include "views/labels.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>

namespace stillroom::widgets {
namespace {

constexpr int barSteps = 1000;

}  // namespace

JobsStrip::JobsStrip(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_text(new ElidedLabel(Voice::Plain, this)), m_bar(new QProgressBar(this)), m_cancel(new QPushButton(tr("&Cancel"), this)),
      m_resume(new QPushButton(tr("&Resume"), this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 4, 16, 4);
    row->setSpacing(8);
    row->addWidget(m_text, 1);
    row->addWidget(m_bar);
    row->addWidget(m_resume);
    row->addWidget(m_cancel);
    setMinimumHeight(m_cancel->sizeHint().height() + 8);
    m_text->setAccessibleName(tr("Job"));
    m_bar->setFixedWidth(fontMetrics().averageCharWidth() * 28);
    m_bar->setAccessibleName(tr("Progress of the job"));
    m_cancel->setToolTip(tr("Stop after the current step; a checkpoint of it is kept (Ctrl+.)"));
    m_cancel->setShortcut(QKeySequence(QStringLiteral("Ctrl+.")));
    m_resume->setToolTip(tr("Go on from the last checkpoint of the interrupted run"));
    follow();
    showState();
}

void JobsStrip::follow()
{
    connect(m_cancel, &QPushButton::clicked, &m_session, &Session::cancel);
    connect(m_resume, &QPushButton::clicked, this, [this] { m_session.resume(m_session.resumableRun()); });
    connect(&m_session, &Session::progress, this, &JobsStrip::showProgress);
    connect(&m_session, &Session::jobKindChanged, this, [this] {
        if (!m_session.jobKind().isEmpty())
            begin();
    });
    connect(&m_session, &Session::teacherChanged, this, &JobsStrip::showState);
    connect(&m_session, &Session::storedRead, this, [this] {
        if (!m_session.job().isRunning())
            showState();
    });
    connect(&m_session.job(), &JobFeed::ended, this, &JobsStrip::showOutcome);
    connect(&m_session.job(), &JobFeed::stopping, this, [this] {
        m_text->setText(tr("Cancelling: the current step is being finished…"));
        m_cancel->setEnabled(false);
    });
}

void JobsStrip::begin()
{
    m_kind = m_session.jobKind();
    m_outcome.clear();
    m_first = {};
    m_clock.start();
    showState();
}

QString JobsStrip::jobText() const
{
    const QString probe = m_session.probe().toUpper();
    if (m_kind == QLatin1String("inspect"))
        return tr("Opening the model");
    if (m_kind == QLatin1String("score"))
        return tr("Scoring with %1").arg(selectorMark(m_session.jobSelector()));
    if (m_kind == QLatin1String("distill"))
        return tr("Distilling with %1").arg(probe);
    if (m_kind == QLatin1String("calibrate"))
        return tr("Calibrating %1").arg(probe);
    return m_kind;
}

void JobsStrip::showState()
{
    const bool running = m_session.job().isRunning() && !m_session.jobKind().isEmpty();
    m_cancel->setVisible(running);
    m_cancel->setEnabled(running);
    m_bar->setVisible(running);
    const bool resumable = !running && m_session.teacher().isValid() && !m_session.resumableRun().isEmpty();
    m_resume->setVisible(resumable);
    if (running) {
        m_bar->setRange(0, 0);
        m_bar->setTextVisible(false);
        m_text->setText(tr("%1…").arg(jobText()));
    } else if (resumable) {
        m_text->setText(tr("A run was interrupted; it can go on from its last checkpoint."));
    } else {
        m_text->setText(m_outcome.isEmpty() ? tr("No job is running.") : m_outcome);
    }
}

void JobsStrip::showOutcome(const experiment::Event &last)
{
    const QString took = shortDuration(static_cast<double>(m_clock.elapsed()) / 1000.0);
    if (m_kind == QLatin1String("inspect"))
        m_outcome.clear();
    else if (std::holds_alternative<experiment::Finished>(last.body))
        m_outcome = tr("%1: finished after %2.").arg(jobText(), took);
    else if (std::holds_alternative<experiment::Failed>(last.body))
        m_outcome = tr("%1: failed after %2.").arg(jobText(), took);
    else
        m_outcome = tr("%1: cancelled after %2.").arg(jobText(), took);
    showState();
}

QString JobsStrip::rateText(const experiment::Progress &progress)
{
    if (m_first.phase != progress.phase)
        m_first = progress;
    const double seconds = progress.seconds - m_first.seconds;
    return seconds > 0.0 ? tr("%1 tokens/s").arg(shortCount(static_cast<double>(progress.tokens - m_first.tokens) / seconds)) : QString();
}

/// How many of the best K would stay, as far as the intervals tell.
QString JobsStrip::settledText() const
{
    const HybridChoice &choice = m_session.choice();
    if (m_kind != QLatin1String("score") || !choice.isKnown() || choice.isCustom() || choice.keep() == 0)
        return {};
    const std::vector<int> unsettled = m_session.unsettledLayers();
    const auto open = std::count_if(unsettled.begin(), unsettled.end(), [&](int layer) { return choice.isKept(layer); });
    return tr("%1 of the best %2 settled").arg(choice.keep() - open).arg(choice.keep());
}

void JobsStrip::showProgress(const experiment::Progress &progress, const QString &)
{
    if (m_session.job().isStopping() || !m_session.job().isRunning())
        return;
    const QLocale locale;
    QStringList parts{jobText(), phaseName(QString::fromStdString(progress.phase)), tr("step %1 of %2").arg(locale.toString(qint64{progress.done}), locale.toString(qint64{progress.total}))};
    if (progress.tokens > 0)
        parts << rateText(progress);
    parts << settledText();
    if (progress.etaSeconds && progress.done < progress.total)
        parts << tr("≈ %1 left in this phase").arg(shortDuration(*progress.etaSeconds));
    parts.removeAll(QString());
    m_text->setText(parts.join(QStringLiteral(" · ")));
    m_bar->setRange(0, barSteps);
    m_bar->setTextVisible(true);
    m_bar->setValue(progress.total > 0 ? static_cast<int>(barSteps * progress.done / progress.total) : 0);
}

}  // namespace stillroom::widgets
