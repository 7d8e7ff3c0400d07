// SPDX-License-Identifier: GPL-3.0-or-later
#include "filledworkspace.h"
#include "mainwindow.h"
#include "singleinstance.h"
#include "store/lines.h"
#include "windowtest.h"

#include "models/deeplink.h"
#include "models/recentteachers.h"
#include "models/session.h"
#include "pages/comparepage.h"
#include "pages/runspage.h"
#include "plots/curveplot.h"
#include "plots/runcurvesplot.h"
#include "views/messageline.h"

#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLocalSocket>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <thread>

using namespace stillroom;
using test::numLayers;

namespace {

constexpr int layersPage = 1, overlapPage = 2;

}  // namespace

/// What is there again: recent teachers, the next start, what links lead to, and the one window of a workspace.
class ReturningTest final : public test::WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("returning")); }
    void init() { begin(); }
    void cleanup() { end(); }

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
        end();

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
        end();
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
        end();
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
        end();
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
        end();
        openWindow();
        m_window->start({});
        QTRY_COMPARE(m_session->teacher().argument, QStringLiteral("demo"));
        m_window->close();
        end();
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

private:
    void open()
    {
        openWindow();
        openTeacher(QStringLiteral("demo"));
    }
    QMenu *recentMenu()
    {
        for (QMenu *menu : m_window->findChildren<QMenu *>())
            if (QString(menu->title()).remove(QLatin1Char('&')) == QLatin1String("Open recent"))
                return menu;
        qFatal("no recent teachers");
        return nullptr;
    }
    static int columnOf(const QTableView &table, const QString &title)
    {
        for (int column = 0; column < table.model()->columnCount(); ++column)
            if (table.model()->headerData(column, Qt::Horizontal).toString() == title)
                return column;
        return -1;
    }
    template <typename Page> [[nodiscard]] Page *page() const { return m_window->findChild<Page *>(); }
};

QTEST_MAIN(ReturningTest)
#include "returning.moc"
