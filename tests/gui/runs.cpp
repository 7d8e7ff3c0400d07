// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"
#include "runswindow.h"
#include "store/lines.h"
#include "storedscorings.h"
#include "views/inspector.h"
#include "windowcommands.h"

#include "experiment/shownnames.h"
#include "models/experimenttable.h"
#include "models/savedfilters.h"
#include "models/session.h"
#include "models/specfields.h"
#include "pages/comparepage.h"
#include "pages/runspage.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QGuiApplication>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include <cmath>
#include <set>

using namespace stillroom;
using test::distillSpec;

/// The table of experiments, through the real window.
class RunsTest final : public test::RunsWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("runs")); }
    void init() { begin(); }
    void cleanup() { end(); }

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
        words()->setText(QStringLiteral("is:misspelled"));
        QVERIFY(hasLabel(QStringLiteral("behind \"is\" stands one of locked, pinned, running, finished, failed, cancelled, interrupted, paused.")));
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
        for (const char *name : {"kl_nats", "se_nats", "n", "all_linear_kl_nats", "perplexity", "nats_per_token", "perplexity_tokens", "recall", "recall_se", "recall_n", "recall_sequences", "loss_nats", "recall_token_accuracy", "filler_accuracy", "hidden_cosine", "hidden_cosine_se", "kl_tokens", "another_one"})
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

    void theKeyboardGoesFromTheSearchToWhatItFound()
    {
        open(4);
        const auto chosen = [this] {
            std::vector<int> rows;
            for (const QModelIndex &row : view()->selectionModel()->selectedRows())
                rows.push_back(row.row());
            return rows;
        };
        for (const Qt::Key leaves : {Qt::Key_Down, Qt::Key_Return}) {
            view()->clearSelection();
            words()->setFocus();
            words()->setText(QStringLiteral("kl<0.25"));
            QTest::keyClick(words(), leaves);
            QCOMPARE(QApplication::focusWidget(), view());
            QCOMPARE(chosen(), std::vector<int>{0});
        }
        QTest::keyClick(view(), Qt::Key_Down);
        QCOMPARE(chosen(), std::vector<int>{1});
        words()->setFocus();      // what is selected stays
        QTest::keyClick(words(), Qt::Key_Return);
        QCOMPARE(chosen(), std::vector<int>{1});
        view()->clearSelection();
        view()->setCurrentIndex({});
        QTest::keyClick(view(), Qt::Key_Down);      // the first one, not the one after it
        QCOMPARE(chosen(), std::vector<int>{0});
    }

    void runsThatWouldBeCalledTheSameSayWhatDiffers()
    {
        nlohmann::json longer = distillSpec(1, {3, 4}, "same");
        longer["steps"] = 20;
        write(1, distillSpec(2, {3, 4}, "same"), 0.1);
        write(2, distillSpec(3, {3, 4}, "same"), 0.2);
        openWindow();
        QTRY_COMPARE(table().rowCount(), 2);
        const auto names = [this] {
            std::set<QString> all;
            for (int row = 0; row < table().rowCount(); ++row)
                all.insert(cell(row, "name"));
            return all;
        };
        QCOMPARE(names(), (std::set{QStringLiteral("same · seed 2"), QStringLiteral("same · seed 3")}));
        write(3, longer, 0.3);
        readAgain();
        QTRY_COMPARE(table().rowCount(), 3);
        for (const QString &name : names())
            QVERIFY2(name.contains(widgets::specFieldName("steps")), qPrintable(name));
        QCOMPARE(names().size(), std::size_t{3});
        page()->findChild<QCheckBox *>()->setChecked(true);      // together: the seed tells nothing apart there
        QCOMPARE(table().rowCount(), 2);
        int repeated = 0;
        for (const QString &name : names())
            repeated += name.endsWith(QStringLiteral("(2 seeds)")) && !name.contains(QStringLiteral("seed ")) ? 1 : 0;
        QCOMPARE(repeated, 1);
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

    void columnsOfMarksAreAsWideAsTheirMarks()
    {
        open(4);
        view()->setFocus();
        view()->selectRow(0);
        QTest::keyClick(view(), Qt::Key_P);
        for (const auto &[id, title] : {std::pair{"pinned", "Pin"}, {"locked", "Lock"}}) {
            const int mark = column(id);
            for (const int role : {int{Qt::ToolTipRole}, int{Qt::AccessibleTextRole}})
                QCOMPARE(table().headerData(mark, Qt::Horizontal, role).toString(), QString::fromUtf8(title));
            QVERIFY2(view()->columnWidth(mark) <= 32, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(id)).arg(view()->columnWidth(mark))));
            QVERIFY(!view()->model()->headerData(mark, Qt::Horizontal, Qt::DecorationRole).isNull() || !view()->model()->headerData(mark, Qt::Horizontal).toString().isEmpty());
            QVERIFY(!QSettings().contains(QStringLiteral("runs/width/") + QString::fromUtf8(id)));
        }
        QTRY_VERIFY(table().group(0).first().pinned);
        QVERIFY(view()->columnWidth(column("pinned")) >= view()->fontMetrics().horizontalAdvance(cell(0, "pinned")) + 6);
        view()->sortByColumn(column("pinned"), Qt::AscendingOrder);
        QVERIFY(view()->columnWidth(column("pinned")) > view()->columnWidth(column("locked")));      // the sign of the order stands beside it
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

    void theKeyboardComesAlongToTheComparison()
    {
        open(4);
        QTest::keyClick(m_window.get(), Qt::Key_6, Qt::ControlModifier);
        QTRY_VERIFY(QApplication::focusWidget() && compared()->isAncestorOf(QApplication::focusWidget()));      // the button of the page that has nothing to compare yet
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QTRY_VERIFY(page()->isVisible());
        compareAll();
        QTRY_VERIFY(QApplication::focusWidget() && compared()->isAncestorOf(QApplication::focusWidget()) && QApplication::focusWidget()->isVisible());
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

private:
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
    /// As another program on the same workspace does.
    void writeUnmeasured()
    {
        LineWriter writer(workspace(), runName(50), goneProcess(), 1764500000.0);
        writer.say(experiment::Started{.kind = "align", .key = "k50", .specJson = R"({"kind":"align","teacher":"demo"})", .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "align");
        writer.say(experiment::Finished{.resultJson = "{}", .seconds = 1.0}, "align");
        readAgain();
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
    [[nodiscard]] QLineEdit *words() const { return page()->findChild<QLineEdit *>(); }
    [[nodiscard]] QString cell(int row, const char *id) const { return table().index(row, column(id)).data().toString(); }
};

QTEST_MAIN(RunsTest)
#include "runs.moc"
