// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobswindow.h"

#include "mainwindow.h"
#include "models/jobqueue.h"
#include "models/jobrunner.h"
#include "models/session.h"
#include "pages/runspage.h"
#include "views/interruptedline.h"
#include "views/jobspanel.h"
#include "views/jobsstrip.h"

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>

namespace stillroom::test {

void JobsWindow::begin()
{
    WindowTest::begin();
    m_work = std::make_shared<SteppedWork>();
}

void JobsWindow::end()
{
    m_work->hold = false;
    WindowTest::end();
}

void JobsWindow::open()
{
    openWindow([work = m_work](const nlohmann::json &spec, jobs::RunContext &context) { return (*work)(spec, context); }, {{"steps", 4}});
    openDemo();
}

void JobsWindow::score(int seed)
{
    m_session->score({{"seed", seed}}, true);
}

void JobsWindow::showDock()
{
    if (dock()->isHidden())
        QTest::keyClick(m_window.get(), Qt::Key_J, Qt::ControlModifier);
    QVERIFY(dock()->isVisible());
}

QStringList JobsWindow::runs(const widgets::JobQueue &queue)
{
    QStringList all;
    for (const widgets::QueuedJob &one : queue.jobs())
        all << one.run;
    return all;
}

QStringList JobsWindow::calledRuns()
{
    QStringList all;
    for (const SteppedWork::Call &call : m_work->made())
        all << QString::fromStdString(call.run);
    return all;
}

QString JobsWindow::stripText() const
{
    for (const QLabel *label : strip()->findChildren<QLabel *>())
        if (label->accessibleName() == QStringLiteral("Job"))
            return label->text();
    return {};
}

QString JobsWindow::text(const QTableView &view, int row, int column) { return view.model()->index(row, column).data().toString(); }

QPushButton *JobsWindow::find(const QString &name, const QWidget *in) const
{
    for (QPushButton *one : (in ? in : m_window.get())->findChildren<QPushButton *>())
        if (QString(one->text()).remove(QLatin1Char('&')) == name && one->isVisible())
            return one;
    return nullptr;
}

QPushButton *JobsWindow::button(const QString &name) const
{
    QPushButton *found = find(name, strip());
    if (!found)
        qFatal("no button %s", qPrintable(name));
    return found;
}

widgets::JobQueue &JobsWindow::queue() const { return m_session->jobs().queue(); }
QDockWidget *JobsWindow::dock() const { return m_window->findChild<QDockWidget *>(QStringLiteral("jobs")); }
widgets::JobsStrip *JobsWindow::strip() const { return m_window->findChild<widgets::JobsStrip *>(); }
widgets::JobsPanel *JobsWindow::panel() const { return m_window->findChild<widgets::JobsPanel *>(); }
widgets::InterruptedLine *JobsWindow::line() const { return m_window->findChild<widgets::InterruptedLine *>(); }
widgets::RunsPage *JobsWindow::runsPage() const { return m_window->findChild<widgets::RunsPage *>(); }

}  // namespace stillroom::test
