// SPDX-License-Identifier: GPL-3.0-or-later
#include "filledworkspace.h"
#include "madeup.h"
#include "mainwindow.h"
#include "singleinstance.h"

#include "models/commandlist.h"
#include "models/deeplink.h"
#include "models/fuzzymatch.h"
#include "models/recentteachers.h"
#include "models/session.h"
#include "pages/comparepage.h"
#include "pages/runspage.h"
#include "plots/curveplot.h"
#include "plots/layerbarplot.h"
#include "plots/runcurvesplot.h"
#include "plots/tabletwin.h"
#include "store/lines.h"
#include "views/commandpalette.h"
#include "views/keyaction.h"
#include "views/keysheet.h"
#include "views/messageline.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QLocalSocket>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <QWheelEvent>

#include <thread>

using namespace stillroom;
using test::MadeUp, test::numLayers;

namespace {

constexpr int layersPage = 1, overlapPage = 2;

}  // namespace

/// How one works with the window: commands by name, recent teachers, what is there again at the next start, links, keys.
class WorkingTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("working"));
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints\\(\\)|raise\\(\\)|grabbing the keyboard)).*")));
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_madeUp = std::make_shared<MadeUp>();
    }
    void cleanup() { close(); }

    // Commands by name

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
        QCOMPARE(now.data(widgets::CommandList::ReasonRole).toString(), QStringLiteral("No job is running"));
        QVERIFY(palette->findChild<QLabel *>()->text().contains(QStringLiteral("No job is running")));
        QTest::keyClick(words, Qt::Key_Return);
        QVERIFY(palette->isVisible());
        palette->reject();
    }

    // Recent teachers

    void teachersThatWereOpenAreOfferedAgain()
    {
        const QString here = m_folder->path();
        open();
        openTeacher(here);
        openTeacher(QStringLiteral("/nowhere/at-all"));
        QMenu *recent = recentMenu();
        QCOMPARE(recent->actions().at(0)->text(), QStringLiteral("at-all"));
        QCOMPARE(recent->actions().at(1)->toolTip(), here);
        QCOMPARE(recent->actions().at(2)->text(), QStringLiteral("The demo"));
        Q_EMIT recent->aboutToShow();      // then it is looked whether they are there
        QTRY_VERIFY(!recent->actions().at(0)->isEnabled());
        QVERIFY(recent->actions().at(0)->toolTip().contains(QStringLiteral("not there")));
        QVERIFY(recent->actions().at(1)->isEnabled());
        recent->actions().at(2)->trigger();
        QTRY_COMPARE(m_session->teacher().argument, QStringLiteral("demo"));
        QCOMPARE(recent->actions().at(0)->text(), QStringLiteral("The demo"));      // once, and first
        QTRY_VERIFY(!m_session->job().isRunning());
        recent->actions().back()->trigger();
        QTRY_VERIFY(recent->isEmpty());
        QVERIFY(!recent->isEnabled());
        QVERIFY(QSettings().value(QStringLiteral("recent/teachers")).toStringList().isEmpty());
    }

    void atMostTenTeachersAreKept()
    {
        widgets::RecentTeachers recent;
        for (int i = 0; i < 14; ++i)
            recent.add(QStringLiteral("/models/%1").arg(i));
        recent.add(QStringLiteral("/other/13"));
        QCOMPARE(recent.list().size(), widgets::RecentTeachers::most);
        QCOMPARE(recent.name(QStringLiteral("/models/12")), QStringLiteral("12"));
        QCOMPARE(recent.name(QStringLiteral("/models/13")), QStringLiteral("/models/13"));      // two are called alike
        // A model that a workspace made is no file of this folder.
        const QString key(64, QLatin1Char('b'));
        recent.add(key);
        QCOMPARE(recent.list().constFirst(), key);
        recent.add(QStringLiteral("beside"));
        QCOMPARE(recent.list().constFirst(), QFileInfo(QStringLiteral("beside")).absoluteFilePath());
    }

    // The next start

    void allIsThereAgainAtTheNextStart()
    {
        test::fillWorkspace(workspace());
        m_madeUp->model["mixers"].push_back({{"mixer", "gla"}, {"carries", nlohmann::json::array()}, {"does_not_carry", nlohmann::json::array()}, {"parameters_per_layer", 1}, {"state_bytes_per_layer", 1}});
        open();
        QTRY_COMPARE(page<widgets::RunsPage>()->experiments().size(), std::size_t{7});
        openTeacher(m_folder->path());
        m_session->setProbe(QStringLiteral("gla"));
        m_session->choice().toggle(0);
        m_session->choice().toggle(5);
        m_session->selection().select(5);
        auto *runs = page<widgets::RunsPage>();
        auto *table = runs->findChild<QTableView *>();
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        runs->findChild<QLineEdit *>()->setText(QStringLiteral("kl<0.35"));
        table->sortByColumn(columnOf(*table, QStringLiteral("K")), Qt::AscendingOrder);
        table->selectAll();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_D);
        QTRY_VERIFY(page<widgets::ComparePage>()->isVisible());
        const QStringList compared = page<widgets::ComparePage>()->compared();
        QCOMPARE(compared.size(), 4);
        auto *curves = page<widgets::RunCurvesPlot>();
        QTRY_VERIFY(curves->accessibleDescription().contains(QStringLiteral("ends at")));
        curves->setLogarithmic(true);
        curves->setSmoothing(0.9);
        QVERIFY(curves->zoom().isEmpty());
        auto *canvas = curves->findChild<QWidget *>();
        const QPointF middle(canvas->rect().center());
        QWheelEvent nearer(middle, canvas->mapToGlobal(middle), {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(canvas, &nearer);
        const QVariantMap zoom = curves->zoom();
        QVERIFY(!zoom.isEmpty());
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        table->selectRow(2);
        runs->findChild<QCheckBox *>()->setChecked(false);
        const QVariantMap runsView = runs->view();
        page<widgets::CurvePlot>()->setLogarithmic(true);
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        m_window->resize(1111, 777);
        auto *splitter = m_window->findChild<QSplitter *>(QStringLiteral("overlapSplitter"));
        QTRY_VERIFY(splitter->isVisible());
        splitter->setSizes({400, 500});
        QTest::qWait(50);
        const QList<int> sizes = splitter->sizes();
        m_window->close();
        close();

        openWindow();
        m_window->start({});
        QTRY_COMPARE(m_session->teacher().argument, m_folder->path());
        QTRY_COMPARE(m_session->choice().layers(), (experiment::LayerSet{0, 5}));
        QVERIFY(m_session->choice().isCustom());
        QCOMPARE(m_session->probe(), QStringLiteral("gla"));
        QCOMPARE(m_session->selection().layer(), 5);
        QCOMPARE(pages()->currentRow(), overlapPage);
        QCOMPARE(m_window->size(), QSize(1111, 777));
        QTRY_COMPARE(m_window->findChild<QSplitter *>(QStringLiteral("overlapSplitter"))->sizes(), sizes);
        QTRY_COMPARE(page<widgets::RunsPage>()->view(), runsView);
        QTRY_COMPARE(page<widgets::ComparePage>()->compared(), compared);
        QVERIFY(page<widgets::RunCurvesPlot>()->isLogarithmic());
        QCOMPARE(page<widgets::RunCurvesPlot>()->smoothing(), 0.9);
        QVERIFY(page<widgets::CurvePlot>()->isLogarithmic());
        QCOMPARE(page<widgets::RunCurvesPlot>()->zoom(), zoom);
        QTest::keyClick(m_window.get(), Qt::Key_6, Qt::ControlModifier);
        QTRY_VERIFY(page<widgets::RunCurvesPlot>()->accessibleDescription().contains(QStringLiteral("ends at")));
        QCOMPARE(page<widgets::RunCurvesPlot>()->zoom(), zoom);      // now it is what the axes show
        // K, where it is no set by hand.
        m_session->choice().setKeep(3);
        QTRY_VERIFY(!m_session->job().isRunning());
        m_window->close();
        close();
        openWindow();
        m_window->start({});
        QTRY_COMPARE(m_session->teacher().argument, m_folder->path());
        QTRY_COMPARE(m_session->choice().keep(), 3);
        QVERIFY(!m_session->choice().isCustom());
    }

    void whatIsGoneIsNotRestored()
    {
        test::fillWorkspace(workspace());
        open();
        QTRY_COMPARE(page<widgets::RunsPage>()->experiments().size(), std::size_t{7});
        m_session->choice().toggle(5);
        m_session->selection().select(5);
        m_window->close();
        close();
        QSettings settings;
        settings.beginGroup(QStringLiteral("workspaces"));
        QCOMPARE(settings.childGroups().size(), 1);
        settings.beginGroup(settings.childGroups().constFirst());
        settings.setValue(QStringLiteral("probe"), QStringLiteral("mamba"));
        settings.setValue(QStringLiteral("page"), 99);
        settings.setValue(QStringLiteral("scores"), QStringList{QStringLiteral("gone"), QStringLiteral("gdn")});
        settings.setValue(QStringLiteral("compared"), QStringList{QStringLiteral("gone/"), QString::fromStdString(runName(10)) + QLatin1Char('/')});
        settings.setValue(QStringLiteral("runs"), QVariantMap{{QStringLiteral("search"), QStringLiteral("never_measured<3")}, {QStringLiteral("selected"), QStringList{QStringLiteral("gone/")}}, {QStringLiteral("sorted"), QStringLiteral("measure/never")}});
        settings.endGroup();
        settings.endGroup();
        settings.sync();
        m_madeUp->model = test::description(4);      // another model lies at this place now
        openWindow();
        m_window->start({});
        QTRY_VERIFY(m_session->teacher().isValid());
        QTRY_VERIFY(page<widgets::RunsPage>()->experiments().size() >= 7);
        QTest::qWait(100);
        QCOMPARE(m_session->probe(), QStringLiteral("gdn"));
        QVERIFY(!m_session->choice().isCustom());
        QCOMPARE(m_session->choice().keep(), 1);
        QCOMPARE(m_session->selection().layer(), -1);
        QCOMPARE(pages()->currentRow(), layersPage);
        QVERIFY(page<widgets::ComparePage>()->compared().isEmpty());
        QCOMPARE(page<widgets::RunsPage>()->findChild<QLineEdit *>()->text(), QString());
        QVERIFY(!page<widgets::RunsPage>()->findChild<QTableView *>()->selectionModel()->hasSelection());
        for (const widgets::MessageLine *line : m_window->findChildren<widgets::MessageLine *>())
            QVERIFY2(!line->isVisible() || line->findChild<QLabel *>()->accessibleName() != QStringLiteral("Problem"), qPrintable(line->text()));
    }

    void anotherModelAtTheSamePlaceHasItsOwnK()
    {
        open();
        m_session->choice().setKeep(4);
        m_session->selection().select(2);
        m_window->close();
        close();
        m_madeUp->model = test::description(8);
        openWindow();
        QSignalSpy read(m_session.get(), &widgets::Session::storedRead);
        m_window->start({});
        QTRY_VERIFY(!read.isEmpty());
        QCOMPARE(m_session->choice().keep(), 2);      // a quarter, and not 4
        QCOMPARE(m_session->selection().layer(), -1);
    }

    void aTeacherThatIsGoneGivesWayToTheDemo()
    {
        open();
        {
            const QTemporaryDir gone;
            openTeacher(gone.path());
            m_window->close();
        }
        close();
        openWindow();
        m_window->start({});
        QTRY_COMPARE(m_session->teacher().argument, QStringLiteral("demo"));
        m_window->close();
        close();
        openWindow();
        m_window->start(m_folder->path());      // the command line goes before what is remembered
        QTRY_COMPARE(m_session->teacher().argument, m_folder->path());
    }

    void theLayoutComesBackToItsBeginnings()
    {
        open();
        QTest::keyClick(m_window.get(), Qt::Key_I, Qt::ControlModifier);
        m_window->resize(1000, 650);
        menuAction(QStringLiteral("Reset layout"))->trigger();
        QCOMPARE(m_window->size(), QSize(1280, 800));
        QTRY_VERIFY(m_window->findChild<QWidget *>(QStringLiteral("inspector"))->isVisible());
    }

    // Links

    void linksAreReadStrictly_data()
    {
        QTest::addColumn<QString>("link");
        QTest::addColumn<bool>("good");
        const QString run = QString::fromStdString(runName(1));
        QTest::newRow("run") << "stillroom://run/" + run << true;
        QTest::newRow("run in capitals") << "stillroom://run/" + run.toUpper() << true;
        QTest::newRow("demo") << "stillroom://teacher/demo" << true;
        QTest::newRow("key") << "stillroom://teacher/" + QString(64, QLatin1Char('a')) << true;
        QTest::newRow("path") << "stillroom://teacher//models/a%20b" << true;
        QTest::newRow("layer") << "stillroom://layer/14" << true;
        QTest::newRow("other scheme") << "https://run/" + run << false;
        QTest::newRow("no kind") << "stillroom:run" << false;
        QTest::newRow("other kind") << "stillroom://delete/" + run << false;
        QTest::newRow("no uuid") << "stillroom://run/../../etc" << false;
        QTest::newRow("relative path") << "stillroom://teacher/models" << false;
        QTest::newRow("line break") << "stillroom://teacher//models%0Aa" << false;
        QTest::newRow("negative") << "stillroom://layer/-1" << false;
        QTest::newRow("huge") << "stillroom://layer/99999999999999" << false;
        QTest::newRow("query") << "stillroom://layer/1?x=2" << false;
        QTest::newRow("too long") << "stillroom://teacher//" + QString(5000, QLatin1Char('a')) << false;
        QTest::newRow("empty") << "" << false;
    }
    void linksAreReadStrictly()
    {
        QFETCH(const QString, link);
        QFETCH(const bool, good);
        QCOMPARE(widgets::parseLink(link).has_value(), good);
    }

    void linksThatAreWrittenAreRead()
    {
        const QString path = QStringLiteral("/models/a b/ü%20#?&x");
        QCOMPARE(widgets::parseLink(widgets::teacherLink(path))->target, path);
        QCOMPARE(widgets::parseLink(widgets::teacherLink(QStringLiteral("demo")))->target, QStringLiteral("demo"));
        QCOMPARE(widgets::parseLink(widgets::layerLink(7))->layer, 7);
        QCOMPARE(widgets::parseLink(widgets::runLink(QString::fromStdString(runName(3))))->target, QString::fromStdString(runName(3)));
    }

    void aLinkLeadsToARun()
    {
        test::fillWorkspace(workspace());
        open();
        auto *runs = page<widgets::RunsPage>();
        auto *table = runs->findChild<QTableView *>();
        QTRY_COMPARE(runs->experiments().size(), std::size_t{7});
        runs->findChild<QLineEdit *>()->setText(QStringLiteral("nothing like that"));
        const QString run = QString::fromStdString(runName(11));
        m_window->openLink(widgets::runLink(run));
        QTRY_VERIFY(runs->isVisible());
        QTRY_COMPARE(table->selectionModel()->selectedRows().size(), 1);
        QVERIFY(runs->view().value(QStringLiteral("selected")).toStringList().constFirst().startsWith(run));
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), widgets::runLink(run));
        m_window->openLink(widgets::runLink(QString::fromStdString(runName(99))));
        QTRY_VERIFY(says(QStringLiteral("There is no run")));
    }

    void aLinkLeadsToALayerAlsoBeforeItsTeacherIsOpen()
    {
        openWindow();
        m_window->start({}, widgets::layerLink(2));
        QTRY_COMPARE(m_session->selection().layer(), 2);
        QCOMPARE(pages()->currentRow(), layersPage);
        menuAction(QStringLiteral("Copy link to the layer"))->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), widgets::layerLink(2));
        m_window->openLink(widgets::layerLink(numLayers));
        QVERIFY(says(QStringLiteral("has no layer 6")));
        QCOMPARE(m_session->selection().layer(), 2);
    }

    void aLinkOpensATeacherAndABadOneIsSaid()
    {
        openWindow();
        m_window->start({}, widgets::teacherLink(m_folder->path()));
        QTRY_COMPARE(m_session->teacher().argument, m_folder->path());
        QTRY_VERIFY(!m_session->job().isRunning());
        m_window->openLink(QStringLiteral("stillroom://nonsense/") + QString(300, QLatin1Char('x')));
        QVERIFY(says(QStringLiteral("leads nowhere")));
    }

    // One window for a workspace

    void aLaterStartHandsItsLinkOver()
    {
        SingleInstance first(workspace());
        QVERIFY(first.claim({}));
        QSignalSpy asked(&first, &SingleInstance::asked);
        for (const QString &link : {widgets::layerLink(3), QString()}) {
            bool second = true;
            std::jthread later([&] { second = SingleInstance(workspace()).claim(link); });
            QTRY_COMPARE(asked.size(), 1);
            later.join();
            QVERIFY(!second);
            QCOMPARE(asked.takeFirst().constFirst().toString(), link);
        }
        const auto permissions = QFileInfo(first.socket()).permissions();
        QVERIFY(!(permissions & (QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther | QFileDevice::WriteOther)));
    }

    void anotherWorkspaceHasItsOwnWindow()
    {
        SingleInstance first(workspace());
        QVERIFY(first.claim({}));
        SingleInstance other((m_folder->path() + QStringLiteral("/other")).toStdString());
        QVERIFY(other.claim({}));
        QVERIFY(first.socket() != other.socket());
        // However it is written, a workspace is one.
        QCOMPARE(SingleInstance((m_folder->path() + QStringLiteral("/other/../workspace/")).toStdString()).socket(), first.socket());
        const QString nowhere = m_folder->path() + QStringLiteral("/not/there/yet");
        QCOMPARE(SingleInstance((nowhere + QLatin1Char('/')).toStdString()).socket(), SingleInstance(nowhere.toStdString()).socket());
        QVERIFY(SingleInstance(nowhere.toStdString()).socket() != first.socket());
        QCOMPARE(SingleInstance((m_folder->path() + QStringLiteral("/./workspace")).toStdString()).socket(), first.socket());
    }

    void aSocketThatNobodyAnswersAtIsTakenOver()
    {
        const QString path = SingleInstance(workspace()).socket();
        QFile dead(path);
        QVERIFY(dead.open(QIODevice::WriteOnly));      // as after a crash: something is there, and nobody listens
        dead.close();
        SingleInstance first(workspace());
        QVERIFY(first.claim({}));
        bool second = true;
        const QSignalSpy asked(&first, &SingleInstance::asked);
        std::jthread later([&] { second = SingleInstance(workspace()).claim(widgets::layerLink(1)); });
        QTRY_COMPARE(asked.size(), 1);
        later.join();
        QVERIFY(!second);
    }

    void whoSaysTooMuchIsShownOut()
    {
        SingleInstance first(workspace());
        QVERIFY(first.claim({}));
        const QSignalSpy asked(&first, &SingleInstance::asked);
        QLocalSocket visitor;
        visitor.connectToServer(first.socket());
        QVERIFY(visitor.waitForConnected(1000));
        visitor.write(QByteArray(1 << 20, 'a'));
        QTRY_COMPARE_WITH_TIMEOUT(visitor.state(), QLocalSocket::UnconnectedState, 3000);      // not only when its time is over
        QVERIFY(asked.isEmpty());
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
            for (int row = 0; row < tree->topLevelItem(group)->childCount(); ++row)
                listed << tree->topLevelItem(group)->child(row)->text(0) + QLatin1Char('|') + tree->topLevelItem(group)->child(row)->text(1);
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
        const auto said = [this] {
            for (const QLabel *one : m_window->findChildren<QLabel *>())
                if (one->accessibleName() == QStringLiteral("Done just now"))
                    return one->isVisible() ? one->text() : QString();
            return QString();
        };
        QVERIFY(said().isEmpty());
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTest::keyClick(page<widgets::LayerBarPlot>(), Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY(said().startsWith(QStringLiteral("Copied: the plot as SVG and PNG")));
        m_session->selection().select(2);
        menuAction(QStringLiteral("Copy link to the layer"))->trigger();
        QTRY_COMPARE(said(), QStringLiteral("Copied: ") + widgets::layerLink(2));
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
    void openWindow()
    {
        m_session = std::make_unique<widgets::Session>(workspace(), [madeUp = m_madeUp](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void open()
    {
        openWindow();
        openTeacher(QStringLiteral("demo"));
    }
    void close()
    {
        m_window.reset();
        m_session.reset();
    }
    void openTeacher(const QString &argument)
    {
        QSignalSpy read(m_session.get(), &widgets::Session::storedRead);
        m_session->openTeacher(argument);
        QTRY_COMPARE(m_session->teacher().argument, argument);
        QTRY_VERIFY(!m_session->job().isRunning());
        QTRY_VERIFY(!read.isEmpty());
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
    static void collect(const QList<QAction *> &actions, const QString &text, QAction *&found)
    {
        for (QAction *action : actions)
            if (action->menu())
                collect(action->menu()->actions(), text, found);
            else if (widgets::plainText(*action) == text)
                found = action;
    }
    QAction *menuAction(const QString &text)
    {
        QAction *found = nullptr;
        collect(m_window->menuBar()->actions(), text, found);
        if (!found)
            qFatal("no action %s", qPrintable(text));
        return found;
    }
    QMenu *recentMenu()
    {
        for (QMenu *menu : m_window->findChildren<QMenu *>())
            if (QString(menu->title()).remove(QLatin1Char('&')) == QLatin1String("Open recent"))
                return menu;
        qFatal("no recent teachers");
        return nullptr;
    }
    bool says(const QString &part)
    {
        for (const widgets::MessageLine *line : m_window->findChildren<widgets::MessageLine *>())
            if (line->isVisible() && line->text().contains(part))
                return true;
        return false;
    }
    static int columnOf(const QTableView &table, const QString &title)
    {
        for (int column = 0; column < table.model()->columnCount(); ++column)
            if (table.model()->headerData(column, Qt::Horizontal).toString() == title)
                return column;
        return -1;
    }
    template <typename Page> [[nodiscard]] Page *page() const { return m_window->findChild<Page *>(); }
    [[nodiscard]] QListWidget *pages() const { return m_window->findChild<QListWidget *>(); }
    [[nodiscard]] QWidget *pageWidget(int row) const
    {
        for (QStackedWidget *stack : m_window->findChildren<QStackedWidget *>())
            if (stack->count() == pages()->count())
                return stack->widget(row);
        return nullptr;
    }
    [[nodiscard]] std::filesystem::path workspace() const { return (m_folder->path() + QStringLiteral("/workspace")).toStdString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<MadeUp> m_madeUp;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(WorkingTest)
#include "working.moc"
