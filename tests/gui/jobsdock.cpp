// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobswindow.h"
#include "mainwindow.h"
#include "store/lines.h"

#include "models/commandline.h"
#include "models/jobfeed.h"
#include "models/jobhistory.h"
#include "models/joblog.h"
#include "models/jobqueue.h"
#include "models/jobrunner.h"
#include "models/session.h"
#include "pages/runspage.h"
#include "views/jobnotifier.h"
#include "views/jobspanel.h"
#include "views/jobsstrip.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace stillroom;
using test::numSteps, test::SteppedWork;
using widgets::JobQueue, widgets::JobRunner, widgets::JobState, widgets::QueuedJob;

/// The dock of the jobs: the queue under the keyboard, the log, the history, and what is told where nobody looks.
class JobsDockTest final : public test::JobsWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("jobsdock")); }
    void init() { begin(); }
    void cleanup() { end(); }

    void theDockIsClosedAtFirstAndOpensByKeyAndClick()
    {
        open();
        QVERIFY(dock()->isHidden());
        QTest::keyClick(m_window.get(), Qt::Key_J, Qt::ControlModifier);
        QVERIFY(dock()->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_J, Qt::ControlModifier);
        QVERIFY(dock()->isHidden());
        for (QLabel *label : strip()->findChildren<QLabel *>())
            if (label->accessibleName() == QStringLiteral("Job"))
                QTest::mouseClick(label, Qt::LeftButton);
        QVERIFY(dock()->isVisible());
    }

    void theQueueIsChangedFromTheKeyboardAndUndone()
    {
        open();
        m_work->hold = true;
        for (const int seed : {1, 2, 3})
            score(seed);
        showDock();
        const QStringList asked = runs(queue());
        QTableView *view = table(QStringLiteral("Queue of jobs"));
        view->selectRow(1);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(runs(queue()), (QStringList{asked.at(0), asked.at(2), asked.at(1)}));
        QCOMPARE(view->currentIndex().row(), 2);                         // the same job is chosen
        QTest::keyClick(view, Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(runs(queue()), asked);
        QTest::keyClick(view, Qt::Key_Up, Qt::ControlModifier);          // not before what runs
        QCOMPARE(runs(queue()), asked);
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(runs(queue()), (QStringList{asked.at(0), asked.at(2)}));
        runsPage()->edits().undo();
        QCOMPARE(runs(queue()), asked);
        view->selectRow(0);
        QTest::keyClick(view, Qt::Key_Delete);                           // what runs is cancelled, not removed
        QCOMPARE(runs(queue()), asked);
        QTest::keyClick(view, Qt::Key_P);
        QTRY_COMPARE(queue().find(asked.at(0))->state, JobState::Paused);
        QTRY_COMPARE(m_work->made().size(), std::size_t{2});             // the next has begun
        view->selectRow(queue().rowOf(asked.at(0)));
        QTest::keyClick(view, Qt::Key_R);
        QTRY_COMPARE(queue().find(asked.at(0))->state, JobState::Waiting);
        m_work->hold = false;
        QTRY_COMPARE(queue().rowCount(), 0);
    }

    void theCommandLineIsOneOfTheProgram()
    {
        open();
        m_work->hold = true;
        score(7);
        showDock();
        table(QStringLiteral("Queue of jobs"))->setFocus();
        QTest::keyClick(table(QStringLiteral("Queue of jobs")), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY2(line.startsWith(QStringLiteral("stillroom-cli run '{")) && line.contains(QStringLiteral("--workspace %1").arg(widgets::shellWord(QString::fromStdString(workspace().string())))), qPrintable(line));
        QVERIFY(line.contains(QStringLiteral("--resume --run-id ") + queue().at(0).run));
        QVERIFY(line.contains(QStringLiteral("\"seed\":7")));
        QVERIFY(widgets::runCommandLine(nlohmann::json::object(), "/it's").endsWith(QStringLiteral("--workspace '/it'\\''s'")));
    }

    void escapeCancelsAndAsksWhereMuchWouldBeLost()
    {
        open();
        double now = static_cast<double>(QDateTime::currentSecsSinceEpoch());
        m_session->jobs().setClock([&now] { return now; });
        m_work->hold = true;
        score(1);
        showDock();
        QTableView *view = table(QStringLiteral("Queue of jobs"));
        view->setFocus();
        now += 185.0;
        QTest::keyClick(view, Qt::Key_Escape);                           // out of the dock, and nothing else
        QTRY_VERIFY(!panel()->isAncestorOf(QApplication::focusWidget()));
        QCOMPARE(queue().at(0).state, JobState::Running);
        QTest::keyClick(button(QStringLiteral("Cancel")), Qt::Key_Escape);
        QVERIFY(says(QStringLiteral("There is no checkpoint yet: up to 3 min 5 s of work may be lost.")));
        QCOMPARE(queue().at(0).state, JobState::Running);
        QTRY_VERIFY(find(QStringLiteral("Cancel the job")));
        for (QWidget *one : strip()->findChildren<QWidget *>())
            if (one->property("text").toString() == QStringLiteral("Go on"))
                one->metaObject()->invokeMethod(one, "click");
        QVERIFY(!find(QStringLiteral("Cancel the job")));
        QCOMPARE(queue().at(0).state, JobState::Running);
        QTest::keyClick(button(QStringLiteral("Cancel")), Qt::Key_Escape);
        QTest::keyClick(button(QStringLiteral("Cancel the job")), Qt::Key_Space);
        QTRY_COMPARE(queue().rowCount(), 0);
        QVERIFY(!find(QStringLiteral("Cancel the job")));

        m_work->hold = true;
        score(2);
        now += 30.0;                                                     // little is lost: no question
        button(QStringLiteral("Cancel"))->setFocus();
        QTest::keyClick(button(QStringLiteral("Cancel")), Qt::Key_Escape);
        QTRY_COMPARE(queue().rowCount(), 0);
    }

    void theLogIsInTheOrderOfTime()
    {
        open();
        m_work->hold = true;
        score(1);
        showDock();
        QTableView *log = table(QStringLiteral("Log of the job"));
        QTRY_VERIFY(logHas(*log, QStringLiteral("stage 2: step 1 of 20")));
        for (int turn = 0; turn < 2; ++turn) {
            button(QStringLiteral("Pause"))->click();
            QTRY_COMPARE(queue().at(0).state, JobState::Paused);
            QTRY_COMPARE(lastLine(*log), QStringLiteral("Stopped at the last step"));
            m_work->hold = turn == 0;
            button(QStringLiteral("Resume"))->click();
            QTRY_VERIFY(lastLine(*log) != QStringLiteral("Stopped at the last step"));
        }
        QTRY_COMPARE(queue().rowCount(), 0);
        int stops = 0;
        double before = 0.0;
        for (int row = 0; row < log->model()->rowCount(); ++row) {
            stops += text(*log, row, widgets::JobLog::Message) == QStringLiteral("Stopped at the last step") ? 1 : 0;
            const double time = log->model()->index(row, 0).data(widgets::JobLog::SecondsRole).toDouble();
            QVERIFY2(time >= before, qPrintable(text(*log, row, widgets::JobLog::Message)));
            before = time;
        }
        QCOMPARE(stops, 2);
    }

    void ofScoresThatComeAtOnceTheLogSaysTheLastOfEachLayer()
    {
        open();
        score(1);
        QTRY_COMPARE(queue().rowCount(), 0);
        widgets::JobLog log(*m_session);
        const QSignalSpy read(&log, &widgets::JobLog::read);
        const std::string run = m_work->made().back().run;
        log.show(QString::fromStdString(run));
        QTRY_VERIFY(!read.isEmpty());
        const QSignalSpy changed(&log, &QAbstractItemModel::dataChanged);
        std::vector<experiment::Event> events;
        for (int i = 0; i < 100; ++i) {
            experiment::Event &event = events.emplace_back();
            event.run = run;
            event.task = "another stage";
            event.seq = i + 1;
            event.timeSeconds = i;
            event.body = scoreOf(i % 2, 0.001 * i, 100 + i);
        }
        Q_EMIT m_session->job().events(events);
        QVERIFY2(changed.count() <= 2, qPrintable(QString::number(changed.count())));
        QStringList lines;
        for (int row = 0; row < log.rowCount(); ++row)
            lines << log.index(row, widgets::JobLog::Message).data().toString();
        QVERIFY2(lines.filter(QStringLiteral("Layer 0: 0.098")).size() == 1 && lines.filter(QStringLiteral("Layer 1: 0.099")).size() == 1, qPrintable(lines.join(QLatin1Char('\n'))));
    }

    void ofStepsThatComeAtOnceTheWindowHearsTheLast()
    {
        constexpr int sent = 2000;
        const QTemporaryDir folder;
        jobs::LaunchOptions options;
        options.workspace = folder.path().toStdString();
        options.procedure = [](const nlohmann::json &, jobs::RunContext &context) {
            for (int step = 1; step <= sent; ++step) {
                context.sink(experiment::Metric{"distill/kl", step, step * 100, 0.5, "nats/token"});
                context.sink(experiment::Progress{"stage 2", step, sent, step * 100, 1e-3 * step, 2.0});
            }
            return nlohmann::json::object();
        };
        widgets::JobFeed feed;
        const QSignalSpy ended(&feed, &widgets::JobFeed::ended);
        std::vector<experiment::Event> heard;
        connect(&feed, &widgets::JobFeed::events, this, [&heard](const std::vector<experiment::Event> &events) { heard.insert(heard.end(), events.begin(), events.end()); });
        feed.start({{"kind", "distill"}}, std::move(options));
        QTRY_COMPARE(ended.size(), 1);
        int steps = 0, values = 0;
        std::int64_t before = 0, lastStep = 0;
        for (const experiment::Event &event : heard) {
            QVERIFY(event.seq > before);      // in the order of time
            before = event.seq;
            values += std::holds_alternative<experiment::Metric>(event.body) ? 1 : 0;
            if (const auto *progress = std::get_if<experiment::Progress>(&event.body)) {
                ++steps;
                lastStep = progress->done;
            }
        }
        QCOMPARE(values, sent);               // every value is drawn
        QCOMPARE(lastStep, std::int64_t{sent});
        QVERIFY2(steps < sent / 4, qPrintable(QString::number(steps)));
    }

    void theHistoryAndTheLogTellWhatHappened()
    {
        open();
        score(1);
        QTRY_COMPARE(queue().rowCount(), 0);
        m_work->failNext = true;
        score(2);
        QTRY_COMPARE(queue().rowCount(), 0);
        showDock();
        panel()->findChild<QTabWidget *>()->setCurrentIndex(1);
        QTableView *view = table(QStringLiteral("History of jobs"));
        QTRY_COMPARE(view->model()->rowCount(), 2);
        QTRY_COMPARE(text(*view, 0, widgets::JobHistory::State), QStringLiteral("failed"));
        QTRY_COMPARE(text(*view, 1, widgets::JobHistory::State), QStringLiteral("finished"));
        const QAbstractItemModelTester tester(view->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTableView *log = table(QStringLiteral("Log of the job"));
        const QAbstractItemModelTester logTester(log->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        view->selectRow(1);
        QTRY_VERIFY(logHas(*log, QStringLiteral("the learning rate is high (×%1)").arg(numSteps)));
        QVERIFY(logHas(*log, QStringLiteral("stage 2: step 20 of 20")));
        QVERIFY(logHas(*log, QStringLiteral("Begins")));
        view->selectRow(0);
        QTRY_VERIFY(logHas(*log, QStringLiteral("the disk is full")));
        log->setFocus();
        QTest::keyClick(log, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("problem\tthe disk is full")));

        m_work->hold = true;
        score(3);                                                        // one more: its log is live
        panel()->findChild<QTabWidget *>()->setCurrentIndex(0);
        QTRY_VERIFY(logHas(*log, QStringLiteral("stage 2: step 1 of 20")));
        m_work->hold = false;
        QTRY_VERIFY(logHas(*log, QStringLiteral("the learning rate is high (×%1)").arg(numSteps)));
        QTRY_VERIFY(logHas(*log, QStringLiteral("Finished after 0 s")));
        panel()->findChild<QTabWidget *>()->setCurrentIndex(1);
        QTRY_COMPARE(view->model()->rowCount(), 3);

        const QString shown = view->model()->index(0, 0).data(widgets::JobHistory::RunRole).toString();
        view->selectRow(0);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Return);
        QTRY_VERIFY(runsPage()->isVisible());
        auto *experiments = runsPage()->findChild<QTableView *>();
        QTRY_COMPARE(experiments->selectionModel()->selectedRows().size(), 1);
        const auto &model = *static_cast<widgets::ExperimentTable *>(experiments->model());
        QCOMPARE(QString::fromStdString(model.group(experiments->selectionModel()->selectedRows().front().row()).first().uuid), shown);

        view->setFocus();
        QTest::keyClick(view, Qt::Key_Delete);                           // into the trash, and back
        QTRY_COMPARE(view->model()->rowCount(), 2);
        runsPage()->edits().undo();
        QTRY_COMPARE(view->model()->rowCount(), 3);
    }

    void theEndIsToldWhereNobodyLooks()
    {
        open();
        QStringList told;
        m_window->findChild<widgets::JobNotifier *>()->setDeliver([&told](const QString &title, const QString &) { told << title; });
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        score(1);
        QTRY_COMPARE(queue().rowCount(), 0);
        QVERIFY(told.isEmpty());                                         // one sees it
        QApplication::setActiveWindow(nullptr);
        score(2);
        QTRY_COMPARE(queue().rowCount(), 0);
        QCOMPARE(told, QStringList{QStringLiteral("Scoring GDN with GA-S2 is finished")});
        m_work->failNext = true;
        score(3);
        QTRY_COMPARE(told.size(), 2);
        QCOMPARE(told.last(), QStringLiteral("Scoring GDN with GA-S2 failed"));
        QTRY_COMPARE(queue().rowCount(), 0);
        m_work->hold = true;
        score(4);
        m_session->cancel();                                             // by a person, who knows
        QTRY_COMPARE(queue().rowCount(), 0);
        QCOMPARE(told.size(), 2);
    }

    void jobsThatDoTheSameAreToldApart()
    {
        open();
        m_work->hold = true;
        score(1);
        const QModelIndex first = queue().index(0, JobQueue::Job);
        const QString alone = first.data().toString();
        QCOMPARE(alone, QStringLiteral("Scoring GDN with GA-S2"));      // nothing to tell it from
        const QSignalSpy changed(&queue(), &QAbstractItemModel::dataChanged);
        score(2);
        m_session->score({{"seed", 2}, {"steps", 9}}, true);
        QVERIFY(!changed.isEmpty());
        showDock();
        QTableView *waiting = table(QStringLiteral("Queue of jobs"));
        QCOMPARE(text(*waiting, 0, JobQueue::Job), alone + QStringLiteral(" · Steps 30 · seed 1"));
        QCOMPARE(text(*waiting, 1, JobQueue::Job), alone + QStringLiteral(" · Steps 30 · seed 2"));
        QCOMPARE(text(*waiting, 2, JobQueue::Job), alone + QStringLiteral(" · Steps 9 · seed 2"));
        QVERIFY(queue().take(queue().at(2).run));
        QCOMPARE(text(*waiting, 1, JobQueue::Job), alone + QStringLiteral(" · seed 2"));
        m_work->hold = false;
        QTRY_COMPARE(queue().rowCount(), 0);
        panel()->findChild<QTabWidget *>()->setCurrentIndex(1);
        QTableView *past = table(QStringLiteral("History of jobs"));
        QTRY_COMPARE(past->model()->rowCount(), 2);
        QCOMPARE(text(*past, 0, widgets::JobHistory::Job), alone + QStringLiteral(" · seed 2"));
        QCOMPARE(text(*past, 1, widgets::JobHistory::Job), alone + QStringLiteral(" · seed 1"));
    }

    void everythingOfTheDockHasANameAndAKey()
    {
        open();
        showDock();
        m_work->hold = true;
        score(1);
        for (const QWidget *widget : m_window->findChildren<QWidget *>()) {
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || QString::fromLatin1(widget->metaObject()->className()).startsWith(QLatin1String("QDockWidget")))
                continue;
            const QString name = widget->accessibleName() + widget->property("text").toString() + widget->property("title").toString() + widget->windowTitle();
            const bool inner = qobject_cast<const QLabel *>(widget) || widget->objectName().startsWith(QLatin1String("qt_"));
            QVERIFY2(!name.isEmpty() || inner, widget->metaObject()->className());
        }
    }

private:
    QTableView *table(const QString &name)
    {
        for (QTableView *one : panel()->findChildren<QTableView *>())
            if (one->accessibleName() == name)
                return one;
        qFatal("no table %s", qPrintable(name));
    }
    [[nodiscard]] static bool logHas(const QTableView &log, const QString &line)
    {
        for (int row = 0; row < log.model()->rowCount(); ++row)
            if (text(log, row, widgets::JobLog::Message) == line)
                return true;
        return false;
    }
    [[nodiscard]] static QString lastLine(const QTableView &log) { return text(log, log.model()->rowCount() - 1, widgets::JobLog::Message); }
};

QTEST_MAIN(JobsDockTest)
#include "jobsdock.moc"
