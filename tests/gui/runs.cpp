// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "madeup.h"
#include "mainwindow.h"
#include "store/lines.h"
#include "storedscorings.h"
#include "views/inspector.h"
#include "windowcommands.h"

#include "experiment/shownnames.h"
#include "models/experimenttable.h"
#include "models/savedfilters.h"
#include "models/session.h"
#include "paperfigures.h"
#include "pages/comparepage.h"
#include "pages/continuations.h"
#include "pages/runspage.h"
#include "plots/figurewriter.h"
#include "plots/runbarsplot.h"
#include "plots/runcurvesplot.h"
#include "report/runlooks.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <thread>

using namespace stillroom;
using test::MadeUp;

namespace {

nlohmann::json distillSpec(int seed, const std::vector<int> &keep, const std::string &name)
{
    return {{"kind", "distill"}, {"name", name}, {"teacher", "demo"}, {"mixer", {{"kind", "gdn"}}}, {"keep", keep}, {"seed", seed}};
}

/// Of a distillation's lines.
struct Course {
    int steps = 5, pauseBefore = -1;      ///< half a second each; a pause of a night
    bool resumed = false;
};

}  // namespace

/// The table of experiments, through the real window.
class RunsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("runs"));
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints\\(\\)|raise\\(\\)|grabbing the keyboard)).*")));
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_distilled.clear();
        m_onDisk.clear();
        m_holdWriting = false;
    }
    void cleanup()
    {
        m_window.reset();
        m_session.reset();
    }

    void anEmptyWorkspaceSaysTheNextStep()
    {
        open(0);
        QVERIFY(!view()->isVisible());
        QVERIFY(hasLabel(QStringLiteral("No runs yet")));
    }

    void everyExperimentIsARowWithItsMeasures()
    {
        open(4);
        QCOMPARE(table().rowCount(), 4);
        QCOMPARE(cell(0, "name"), QStringLiteral("other set"));      // newest first
        QCOMPARE(cell(0, "k"), QStringLiteral("2"));
        QCOMPARE(cell(0, "probe"), QStringLiteral("GDN"));
        QCOMPARE(cell(0, "measure/kl_nats"), QStringLiteral("0.3000"));
        QCOMPARE(cell(3, "measure/kl_nats"), QStringLiteral("0.1000"));
        const QAbstractItemModelTester tester(&table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    }

    void sortingPutsWhatIsNotKnownLast()
    {
        open(4);
        writeUnmeasured();
        QTRY_COMPARE(table().rowCount(), 5);
        const int kl = column("measure/kl_nats");
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            view()->sortByColumn(kl, order);
            QCOMPARE(cell(4, "measure/kl_nats"), QString());
        }
        QCOMPARE(cell(0, "measure/kl_nats"), QStringLiteral("0.3000"));
    }

    void theSearchTakesWordsFieldsAndNumbers()
    {
        open(4);
        QTest::keyClicks(words(), QStringLiteral("kl<0.25 -name:other"));
        QCOMPARE(table().rowCount(), 2);
        words()->setText(QStringLiteral("kll<2"));
        QVERIFY(hasLabel(QStringLiteral("did you mean \"kl\"")));
        words()->setText(QStringLiteral("nothing"));
        QVERIFY(!view()->isVisible());
        words()->clear();
        QCOMPARE(table().rowCount(), 4);
        QVERIFY(view()->isVisible());
    }

    void repetitionsBecomeOneLineWithTheirInterval()
    {
        open(4);
        page()->findChild<QCheckBox *>()->setChecked(true);
        QCOMPARE(table().rowCount(), 2);
        const int row = cell(0, "name").contains(QStringLiteral("3 seeds")) ? 0 : 1;
        const auto &interval = table().group(row).measures.at("kl_nats");
        QCOMPARE(interval.n, 3);
        QVERIFY(std::abs(interval.mean - 0.2) < 1e-12);
        QVERIFY(std::abs(interval.high - interval.mean - 4.302652729911275 * 0.1 / std::sqrt(3.0)) < 1e-9);      // t(2), s = 0.1
        QVERIFY(cell(row, "measure/kl_nats").startsWith(QStringLiteral("0.2000 ± 0.2484 (3)")));
    }

    void aGroupSaysTheSpreadThatIsAskedFor()
    {
        open(4);
        auto *spread = page()->findChild<QComboBox *>();
        QVERIFY(!spread->isVisible());
        page()->findChild<QCheckBox *>()->setChecked(true);
        QVERIFY(spread->isVisible());
        const int row = cell(0, "name").contains(QStringLiteral("3 seeds")) ? 0 : 1;
        QCOMPARE(cell(1 - row, "measure/kl_nats"), QStringLiteral("0.3000 (1)"));      // n is said of one, too
        spread->setCurrentIndex(1);
        QCOMPARE(cell(row, "measure/kl_nats"), QStringLiteral("0.2000 ± 0.0577 (3)"));
        spread->setCurrentIndex(2);
        QCOMPARE(cell(row, "measure/kl_nats"), QStringLiteral("0.2000 ± 0.1000 (3)"));
        QVERIFY(table().headerData(column("measure/kl_nats"), Qt::Horizontal, Qt::ToolTipRole).toString().contains(QStringLiteral("standard deviation")));
        spread->setCurrentIndex(3);
        QCOMPARE(cell(row, "measure/kl_nats"), QStringLiteral("0.2000 [0.1000 … 0.3000] (3)"));
        m_window->close();
        m_window.reset();
        m_session.reset();
        openWindow();
        QTRY_COMPARE(table().rowCount(), 2);
        QCOMPARE(page()->findChild<QComboBox *>()->currentIndex(), 3);
    }

    void theArrowOfTheOrderIsRightAtTheFirstView()
    {
        open(4);      // whose measures came after the header
        QCOMPARE(view()->horizontalHeader()->sortIndicatorSection(), column("started"));
        QCOMPARE(view()->horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
    }

    void teachersAndMeasuresAreSaidInWords()
    {
        open(4);
        nlohmann::json spec = distillSpec(9, {1, 2}, "elsewhere");
        spec["teacher"] = "/models/Alpha-135M/";
        write(9, spec, 0.5);
        readAgain();
        QTRY_COMPARE(table().rowCount(), 5);
        QCOMPARE(cell(0, "teacher"), QStringLiteral("Alpha-135M"));
        QVERIFY(!view()->isColumnHidden(column("teacher")));
        QCOMPARE(table().index(0, column("teacher")).data(Qt::ToolTipRole).toString(), QStringLiteral("/models/Alpha-135M/"));
        words()->setText(QStringLiteral("teacher=alpha-135m"));
        QCOMPARE(table().rowCount(), 1);
        words()->setText(QStringLiteral("teacher=demo"));
        QCOMPARE(table().rowCount(), 4);
        words()->clear();
        view()->sortByColumn(column("teacher"), Qt::AscendingOrder);
        QCOMPARE(cell(0, "name"), QStringLiteral("elsewhere"));
        QCOMPARE(widgets::measureName(QStringLiteral("perplexity_tokens")), QStringLiteral("perplexity, tokens"));
        for (const auto &one : table().columns())
            QVERIFY2(!one.title.contains(QLatin1Char('_')), qPrintable(one.title));
        for (const char *name : {"kl_nats", "se_nats", "n", "all_linear_kl_nats", "perplexity", "nats_per_token", "perplexity_tokens", "recall", "recall_se", "recall_n", "recall_token_accuracy", "filler_accuracy", "hidden_cosine", "hidden_cosine_se", "kl_tokens", "another_one"})
            QCOMPARE(widgets::measureName(QLatin1String(name)).toStdString(), experiment::measureWords(name));      // as on the command line
    }

    void searchesAreKeptUnderNames()
    {
        open(4);
        const auto choose = [this](const QString &text) {
            for (QAction *action : page()->actions())
                if (QString(action->text()).remove(QLatin1Char('&')) == text && action->isEnabled())
                    return action->trigger(), true;
            return false;
        };
        words()->setFocus();
        words()->setText(QStringLiteral("kl<0.25"));
        answerNextDialog(QStringLiteral("good ones"));
        QTest::keyClick(words(), Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        words()->clear();
        QCOMPARE(table().rowCount(), 4);
        const std::vector<widgets::Command> commands = pageCommands(*page(), QStringLiteral("Runs"), {});
        QVERIFY(std::any_of(commands.begin(), commands.end(), [](const widgets::Command &one) { return one.text == QStringLiteral("Filter: good ones"); }));
        QVERIFY(choose(QStringLiteral("Filter: good ones")));
        QCOMPARE(words()->text(), QStringLiteral("kl<0.25"));
        QCOMPARE(table().rowCount(), 2);
        words()->setText(QStringLiteral("kl<0.15"));
        answerNextDialog(QStringLiteral("good ones"));      // overwritten
        QVERIFY(choose(QStringLiteral("Save this search as a filter…")));
        words()->clear();
        QVERIFY(choose(QStringLiteral("Filter: good ones")));
        QCOMPARE(table().rowCount(), 1);
        page()->edits().undo();
        QVERIFY(choose(QStringLiteral("Filter: good ones")));
        QCOMPARE(table().rowCount(), 2);
        m_window->close();
        m_window.reset();      // kept over a restart
        m_session.reset();
        openWindow();
        QTRY_COMPARE(table().rowCount(), 2);
        widgets::SavedFilters &filters = *page()->findChild<widgets::SavedFilters *>();
        filters.rename(QStringLiteral("good ones"), QStringLiteral("best"));
        QVERIFY(!choose(QStringLiteral("Filter: good ones")));
        QVERIFY(choose(QStringLiteral("Filter: best")));
        filters.remove(QStringLiteral("best"));
        QVERIFY(!choose(QStringLiteral("Filter: best")));
        page()->edits().undo();
        page()->edits().undo();
        QVERIFY(choose(QStringLiteral("Filter: good ones")));
    }

    void layoutsAreKeptUnderNames()
    {
        open(4);
        const auto menuAction = [this](const QString &text) -> QAction * {
            for (QAction *action : m_window->findChildren<QAction *>())
                if (QString(action->text()).remove(QLatin1Char('&')) == text && action->isEnabled())
                    return action;
            return nullptr;
        };
        view()->horizontalHeader()->resizeSection(column("name"), 222);
        inspectorDock()->hide();
        answerNextDialog(QStringLiteral("narrow"));
        menuAction(QStringLiteral("Save the layout as…"))->trigger();
        view()->horizontalHeader()->resizeSection(column("name"), 333);
        inspectorDock()->show();
        menuAction(QStringLiteral("narrow"))->trigger();
        QCOMPARE(view()->columnWidth(column("name")), 222);
        QVERIFY(!inspectorDock()->isVisible());
        page()->edits().undo();
        QCOMPARE(view()->columnWidth(column("name")), 333);
        QVERIFY(inspectorDock()->isVisible());
        m_window.reset();
        m_session.reset();
        openWindow();
        QTRY_COMPARE(table().rowCount(), 4);
        menuAction(QStringLiteral("narrow"))->trigger();
        QCOMPARE(view()->columnWidth(column("name")), 222);
        answerNextDialog(QStringLiteral("narrow"));
        menuAction(QStringLiteral("Delete a layout…"))->trigger();
        QVERIFY(!menuAction(QStringLiteral("narrow")));
        page()->edits().undo();
        QVERIFY(menuAction(QStringLiteral("narrow")));
    }

    void editsAreUndoneAndKept()
    {
        open(4);
        view()->selectRow(0);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_P);
        QCOMPARE(cell(0, "pinned"), QStringLiteral("★"));
        answerNextDialog(QStringLiteral("paper"));
        QTest::keyClick(view(), Qt::Key_T);
        QCOMPARE(cell(0, "tags"), QStringLiteral("paper"));
        QTRY_COMPARE(stored(0).tags, std::vector<std::string>{"paper"});
        QVERIFY(stored(0).pinned);

        m_window->activateWindow();      // the dialog had the keyboard
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Delete);      // pinned: it stays
        QVERIFY(hasLabel(QStringLiteral("Pinned runs stay")));
        QCOMPARE(table().rowCount(), 4);
        page()->edits().undo();
        page()->edits().undo();
        QCOMPARE(cell(0, "tags"), QString());
        QTRY_VERIFY(!stored(0).pinned);
        QTest::keyClick(view(), Qt::Key_Delete);
        QTRY_COMPARE(table().rowCount(), 3);
        page()->edits().undo();
        QTRY_COMPARE(table().rowCount(), 4);

        QVERIFY(table().setData(table().index(0, column("name")), QStringLiteral("renamed")));
        QCOMPARE(cell(0, "name"), QStringLiteral("renamed"));
        QTRY_COMPARE(stored(0).name, std::string("renamed"));
    }

    void aLockedRunStaysUntilItIsUnlocked()
    {
        open(4);
        view()->selectRow(0);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_L);
        QTRY_VERIFY(stored(0).locked);
        const QModelIndex mark = table().index(0, column("locked"));
        QCOMPARE(mark.data(Qt::AccessibleTextRole).toString(), QStringLiteral("locked"));
        QVERIFY(!mark.data(Qt::DecorationRole).value<QIcon>().isNull());
        QCOMPARE(table().index(1, column("locked")).data(Qt::AccessibleTextRole).toString(), QStringLiteral("not locked"));
        QTest::keyClick(view(), Qt::Key_Delete);
        QVERIFY(hasLabel(QStringLiteral("Locked runs stay: unlock them (L)")));
        QCOMPARE(table().rowCount(), 4);
        QTest::keyClick(view(), Qt::Key_F2);
        QVERIFY(hasLabel(QStringLiteral("A locked run keeps its name")));
        QVERIFY(!table().setData(table().index(0, column("name")), QStringLiteral("renamed")));
        words()->setText(QStringLiteral("is:locked"));
        QCOMPARE(table().rowCount(), 1);
        words()->setText(QStringLiteral("-locked:"));
        QCOMPARE(table().rowCount(), 3);
        words()->clear();
        view()->sortByColumn(column("locked"), Qt::AscendingOrder);
        QVERIFY(table().group(0).first().locked);
        page()->edits().undo();
        QTRY_VERIFY(!stored(0).locked);
        view()->selectRow(0);
        QTest::keyClick(view(), Qt::Key_Delete);
        QTRY_COMPARE(table().rowCount(), 3);
    }

    void whatIsThrownAwayCanBeBroughtBack()
    {
        open(4);
        view()->selectRow(1);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Delete);
        QTRY_COMPARE(table().rowCount(), 3);
        auto *trash = page()->findChildren<QCheckBox *>().at(1);
        trash->setChecked(true);
        QTRY_COMPARE(table().rowCount(), 1);
        view()->selectRow(0);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Delete);
        QTRY_COMPARE(table().rowCount(), 0);
        trash->setChecked(false);
        QTRY_COMPARE(table().rowCount(), 4);
    }

    void whatOneLineStandsForIsSaidWhenItGoes()
    {
        open(4);
        page()->findChild<QCheckBox *>()->setChecked(true);      // repetitions together
        const int row = cell(0, "name").contains(QStringLiteral("3 seeds")) ? 0 : 1;
        view()->selectRow(row);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Delete);
        QTRY_COMPARE(table().rowCount(), 1);
        QVERIFY(hasLabel(QStringLiteral("3 experiments of same moved to the trash.")));
        QVERIFY(view()->currentIndex().isValid());               // the keyboard is on a row that one sees
        QVERIFY(!view()->selectionModel()->hasSelection());      // and a second Delete throws nothing else away
        auto *undo = button(QStringLiteral("Undo"));
        QVERIFY(undo);
        undo->setFocus();
        QTest::keyClick(undo, Qt::Key_Space);
        QTRY_COMPARE(table().rowCount(), 2);
        QTRY_COMPARE(view()->selectionModel()->selectedRows().size(), 1);
        QVERIFY(cell(view()->selectionModel()->selectedRows().front().row(), "name").contains(QStringLiteral("3 seeds")));
        QTRY_COMPARE(QApplication::focusWidget(), view());
        QVERIFY(!hasLabel(QStringLiteral("moved to the trash")));
    }

    void whatComesBackCallsNobodyAway()
    {
        open(4);
        view()->selectRow(1);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Delete);
        QTRY_COMPARE(table().rowCount(), 3);
        page()->edits().undo();
        words()->setFocus();
        QTRY_COMPARE(table().rowCount(), 4);
        QCOMPARE(view()->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(QApplication::focusWidget(), words());
        // One that the search leaves out has been forgotten when it is seen again.
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Delete);
        QTRY_COMPARE(table().rowCount(), 3);
        words()->setText(QStringLiteral("nothing is called so"));
        page()->edits().undo();
        QTRY_COMPARE(page()->experiments().size(), std::size_t{4});
        words()->setFocus();
        words()->clear();
        QCOMPARE(table().rowCount(), 4);
        QVERIFY(!view()->selectionModel()->hasSelection());
        QCOMPARE(QApplication::focusWidget(), words());
    }

    void theEndsOfTheTableTakeTheSelectionAlong()
    {
        open(4);
        view()->selectRow(1);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(view()->currentIndex().row(), 3);
        QCOMPARE(view()->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(view()->selectionModel()->selectedRows().front().row(), 3);
        QTest::keyClick(view(), Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(view()->selectionModel()->selectedRows().front().row(), 0);
    }

    void runsWithoutANameSayWhatTheyAre()
    {
        open(0);
        write(60, distillSpec(1, {2, 3, 4}, ""), 0.1);
        test::writeScoring(workspace(), 61, {test::klScore("ga-s2", 0, 0.5, 0.01, 100)}, 1, {{"mixer", {{"kind", "gdn"}}}});
        readAgain();
        QTRY_COMPARE(table().rowCount(), 2);
        const QStringList names{cell(0, "name"), cell(1, "name")};
        QVERIFY2(names.contains(QStringLiteral("GDN, keep 2 3 4")), qPrintable(names.join(QLatin1Char('|'))));
        QVERIFY2(names.contains(QStringLiteral("GA-S2 · GDN")), qPrintable(names.join(QLatin1Char('|'))));
        view()->selectRow(0);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_F2);
        auto *editor = view()->viewport()->findChild<QLineEdit *>();
        QVERIFY(editor);
        QCOMPARE(editor->text(), cell(0, "name"));
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(stored(0).name, std::string());      // nobody gave it one
    }

    void looksAtModelsAreNotCounted()
    {
        open(4);
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->teacher().isValid());
        QTRY_COMPARE(page()->experiments().size(), std::size_t{5});
        QCOMPARE(table().numExperiments(), 4);
        QVERIFY(hasLabel(QStringLiteral("4 experiments")));
        words()->setText(QStringLiteral("kind:inspect"));
        QCOMPARE(table().rowCount(), 1);
        // Another start leaves no further one behind.
        const std::string first = table().group(0).first().uuid;
        QTRY_COMPARE(table().group(0).first().status, store::RunStatus::Finished);
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(table().rowCount() == 1 && table().group(0).first().uuid != first);
        QCOMPARE(page()->experiments().size(), std::size_t{5});
    }

    void theTimeOfARunIsSeenWhole()
    {
        open(4);
        const int started = column("started");
        QVERIFY(view()->columnWidth(started) >= view()->fontMetrics().horizontalAdvance(cell(0, "started")) + 8);
    }

    void theInspectorFollowsTheRun()
    {
        open(4);
        view()->selectRow(0);
        QTRY_VERIFY(inspected(QStringLiteral("State")).contains(QStringLiteral("finished")));
        QCOMPARE(inspected(QStringLiteral("Softmax layers")), QStringLiteral("0, 1"));
        QCOMPARE(inspected(QStringLiteral("KL (nats/token)")), QStringLiteral("0.3000"));
        QTRY_COMPARE(inspected(QStringLiteral("Key")), QStringLiteral("k4"));
        auto *copy = inspector()->findChild<QPushButton *>();
        QVERIFY(copy->isVisible());
        copy->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("k4"));
        view()->selectRow(2);
        QTRY_COMPARE(inspected(QStringLiteral("Key")), QStringLiteral("k2"));
        QCOMPARE(inspected(QStringLiteral("Seed")), QStringLiteral("2"));
        for (const QLabel *label : inspector()->findChildren<QLabel *>())      // nothing is cut
            if (label->isVisible() && label->wordWrap())
                QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QVERIFY(inspected(QStringLiteral("Key")).isEmpty());
    }

    void enterShowsWhatARunFound()
    {
        open(4);
        test::writeScoring(workspace(), 61, scoresOf(1), 1, {{"mixer", {{"kind", "gdn"}}}});
        test::writeScoring(workspace(), 62, scoresOf(4), 2, {{"mixer", {{"kind", "gdn"}}}});
        readAgain();
        QTRY_COMPARE(table().rowCount(), 6);
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_COMPARE(m_session->scores().sources().size(), std::size_t{2});
        QCOMPARE(m_session->choice().ranking()->front(), 4);
        selectRun(61);
        QTest::keyClick(view(), Qt::Key_Return);
        QVERIFY(!page()->isVisible());
        QCOMPARE(m_session->choice().ranking()->front(), 1);
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        selectRun(4);      // the distillation of layers 0 and 1
        QTest::keyClick(view(), Qt::Key_Return);
        QVERIFY(!page()->isVisible());
        QCOMPARE(m_session->choice().layers(), (experiment::LayerSet{0, 1}));
    }

    void measuresStandBesideTheBaseline()
    {
        open(4);
        view()->selectRow(3);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_B);
        QVERIFY(table().isBaseline(3));
        QCOMPARE(cell(0, "measure/kl_nats"), QStringLiteral("0.3000  Δ +0.2000"));
        QVERIFY(table().index(0, column("measure/kl_nats")).data(Qt::ToolTipRole).toString().contains(QStringLiteral("worse")));
        QVERIFY(table().index(0, column("measure/recall")).data(Qt::ToolTipRole).toString().contains(QStringLiteral("worse")));
        QTest::keyClick(view(), Qt::Key_B);
        QVERIFY(!table().isBaseline(3));
    }

    void columnsAreRememberedAndTheSelectionOutlivesReading()
    {
        open(4);
        view()->setColumnHidden(column("kind"), true);
        view()->horizontalHeader()->resizeSection(column("name"), 333);
        view()->selectRow(2);
        const std::string chosen = table().group(2).first().uuid;
        writeUnmeasured();
        QTRY_COMPARE(table().rowCount(), 5);
        const auto rows = view()->selectionModel()->selectedRows();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(table().group(rows.front().row()).first().uuid, chosen);
        QCOMPARE(view()->columnWidth(column("name")), 333);
        m_window.reset();
        m_session.reset();
        openWindow();
        QTRY_COMPARE(table().rowCount(), 5);
        QCOMPARE(view()->columnWidth(column("name")), 333);
    }

    void selectedRowsAreCopiedAsText()
    {
        open(4);
        view()->selectRow(0);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines.at(0).contains(QStringLiteral("KL (nats/token)")));
        QVERIFY(lines.at(1).contains(QStringLiteral("other set")));
        const QMimeData *contents = QGuiApplication::clipboard()->mimeData();
        QCOMPARE(contents->data(QStringLiteral("text/tab-separated-values")), QGuiApplication::clipboard()->text().toUtf8());
        const QString markdown = QString::fromUtf8(contents->data(QStringLiteral("text/markdown"))), latex = QString::fromUtf8(contents->data(QStringLiteral("text/x-tex")));
        QVERIFY(markdown.startsWith(QStringLiteral("| ")));
        QVERIFY(markdown.contains(QStringLiteral("0.3000")));
        QVERIFY2(!markdown.contains(QStringLiteral("Notes")), qPrintable(markdown));      // what is hidden
        QVERIFY2(latex.contains(QStringLiteral("\\toprule")) && latex.contains(QStringLiteral("other set")), qPrintable(latex));
        for (QAction *action : view()->actions())
            if (action->text() == QStringLiteral("Copy as LaT&eX"))
                action->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), latex);
    }

    void theComparisonIsCopied()
    {
        open(4);
        view()->selectAll();
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_D);
        auto *compare = compared()->findChild<QTableView *>();
        QTRY_VERIFY(compare->isVisible() && compare->model()->rowCount() > 0);
        compare->setFocus();
        QTest::keyClick(compare, Qt::Key_C, Qt::ControlModifier);
        const QMimeData *contents = QGuiApplication::clipboard()->mimeData();
        QVERIFY(contents->text().startsWith(QStringLiteral("Measure or setting\t")));
        QVERIFY(contents->data(QStringLiteral("text/markdown")).contains("KL"));
        QVERIFY(contents->data(QStringLiteral("text/x-tex")).contains("\\bottomrule"));
    }

    void whatAGroupIsCopiedAsHasItsNumbers()
    {
        open(4);
        page()->findChild<QCheckBox *>()->setChecked(true);
        view()->selectAll();
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("KL (nats/token) ± 95 %")));
        page()->findChild<QComboBox *>()->setCurrentIndex(1);
        view()->selectAll();
        QTest::keyClick(view(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY2(QGuiApplication::clipboard()->text().contains(QStringLiteral("KL (nats/token), standard error")), qPrintable(QGuiApplication::clipboard()->text()));
        QVERIFY(!QGuiApplication::clipboard()->text().contains(QStringLiteral("95 %")));
    }

    void selectedRunsStandSideBySide()
    {
        open(4);
        QVERIFY(!compared()->isVisible());
        view()->selectRow(3);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_D);
        QVERIFY(hasLabel(QStringLiteral("Two to six")));
        view()->selectAll();
        QTest::keyClick(view(), Qt::Key_D);
        QTRY_VERIFY(compared()->isVisible());
        auto *sideBySide = compared()->findChild<QTableView *>();
        const QAbstractItemModelTester tester(sideBySide->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(sideBySide->model()->columnCount(), 4);
        QTRY_VERIFY(lineOf(*sideBySide, QStringLiteral("Seed")) >= 0);
        QCOMPARE(line(*sideBySide, QStringLiteral("Seed")), (QStringList{QStringLiteral("1"), QStringLiteral("3"), QStringLiteral("2"), QStringLiteral("1")}));
        QCOMPARE(line(*sideBySide, QStringLiteral("Softmax layers")).front(), QStringLiteral("0, 1"));
        QCOMPARE(lineOf(*sideBySide, QStringLiteral("Teacher")), -1);      // equal in all
        QVERIFY(labelIn(*compared(), QStringLiteral("beyond the errors of both")));
        for (const QComboBox *box : compared()->findChildren<QComboBox *>())
            QVERIFY(std::any_of(m_labels.begin(), m_labels.end(), [&](const QLabel *label) { return label->buddy() == box && label->isVisible() == box->isVisible(); }));
        const QStringList kl = line(*sideBySide, QStringLiteral("KL (nats/token)"));
        QCOMPARE(kl.at(0), QStringLiteral("0.3000 ± 0.0196"));
        QCOMPARE(kl.at(1), QStringLiteral("0.3000 ± 0.0196\nΔ +0.0000"));
        QCOMPARE(kl.at(2), QStringLiteral("0.2000 ± 0.0196\nΔ −0.1000 *"));

        sideBySide->setCurrentIndex(sideBySide->model()->index(0, 3));
        sideBySide->setFocus();
        QTest::keyClick(sideBySide, Qt::Key_B);
        QCOMPARE(line(*sideBySide, QStringLiteral("KL (nats/token)")).at(0), QStringLiteral("0.1000 ± 0.0196"));
        sideBySide->setCurrentIndex(sideBySide->model()->index(0, 1));
        QTest::keyClick(sideBySide, Qt::Key_Delete);
        QCOMPARE(sideBySide->model()->columnCount(), 3);
        compared()->findChild<QCheckBox *>()->setChecked(true);
        QVERIFY(lineOf(*sideBySide, QStringLiteral("Teacher")) >= 0);
    }

    void sixRunsShowTheirDifferencesUncut()
    {
        for (int i = 0; i < 6; ++i)
            write(i + 1, distillSpec(i + 1, {3, 4}, "same"), 0.1 * (i + 1), {}, {{"recall_se", 0.004}, {"perplexity", 3.0 + i}, {"perplexity_tokens", 4096}, {"n", 64}, {"recall_n", 400}, {"loss_nats", 0.5}});
        openWindow();
        m_window->resize(1400, 900);
        QTRY_COMPARE(table().rowCount(), 6);
        compareAll();
        auto *sideBySide = compared()->findChild<QTableView *>();
        QTRY_VERIFY(lineOf(*sideBySide, QStringLiteral("Seed")) >= 0);
        const QAbstractItemModel &model = *sideBySide->model();
        for (const QString &measure : {QStringLiteral("KL (nats/token)"), QStringLiteral("recall"), QStringLiteral("perplexity")}) {
            QVERIFY2(lineOf(*sideBySide, measure) >= 0, qPrintable(measure));
            for (int column = 0; column < 6; ++column) {
                const QModelIndex cell = model.index(lineOf(*sideBySide, measure), column);
                const QRect place = sideBySide->visualRect(cell);
                const QSize text = sideBySide->fontMetrics().size(0, cell.data().toString());
                QVERIFY2(place.width() >= text.width() + 4 && place.height() >= text.height(), qPrintable(cell.data().toString()));
                QCOMPARE(cell.data().toString().contains(QStringLiteral("Δ")), column > 0);
                QVERIFY(sideBySide->viewport()->rect().contains(QPoint(place.right(), 1)));      // nor scrolled away
            }
        }
        const QString perplexity = model.index(lineOf(*sideBySide, QStringLiteral("perplexity")), 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(perplexity.contains(QStringLiteral("over 4096 tokens")), qPrintable(perplexity));
        for (int row = 0; row < model.rowCount(); ++row)      // names in words, and no count that would be "better"
            QVERIFY2(!model.headerData(row, Qt::Vertical).toString().contains(QLatin1Char('_')), qPrintable(model.headerData(row, Qt::Vertical).toString()));
        QCOMPARE(lineOf(*sideBySide, QStringLiteral("perplexity, tokens")), -1);
        QCOMPARE(widgets::measureName(QStringLiteral("perplexity_tokens")), QStringLiteral("perplexity, tokens"));
        QCOMPARE(widgets::measureName(QStringLiteral("recall_se")), QStringLiteral("recall, standard error"));
        sideBySide->setFocus();
        QTest::keyClick(sideBySide, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("\t0.5000 ± 0.0200 Δ −0.1000 *\t")));
    }

    void layersThatScoresChoseAreComparedByWhatCameOut()
    {
        nlohmann::json chosen = distillSpec(1, {}, "by scores");
        chosen.erase("keep");
        chosen["keep_count"] = 2;
        chosen["scores"] = "stage:score";
        open(1);
        write(70, chosen, 0.2, {3, 5});
        readAgain();
        QTRY_COMPARE(table().rowCount(), 2);
        view()->selectAll();
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_D);
        QTRY_VERIFY(compared()->isVisible());
        auto *sideBySide = compared()->findChild<QTableView *>();
        QTRY_VERIFY(lineOf(*sideBySide, QStringLiteral("Scores that choose")) >= 0);
        QCOMPARE(line(*sideBySide, QStringLiteral("Softmax layers")), (QStringList{QStringLiteral("3, 5"), QStringLiteral("3, 4")}));
        QCOMPARE(line(*sideBySide, QStringLiteral("Scores that choose")), (QStringList{QStringLiteral("of the stage score"), QStringLiteral("–")}));
        QCOMPARE(lineOf(*sideBySide, QStringLiteral("keep_count")), -1);
    }

    void comparedCurvesSayWhatTheyCannotShow()
    {
        open(4);
        view()->selectAll();
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_D);
        auto *curves = compared()->findChild<widgets::RunCurvesPlot *>();
        auto *series = compared()->findChild<QComboBox *>(QStringLiteral("shownCurve"));
        QTRY_COMPARE(series->count(), 1);
        QCOMPARE(series->currentData().toString(), QStringLiteral("distill/kl"));
        QTRY_VERIFY(curves->accessibleDescription().contains(QStringLiteral("ends at")));
        curves->setFocus();
        QCOMPARE(curves->numDropped(), 0);
        QTest::keyClick(curves, Qt::Key_L);
        QCOMPARE(curves->numDropped(), 4);      // each begins at 0
        QTest::keyClick(curves, Qt::Key_BracketRight);
        QCOMPARE(curves->smoothing(), 0.6);
        QTest::keyClick(curves, Qt::Key_BracketLeft);
        QCOMPARE(curves->smoothing(), 0.0);
        QTest::keyClick(curves, Qt::Key_L);
        QCOMPARE(curves->numDropped(), 0);
    }

    void oneCrosshairReadsAllCurves()
    {
        open(4);
        compareAll();
        auto *curves = compared()->findChild<widgets::RunCurvesPlot *>(QStringLiteral("comparedCurves")), *beside = compared()->findChild<widgets::RunCurvesPlot *>(QStringLiteral("comparedCurvesBeside"));
        auto *readings = compared()->findChild<QTableView *>(QStringLiteral("readings"));
        auto *title = compared()->findChild<QLabel *>(QStringLiteral("readingsTitle"));
        QTRY_VERIFY(curves->accessibleDescription().contains(QStringLiteral("ends at")));
        const QAbstractItemModelTester tester(readings->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(!beside->isVisible());
        auto *choices = compared()->findChild<QComboBox *>(QStringLiteral("curveBeside"));
        choices->setCurrentIndex(1);      // the same curve beside it
        QTRY_VERIFY(beside->isVisible());
        QTRY_COMPARE(readings->model()->columnCount(), 3);
        QCOMPARE(title->text(), QStringLiteral("Last values"));

        curves->setFocus();
        QTest::keyClick(curves, Qt::Key_Right);
        QCOMPARE(title->text(), QStringLiteral("Values at 0 tokens"));
        QTest::keyClick(curves, Qt::Key_Right);
        QCOMPARE(title->text(), QStringLiteral("Values at 100 tokens"));
        QCOMPARE(readings->model()->index(0, 1).data().toString(), QStringLiteral("0.3"));
        QCOMPARE(readings->model()->index(2, 1).data().toString(), QStringLiteral("0.2"));
        QCOMPARE(readings->model()->index(2, 2).data().toString(), QStringLiteral("0.2"));
        for (const widgets::RunCurvesPlot *plot : {curves, beside})      // the same place in both
            QVERIFY2(plot->accessibleDescription().contains(QStringLiteral("at 100")), qPrintable(plot->accessibleDescription()));
        QTest::keyClick(beside, Qt::Key_End);
        QCOMPARE(title->text(), QStringLiteral("Values at 400 tokens"));
        QTest::keyClick(curves, Qt::Key_Left);
        QCOMPARE(title->text(), QStringLiteral("Values at 300 tokens"));
        QTest::keyClick(curves, Qt::Key_Escape);
        QCOMPARE(title->text(), QStringLiteral("Last values"));
        QVERIFY(curves->accessibleDescription().contains(QStringLiteral("ends at")));

        auto *canvas = curves->findChild<QWidget *>();
        const QPointF middle(canvas->rect().center());
        QMouseEvent move(QEvent::MouseMove, middle, canvas->mapToGlobal(middle), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(canvas, &move);
        QTRY_COMPARE(title->text(), QStringLiteral("Values at 200 tokens"));      // the nearest point
    }

    void whatAnotherCurveHasNotGotToIsSaid()
    {
        open(1);
        write(70, distillSpec(9, {3, 4}, "longer"), 0.2, {}, nlohmann::json::object(), {.steps = 9});
        readAgain();
        QTRY_COMPARE(table().rowCount(), 2);
        compareAll();
        auto *curves = compared()->findChild<widgets::RunCurvesPlot *>();
        auto *readings = compared()->findChild<QTableView *>(QStringLiteral("readings"));
        QTRY_VERIFY(curves->accessibleDescription().count(QStringLiteral("ends at")) == 2);
        QTest::keyClick(curves, Qt::Key_End);
        QCOMPARE(readings->model()->index(0, 1).data().toString(), QStringLiteral("0.025"));
        QCOMPARE(readings->model()->index(1, 1).data().toString(), QStringLiteral("–"));
        QCOMPARE(readings->model()->index(1, 1).data(Qt::ToolTipRole).toString(), QStringLiteral("ends at 400 tokens"));
    }

    void bothAxesCanBeLogarithmic()
    {
        open(4);
        compareAll();
        auto *curves = compared()->findChild<widgets::RunCurvesPlot *>();
        QTRY_VERIFY(curves->accessibleDescription().contains(QStringLiteral("ends at")));
        curves->setFocus();
        QTest::keyClick(curves, Qt::Key_L, Qt::ShiftModifier);
        QVERIFY(curves->isLogarithmicX());
        QVERIFY(compared()->findChild<widgets::RunCurvesPlot *>(QStringLiteral("comparedCurvesBeside"))->isLogarithmicX());
        QCOMPARE(curves->numBeforeAxis(), 4);      // each begins at 0 tokens
        QVERIFY(labelIn(*compared(), QStringLiteral("4 points not above 0 on the x axis")));
        QTest::keyClick(curves, Qt::Key_L);
        QCOMPARE(curves->numDropped(), 0);         // they are those whose value is 0
        const report::Figure figure = curves->figure();
        QVERIFY(figure.chart.x.logarithmic && figure.chart.y.logarithmic);
        QCOMPARE(figure.table.rows.size(), std::size_t{20});
        QCOMPARE(figure.table.note, std::string("Not on the axis: 4 of 20 values."));
        QTest::keyClick(curves, Qt::Key_L, Qt::ShiftModifier);
        QCOMPARE(curves->numBeforeAxis(), 0);
        QCOMPARE(curves->numDropped(), 4);
    }

    void pausesAreNoComputeTime()
    {
        open(1);
        write(71, distillSpec(9, {3, 4}, "stopped at night"), 0.2, {}, nlohmann::json::object(), {.steps = 9, .pauseBefore = 5, .resumed = true});
        readAgain();
        QTRY_COMPARE(table().rowCount(), 2);
        compareAll();
        auto *curves = compared()->findChild<widgets::RunCurvesPlot *>();
        QTRY_VERIFY(curves->accessibleDescription().count(QStringLiteral("ends at")) == 2);
        auto *against = compared()->findChild<QComboBox *>(QStringLiteral("against"));
        const auto last = [&] { return curves->figure().chart.x.high / 1.02; };
        against->setCurrentIndex(against->findText(QStringLiteral("time")));
        QTRY_VERIFY(last() > 40000.0);
        against->setCurrentIndex(against->findText(QStringLiteral("compute time")));
        QTRY_VERIFY(std::abs(last() - 4.0) < 1e-3);      // eight times half a second
        QCOMPARE(curves->spec().over, std::string("compute-time"));
        QCOMPARE(curves->figure().table.columns.at(1).unit, std::string("s"));
        const auto atTheEnd = [&] {
            QTest::keyClick(curves, Qt::Key_End);
            return compared()->findChild<QLabel *>(QStringLiteral("readingsTitle"))->text();
        };
        QTRY_COMPARE(atTheEnd(), QStringLiteral("Values at 4.0 s"));
    }

    void measuresStandAsBarsSideBySide()
    {
        for (int i = 0; i < 3; ++i)
            write(i + 1, distillSpec(i + 1, {3, 4}, "same"), 0.1 * (i + 1), {}, i == 1 ? nlohmann::json{{"perplexity", 3.5}, {"perplexity_tokens", 4096}} : nlohmann::json::object());
        openWindow();
        QTRY_COMPARE(table().rowCount(), 3);
        compareAll();
        auto *bars = compared()->findChild<widgets::RunBarsPlot *>();
        auto *measure = compared()->findChild<QComboBox *>(QStringLiteral("measure"));
        QVERIFY(!bars->isVisible());
        compared()->findChild<QTabWidget *>()->setCurrentIndex(1);
        QTRY_VERIFY(bars->isVisible());
        QStringList offered;
        for (int i = 0; i < measure->count(); ++i)
            offered << measure->itemData(i).toString();
        QCOMPARE(offered, (QStringList{QStringLiteral("kl_nats"), QStringLiteral("perplexity"), QStringLiteral("recall")}));
        QTRY_VERIFY(bars->hasFigure());
        const report::Figure kl = bars->figure();
        QCOMPARE(kl.table.rows.size(), std::size_t{3});
        QCOMPARE(kl.chart.y.title, std::string("KL (nats/token)"));
        QVERIFY(std::abs(*kl.table.rows[0][1].reach - 1.959963984540054 * 0.01) < 1e-12);
        std::set<std::string> colours;
        for (const report::Series &series : kl.chart.series)
            colours.insert(series.colour);
        QCOMPARE(colours.size(), std::size_t{3});
        QVERIFY2(bars->accessibleDescription().contains(QStringLiteral("0.2000 ± 0.0196, Δ −0.1000 to the baseline")), qPrintable(bars->accessibleDescription()));

        measure->setCurrentIndex(1);
        QTRY_VERIFY(bars->accessibleDescription().contains(QStringLiteral("not measured")));
        QCOMPARE(bars->figure().chart.series.size(), std::size_t{1});      // the other two have a place, and no bar
        QCOMPARE(bars->figure().table.rows[1][1].n, std::optional<std::int64_t>(4096));
        report::FigureSpec spec = bars->spec();
        spec.formats = {"pdf", "csv", "tikz"};
        const std::filesystem::path again = workspace() / "again";
        const auto written = widgets::writeFigure(*bars, spec, workspace(), "0.1");
        QVERIFY(written.size() >= 4);
        report::addFigure(workspace() / "figures.json", spec);
        makePaperFigures(workspace() / "figures.json", again, workspace(), [](const nlohmann::json &asked, jobs::RunContext &context) { return MadeUp()(asked, context); }, "0.1");
        for (const std::filesystem::path &file : written)
            QVERIFY2(contents(again / file.filename()) == contents(file), file.filename().c_str());
    }

    void aRunKeepsItsColourAtTheNextStart()
    {
        open(4);
        const auto colours = [this] {
            std::map<std::string, std::string> all;      // by name: it has the UUID's beginning, or is the only one
            auto *curves = compared()->findChild<widgets::RunCurvesPlot *>();
            const report::Figure figure = curves->figure();
            for (std::size_t i = 0; i < figure.chart.series.size(); ++i)
                all[curves->spec().runs.at(i)] = figure.chart.series[i].colour + std::to_string(static_cast<int>(figure.chart.series[i].dash));
            return all;
        };
        compareAll();
        QTRY_COMPARE(colours().size(), std::size_t{4});
        const auto then = colours();
        QCOMPARE(std::set<std::string>({then.at(runName(1)), then.at(runName(2)), then.at(runName(3)), then.at(runName(4))}).size(), std::size_t{4});
        m_window.reset();
        m_session.reset();
        openWindow();
        QTRY_COMPARE(table().rowCount(), 4);
        view()->sortByColumn(column("started"), Qt::AscendingOrder);      // they are taken in another order
        compareAll();
        QTRY_COMPARE(colours().size(), std::size_t{4});
        QCOMPARE(compared()->compared().front(), QString::fromStdString(runName(1)) + QLatin1Char('/'));
        QCOMPARE(colours(), then);

        // Beside others it stays as long as none of them wants its colour.
        const std::vector<int> alone = report::runLooks({runName(4)});
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        for (const int other : {1, 2, 3}) {
            const std::vector<int> both = report::runLooks({runName(other), runName(4)});
            QVERIFY(both[0] % report::numRunColours != both[1] % report::numRunColours);
            QVERIFY(both[1] == alone[0] || report::runLooks({runName(other)})[0] % report::numRunColours == alone[0] % report::numRunColours);
        }
    }

    void distilledHybridsWriteSideBySide()
    {
        m_distilled = {1, 2, 3};
        m_onDisk = {1, 2};
        open(4);
        compareAll();
        auto *panel = compared()->findChild<widgets::Continuations *>();
        compared()->findChild<QTabWidget *>()->setCurrentWidget(panel);
        auto *texts = panel->findChild<QSplitter *>();
        const auto text = [&](int place) { return texts->widget(place)->findChild<QPlainTextEdit *>(); };      // the newest first
        QTRY_VERIFY(texts->count() == 4 && text(0)->placeholderText().contains(QStringLiteral("left no hybrid")));
        QVERIFY(text(1)->placeholderText().contains(QStringLiteral("not on this disk")));
        QVERIFY(text(2)->placeholderText().contains(QStringLiteral("Ctrl+Enter")));
        for (int place = 0; place < 4; ++place)
            QVERIFY2(text(place)->isVisible() && text(place)->width() > 100, qPrintable(QString::number(place)));
        auto *prompt = panel->findChild<QPlainTextEdit *>(QStringLiteral("prompt"));
        QVERIFY(prompt->toPlainText().isEmpty());
        prompt->setFocus();
        prompt->setPlainText(QStringLiteral("Once"));
        const nlohmann::json spec = panel->spec();
        QCOMPARE(spec["stages"].size(), std::size_t{2});
        QCOMPARE(spec["stages"][0]["spec"]["model"].get<std::string>(), std::string("k2"));
        QCOMPARE(spec["stages"][1]["spec"]["temperature"].get<double>(), 0.0);
        QTest::keyClick(prompt, Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(text(2)->toPlainText(), QStringLiteral("k2 goes on"));
        QTRY_COMPARE(text(3)->toPlainText(), QStringLiteral("k1 goes on"));
        QVERIFY(text(0)->toPlainText().isEmpty() && text(1)->toPlainText().isEmpty());
        QTRY_VERIFY(!m_session->job().isRunning());

        m_holdWriting = true;      // until it is cancelled
        auto *cancel = panel->findChildren<QPushButton *>().at(1);
        QVERIFY(!cancel->isEnabled());
        prompt->setFocus();
        prompt->setPlainText(QStringLiteral("Twice"));
        QTest::keyClick(prompt, Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(m_session->job().isRunning() && cancel->isEnabled());
        QTRY_COMPARE(text(2)->toPlainText(), QStringLiteral("k2 goes on"));
        cancel->click();
        QTRY_VERIFY(!m_session->job().isRunning());
        QTRY_VERIFY(labelIn(*panel, QStringLiteral("stopped before all had written")));
        QVERIFY(!cancel->isEnabled());
        QVERIFY(text(3)->toPlainText().isEmpty());
    }

    void comparedCurvesGoOnPaperAndAreMadeAgain()
    {
        open(4);
        view()->selectAll();
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_D);
        auto *curves = compared()->findChild<widgets::RunCurvesPlot *>();
        QTRY_VERIFY(curves->accessibleDescription().contains(QStringLiteral("ends at")));
        curves->setSmoothing(0.6);
        curves->setLogarithmic(true);
        QCOMPARE(curves->tableTwin().rows.size(), std::size_t{20});
        QVERIFY(curves->tableTwin().note.find("4 of 20") != std::string::npos);
        report::FigureSpec spec = curves->spec();
        spec.formats = {"pdf", "tikz", "csv"};
        const std::filesystem::path again = workspace() / "again";
        const auto written = widgets::writeFigure(*curves, spec, workspace(), "0.1");
        report::addFigure(workspace() / "figures.json", spec);
        makePaperFigures(workspace() / "figures.json", again, workspace(), [](const nlohmann::json &asked, jobs::RunContext &context) { return MadeUp()(asked, context); }, "0.1");
        for (const std::filesystem::path &file : written)
            QVERIFY2(contents(again / file.filename()) == contents(file), file.filename().c_str());
    }

private:
    static std::string contents(const std::filesystem::path &file)
    {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    [[nodiscard]] widgets::ComparePage *compared() const { return m_window->findChild<widgets::ComparePage *>(); }
    [[nodiscard]] static int lineOf(const QTableView &table, const QString &name)
    {
        for (int row = 0; row < table.model()->rowCount(); ++row)
            if (table.model()->headerData(row, Qt::Vertical).toString() == name)
                return row;
        return -1;
    }
    [[nodiscard]] static QStringList line(const QTableView &table, const QString &name)
    {
        QStringList cells;
        for (int column = 0; column < table.model()->columnCount(); ++column)
            cells << table.model()->index(lineOf(table, name), column).data().toString();
        return cells;
    }
    /// The first writer says its text on the way, the others in the result alone.
    nlohmann::json letThemWrite(const nlohmann::json &spec, jobs::RunContext &context)
    {
        nlohmann::json stages;
        for (const nlohmann::json &stage : spec.at("stages")) {
            const std::string task = stage.at("task"), text = stage.at("spec").at("model").get<std::string>() + " goes on";
            if (stages.empty())
                context.taskSink(task)(experiment::Text{"continuation", text});
            stages[task] = {{"reused", false}, {"result", {{"kind", "generate"}, {"continuations", {{{"ids", {1}}, {"text", text}}}}}}};
        }
        while (m_holdWriting && !context.stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (m_holdWriting)
            throw Error(ErrorCode::Cancelled, "cancelled");
        return {{"kind", "pipeline"}, {"stages", stages}};
    }
    /// Three repetitions of one distillation and one of another set.
    void open(int experiments)
    {
        for (int i = 0; i < experiments; ++i)
            write(i + 1, i < 3 ? distillSpec(i + 1, {3, 4}, "same") : distillSpec(1, {0, 1}, "other set"), i < 3 ? 0.1 * (i + 1) : 0.3);
        openWindow();
        QTRY_COMPARE(table().rowCount(), experiments);
    }
    void openWindow()
    {
        auto madeUp = std::make_shared<MadeUp>();
        m_session = std::make_unique<widgets::Session>(workspace(), [this, madeUp](const nlohmann::json &spec, jobs::RunContext &context) { return spec.at("kind") == "pipeline" ? letThemWrite(spec, context) : (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{});
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QTRY_VERIFY(page()->isVisible());
    }
    void compareAll()
    {
        view()->selectAll();
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_D);
        QTRY_VERIFY(compared()->isVisible());
    }
    /// \param more  measures besides
    void write(int number, const nlohmann::json &spec, double kl, const std::vector<int> &selected = {}, const nlohmann::json &more = nlohmann::json::object(), const Course &course = {})
    {
        LineWriter writer(workspace(), runName(number), goneProcess(), 1764480000.0 + 1000.0 * number);
        writer.say(experiment::Started{.kind = "distill", .key = "k" + std::to_string(number), .specJson = spec.dump(), .device = "cpu", .computeType = "float32", .resumed = course.resumed, .version = "0.1.0"}, "distill");
        for (int step = 0; step < course.steps; ++step) {
            if (step == course.pauseBefore)
                writer.wait(40000.0);
            writer.say(experiment::Metric{"distill/kl", step, step * 100LL, step == 0 ? 0.0 : kl / step, "nats/token"}, "distill");
        }
        nlohmann::json measures = {{"kl_nats", kl}, {"se_nats", 0.01}, {"recall", 1.0 - kl}};
        measures.update(more);
        nlohmann::json result = {{"kind", "distill"}, {"selected", selected.empty() ? spec.at("keep") : nlohmann::json(selected)}, {"measures", measures}};
        const std::filesystem::path model = "artifacts/k" + std::to_string(number) + "/model";
        if (m_distilled.contains(number))
            result["model"] = model.string();
        if (m_onDisk.contains(number)) {
            std::filesystem::create_directories(workspace() / model);
            std::ofstream(workspace() / model / "config.json") << "{}";
        }
        writer.say(experiment::Finished{.resultJson = result.dump(), .seconds = 1.0}, "distill");
    }
    void readAgain()
    {
        m_session->withStore("look", [](store::Workspace &store) -> widgets::Background::Answer {
            (void)store.markInterrupted();
            return [] {};
        });
        Q_EMIT m_session->stored();
    }
    static std::vector<experiment::LayerScore> scoresOf(int best)
    {
        std::vector<experiment::LayerScore> all;
        for (int layer = 0; layer < test::numLayers; ++layer)
            all.push_back(test::klScore("ga-s2", layer, layer == best ? 0.1 : 0.5 + 0.01 * layer, 0.001, 1000));
        return all;
    }
    void selectRun(int number)
    {
        QTRY_VERIFY(table().rowCount() > 0);
        for (int row = 0; row < table().rowCount(); ++row)
            if (table().group(row).first().uuid == runName(number))
                view()->selectRow(row);
        view()->setFocus();
    }
    [[nodiscard]] widgets::Inspector *inspector() const { return m_window->findChild<widgets::Inspector *>(); }
    [[nodiscard]] QDockWidget *inspectorDock() const { return qobject_cast<QDockWidget *>(inspector()->parentWidget()); }
    [[nodiscard]] QString inspected(const QString &name) const
    {
        for (const QLabel *label : inspector()->findChildren<QLabel *>())
            if (label->accessibleName() == name && label->isVisible())
                return label->text();
        return {};
    }
    [[nodiscard]] QPushButton *button(const QString &name) const
    {
        for (QPushButton *one : page()->findChildren<QPushButton *>())
            if (QString(one->text()).remove(QLatin1Char('&')) == name && one->isVisible())
                return one;
        return nullptr;
    }
    bool labelIn(const QWidget &widget, const QString &part)
    {
        m_labels = widget.findChildren<QLabel *>();
        return std::any_of(m_labels.begin(), m_labels.end(), [&](const QLabel *label) { return label->isVisible() && label->text().contains(part); });
    }
    /// As another program on the same workspace does.
    void writeUnmeasured()
    {
        LineWriter writer(workspace(), runName(50), goneProcess(), 1764500000.0);
        writer.say(experiment::Started{.kind = "align", .key = "k50", .specJson = R"({"kind":"align","teacher":"demo"})", .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "align");
        writer.say(experiment::Finished{.resultJson = "{}", .seconds = 1.0}, "align");
        m_session->withStore("look", [](store::Workspace &store) -> widgets::Background::Answer {
            (void)store.markInterrupted();
            return [] {};
        });
        Q_EMIT m_session->stored();
    }
    store::ExperimentRow stored(int row)
    {
        const std::string uuid = table().group(row).first().uuid;
        const store::Workspace workspaceNow(workspace());
        for (const store::ExperimentRow &one : store::experimentRows(workspaceNow))
            if (one.uuid == uuid)
                return one;
        return {};
    }
    void answerNextDialog(const QString &text)
    {
        QTimer::singleShot(0, this, [text] {
            auto *dialog = qobject_cast<QInputDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->setTextValue(text);
            dialog->accept();
        });
    }
    [[nodiscard]] std::filesystem::path workspace() const { return (m_folder->path() + QStringLiteral("/workspace")).toStdString(); }
    [[nodiscard]] widgets::RunsPage *page() const { return m_window->findChild<widgets::RunsPage *>(); }
    [[nodiscard]] QTableView *view() const { return page()->findChild<QTableView *>(); }
    [[nodiscard]] QLineEdit *words() const { return page()->findChild<QLineEdit *>(); }
    [[nodiscard]] widgets::ExperimentTable &table() const { return *static_cast<widgets::ExperimentTable *>(view()->model()); }
    [[nodiscard]] int column(const char *id) const
    {
        const auto &columns = table().columns();
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns[i].id == QLatin1String(id))
                return static_cast<int>(i);
        return -1;
    }
    [[nodiscard]] QString cell(int row, const char *id) const { return table().index(row, column(id)).data().toString(); }
    [[nodiscard]] bool hasLabel(const QString &part) const
    {
        for (const QLabel *label : page()->findChildren<QLabel *>())
            if (label->isVisible() && label->text().contains(part))
                return true;
        return false;
    }

    QList<QLabel *> m_labels;
    std::set<int> m_distilled, m_onDisk;      ///< numbers of those that made a hybrid, and of those where it still is
    std::atomic<bool> m_holdWriting{false};
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(RunsTest)
#include "runs.moc"
