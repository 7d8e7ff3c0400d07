// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobswindow.h"
#include "mainwindow.h"

#include "models/jobqueue.h"
#include "models/jobrunner.h"
#include "models/session.h"

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

using namespace stillroom;
using test::SteppedWork;
using widgets::JobQueue, widgets::JobState, widgets::QueuedJob;

/// The window is closed while a job runs and another one waits: each answer to its question, and what is there at the next start.
class ClosingTest final : public test::JobsWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("closing")); }
    void init() { JobsWindow::begin(); }
    void cleanup() { end(); }

    void stoppingKeepsTheCheckpointAndTheQueue_data() { kinds(); }
    void stoppingKeepsTheCheckpointAndTheQueue()
    {
        begin();
        const QString stopped = queue().at(0).run, waiting = queue().at(1).run;
        m_window->close();
        QVERIFY(m_window->isVisible());                                  // it asks first
        answer(QStringLiteral("Stop and close"));
        QTRY_VERIFY(!m_window->isVisible());
        leave();
        QCOMPARE(status(stopped), store::RunStatus::Cancelled);
        QCOMPARE(m_work->made().size(), std::size_t{1});                 // what waited has not begun

        m_work->hold = false;
        open();
        QCOMPARE(queue().rowCount(), 2);
        QCOMPARE(queue().at(0).state, JobState::Paused);
        m_session->resume(stopped);
        QTRY_COMPARE(queue().rowCount(), 1);
        QCOMPARE(QString::fromStdString(m_work->made().back().run), stopped);
        QVERIFY(m_work->made().back().resume);
        m_session->resume(waiting);
        QTRY_COMPARE(queue().rowCount(), 0);
        QCOMPARE(QString::fromStdString(m_work->made().back().run), waiting);
        leave();
        QCOMPARE(status(stopped), store::RunStatus::Finished);
        QCOMPARE(status(waiting), store::RunStatus::Finished);
    }

    void waitingDoesTheQueueAndClosesThen_data() { kinds(); }
    void waitingDoesTheQueueAndClosesThen()
    {
        begin();
        const QString first = queue().at(0).run, second = queue().at(1).run;
        m_window->close();
        answer(QStringLiteral("Close when done"));
        QTRY_VERIFY(says(QStringLiteral("The window closes when all jobs are done.")));
        QVERIFY(m_window->isVisible());
        m_work->hold = false;
        QTRY_VERIFY(!m_window->isVisible());
        QCOMPARE(m_work->made().size(), std::size_t{2});
        leave();
        QCOMPARE(status(first), store::RunStatus::Finished);
        QCOMPARE(status(second), store::RunStatus::Finished);
    }

    void stayingChangesNothing_data() { kinds(); }
    void stayingChangesNothing()
    {
        begin();
        const QString first = queue().at(0).run;
        for (const bool byEscape : {false, true}) {
            m_window->close();
            if (byEscape)
                QTest::keyClick(question(), Qt::Key_Escape);
            else
                answer(QStringLiteral("Do not close"));
            QTRY_VERIFY(!question());
            QVERIFY(m_window->isVisible());
            QCOMPARE(queue().at(0).state, JobState::Running);
            QCOMPARE(queue().numWaiting(), 1);
        }
        m_work->hold = false;
        QTRY_COMPARE(queue().rowCount(), 0);
        QTest::qWait(50);
        QVERIFY(m_window->isVisible());                                  // also when all is done
        leave();
        QCOMPARE(status(first), store::RunStatus::Finished);
    }

    void onesMindMayChangeWhileItWaits()
    {
        begin();
        m_window->close();
        answer(QStringLiteral("Close when done"));
        QTRY_VERIFY(says(QStringLiteral("The window closes when all jobs are done.")));
        for (QToolButton *one : m_window->findChildren<QToolButton *>())
            if (one->text() == QStringLiteral("Stay open"))
                QTest::mouseClick(one, Qt::LeftButton);
        QVERIFY(!says(QStringLiteral("The window closes when all jobs are done.")));
        m_window->close();                                               // and once more the other way
        answer(QStringLiteral("Close when done"));
        m_window->close();
        answer(QStringLiteral("Stop and close"));
        QTRY_VERIFY(!m_window->isVisible());
        QCOMPARE(m_work->made().size(), std::size_t{1});
    }

    void aJobThatEndsWhileTheQuestionStandsClosesByTheAnswer()
    {
        open();
        m_work->hold = true;
        m_session->score({{"seed", 1}}, true);
        QTRY_COMPARE(m_work->atOnce.load(), 1);
        m_window->close();
        QTRY_VERIFY(question());
        m_work->hold = false;
        QTRY_VERIFY(!m_session->job().isRunning());
        answer(QStringLiteral("Stop and close"));
        QTRY_VERIFY(!m_window->isVisible());
    }

    void onlyOneQuestionIsAsked()
    {
        begin();
        m_window->close();
        m_window->close();
        QCOMPARE(m_window->findChildren<QMessageBox *>().size(), 1);
        QVERIFY(question()->informativeText().contains(QStringLiteral("wait behind it")));
        answer(QStringLiteral("Do not close"));
    }

    void whatFailsDoesNotKeepTheWindowOpen()
    {
        begin();
        m_window->close();
        answer(QStringLiteral("Close when done"));
        m_work->failNext = true;                                         // the next one is done all the same
        m_work->hold = false;
        QTRY_VERIFY(!m_window->isVisible());
        QCOMPARE(m_work->made().size(), std::size_t{2});
    }

private:
    static void kinds()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("scoring") << "score";
        QTest::newRow("distillation") << "distill";
    }
    /// One job holds in its first step, another one waits.
    void begin()
    {
        open();
        m_work->hold = true;
        const bool distils = QTest::currentDataTag() == QByteArrayLiteral("distillation");
        m_session->choice().setLayers({1, 4});
        for (const int seed : {1, 2}) {
            if (distils)
                m_session->distil({{"seed", seed}});
            else
                m_session->score({{"seed", seed}}, true);
        }
        QTRY_COMPARE(m_work->atOnce.load(), 1);
        QCOMPARE(queue().rowCount(), 2);
        QCOMPARE(queue().at(0).kind, distils ? QStringLiteral("distill") : QStringLiteral("score"));
    }
    /// As the program ends, and the store is whole.
    void leave()
    {
        m_window.reset();
        m_session.reset();
        store::Workspace(workspace()).checkIntegrity();
    }
    [[nodiscard]] store::RunStatus status(const QString &run) const { return store::Workspace(workspace()).run(run.toStdString()).value().status; }
    [[nodiscard]] QMessageBox *question() const
    {
        for (QMessageBox *box : m_window->findChildren<QMessageBox *>())
            if (box->isVisible())
                return box;
        return nullptr;
    }
    void answer(const QString &text)
    {
        QTRY_VERIFY(question());
        for (QAbstractButton *one : question()->buttons())
            if (QString(one->text()).remove(QLatin1Char('&')) == text) {
                QTest::mouseClick(one, Qt::LeftButton);
                return;
            }
        QFAIL(qPrintable(text));
    }
};

QTEST_MAIN(ClosingTest)
#include "closing.moc"
