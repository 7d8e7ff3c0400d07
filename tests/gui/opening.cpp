// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"
#include "madeup.h"
#include "steppedwork.h"

#include "models/jobqueue.h"
#include "models/jobrunner.h"
#include "models/modelopening.h"
#include "models/session.h"
#include "views/jobsstrip.h"

#include <QAction>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace stillroom;
using test::SteppedWork;
using widgets::JobQueue, widgets::JobState;

/// A model is opened beside the job that runs: it waits for nothing, can be cancelled and replaced, and the pages show nothing of another teacher.
class OpeningTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("opening"));
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise)\\(\\)).*")));
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_work = std::make_shared<SteppedWork>();
        open();
    }
    void cleanup()
    {
        m_work->hold = false;
        m_work->holdOpening({});
        m_window.reset();
        m_session.reset();
    }

    void aModelIsOpenedWhileAJobRunsAndShowsNothingOfIt()
    {
        holdJob("score");
        m_session->openTeacher(QStringLiteral("/another"));
        QTRY_COMPARE(m_session->teacher().argument, QStringLiteral("/another"));
        QCOMPARE(m_work->atOnce.load(), 1);                              // all the while
        QCOMPARE(queue().at(0).state, JobState::Running);
        QVERIFY(m_session->jobKind().isEmpty());
        QVERIFY(m_session->scores().bars().empty());
        m_work->hold = false;
        QTRY_COMPARE(queue().rowCount(), 0);
        QVERIFY(m_session->scores().bars().empty());
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_COMPARE(m_session->teacher().argument, QStringLiteral("demo"));
        QTRY_VERIFY(!m_session->scores().bars().empty());                // out of the store
    }

    void whoComesBackToARunningScoringSeesWhatItHasSaid()
    {
        m_work->holdAt = test::numLayers + 1;
        holdJob("score");
        QTRY_COMPARE(int(m_session->scores().bars().size()), test::numLayers);      // live
        visitAnother();
        QTRY_COMPARE(int(m_session->scores().bars().size()), test::numLayers);      // as it was stored
        QCOMPARE(queue().at(0).state, JobState::Running);
        m_work->hold = false;
        QTRY_COMPARE(queue().rowCount(), 0);
        QTRY_VERIFY(m_session->shownScoring() && m_session->shownScoring()->status == store::RunStatus::Finished);
    }

    void whoComesBackToARunningDistillationSeesAllOfItsCurve()
    {
        m_work->holdAt = 12;
        m_session->choice().setLayers({1, 4});
        holdJob("distill");
        QTRY_COMPARE(m_session->curve(QStringLiteral("distill/kl")).size(), qsizetype{12});
        visitAnother();
        QTRY_COMPARE(m_session->curve(QStringLiteral("distill/kl")).size(), qsizetype{12});
        QCOMPARE(m_session->curveLayers(), (experiment::LayerSet{1, 4}));
        m_work->holdAt = 18;
        QTRY_COMPARE(m_session->curve(QStringLiteral("distill/kl")).size(), qsizetype{18});      // and goes on growing
        m_work->hold = false;
        QTRY_COMPARE(queue().rowCount(), 0);
    }

    void theStripShowsItAndTheKeyOfJobsCancelsItAlone()
    {
        holdJob("score");
        m_work->holdOpening("/models/another");
        m_session->openTeacher(QStringLiteral("/models/another"));
        QTRY_VERIFY2(stripText().startsWith(QStringLiteral("Opening another…")), qPrintable(stripText()));
        const auto *bar = strip()->findChild<QProgressBar *>();
        QTRY_COMPARE(bar->maximum(), 4);
        QCOMPARE(bar->value(), 1);
        QCOMPARE(cancelText(), QStringLiteral("Cancel opening the model"));
        QTest::keyClick(m_window.get(), Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(!m_session->opening().isUnderWay());                     // at once
        QCOMPARE(m_session->teacher().argument, QStringLiteral("demo"));
        QCOMPARE(queue().at(0).state, JobState::Running);
        QVERIFY2(stripText().startsWith(QStringLiteral("Scoring")), qPrintable(stripText()));
        QCOMPARE(cancelText(), QStringLiteral("Cancel the job"));
        QTest::keyClick(m_window.get(), Qt::Key_Period, Qt::ControlModifier);
        QTRY_COMPARE(queue().rowCount(), 0);
    }

    void cancellingDoesNotWaitForWhatDoesNotListen()
    {
        m_work->isDeaf = true;
        m_work->holdOpening("/models/another");
        m_session->openTeacher(QStringLiteral("/models/another"));
        QTRY_VERIFY(stripText().startsWith(QStringLiteral("Opening another…")));
        QTest::mouseClick(cancelButton(), Qt::LeftButton);
        QCOMPARE(stripText(), QStringLiteral("Opening another: cancelled."));
        QVERIFY(!cancelButton()->isVisible());
        m_work->holdOpening({});                                         // now it comes to its end, and nobody hears it
        QTest::qWait(150);
        QCOMPARE(m_session->teacher().argument, QStringLiteral("demo"));
    }

    void anotherChoiceTakesThePlaceOfTheFirst()
    {
        m_work->isDeaf = true;
        m_work->holdOpening("/first");
        m_session->openTeacher(QStringLiteral("/first"));
        QTRY_COMPARE(m_session->opening().done(), 1);
        m_session->openTeacher(QStringLiteral("/second"));
        QTRY_COMPARE(m_session->teacher().argument, QStringLiteral("/second"));
        m_work->holdOpening({});
        QTest::qWait(150);
        QCOMPARE(m_session->teacher().argument, QStringLiteral("/second"));
    }

    void whatReadsTheAttentionWaitsForItsTurn()
    {
        holdJob("score");
        m_session->run({{"kind", "inspect"}, {"model", "/another"}, {"attention", true}, {"text", "a"}});
        QCOMPARE(queue().numWaiting(), 1);
        QVERIFY(!m_session->opening().isUnderWay());
        m_work->hold = false;
        QTRY_COMPARE(m_session->teacher().argument, QStringLiteral("/another"));
    }

    void theWindowClosesWithoutAQuestionWhileOneIsOpened()
    {
        m_work->holdOpening("/another");
        m_session->openTeacher(QStringLiteral("/another"));
        QTRY_COMPARE(m_session->opening().done(), 1);
        m_window->close();
        QVERIFY(!m_window->isVisible());
        QVERIFY(!m_window->findChild<QMessageBox *>());
    }

private:
    void open()
    {
        m_session = std::make_unique<widgets::Session>(m_folder->path().toStdString(), [work = m_work](const nlohmann::json &spec, jobs::RunContext &context) { return (*work)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->teacher().isValid());
    }
    void holdJob(const std::string &kind)
    {
        m_work->hold = true;
        if (kind == "score")
            m_session->score({{"seed", 1}}, true);
        else
            m_session->distil({{"seed", 1}});
        QTRY_COMPARE(m_work->atOnce.load(), 1);
    }
    void visitAnother()
    {
        m_session->openTeacher(QStringLiteral("/another"));
        QTRY_COMPARE(m_session->teacher().argument, QStringLiteral("/another"));
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_COMPARE(m_session->teacher().argument, QStringLiteral("demo"));
    }
    [[nodiscard]] QString stripText() const
    {
        for (const QLabel *label : strip()->findChildren<QLabel *>())
            if (label->accessibleName() == QStringLiteral("Job"))
                return label->text();
        return {};
    }
    [[nodiscard]] QString cancelText() const
    {
        for (const QAction *action : m_window->findChildren<QAction *>())
            if (action->shortcut() == QKeySequence(QStringLiteral("Ctrl+.")))
                return QString(action->text()).remove(QLatin1Char('&'));
        return {};
    }
    [[nodiscard]] QPushButton *cancelButton() const
    {
        for (QPushButton *one : strip()->findChildren<QPushButton *>())
            if (one->text() == QStringLiteral("Cancel"))
                return one;
        return nullptr;
    }
    [[nodiscard]] widgets::JobsStrip *strip() const { return m_window->findChild<widgets::JobsStrip *>(); }
    [[nodiscard]] JobQueue &queue() const { return m_session->jobs().queue(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<SteppedWork> m_work;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(OpeningTest)
#include "opening.moc"
