// SPDX-License-Identifier: GPL-3.0-or-later
#include "madeup.h"
#include "mainwindow.h"

#include "models/modelopening.h"
#include "models/session.h"
#include "store/stagecache.h"
#include "views/inspector.h"
#include "views/keepcontrol.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QMenuBar>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>

#include <nlohmann/json.hpp>

using namespace stillroom;
using test::MadeUp, test::numLayers;

class WindowTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("window"));
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints\\(\\)|raise\\(\\)|grabbing the keyboard)).*")));
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_madeUp = std::make_shared<MadeUp>();
        open();
    }
    void cleanup()
    {
        m_window.reset();
        m_session.reset();
    }

    void opensATeacherAndShowsIt()
    {
        QCOMPARE(m_session->teacher().numLayers, numLayers);
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("Made-up")));
        QVERIFY(button(QStringLiteral("Score layers…"))->isEnabled());
        QVERIFY(!button(QStringLiteral("Distil this hybrid"))->isEnabled());
    }

    void barsArriveLiveAndKIsOneValueEverywhere()
    {
        m_madeUp->holdScoring = true;
        button(QStringLiteral("Score layers…"))->click();
        QTRY_VERIFY(m_session->job().isRunning());
        m_madeUp->holdScoring = false;
        QTRY_VERIFY(!m_session->job().isRunning());
        QCOMPARE(m_session->scores().bars().size(), std::size_t{numLayers});
        QCOMPARE(m_session->choice().ranking()->front(), 4);
        const auto *keeps = m_window->findChild<widgets::KeepControl *>();
        auto *slider = keeps->findChild<QSlider *>();
        auto *box = keeps->findChild<QSpinBox *>();
        auto *percent = keeps->findChild<QDoubleSpinBox *>();
        slider->setValue(3);
        QCOMPARE(box->value(), 3);
        QCOMPARE(percent->value(), 50.0);
        QCOMPARE(m_session->choice().keep(), 3);
        box->setValue(1);
        QCOMPARE(slider->value(), 1);
        QCOMPARE(m_session->choice().layers(), (experiment::LayerSet{4}));
        percent->setValue(33.3);
        QCOMPARE(m_session->choice().keep(), 2);
    }

    void aBudgetIsAnotherWordForK()
    {
        scoreAll();
        QLineEdit *budget = nullptr;
        for (QLineEdit *one : m_window->findChildren<QLineEdit *>())
            if (one->accessibleName() == QStringLiteral("KV cache at a context length"))
                budget = one;
        QVERIFY(budget);
        m_session->choice().setKeep(2);
        QCOMPARE(budget->text(), QStringLiteral("16.0 MiB at 32k"));      // 2 layers of 256 bytes a token
        const auto write = [budget](const char *text) {
            budget->setFocus();
            budget->selectAll();
            QTest::keyClicks(budget, QString::fromUtf8(text));
            QTest::keyClick(budget, Qt::Key_Return);
        };
        write("1000 KiB at 1k");
        QCOMPARE(m_session->choice().keep(), 3);                          // of 256 KiB each
        QCOMPARE(budget->text(), QStringLiteral("768.0 KiB at 1k"));
        QTest::keyClick(budget, Qt::Key_Return);                          // what one only looks at changes nothing
        QCOMPARE(m_session->choice().keep(), 3);
        m_window->findChild<QSlider *>()->setValue(4);
        QCOMPARE(budget->text(), QStringLiteral("1.0 MiB at 1k"));
        write("300 KiB");                                                 // at the context of before
        QCOMPARE(m_session->choice().keep(), 1);
        write("much");
        QCOMPARE(m_session->choice().keep(), 1);
        QCOMPARE(budget->text(), QStringLiteral("256.0 KiB at 1k"));
        const auto said = [this] {
            for (const QLabel *one : m_window->findChildren<QLabel *>())
                if (one->accessibleName() == QStringLiteral("Problem with the budget") && one->isVisible())
                    return one->text();
            return QString();
        };
        QVERIFY(said().contains(QStringLiteral("is no number of bytes")));
        write("0");
        QCOMPARE(m_session->choice().keep(), 0);
        QVERIFY(said().isEmpty());
    }

    void draggingKRepaintsWithinAFrame()
    {
        scoreAll();
        auto *slider = m_window->findChild<QSlider *>();
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 60; ++i)
            slider->setValue(i % (numLayers + 1));
        // Not a benchmark: a guard against work that does not belong into a drag (0.5 s for each would be 30).
        QVERIFY2(timer.elapsed() < 15000, qPrintable(QString::number(timer.elapsed())));
    }

    void distillingCanBeCancelledAndSaysSo()
    {
        scoreAll();
        button(QStringLiteral("Distil this hybrid"))->click();
        QTRY_VERIFY(!m_session->curve(QStringLiteral("distill/kl")).isEmpty());
        QTRY_VERIFY(m_window->findChild<QProgressBar *>()->isVisible());
        button(QStringLiteral("Cancel"))->click();
        QTRY_VERIFY(!m_session->job().isRunning());
        QTRY_VERIFY(shownText(QStringLiteral("Job")).contains(QStringLiteral("cancelled")));
        QTRY_VERIFY(!m_session->resumableRun().isEmpty());   // once the recorder has taken the end in
        QTRY_VERIFY(find(QStringLiteral("Resume")));
    }

    void theNameOfTheScoresIsReadWhole()
    {
        scoreAll();
        m_window->resize(1280, 800);
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        auto *scores = m_window->findChild<QComboBox *>(QStringLiteral("scoresShown"));
        QTRY_VERIFY(scores->isVisible() && scores->count() > 0);
        const int name = scores->fontMetrics().horizontalAdvance(scores->currentText());
        QTRY_VERIFY2(scores->width() >= scores->sizeHint().width() && scores->width() > name, qPrintable(QStringLiteral("%1 of %2").arg(scores->width()).arg(scores->sizeHint().width())));
        QVERIFY(scores->toolTip().contains(scores->currentText()));
        scores->showPopup();
        QVERIFY(scores->view()->minimumWidth() > name);      // the list too
        scores->hidePopup();
    }

    void aCancelledScoringGivesWayToTheFinishedOne()
    {
        scoreAll();
        QCOMPARE(m_session->choice().ranking()->front(), 4);
        auto *scores = m_window->findChild<QComboBox *>(QStringLiteral("scoresShown"));
        QVERIFY(scores);
        cancelAScoring();
        QCOMPARE(m_session->choice().ranking()->front(), 4);
        QTRY_COMPARE(scores->count(), 2);
        QCOMPARE(scores->currentIndex(), 0);
        QVERIFY2(scores->itemText(1).contains(QStringLiteral("stopped at")), qPrintable(scores->itemText(1)));
        QVERIFY(!scores->itemText(0).contains(QStringLiteral("stopped")));
        QTRY_VERIFY(!m_session->resumableRun().isEmpty());      // the store knows it now, and changes nothing
        QCOMPARE(m_session->choice().ranking()->front(), 4);
        QCOMPARE(scores->count(), 2);
        // It can be looked at, but is no choice of layers to be compared.
        const QString cancelled = m_session->scores().sources().back().run;
        for (const widgets::ChoiceBook::Entry &entry : m_session->choices().entries())
            QVERIFY(QString::fromStdString(entry.choice.run) != cancelled);
        scores->setCurrentIndex(1);
        Q_EMIT scores->activated(1);
        QCOMPARE(m_session->choice().ranking()->front(), 1);
        // Into the trash and back.
        setTrashed(cancelled, true);
        QTRY_COMPARE(scores->count(), 1);
        QCOMPARE(m_session->choice().ranking()->front(), 4);
        setTrashed(cancelled, false);
        QTRY_COMPARE(scores->count(), 2);
        QCOMPARE(m_session->choice().ranking()->front(), 4);
        // The same at the next start.
        m_window.reset();
        m_session.reset();
        open();
        QTRY_COMPARE(m_session->scores().sources().size(), std::size_t{2});
        QCOMPARE(m_session->choice().ranking()->front(), 4);
    }

    void aScoringInTheTrashIsShownNoMore()
    {
        scoreAll();
        const QString run = m_session->scores().source()->run;
        QTRY_VERIFY(isStored(run));
        setTrashed(run, true);
        QTRY_VERIFY(!m_session->scores().source());
        QVERIFY(!m_session->choice().isKnown());
        setTrashed(run, false);
        QTRY_VERIFY(m_session->choice().isKnown());
    }

    void aCancelledDistillationGivesWayToTheFinishedOne()
    {
        scoreAll();
        m_session->choice().setKeep(1);
        button(QStringLiteral("Distil this hybrid"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_session->measured({4}) && !m_session->job().isRunning(), 30000);
        QVERIFY(shownText(QStringLiteral("Measured")).contains(QStringLiteral("0.0500")));
        button(QStringLiteral("Distil this hybrid"))->click();
        QTRY_VERIFY(!m_session->curve(QStringLiteral("distill/kl")).isEmpty() && m_session->jobKind() == QStringLiteral("distill"));
        QVERIFY(m_session->curve(QStringLiteral("distill/kl")).size() < 2000);
        QVERIFY2(!shownText(QStringLiteral("Measured")).contains(QStringLiteral("0.0500")), "the number of one run stands above the curve of another");
        QVERIFY(shownText(QStringLiteral("Measured")).contains(QStringLiteral("being distilled")));
        m_session->cancel();
        QTRY_VERIFY(!m_session->job().isRunning());
        QTRY_COMPARE(m_session->curve(QStringLiteral("distill/kl")).size(), 2000);
        QVERIFY(shownText(QStringLiteral("Measured")).contains(QStringLiteral("0.0500")));
    }

    void aRunWhoseStageWasMadeMeanwhileIsNotOfferedAgain()
    {
        m_madeUp->key = std::string(64, 'a');
        scoreAll();
        button(QStringLiteral("Distil this hybrid"))->click();
        QTRY_VERIFY(!m_session->curve(QStringLiteral("distill/kl")).isEmpty());
        m_session->cancel();
        QTRY_VERIFY(!m_session->resumableRun().isEmpty());
        const store::StageCache cache(m_session->workspace());
        cache.commitStage(cache.beginStage(m_madeUp->key), {{"kind", "distill"}});
        Q_EMIT m_session->stored();      // somebody has written to the workspace
        QTRY_VERIFY(m_session->resumableRun().isEmpty());
    }

    void theCurveFollowsTheChosenHybrid()
    {
        scoreAll();
        m_session->choice().setKeep(1);
        button(QStringLiteral("Distil this hybrid"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(!m_session->job().isRunning(), 30000);
        const auto live = m_session->curve(QStringLiteral("distill/kl"));
        QCOMPARE(live.size(), 2000);
        QCOMPARE(m_session->curveLayers(), (experiment::LayerSet{4}));
        m_session->choice().setKeep(2);
        QVERIFY(m_session->curve(QStringLiteral("distill/kl")).isEmpty());
        // Back again: from the store, which takes the last lines in a moment later.
        QTRY_VERIFY((m_session->choice().setKeep(2), m_session->choice().setKeep(1), m_session->curve(QStringLiteral("distill/kl")).size() == live.size()));
        QCOMPARE(m_session->curve(QStringLiteral("distill/kl")).last().value, live.last().value);
    }

    void aCurveGoesOnWhereItWasCancelled()
    {
        scoreAll();
        m_session->choice().setKeep(1);
        button(QStringLiteral("Distil this hybrid"))->click();
        const QString series = QStringLiteral("distill/kl");
        QTRY_VERIFY(m_session->curve(series).size() > 20);
        m_session->cancel();
        QTRY_VERIFY(!m_session->job().isRunning());
        QTRY_VERIFY(!m_session->resumableRun().isEmpty());
        const double first = m_session->curve(series).first().tokens, last = m_session->curve(series).last().tokens;
        m_madeUp->stepsDone = static_cast<std::int64_t>(last / 100.0) - 5;      // what came after the checkpoint is done again
        m_session->resume(m_session->resumableRun());
        QTRY_VERIFY(m_session->job().isRunning());
        QTRY_VERIFY(!m_session->curve(series).isEmpty() && m_session->curve(series).last().tokens > last);
        QTRY_COMPARE(m_session->curve(series).first().tokens, first);
        const auto points = m_session->curve(series);
        for (int i = 1; i < points.size(); ++i)
            QVERIFY(points[i - 1].tokens < points[i].tokens);
        m_session->cancel();
        QTRY_VERIFY(!m_session->job().isRunning());
    }

    void theInspectorShowsItsRowsWhileScoresStreamIn()
    {
        scoreAll();
        m_session->selection().select(4);
        QTRY_VERIFY(shownValue(QStringLiteral("KL gain")));
        for (int i = 0; i < 3; ++i) {   // no event loop in between: what is made anew cannot be visible yet
            Q_EMIT m_session->scores().changed();
            QVERIFY(shownValue(QStringLiteral("KL gain")));
        }
    }

    void theInspectorCutsNoText()
    {
        scoreAll();
        m_session->choice().setKeep(1);
        for (int layer = 0; layer < numLayers; ++layer) {
            m_session->selection().select(layer);
            QTRY_VERIFY(shownValue(QStringLiteral("Settled")));
            QTRY_COMPARE(cutText(), QString());      // the layout takes in what came late: ranks of draws, choices
        }
    }

    void aMeasuredHybridIsShownAndThereAfterARestart()
    {
        scoreAll();
        m_session->choice().setKeep(1);
        button(QStringLiteral("Distil this hybrid"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(!m_session->job().isRunning(), 30000);
        QVERIFY(m_session->measured({4}));
        QCOMPARE(*m_session->measured({4})->recall, 0.999);
        m_window.reset();
        m_session.reset();
        open();
        QTRY_VERIFY(m_session->measured({4}));
        QCOMPARE(m_session->scores().bars().size(), std::size_t{numLayers});
    }

    void whatCannotBeOpenedIsSaidInThePage()
    {
        m_madeUp->failNext = true;
        m_session->openTeacher(QStringLiteral("/nowhere"));
        QTRY_VERIFY(!m_session->opening().isUnderWay());
        bool said = false;
        for (const QLabel *label : m_window->findChildren<QLabel *>())
            said = said || (label->isVisible() && label->text() == QStringLiteral("there is no model there"));
        QVERIFY(said);
        QCOMPARE(m_session->teacher().numLayers, numLayers);   // the teacher that was open stays
    }

    void closingWhileAJobRunsJoinsIt()
    {
        scoreAll();
        button(QStringLiteral("Distil this hybrid"))->click();
        QTRY_VERIFY(m_session->job().isRunning());
        m_window.reset();
        m_session.reset();     // stops and joins; the test would hang or crash otherwise
    }

    void theTabKeyGoesAsOneReads()
    {
        scoreAll();
        m_session->choice().toggle(0);      // shows the way back too
        for (const Qt::Key page : {Qt::Key_2, Qt::Key_3}) {
            QTest::keyClick(m_window.get(), page, Qt::ControlModifier);
            QTest::qWait(50);
            QWidget *content = nullptr;
            for (QWidget *widget : m_window->findChildren<QWidget *>())
                if (widget->isVisible() && (widget->inherits("stillroom::widgets::LayersPage") || widget->inherits("stillroom::widgets::OverlapPage")))
                    content = widget;
            QVERIFY(content);
            QStringList met;
            QPoint last(0, -1);
            // Rows of controls are one line; a plot beside another is read from left to right.
            for (QWidget *widget = content->nextInFocusChain(); widget != content; widget = widget->nextInFocusChain()) {
                if (!widget->isVisible() || widget->focusProxy() || !content->isAncestorOf(widget) || (widget->focusPolicy() & Qt::TabFocus) == 0)
                    continue;
                const QPoint at = widget->mapTo(content, QPoint(widget->width() / 2, 0));
                met << widget->accessibleName() + widget->property("text").toString();
                const bool nextLine = at.y() > last.y() + 20, sameLine = std::abs(at.y() - last.y()) <= 20 && at.x() > last.x(), nextColumn = at.x() > last.x() + 200;
                QVERIFY2(nextLine || sameLine || nextColumn, qPrintable(met.join(QStringLiteral(" > "))));
                last = at;
            }
            QVERIFY2(met.size() >= 9, qPrintable(met.join(QStringLiteral(" > "))));
        }
    }

    void noTwoControlsOfAPageShareALetter()
    {
        scoreAll();
        for (const Qt::Key page : {Qt::Key_1, Qt::Key_2, Qt::Key_3}) {
            QTest::keyClick(m_window.get(), page, Qt::ControlModifier);
            QTest::qWait(20);
            QMap<QChar, QString> letters;
            QStringList texts;
            for (const QAction *menu : m_window->menuBar()->actions())
                texts << menu->text();
            for (const QWidget *widget : m_window->findChildren<QWidget *>())
                if (widget->isVisible() && (qobject_cast<const QAbstractButton *>(widget) || (qobject_cast<const QLabel *>(widget) && qobject_cast<const QLabel *>(widget)->buddy())))
                    texts << widget->property("text").toString();
            for (const QString &text : texts) {
                const auto at = text.indexOf(QLatin1Char('&'));
                if (at < 0 || at + 1 >= text.size())
                    continue;
                const QChar letter = text[at + 1].toLower();
                QVERIFY2(!letters.contains(letter), qPrintable(letters.value(letter) + QStringLiteral(" / ") + text));
                letters[letter] = text;
            }
        }
    }

    void everythingHasAnAccessibleNameOrText()
    {
        for (const Qt::Key page : {Qt::Key_1, Qt::Key_2, Qt::Key_3}) {
            QTest::keyClick(m_window.get(), page, Qt::ControlModifier);
            for (const QWidget *widget : m_window->findChildren<QWidget *>()) {
                if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || QString::fromLatin1(widget->metaObject()->className()).startsWith(QLatin1String("QDockWidget")))
                    continue;
                const QString name = widget->accessibleName() + widget->property("text").toString() + widget->property("title").toString() + widget->windowTitle();
                const bool inner = qobject_cast<const QLabel *>(widget) || widget->objectName().startsWith(QLatin1String("qt_"));
                QVERIFY2(!name.isEmpty() || inner, widget->metaObject()->className());
            }
        }
    }

    void theLayersPageWorksFromTheKeyboard()
    {
        scoreAll();
        QWidget *strip = nullptr;
        for (QWidget *widget : m_window->findChildren<QWidget *>())
            if (widget->accessibleName() == QStringLiteral("Hybrid strip"))
                strip = widget;
        QVERIFY(strip);
        QTest::keyClick(strip, Qt::Key_Home);
        QCOMPARE(m_session->selection().layer(), 0);
        QTest::keyClick(strip, Qt::Key_Right);
        QCOMPARE(m_session->selection().layer(), 1);
        QTest::keyClick(strip, Qt::Key_End);
        QTest::keyClick(strip, Qt::Key_Space);      // the last that the ranking would keep
        QVERIFY(m_session->choice().isCustom());
        QVERIFY(m_session->choice().isKept(numLayers - 1));
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QCOMPARE(m_session->selection().layer(), -1);
    }

private:
    void open()
    {
        m_session = std::make_unique<widgets::Session>(m_folder->path().toStdString(), [madeUp = m_madeUp](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->show();
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->teacher().isValid());
        QTRY_VERIFY(!m_session->job().isRunning());
    }
    void scoreAll()
    {
        button(QStringLiteral("Score layers…"))->click();
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        QTRY_VERIFY(!m_session->job().isRunning());
    }
    void cancelAScoring()
    {
        m_madeUp->scoresForever = true;
        button(QStringLiteral("Score again…"))->click();
        QTRY_COMPARE(m_session->choice().ranking()->front(), 1);      // live
        m_session->cancel();
        QTRY_VERIFY(!m_session->job().isRunning());
        m_madeUp->scoresForever = false;
    }
    bool isStored(const QString &run)
    {
        const store::Workspace workspace(m_session->workspace());
        const auto stored = workspace.run(run.toStdString());
        return stored && stored->status == store::RunStatus::Finished;
    }
    void setTrashed(const QString &run, bool trashed)
    {
        m_session->withStore("trash", [this, run, trashed](store::Workspace &workspace) -> widgets::Background::Answer {
            workspace.setTrashed(run.toStdString(), trashed);
            return [this] { Q_EMIT m_session->stored(); };
        });
    }
    QString shownText(const QString &name)
    {
        for (const QLabel *label : m_window->findChildren<QLabel *>())
            if (label->accessibleName() == name && label->isVisible())
                return label->text();
        return {};
    }
    bool shownValue(const QString &name)
    {
        for (const QLabel *label : m_window->findChildren<QLabel *>())
            if (label->accessibleName() == name && label->isVisible() && !label->text().isEmpty())
                return true;
        return false;
    }
    /// The first text of the inspector that is not to be seen whole; empty when there is none.
    QString cutText()
    {
        const QWidget *inspector = m_window->findChild<widgets::Inspector *>();
        for (const QLabel *label : inspector->findChildren<QLabel *>()) {
            if (!label->isVisible() || label->text().isEmpty())
                continue;
            // Painted as a document breaks it, at other signs than spaces too.
            QTextDocument document;
            document.setDefaultFont(label->font());
            document.setDocumentMargin(0);
            document.setPlainText(label->text());
            document.setTextWidth(label->width());
            if (label->height() < label->heightForWidth(label->width()) || label->height() < static_cast<int>(document.size().height()) || label->width() < static_cast<int>(document.idealWidth()))
                return label->text();
        }
        return {};
    }
    QPushButton *find(const QString &text)     ///< null unless it is to be seen
    {
        for (QPushButton *one : m_window->findChildren<QPushButton *>())
            if (QString(one->text()).remove(QLatin1Char('&')) == text && one->isVisible())
                return one;
        return nullptr;
    }
    QPushButton *button(const QString &text)
    {
        QPushButton *found = find(text);
        if (!found)
            qFatal("no button %s", qPrintable(text));
        return found;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<MadeUp> m_madeUp;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(WindowTest)
#include "window.moc"
