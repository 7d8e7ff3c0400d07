// SPDX-License-Identifier: GPL-3.0-or-later
#include "closing.h"

#include "models/jobrunner.h"
#include "models/session.h"
#include "views/jobwords.h"
#include "views/messageline.h"

#include <QMessageBox>
#include <QPushButton>

namespace stillroom {

Closing::Closing(widgets::Session &session, QWidget *window)
    : QObject(window), m_session(session), m_window(window), m_line(new widgets::MessageLine(widgets::MessageLine::Kind::Notice, window))
{
    m_line->setDismissLabel(tr("Stay open"));
    connect(m_line, &widgets::MessageLine::dismissed, this, &Closing::stay);
    connect(&session.job(), &widgets::JobFeed::ended, this, &Closing::closeIfDone);
    // After the runner, which begins the next one there.
    connect(&session.jobs().queue(), &widgets::JobQueue::changed, this, &Closing::closeIfDone, Qt::QueuedConnection);
}

bool Closing::mayClose()
{
    if (!m_session.job().isRunning())
        return true;
    if (m_intent != Intent::Stopping)
        ask();
    return false;
}

void Closing::ask()
{
    if (m_question && m_question->isVisible()) {      // one that was answered goes a moment later
        m_question->raise();
        return;
    }
    const widgets::QueuedJob *running = m_session.jobs().queue().running();
    const int waiting = m_session.jobs().queue().numWaiting();
    QStringList words{tr("When it is stopped, a checkpoint is kept, and it can be resumed.")};
    if (waiting > 0)
        words << tr("%n jobs wait behind it: they stay in the queue for the next start, or are done before the window closes.", nullptr, waiting);
    m_question = new QMessageBox(QMessageBox::Question, tr("A job is running"), running ? tr("%1: under way.").arg(widgets::jobText(*running)) : QString(), QMessageBox::NoButton, m_window);
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setInformativeText(words.join(QLatin1Char('\n')));
    QPushButton *stop = m_question->addButton(tr("&Stop and close"), QMessageBox::AcceptRole), *wait = m_question->addButton(tr("&Close when done"), QMessageBox::ActionRole),
                *stay = m_question->addButton(tr("Do &not close"), QMessageBox::RejectRole);
    m_question->setDefaultButton(stop);
    m_question->setEscapeButton(stay);
    connect(m_question, &QMessageBox::buttonClicked, this, [this, stop, wait](const QAbstractButton *answer) {
        if (answer == stop)
            this->stop();
        else if (answer == wait)
            waitForAll();
        else
            this->stay();
    });
    m_question->open();
}

void Closing::stop()
{
    m_intent = Intent::Stopping;
    m_line->hide();
    m_session.jobs().close();
    closeIfDone();      // it may have ended while the question stood there
}

void Closing::waitForAll()
{
    m_intent = Intent::WhenDone;
    m_line->showText(tr("The window closes when all jobs are done."));
    closeIfDone();
}

void Closing::stay()
{
    m_intent = Intent::None;
    m_line->hide();
}

void Closing::closeIfDone()
{
    const bool isStopped = m_intent == Intent::Stopping, isDone = m_intent == Intent::WhenDone && m_session.jobs().queue().next().isEmpty();
    if ((isStopped || isDone) && !m_session.job().isRunning())
        m_window->close();
}

}  // namespace stillroom
