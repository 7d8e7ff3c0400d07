// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/jobnotifier.h"

#include "views/jobwords.h"
#include "views/quantities.h"

#include <QApplication>
#include <QSystemTrayIcon>
#include <QWidget>

#include <memory>

namespace stillroom::widgets {
namespace {

/// The icon is there only as long as there is something to say.
void tellBySystem(QWidget *window, const QString &title, const QString &text)
{
    if (!QSystemTrayIcon::isSystemTrayAvailable() || !QSystemTrayIcon::supportsMessages()) {
        QApplication::alert(window);
        return;
    }
    delete window->findChild<QSystemTrayIcon *>();
    auto *icon = new QSystemTrayIcon(QGuiApplication::windowIcon(), window);
    icon->setToolTip(title);
    QObject::connect(icon, &QSystemTrayIcon::messageClicked, window, [window] {
        window->raise();
        window->activateWindow();
    });
    QObject::connect(qApp, &QGuiApplication::applicationStateChanged, icon, [icon](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive)
            icon->deleteLater();
    });
    icon->show();
    icon->showMessage(title, text, QSystemTrayIcon::Information);
}

}  // namespace

JobNotifier::JobNotifier(JobRunner &runner, QWidget *window, Deliver deliver)
    : QObject(window), m_deliver(deliver ? std::move(deliver) : [window](const QString &title, const QString &text) { tellBySystem(window, title, text); })
{
    connect(&runner, &JobRunner::ended, this, &JobNotifier::tell);
}

void JobNotifier::tell(const QueuedJob &job, const experiment::Event &last, JobRunner::End end)
{
    const bool byPerson = end == JobRunner::End::Cancelled || end == JobRunner::End::Paused;
    if (byPerson || QApplication::activeWindow())
        return;
    const QString what = jobText(job.kind, job.mixer, job.selector);
    if (const auto *failed = std::get_if<experiment::Failed>(&last.body))
        m_deliver(tr("%1 failed").arg(what), QString::fromStdString(failed->message));
    else if (const auto *finished = std::get_if<experiment::Finished>(&last.body))
        m_deliver(tr("%1 is finished").arg(what), tr("It took %1.").arg(shortDuration(finished->seconds)));
}

}  // namespace stillroom::widgets
