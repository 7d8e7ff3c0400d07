// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/jobsstrip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>

namespace stillroom::widgets {

QString shortCount(double count)
{
    const QLocale locale;
    if (count >= 1e9)
        return JobsStrip::tr("%1 G").arg(locale.toString(count / 1e9, 'f', 1));
    if (count >= 1e6)
        return JobsStrip::tr("%1 M").arg(locale.toString(count / 1e6, 'f', 1));
    if (count >= 1e4)
        return JobsStrip::tr("%1 k").arg(locale.toString(count / 1e3, 'f', 0));
    return locale.toString(count, 'f', 0);
}

QString shortDuration(double seconds)
{
    const auto whole = static_cast<qint64>(seconds + 0.5);
    if (whole < 60)
        return JobsStrip::tr("%1 s").arg(whole);
    if (whole < 3600)
        return JobsStrip::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return JobsStrip::tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString shortBytes(double bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeIecFormat);
}

JobsStrip::JobsStrip(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_text(new QLabel(this)), m_bar(new QProgressBar(this)), m_cancel(new QPushButton(tr("&Cancel"), this)),
      m_resume(new QPushButton(tr("&Resume"), this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(m_text, 1);
    row->addWidget(m_bar);
    row->addWidget(m_resume);
    row->addWidget(m_cancel);
    m_bar->setFixedWidth(fontMetrics().averageCharWidth() * 28);
    m_bar->setAccessibleName(tr("Progress of the job"));
    m_bar->setTextVisible(true);
    m_cancel->setToolTip(tr("Stop after the current step; a checkpoint of it is kept (Ctrl+.)"));
    m_cancel->setShortcut(QKeySequence(QStringLiteral("Ctrl+.")));
    m_resume->setToolTip(tr("Go on from the last checkpoint of the interrupted run"));
    connect(m_cancel, &QPushButton::clicked, &session, &Session::cancel);
    connect(m_resume, &QPushButton::clicked, this, [this] { m_session.resume(m_session.resumableRun()); });
    connect(&session, &Session::progress, this, &JobsStrip::showProgress);
    connect(&session, &Session::jobKindChanged, this, &JobsStrip::showIdle);
    connect(&session, &Session::teacherChanged, this, &JobsStrip::showIdle);
    connect(&session, &Session::stored, this, [this] {
        if (!m_session.job().isRunning())
            showIdle();
    });
    connect(&session.job(), &JobFeed::stopping, this, [this] {
        m_text->setText(tr("Cancelling: the current step is being finished…"));
        m_cancel->setEnabled(false);
    });
    showIdle();
}

void JobsStrip::showIdle()
{
    const bool running = m_session.job().isRunning() && !m_session.jobKind().isEmpty();
    m_cancel->setVisible(running);
    m_cancel->setEnabled(running);
    m_bar->setVisible(running);
    const bool resumable = !running && m_session.teacher().isValid() && !m_session.resumableRun().isEmpty();
    m_resume->setVisible(resumable);
    if (running) {
        m_bar->setRange(0, 0);
        m_text->setText(m_session.jobKind() == QLatin1String("inspect") ? tr("Opening the model…") : tr("Starting…"));
    } else {
        m_text->setText(resumable ? tr("A run was interrupted; it can go on from its last checkpoint.") : tr("No job is running."));
    }
}

void JobsStrip::showProgress(const experiment::Progress &progress, const QString &task)
{
    if (m_session.job().isStopping() || !m_session.job().isRunning())
        return;
    QString text = QStringLiteral("%1 · %2").arg(task, QString::fromStdString(progress.phase));
    text += QLatin1Char(' ') + tr("%1 of %2").arg(QLocale().toString(qint64{progress.done}), QLocale().toString(qint64{progress.total}));
    if (progress.tokens > 0)
        text += tr(" · %1 tokens").arg(shortCount(static_cast<double>(progress.tokens)));
    if (progress.etaSeconds && progress.done < progress.total)
        text += tr(" · ≈ %1 left").arg(shortDuration(*progress.etaSeconds));
    m_text->setText(text);
    m_bar->setRange(0, 1000);
    m_bar->setValue(progress.total > 0 ? static_cast<int>(1000.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total)) : 0);
}

}  // namespace stillroom::widgets
