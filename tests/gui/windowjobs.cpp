// SPDX-License-Identifier: GPL-3.0-or-later
#include "madeup.h"
#include "mainwindow.h"
#include "experiment/spec.h"
#include "steppedwork.h"
#include "store/lines.h"

#include "models/commandline.h"
#include "models/jobhistory.h"
#include "models/joblog.h"
#include "models/jobqueue.h"
#include "models/jobrunner.h"
#include "models/session.h"
#include "pages/runspage.h"
#include "views/interruptedline.h"
#include "views/jobnotifier.h"
#include "views/jobspanel.h"
#include "views/jobsstrip.h"
#include "views/jobwords.h"
#include "views/messageline.h"
#include "windowjobs.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDateTime>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace stillroom;
using test::numSteps, test::SteppedWork;
using widgets::JobQueue, widgets::JobRunner, widgets::JobState, widgets::QueuedJob;

namespace {

QueuedJob job(const char *run, JobState state = JobState::Waiting)
{
    QueuedJob one = widgets::queuedJob(QString::fromLatin1(run), QStringLiteral(R"({"kind":"score","teacher":"/models/SmolLM2","mixer":{"kind":"gdn"},"selector":"ga-s2"})"), false, false);
    one.state = state;
    return one;
}

}  // namespace

/// The jobs of the window: their queue, pause, log, history, and those that were interrupted.
class WindowJobsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("windowjobs"));
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints\\(\\)|raise\\(\\)|grabbing the keyboard)).*")));
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_work = std::make_shared<SteppedWork>();
    }
    void cleanup()
    {
        m_work->hold = false;
        m_window.reset();
        m_session.reset();
    }

    void theQueueKeepsOrderAndStates()
    {
        JobQueue queue;
        const QAbstractItemModelTester tester(&queue, QAbstractItemModelTester::FailureReportingMode::QtTest);
        queue.append(job("a"));
        queue.append(job("b"));
        queue.append(job("c", JobState::Paused));
        QCOMPARE(runs(queue), (QStringList{"a", "b", "c"}));
        QCOMPARE(queue.next(), QStringLiteral("a"));
        queue.setState(QStringLiteral("b"), JobState::Running);
        QCOMPARE(runs(queue), (QStringList{"b", "a", "c"}));
        QVERIFY(!queue.move(QStringLiteral("a"), 0));          // what runs stays first
        QVERIFY(!queue.move(QStringLiteral("b"), 1));
        QVERIFY(queue.move(QStringLiteral("a"), 2));
        QCOMPARE(runs(queue), (QStringList{"b", "c", "a"}));
        queue.insert(queue.rowOf(QStringLiteral("a")), job("d"));
        QCOMPARE(runs(queue), (QStringList{"b", "c", "d", "a"}));
        queue.append(job("e", JobState::Paused));
        queue.setState(QStringLiteral("e"), JobState::Waiting);       // goes on before those that wait
        QCOMPARE(runs(queue), (QStringList{"b", "c", "e", "d", "a"}));
        QCOMPARE(queue.numWaiting(), 3);
        queue.setHeld(true);
        QVERIFY(queue.next().isEmpty());
        queue.setHeld(false);
        QCOMPARE(queue.next(), QStringLiteral("e"));
        queue.setProgress(QStringLiteral("b"), QStringLiteral("stage 2"), 31, 50, 41000.0, 170.0);
        QCOMPARE(queue.index(0, JobQueue::Job).data().toString(), QStringLiteral("Scoring GDN with GA-S2"));
        QCOMPARE(queue.index(0, JobQueue::Teacher).data().toString(), QStringLiteral("SmolLM2"));
        QCOMPARE(queue.index(0, JobQueue::Progress).data().toString(), QStringLiteral("62 %"));
        QVERIFY(queue.index(0, JobQueue::Left).data().toString().startsWith(QStringLiteral("≈ 3 min left, ")));
        QCOMPARE(queue.index(0, JobQueue::Rate).data().toString(), QStringLiteral("41 k tokens/s"));
        QVERIFY(queue.take(QStringLiteral("c")));
        QVERIFY(!queue.take(QStringLiteral("c")));
        QCOMPARE(runs(queue), (QStringList{"b", "e", "d", "a"}));
        queue.insert(0, job("c"));                              // never before what runs
        QCOMPARE(runs(queue), (QStringList{"b", "c", "e", "d", "a"}));
    }

    void theTimeLeftNamesTheTimeOfItsEnd()
    {
        const QDateTime now(QDate(2026, 12, 1), QTime(14, 29, 0));
        const QString at = QLocale().toString(QTime(14, 32, 0), QLocale::ShortFormat);
        QCOMPARE(widgets::leftText(180.0, now), QStringLiteral("≈ 3 min left, %1").arg(at));
        QVERIFY(widgets::leftText(12.0 * 3600.0, now).contains(QLocale().toString(QDateTime(QDate(2026, 12, 2), QTime(2, 29, 0)), QLocale::ShortFormat)));
    }

    void whatIsStartedWhileAJobRunsWaits()
    {
        open();
        m_work->hold = true;
        score(1);
        score(2);
        const auto *again = find(QStringLiteral("Score layers…")) ? find(QStringLiteral("Score layers…")) : find(QStringLiteral("Score again…"));
        QVERIFY(again && again->isEnabled());
        score(3);
        QCOMPARE(queue().rowCount(), 3);
        QCOMPARE(queue().at(0).state, JobState::Running);
        QCOMPARE(queue().numWaiting(), 2);
        QVERIFY(says(QStringLiteral("is in the queue: it begins after")));
        score(3);                                                        // the same again
        QCOMPARE(queue().rowCount(), 3);
        QVERIFY(says(QStringLiteral("is in the queue already")));
        const QStringList asked = runs(queue());
        m_work->hold = false;
        QTRY_COMPARE(queue().rowCount(), 0);
        QCOMPARE(calledRuns(), asked);
        QCOMPARE(m_work->mostAtOnce.load(), 1);
    }

    void aJobThatFailsDoesNotStopTheQueue()
    {
        open();
        m_work->hold = true;
        score(1);
        score(2);
        m_work->failNext = true;
        QTRY_COMPARE(m_work->made().size(), std::size_t{2});
        QTRY_VERIFY(says(QStringLiteral("failed. The queue goes on: Scoring GDN with GA-S2.")));
        QVERIFY(says(QStringLiteral("the disk is full")));
        m_work->hold = false;
        QTRY_COMPARE(queue().rowCount(), 0);
    }

    void aCancelledJobDoesNotStopTheQueueButAllOfThemDo()
    {
        open();
        m_work->hold = true;
        score(1);
        score(2);
        score(3);
        button(QStringLiteral("Cancel"))->click();
        QTRY_COMPARE(queue().rowCount(), 2);
        QTRY_COMPARE(m_work->made().size(), std::size_t{2});
        QVERIFY(says(QStringLiteral("was cancelled. The queue goes on")));
        trigger(QStringLiteral("Cancel all jobs"));
        QVERIFY(says(QStringLiteral("All jobs are cancelled: the queue is empty.")));
        QTRY_COMPARE(queue().rowCount(), 0);
        QCOMPARE(m_work->made().size(), std::size_t{2});
        m_work->hold = false;
        runsPage()->edits().undo();                                      // what waited is there again, and begins
        QTRY_COMPARE(m_work->made().size(), std::size_t{3});
        QTRY_COMPARE(queue().rowCount(), 0);
    }

    void oneCancelIsSaidOnce_data()
    {
        QTest::addColumn<bool>("another");
        QTest::newRow("alone") << false;
        QTest::newRow("before another job") << true;
    }
    void oneCancelIsSaidOnce()
    {
        QFETCH(const bool, another);
        open();
        const QSignalSpy notices(m_session.get(), &widgets::Session::notice);
        m_work->hold = true;
        m_work->warns = false;
        score(1);
        if (another)
            score(2);
        QTRY_COMPARE(m_work->atOnce.load(), 1);
        button(QStringLiteral("Cancel"))->click();
        QTRY_COMPARE(queue().rowCount(), another ? 1 : 0);
        QTRY_COMPARE(timesSaid(QStringLiteral("cancelled")), 1);
        QVERIFY(notices.isEmpty());
    }

    void aPausedJobGoesOnInTheSameRun()
    {
        open();
        m_work->hold = true;
        score(1);
        score(2);
        const QString first = queue().at(0).run;
        button(QStringLiteral("Pause"))->click();
        QTRY_COMPARE(queue().find(first)->state, JobState::Paused);
        QTRY_COMPARE(m_work->made().size(), std::size_t{2});             // the next has begun
        QVERIFY(says(QStringLiteral("is paused. The queue goes on")));
        m_work->hold = false;
        QTRY_COMPARE(queue().rowCount(), 1);
        QTRY_VERIFY(stripText().contains(QStringLiteral("is paused")));
        button(QStringLiteral("Resume"))->click();
        QTRY_COMPARE(queue().rowCount(), 0);
        const auto calls = m_work->made();
        QCOMPARE(calls.size(), std::size_t{3});
        QCOMPARE(QString::fromStdString(calls.back().run), first);
        QVERIFY(calls.back().resume);
        QVERIFY(!calls.front().resume);
    }

    void theTimeLeftIsShownAfterTenSteps()
    {
        open();
        m_work->hold = true;
        m_work->holdAt = 10;                                             // nine are behind it: the first progress is where they are counted from
        score(1);
        QTRY_VERIFY2(stripText().contains(QStringLiteral("step 10 of 20")), qPrintable(stripText()));
        QVERIFY2(!stripText().contains(QStringLiteral("left")), qPrintable(stripText()));
        m_work->holdAt = 15;
        QTRY_VERIFY2(stripText().contains(QStringLiteral("step 15 of 20")), qPrintable(stripText()));
        QVERIFY2(stripText().contains(QRegularExpression(QStringLiteral("≈ .+ left, \\d+:\\d+"))), qPrintable(stripText()));
        QVERIFY(!queue().index(0, JobQueue::Left).data().toString().isEmpty());
        button(QStringLiteral("Pause"))->click();
        QTRY_COMPARE(queue().at(0).state, JobState::Paused);
        QVERIFY(queue().index(0, JobQueue::Left).data().toString().isEmpty());
        QVERIFY2(stripText().contains(QStringLiteral("is paused (75 % of stage 2)")), qPrintable(stripText()));
    }

    void aJobWhoseMemoryTakesLongToGoHasStillSaidHowItEnded()
    {
        open();
        m_work->lingers = true;
        m_work->hold = true;
        score(1);
        button(QStringLiteral("Pause"))->click();
        QTRY_COMPARE(queue().at(0).state, JobState::Paused);
        QVERIFY(!says(QStringLiteral("without saying why")));
    }

    void pausedAndWaitingJobsAreThereAfterARestart()
    {
        open();
        m_work->hold = true;
        score(1);
        score(2);
        score(3);
        const QStringList asked = runs(queue());
        button(QStringLiteral("Pause"))->click();
        QTRY_COMPARE(m_work->made().size(), std::size_t{2});
        m_session->jobs().close();                                       // as the window does
        QTRY_VERIFY(!m_session->job().isRunning());
        m_window.reset();
        m_session.reset();
        m_work->hold = false;
        open();
        QCOMPARE(queue().rowCount(), 3);
        QCOMPARE(m_work->made().size(), std::size_t{2});                 // nothing begins by itself
        for (const QString &run : asked)
            QVERIFY(queue().find(run) && queue().find(run)->state == JobState::Paused);
        QVERIFY2(stripText().contains(QStringLiteral("is paused (5 % of stage 2)")), qPrintable(stripText()));
        m_session->resume(asked.at(2));
        QTRY_COMPARE(m_work->made().size(), std::size_t{3});
        QVERIFY(!m_work->made().back().resume);                          // it had not begun
        QTRY_COMPARE(queue().rowCount(), 2);
    }

    void aHeldQueueBeginsNothing()
    {
        open();
        m_work->hold = true;
        score(1);
        showDock();
        panel()->findChild<QCheckBox *>()->click();
        score(2);
        m_work->hold = false;
        QTRY_VERIFY(!m_session->job().isRunning());
        QTest::qWait(50);
        QCOMPARE(queue().rowCount(), 1);
        QVERIFY(stripText().contains(QStringLiteral("held")));
        panel()->findChild<QCheckBox *>()->click();
        QTRY_COMPARE(queue().rowCount(), 0);
        QCOMPARE(m_work->made().size(), std::size_t{2});
    }

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

    void aCancelledJobIsCalledSoAndCanBeDismissed()
    {
        open();
        m_work->hold = true;
        score(1);
        QTRY_VERIFY(m_session->job().isRunning());
        m_session->cancel();
        QTRY_VERIFY(find(QStringLiteral("Dismiss"), strip()));
        QCOMPARE(stripText(), QStringLiteral("Scoring GDN with GA-S2 was cancelled; it can go on from its last checkpoint."));
        button(QStringLiteral("Dismiss"))->click();
        QVERIFY(!find(QStringLiteral("Resume"), strip()));
        QVERIFY(!find(QStringLiteral("Dismiss"), strip()));
        QVERIFY(!stripText().contains(QStringLiteral("can go on")));
        m_window.reset();
        m_session.reset();
        open();
        QTRY_VERIFY(!m_session->resumableRun().isEmpty());
        QVERIFY(!find(QStringLiteral("Resume"), strip()));
    }

    void aPausedRunIsCalledPausedInTheTable()
    {
        open();
        m_work->hold = true;
        score(1);
        QTRY_VERIFY(find(QStringLiteral("Pause"), strip()) && button(QStringLiteral("Pause"))->isEnabled());
        button(QStringLiteral("Pause"))->click();
        QTRY_COMPARE(queue().at(0).state, JobState::Paused);
        auto *experiments = runsPage()->findChild<QTableView *>();
        const auto state = [&] {
            const auto &model = *static_cast<widgets::ExperimentTable *>(experiments->model());
            for (int column = 0; column < model.columnCount(); ++column)
                if (model.rowCount() > 0 && model.columns()[static_cast<std::size_t>(column)].id == QStringLiteral("status"))
                    return model.index(0, column).data().toString();
            return QString();
        };
        QTRY_COMPARE(state(), QStringLiteral("paused"));
        const auto &shown = *static_cast<widgets::ExperimentTable *>(experiments->model());
        QTRY_COMPARE(shown.group(0).first().status, store::RunStatus::Cancelled);      // the store has its last word
        QCOMPARE(state(), QStringLiteral("paused"));
        auto *words = runsPage()->findChild<QLineEdit *>();
        words->setText(QStringLiteral("status:paused"));
        QCOMPARE(shown.rowCount(), 1);
        words->setText(QStringLiteral("status:cancelled"));      // that is not what one sees
        QCOMPARE(shown.rowCount(), 0);
        m_session->jobs().cancelAll();
        QTRY_COMPARE(shown.rowCount(), 1);
        QTRY_COMPARE(state(), QStringLiteral("cancelled"));
        words->setText(QStringLiteral("paused"));
        QCOMPARE(shown.rowCount(), 0);
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

    void interruptedJobsAreAskedAboutOnce()
    {
        interrupt(1, "demo", 40);
        interrupt(2, "/models/another", 0);
        open();
        QTRY_VERIFY(line()->isVisible());
        QVERIFY2(lineText().startsWith(QStringLiteral("2 jobs were interrupted.")), qPrintable(lineText()));
        QVERIFY2(lineText().contains(QStringLiteral("Distilling GDN (demo): checkpoint at step 40, ")), qPrintable(lineText()));
        QVERIFY2(lineText().contains(QStringLiteral("Distilling GDN (another): no checkpoint, it begins anew")), qPrintable(lineText()));
        QVERIFY(!find(QStringLiteral("Resume"), strip()));               // nobody offers it twice
        QTest::keyClick(find(QStringLiteral("Keep"), line()), Qt::Key_Space);
        QTRY_VERIFY(!line()->isVisible());
        QVERIFY(m_work->made().empty());
        m_window.reset();
        m_session.reset();
        open();
        interrupt(3, "demo", 10);                                        // another program's, while the window is open
        Q_EMIT m_session->stored();
        QTRY_VERIFY(line()->isVisible());
        QVERIFY2(lineText().startsWith(QStringLiteral("1 job was interrupted.")) || lineText().startsWith(QStringLiteral("1 jobs were interrupted.")), qPrintable(lineText()));
    }

    void interruptedJobsGoOnInTheirRuns()
    {
        interrupt(1, "demo", 40);
        interrupt(2, "/models/another", 0);
        open();
        QTRY_VERIFY(line()->isVisible());
        QTest::keyClick(find(QStringLiteral("Resume"), line()), Qt::Key_Space);
        QTRY_COMPARE(m_work->made().size(), std::size_t{2});
        QTRY_COMPARE(queue().rowCount(), 0);
        QCOMPARE(calledRuns(), (QStringList{QString::fromStdString(runName(1)), QString::fromStdString(runName(2))}));      // oldest first
        for (const SteppedWork::Call &call : m_work->made())
            QVERIFY(call.resume);
        QVERIFY(!line()->isVisible());
    }

    void discardedJobsCanBeBroughtBack()
    {
        interrupt(1, "demo", 40);
        open();
        QTRY_VERIFY(line()->isVisible());
        QTest::keyClick(find(QStringLiteral("Discard"), line()), Qt::Key_Space);
        QTRY_VERIFY(isTrashed(1));
        QVERIFY(!line()->isVisible());
        runsPage()->edits().undo();
        QTRY_VERIFY(!isTrashed(1));
        QTRY_VERIFY(line()->isVisible());
    }

    void lockedJobsAreNotDiscarded()
    {
        interrupt(1, "demo", 40);
        store::Workspace(workspace()).setLocked(runName(1), true);
        open();
        QTRY_VERIFY(line()->isVisible());
        QStringList said;
        connect(m_session.get(), &widgets::Session::notice, this, [&said](const QString &text) { said << text; });
        QTest::keyClick(find(QStringLiteral("Discard"), line()), Qt::Key_Space);
        QVERIFY2(said.join(QLatin1Char('|')).contains(QStringLiteral("Locked jobs are kept")), qPrintable(said.join(QLatin1Char('|'))));
        QTRY_VERIFY(!line()->isVisible());
        QVERIFY(!isTrashed(1));
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
    void open()
    {
        m_session = std::make_unique<widgets::Session>(workspace(), [work = m_work](const nlohmann::json &spec, jobs::RunContext &context) { return (*work)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->teacher().isValid());
        QTRY_VERIFY(!m_session->job().isRunning());
    }
    void score(int seed) { m_session->score({{"seed", seed}}, true); }
    /// A distillation whose process went away.
    void interrupt(int number, const std::string &teacher, int step)
    {
        LineWriter writer(workspace(), runName(number), goneProcess(), 1764480000.0 + 1000.0 * number);
        const nlohmann::json spec = {{"kind", "distill"}, {"teacher", teacher}, {"mixer", {{"kind", "gdn"}}}, {"keep", {1}}};
        writer.say(experiment::Started{.kind = "distill", .key = {}, .specJson = experiment::completeSpec(spec).dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "distill");
        if (step > 0) {
            const std::string path = "checkpoints/" + runName(number) + "/step-" + std::to_string(step);
            std::filesystem::create_directories(workspace() / path);
            std::ofstream(workspace() / path / "DONE") << '\n';
            writer.say(experiment::CheckpointSaved{step, step * 100, path}, "distill");
        }
        if (!m_session)
            return;
        m_session->withStore("look", [](store::Workspace &store) -> widgets::Background::Answer {
            (void)store.markInterrupted();
            return [] {};
        });
    }
    bool isTrashed(int number)
    {
        const store::Workspace store(workspace());
        const auto run = store.run(runName(number));
        return run && run->trashed;
    }
    [[nodiscard]] static QStringList runs(const JobQueue &queue)
    {
        QStringList all;
        for (const QueuedJob &one : queue.jobs())
            all << one.run;
        return all;
    }
    [[nodiscard]] QStringList calledRuns()
    {
        QStringList all;
        for (const SteppedWork::Call &call : m_work->made())
            all << QString::fromStdString(call.run);
        return all;
    }
    /// Whether a message line says it, in the strip or the page.
    [[nodiscard]] bool says(const QString &part) const
    {
        for (const widgets::MessageLine *one : m_window->findChildren<widgets::MessageLine *>())
            if (one->isVisible() && one->text().contains(part))
                return true;
        return false;
    }
    /// In lines of the page and of the strip.
    [[nodiscard]] int timesSaid(const QString &part) const
    {
        int times = stripText().contains(part) ? 1 : 0;
        for (const widgets::MessageLine *one : m_window->findChildren<widgets::MessageLine *>())
            times += one->isVisible() && one->text().contains(part) ? 1 : 0;
        return times;
    }
    [[nodiscard]] QString stripText() const
    {
        for (const QLabel *label : strip()->findChildren<QLabel *>())
            if (label->accessibleName() == QStringLiteral("Job"))
                return label->text();
        return {};
    }
    [[nodiscard]] QString lineText() const { return line()->findChild<widgets::MessageLine *>()->text(); }
    [[nodiscard]] static QString text(const QTableView &view, int row, int column) { return view.model()->index(row, column).data().toString(); }
    [[nodiscard]] static bool logHas(const QTableView &log, const QString &line)
    {
        for (int row = 0; row < log.model()->rowCount(); ++row)
            if (text(log, row, widgets::JobLog::Message) == line)
                return true;
        return false;
    }
    [[nodiscard]] static QString lastLine(const QTableView &log) { return text(log, log.model()->rowCount() - 1, widgets::JobLog::Message); }
    void showDock()
    {
        if (dock()->isHidden())
            QTest::keyClick(m_window.get(), Qt::Key_J, Qt::ControlModifier);
        QVERIFY(dock()->isVisible());
    }
    void trigger(const QString &name)
    {
        for (QAction *action : m_window->findChildren<QAction *>())
            if (QString(action->text()).remove(QLatin1Char('&')) == name) {
                action->trigger();
                return;
            }
        QFAIL(qPrintable(name));
    }
    QPushButton *find(const QString &name, const QWidget *in = nullptr)     ///< null unless it is to be seen
    {
        for (QPushButton *one : (in ? in : m_window.get())->findChildren<QPushButton *>())
            if (QString(one->text()).remove(QLatin1Char('&')) == name && one->isVisible())
                return one;
        return nullptr;
    }
    QPushButton *button(const QString &name)
    {
        QPushButton *found = find(name, strip());
        if (!found)
            qFatal("no button %s", qPrintable(name));
        return found;
    }
    QTableView *table(const QString &name)
    {
        for (QTableView *one : panel()->findChildren<QTableView *>())
            if (one->accessibleName() == name)
                return one;
        qFatal("no table %s", qPrintable(name));
    }
    [[nodiscard]] std::filesystem::path workspace() const { return (m_folder->path() + QStringLiteral("/workspace")).toStdString(); }
    [[nodiscard]] JobQueue &queue() const { return m_session->jobs().queue(); }
    [[nodiscard]] QDockWidget *dock() const { return m_window->findChild<QDockWidget *>(QStringLiteral("jobs")); }
    [[nodiscard]] widgets::JobsStrip *strip() const { return m_window->findChild<widgets::JobsStrip *>(); }
    [[nodiscard]] widgets::JobsPanel *panel() const { return m_window->findChild<widgets::JobsPanel *>(); }
    [[nodiscard]] widgets::InterruptedLine *line() const { return m_window->findChild<widgets::InterruptedLine *>(); }
    [[nodiscard]] widgets::RunsPage *runsPage() const { return m_window->findChild<widgets::RunsPage *>(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<SteppedWork> m_work;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(WindowJobsTest)
#include "windowjobs.moc"
