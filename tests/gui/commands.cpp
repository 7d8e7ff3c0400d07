// SPDX-License-Identifier: GPL-3.0-or-later
#include "filledworkspace.h"
#include "mainwindow.h"
#include "windowtest.h"

#include "models/commandlist.h"
#include "models/deeplink.h"
#include "models/fuzzymatch.h"
#include "models/session.h"
#include "pages/runspage.h"
#include "plots/curveplot.h"
#include "plots/layerbarplot.h"
#include "plots/tabletwin.h"
#include "views/commandpalette.h"
#include "views/keyaction.h"
#include "views/keysheet.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>

using namespace stillroom;
using test::numLayers;

namespace {

constexpr int layersPage = 1, overlapPage = 2;

}  // namespace

/// All that can be done with the window, by name and by key.
class CommandsTest final : public test::WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("commands")); }
    void init() { begin(); }
    void cleanup() { end(); }

    void lettersMatchInTheirOrder_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("matches");
        QTest::addColumn<QList<int>>("places");
        QTest::newRow("beginnings") << "sl" << "Score layers" << true << QList<int>{0, 6};
        QTest::newRow("case and spaces") << "S LAY" << "Score layers" << true << QList<int>{0, 6, 7, 8};
        QTest::newRow("side by side") << "la" << "Calibrate layers" << true << QList<int>{10, 11};
        QTest::newRow("order") << "ls" << "slow" << false << QList<int>{};
        QTest::newRow("twice") << "oo" << "so" << false << QList<int>{};
        QTest::newRow("number") << "14" << "Layer 14" << true << QList<int>{6, 7};
        QTest::newRow("other letters") << "ÜB" << "über" << true << QList<int>{0, 1};
        QTest::newRow("empty") << "" << "anything" << true << QList<int>{};
        QTest::newRow("longer") << "layers" << "layer" << false << QList<int>{};
    }
    void lettersMatchInTheirOrder()
    {
        QFETCH(const QString, query);
        QFETCH(const QString, text);
        QFETCH(const bool, matches);
        QFETCH(const QList<int>, places);
        const auto match = widgets::fuzzyMatch(query, text);
        QCOMPARE(match.has_value(), matches);
        if (match)
            QCOMPARE(match->places, places);
    }

    void namesAreWithoutTheMarkOfTheirLetter()
    {
        QCOMPARE(widgets::withoutLetter(QStringLiteral("&Score layers")), QStringLiteral("Score layers"));
        QCOMPARE(widgets::withoutLetter(QStringLiteral("打开文件夹(&O)…")), QStringLiteral("打开文件夹…"));
        QCOMPARE(widgets::withoutLetter(QStringLiteral("Q && A\tCtrl+Q")), QStringLiteral("Q & A"));
    }

    void theBestCommandsComeFirst()
    {
        widgets::CommandList list;
        const QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
        list.setCommands({{"Move slowly", "a", {}, {}, true, {}}, {"Score layers", "b", "Ctrl+R", {}, true, {}}, {"Select layer", "c", {}, "none", false, {}}});
        list.setQuery(QStringLiteral("sl"));
        QCOMPARE(list.rowCount(), 3);
        QCOMPARE(list.index(0).data().toString(), QStringLiteral("Score layers"));      // at two words' beginnings, and possible
        QCOMPARE(list.index(1).data().toString(), QStringLiteral("Select layer"));
        QVERIFY(list.index(1).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("not possible now: none")));
        list.setQuery(QStringLiteral("xyz"));
        QCOMPARE(list.rowCount(), 0);
    }

    void commandsAreFoundAndDoneByKeyboard()
    {
        open();
        QPointer<widgets::CommandPalette> palette = openPalette();
        auto *words = palette->findChild<QLineEdit *>();
        auto *list = palette->findChild<QListView *>();
        QCOMPARE(QApplication::focusWidget(), words);
        for (const QWidget *widget : std::initializer_list<const QWidget *>{palette, words, list})
            QVERIFY(!widget->accessibleName().isEmpty());
        QTest::keyClicks(words, QStringLiteral("layer 4"));
        QCOMPARE(list->currentIndex().data().toString(), QStringLiteral("Layer 4"));
        QTest::keyClick(words, Qt::Key_Return);
        QTRY_COMPARE(m_session->selection().layer(), 4);
        QTRY_VERIFY(!palette);
        // Down goes to the next, Up comes back; Escape does nothing but close.
        palette = openPalette();
        list = palette->findChild<QListView *>();
        words = palette->findChild<QLineEdit *>();
        const QString first = list->currentIndex().data().toString();
        QTest::keyClick(words, Qt::Key_Down);
        QVERIFY(list->currentIndex().data().toString() != first);
        QTest::keyClick(words, Qt::Key_Up);
        QCOMPARE(list->currentIndex().data().toString(), first);
        QTest::keyClick(words, Qt::Key_Escape);
        QTRY_VERIFY(!palette);
        QCOMPARE(m_session->selection().layer(), 4);
    }

    void allThatCanBeDoneIsACommand()
    {
        test::fillWorkspace(workspace());
        open();
        QTRY_COMPARE(page<widgets::RunsPage>()->experiments().size(), std::size_t{7});
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        const auto commands = allCommands();
        for (const char *name : {"Score layers…", "Overlap", "Dark", "Layer 5", "first two layers", "The demo", "Copy link", "Reset layout", "Keys"})
            QVERIFY2(commands.contains(QString::fromUtf8(name)), name);
        QVERIFY(!commands.contains(QStringLiteral("Layer 6")));
        QVERIFY(!commands.contains(QStringLiteral("Show as table")));      // of another page
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QVERIFY(allCommands().contains(QStringLiteral("Show as table")));
        // A menu's entry has its key at the right.
        widgets::CommandPalette *palette = openPalette();
        QTest::keyClicks(palette->findChild<QLineEdit *>(), QStringLiteral("score layers"));
        QCOMPARE(palette->findChild<QListView *>()->currentIndex().data(widgets::CommandList::KeysRole).toString(), QStringLiteral("Ctrl+R"));
        palette->reject();
    }

    void whatCannotBeDoneSaysWhy()
    {
        open();
        QPointer<widgets::CommandPalette> palette = openPalette();
        auto *words = palette->findChild<QLineEdit *>();
        QTest::keyClicks(words, QStringLiteral("cancel the job"));
        const QModelIndex now = palette->findChild<QListView *>()->currentIndex();
        QVERIFY(!now.data(widgets::CommandList::DoableRole).toBool());
        QCOMPARE(now.data(widgets::CommandList::ReasonRole).toString(), QStringLiteral("No job is running or paused"));
        QVERIFY(palette->findChild<QLabel *>()->text().contains(QStringLiteral("No job is running")));
        QTest::keyClick(words, Qt::Key_Return);
        QVERIFY(palette->isVisible());
        palette->reject();
    }

    // Keys

    void everyPageTakesTheKeyboardVisibly()
    {
        test::fillWorkspace(workspace());
        open();
        QTRY_COMPARE(page<widgets::RunsPage>()->experiments().size(), std::size_t{7});
        for (int row = 0; row < pages()->count(); ++row) {
            QTest::keyClick(m_window.get(), static_cast<Qt::Key>(Qt::Key_1 + row), Qt::ControlModifier);
            QTest::qWait(50);
            QCOMPARE(pages()->currentRow(), row);
            QWidget *focus = QApplication::focusWidget();
            QVERIFY2(focus, qPrintable(pages()->item(row)->text()));
            QVERIFY2(pageWidget(row)->isAncestorOf(focus), qPrintable(pages()->item(row)->text() + QLatin1Char(' ') + QLatin1String(focus->metaObject()->className())));
            const QImage with = focus->grab().toImage();
            m_window->findChild<QListWidget *>()->setFocus();
            QTest::qWait(50);
            QVERIFY2(focus->grab().toImage() != with, focus->metaObject()->className());
        }
        // Who walks along the list stays in it.
        pages()->setFocus();
        QTest::keyClick(pages(), Qt::Key_Up);
        QCOMPARE(QApplication::focusWidget(), pages());
    }

    void theSheetOfKeysHasEveryKey()
    {
        open();
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        auto *sheet = m_window->findChild<widgets::KeySheet *>();
        QTRY_VERIFY(sheet && sheet->isVisible());
        QStringList listed;
        const auto *tree = sheet->findChild<QTreeWidget *>();
        for (int group = 0; group < tree->topLevelItemCount(); ++group)
            for (int row = 0; row < tree->topLevelItem(group)->childCount(); ++row) {
                QCOMPARE(tree->topLevelItem(group)->child(row)->toolTip(1), tree->topLevelItem(group)->child(row)->text(1));
                listed << tree->topLevelItem(group)->child(row)->text(0) + QLatin1Char('|') + tree->topLevelItem(group)->child(row)->text(1);
            }
        int keys = 0;
        for (const QAction *action : m_window->findChildren<QAction *>()) {
            const QString shown = widgets::shownKeys(*action);
            if (shown.isEmpty() || widgets::plainText(*action).isEmpty() || action->parent()->inherits("QLineEdit"))
                continue;
            ++keys;
            const QString row = shown + QLatin1Char('|') + widgets::plainText(*action);
            QVERIFY2(std::any_of(listed.begin(), listed.end(), [&](const QString &one) { return one == row || one.startsWith(row + QStringLiteral(" (in: ")); }), qPrintable(shown + QLatin1Char(' ') + action->text()));
        }
        QVERIFY2(keys > 40, qPrintable(QString::number(keys)));
        QVERIFY(listed.contains(QStringLiteral("Ctrl+.|Cancel the job")));
        sheet->reject();
    }

    void theSheetOpensAtThePageAndCanBeSearched()
    {
        open();
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        QPointer<widgets::KeySheet> sheet = m_window->findChild<widgets::KeySheet *>();
        QTRY_VERIFY(sheet && sheet->isVisible());
        auto *tree = sheet->findChild<QTreeWidget *>();
        QCOMPARE(tree->currentItem()->text(0), QStringLiteral("Layers"));
        QVERIFY(tree->viewport()->rect().intersects(tree->visualItemRect(tree->currentItem())));
        QTRY_COMPARE(QApplication::focusWidget(), tree);
        bool named = false;
        for (int row = 0; row < tree->currentItem()->childCount(); ++row)
            named = named || tree->currentItem()->child(row)->text(1).startsWith(QStringLiteral("Logarithmic axis (in: "));
        QVERIFY(named);      // not every plot of the page has one
        QTest::keyClick(tree, Qt::Key_F, Qt::ControlModifier);
        auto *words = sheet->findChild<QLineEdit *>();
        QCOMPARE(QApplication::focusWidget(), words);
        QTest::keyClicks(words, QStringLiteral("run experiment"));
        QStringList left;
        for (int group = 0; group < tree->topLevelItemCount(); ++group)
            for (int row = 0; row < tree->topLevelItem(group)->childCount() && !tree->topLevelItem(group)->isHidden(); ++row)
                if (!tree->topLevelItem(group)->child(row)->isHidden())
                    left << tree->topLevelItem(group)->child(row)->text(0);
        QVERIFY2(left.contains(QStringLiteral("Ctrl+Return")) && left.size() < 8, qPrintable(left.join(QLatin1Char(' '))));
        QTest::keyClick(words, Qt::Key_Escape);
        QVERIFY(sheet && sheet->isVisible() && words->text().isEmpty());
        QTest::keyClick(words, Qt::Key_Escape);
        QTRY_VERIFY(!sheet);
    }

    void escapeClearsASearchFirst()
    {
        test::fillWorkspace(workspace());
        open();
        m_session->selection().select(1);
        for (int row : {overlapPage, 4}) {
            pages()->setCurrentRow(row);
            QLineEdit *words = nullptr;
            for (QLineEdit *one : pageWidget(row)->findChildren<QLineEdit *>())
                if (one->isVisible() && one->isClearButtonEnabled())
                    words = one;
            QVERIFY(words);
            words->setFocus();
            QTest::keyClicks(words, QStringLiteral("first"));
            QTest::keyClick(words, Qt::Key_Escape);
            QCOMPARE(words->text(), QString());
            QCOMPARE(m_session->selection().layer(), 1);
        }
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QCOMPARE(m_session->selection().layer(), -1);
    }

    void ctrlFSearchesFromAnywhere()
    {
        test::fillWorkspace(workspace());
        open();
        for (int row : {overlapPage, 4}) {
            pages()->setCurrentRow(row);
            pages()->setFocus();
            QTest::keyClick(pages(), Qt::Key_F, Qt::ControlModifier);
            auto *words = qobject_cast<QLineEdit *>(QApplication::focusWidget());
            QVERIFY(words && pageWidget(row)->isAncestorOf(words));
        }
    }

    void aPageIsEnteredAtItsMainControl()
    {
        open();
        m_session->score(nlohmann::json::object(), true);
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        QTRY_VERIFY(!m_session->job().isRunning());
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), page<widgets::LayerBarPlot>());
    }

    void exportingTakesTheMainPlotUnlessOneHasTheKeyboard()
    {
        open();
        m_session->score(nlohmann::json::object(), true);
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        QTRY_VERIFY(!m_session->job().isRunning());
        m_session->distil({{"steps", 4}});
        QTRY_VERIFY(!m_session->curve(QStringLiteral("distill/kl")).isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!m_session->job().isRunning(), 30000);
        pages()->setCurrentRow(layersPage);
        auto *curve = m_window->findChild<widgets::CurvePlot *>(QStringLiteral("distillationCurve"));
        for (const auto &[focus, title] : {std::pair<QWidget *, QString>{pages(), page<widgets::LayerBarPlot>()->accessibleName()}, {curve, curve->accessibleName()}}) {
            focus->setFocus();
            QTest::keyClick(focus, Qt::Key_E, Qt::ControlModifier);
            QPointer<QDialog> dialog;
            QTRY_VERIFY((dialog = m_window->findChild<QDialog *>()) && dialog->isVisible());
            QCOMPARE(dialog->windowTitle(), QStringLiteral("Export: ") + title);
            dialog->reject();
            QTRY_VERIFY(!dialog);
            m_window->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        }
    }

    void whatIsCopiedIsSaid()
    {
        open();
        m_session->score(nlohmann::json::object(), true);
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        QTRY_VERIFY(!m_session->job().isRunning());
        QVERIFY(said().isEmpty());
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTest::keyClick(page<widgets::LayerBarPlot>(), Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY(said().startsWith(QStringLiteral("Copied: the plot as SVG and PNG")));
        m_session->selection().select(2);
        menuAction(QStringLiteral("Copy link to the layer"))->trigger();
        QTRY_COMPARE(said(), QStringLiteral("Copied: ") + widgets::layerLink(2));
    }

    void keysOfWhatCannotBeDoneSayWhy_data()
    {
        QTest::addColumn<QChar>("letter");
        QTest::addColumn<QString>("reason");
        QTest::newRow("distil") << QChar(u'D') << QStringLiteral("Score the layers first, or choose some by hand");
        QTest::newRow("pause") << QChar(u'P') << QStringLiteral("No job is running, waiting or paused");
        QTest::newRow("cancel") << QChar(u'.') << QStringLiteral("No job is running or paused");
    }

    void keysOfWhatCannotBeDoneSayWhy()
    {
        QFETCH(QChar, letter);
        QFETCH(QString, reason);
        open();
        for (const Qt::Key page : {Qt::Key_1, Qt::Key_2, Qt::Key_5}) {
            QTest::keyClick(m_window.get(), page, Qt::ControlModifier);
            QVERIFY(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key(letter.unicode()), Qt::ControlModifier);
            QCOMPARE(said(), reason);
        }
    }

    void cancellingHasOneKeyThatTheMenuShows()
    {
        open();
        QCOMPARE(menuAction(QStringLiteral("Cancel the job"))->shortcut(), QKeySequence(QStringLiteral("Ctrl+.")));
        m_session->score(nlohmann::json::object(), true);
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        QTRY_VERIFY(!m_session->job().isRunning());
        m_session->distil({{"steps", 4}});
        QTRY_VERIFY(m_session->job().isRunning());
        QTRY_VERIFY(menuAction(QStringLiteral("Cancel the job"))->isEnabled());
        QVERIFY(menuAction(QStringLiteral("Score layers…"))->isEnabled());      // it would wait in the queue
        QTest::keyClick(m_window.get(), Qt::Key_Period, Qt::ControlModifier);
        QTRY_VERIFY(!m_session->job().isRunning());
        QVERIFY(!menuAction(QStringLiteral("Cancel the job"))->isEnabled());
    }

    void noMenuHasAKeyThatFieldsTake()
    {
        open();
        QList<QKeySequence> shared;      // they mean the same in a field
        for (const QKeySequence::StandardKey key : {QKeySequence::Undo, QKeySequence::Redo, QKeySequence::Copy})
            shared << QKeySequence::keyBindings(key);
        QLineEdit field(m_window.get());
        for (const QAction *menu : m_window->menuBar()->actions())
            for (const QAction *action : menu->menu()->actions()) {
                const QKeySequence keys = action->shortcut();
                if (keys.isEmpty() || shared.contains(keys))
                    continue;
                QKeyEvent asked(QEvent::ShortcutOverride, keys[0].key(), keys[0].keyboardModifiers());
                asked.ignore();
                QApplication::sendEvent(&field, &asked);
                QVERIFY2(!asked.isAccepted(), qPrintable(action->text()));
                QVERIFY2(keys != QKeySequence(QStringLiteral("Ctrl+U")), qPrintable(action->text()));      // empties it on X11, which is not where this runs
            }
    }

    void aPlotShowsItselfAsATable()
    {
        open();
        m_session->score(nlohmann::json::object(), true);
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        QTRY_VERIFY(!m_session->job().isRunning());
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        auto *bars = page<widgets::LayerBarPlot>();
        bars->setFocus();
        QTest::keyClick(bars, Qt::Key_T);
        QTableView *table = nullptr;
        const auto isShown = [&] {
            for (auto *one : m_window->findChildren<QTableView *>())
                if (qobject_cast<widgets::TableTwin *>(one->model()))
                    table = one;
            return table && table->isVisible();
        };
        QTRY_VERIFY(isShown());
        const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table->model()->rowCount(), numLayers);
        QTRY_COMPARE(QApplication::activeWindow(), table->window());
        table->setFocus();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), qsizetype{numLayers + 1});
        QPointer<QWidget> dialog = table->window();
        QTest::keyClick(table, Qt::Key_T);      // the key that opened it closes it
        QTRY_VERIFY(!dialog);
    }

private:
    void open()
    {
        openWindow();
        openTeacher(QStringLiteral("demo"));
    }
    widgets::CommandPalette *openPalette()
    {
        m_window->activateWindow();
        if (!QTest::qWaitForWindowActive(m_window.get()))
            qFatal("the window is not active");
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        const auto shown = [this]() -> widgets::CommandPalette * {
            for (auto *one : m_window->findChildren<widgets::CommandPalette *>())
                if (one->isVisible())
                    return one;
            return nullptr;
        };
        if (!QTest::qWaitFor([&] { return shown() && QApplication::focusWidget() == shown()->findChild<QLineEdit *>(); }))
            qFatal("no palette of commands");
        return shown();
    }
    QStringList allCommands()
    {
        widgets::CommandPalette *palette = openPalette();
        QStringList all;
        const QAbstractItemModel *model = palette->findChild<QListView *>()->model();
        for (int row = 0; row < model->rowCount(); ++row)
            all << model->index(row, 0).data().toString();
        palette->reject();
        m_window->activateWindow();
        if (!QTest::qWaitForWindowActive(m_window.get()))
            qFatal("the window is not active");
        return all;
    }
    /// At the right of the status bar.
    [[nodiscard]] QString said() const
    {
        for (const QLabel *one : m_window->findChildren<QLabel *>())
            if (one->accessibleName() == QStringLiteral("Just now"))
                return one->isVisible() ? one->text() : QString();
        return {};
    }

    template <typename Page> [[nodiscard]] Page *page() const { return m_window->findChild<Page *>(); }
    [[nodiscard]] QWidget *pageWidget(int row) const
    {
        for (QStackedWidget *stack : m_window->findChildren<QStackedWidget *>())
            if (stack->count() == pages()->count())
                return stack->widget(row);
        return nullptr;
    }
};

QTEST_MAIN(CommandsTest)
#include "commands.moc"
