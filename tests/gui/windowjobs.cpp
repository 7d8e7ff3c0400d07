// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobswindow.h"
#include "mainwindow.h"
#include "store/lines.h"

#include "experiment/spec.h"
#include "models/jobqueue.h"
#include "models/jobrunner.h"
#include "models/session.h"
#include "pages/runspage.h"
#include "views/interruptedline.h"
#include "views/jobspanel.h"
#include "views/jobsstrip.h"
#include "views/jobwords.h"
#include "views/messageline.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QDateTime>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
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

/// The jobs of the window: their queue, how they end, pause and go on, and those that were interrupted.
class WindowJobsTest final : public test::JobsWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("windowjobs")); }
    void init() { begin(); }
    void cleanup() { end(); }

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

    void aNameThatMeansSomethingElseIsRefused()
    {
        open();
        m_session->score({{"seed", 1}, {"name", "0,1"}}, true);
        QVERIFY(says(QStringLiteral("A run cannot be called \"0,1\"")));
        QCOMPARE(queue().rowCount(), 0);
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

    void buttonsOfTheStripKeepTheirPlaces()
    {
        open();
        m_work->hold = true;
        score(1);
        QTRY_VERIFY(find(QStringLiteral("Pause"), strip()) && button(QStringLiteral("Pause"))->isEnabled());
        QTRY_VERIFY(button(QStringLiteral("Cancel"))->geometry().left() > button(QStringLiteral("Pause"))->geometry().right());
        const QRect pause = button(QStringLiteral("Pause"))->geometry(), cancel = button(QStringLiteral("Cancel"))->geometry();
        button(QStringLiteral("Pause"))->click();
        QTRY_VERIFY(find(QStringLiteral("Resume"), strip()));
        QTRY_COMPARE(button(QStringLiteral("Resume"))->geometry(), pause);      // a second click there never meets "Cancel"
        button(QStringLiteral("Resume"))->click();
        QTRY_VERIFY(find(QStringLiteral("Cancel"), strip()));
        QTRY_COMPARE(button(QStringLiteral("Cancel"))->geometry(), cancel);
    }

    void aPausedJobIsCancelledWhereItIsPaused_data()
    {
        QTest::addColumn<QString>("way");
        for (const char *way : {"button", "keyboard", "key", "menu"})
            QTest::newRow(way) << QString::fromLatin1(way);
    }
    void aPausedJobIsCancelledWhereItIsPaused()
    {
        QFETCH(const QString, way);
        open();
        m_work->hold = true;
        score(1);
        QTRY_VERIFY(find(QStringLiteral("Pause"), strip()) && button(QStringLiteral("Pause"))->isEnabled());
        QTRY_VERIFY(button(QStringLiteral("Cancel"))->geometry().left() > button(QStringLiteral("Pause"))->geometry().right());
        const QRect place = button(QStringLiteral("Cancel"))->geometry();
        button(QStringLiteral("Pause"))->click();
        QTRY_COMPARE(queue().at(0).state, JobState::Paused);
        QTRY_VERIFY(find(QStringLiteral("Cancel"), strip()));
        auto *cancel = button(QStringLiteral("Cancel"));
        QVERIFY(cancel->isEnabled());
        QCOMPARE(cancel->geometry(), place);
        QVERIFY(menuAction(QStringLiteral("Cancel the job"))->isEnabled());
        if (way == QLatin1String("button"))
            cancel->click();
        else if (way == QLatin1String("key"))
            QTest::keyClick(m_window.get(), Qt::Key_Period, Qt::ControlModifier);
        else if (way == QLatin1String("menu"))
            menuAction(QStringLiteral("Cancel the job"))->trigger();
        else {
            QVERIFY(cancel->focusPolicy() & Qt::TabFocus);
            cancel->setFocus(Qt::TabFocusReason);
            QTest::keyClick(cancel, Qt::Key_Space);
        }
        QTRY_COMPARE(queue().rowCount(), 0);
        QVERIFY(!menuAction(QStringLiteral("Cancel the job"))->isEnabled());
        QVERIFY(!find(QStringLiteral("Cancel"), strip()));
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

    void oneKeyLetsGoOnWhateverStopped()
    {
        open();
        m_work->hold = true;
        score(1);
        QTRY_VERIFY(m_session->job().isRunning());
        QAction *pauseOrResume = menuAction(QStringLiteral("Pause or resume the job"));
        m_session->cancel();
        QTRY_VERIFY(find(QStringLiteral("Resume"), strip()));
        QVERIFY(pauseOrResume->isEnabled());
        m_work->hold = false;
        pauseOrResume->trigger();
        QTRY_COMPARE(m_work->made().size(), std::size_t{2});
        QTRY_COMPARE(queue().rowCount(), 0);
        QVERIFY(m_work->made().back().resume);
        QCOMPARE(m_work->made().back().run, m_work->made().front().run);
        QTRY_VERIFY(!find(QStringLiteral("Resume"), strip()));
        QVERIFY(!pauseOrResume->isEnabled());
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

private:
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
    /// In lines of the page and of the strip.
    [[nodiscard]] int timesSaid(const QString &part) const
    {
        int times = stripText().contains(part) ? 1 : 0;
        for (const widgets::MessageLine *one : m_window->findChildren<widgets::MessageLine *>())
            times += one->isVisible() && one->text().contains(part) ? 1 : 0;
        return times;
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
    [[nodiscard]] QString lineText() const { return line()->findChild<widgets::MessageLine *>()->text(); }
};

QTEST_MAIN(WindowJobsTest)
#include "windowjobs.moc"
