// SPDX-License-Identifier: GPL-3.0-or-later
#include "madeup.h"
#include "mainwindow.h"
#include "settled.h"
#include "storedcalibrations.h"
#include "tstranslator.h"

#include "dialogs/experimentdialog.h"
#include "error.h"
#include "experiment/digest.h"
#include "models/calibrationbook.h"
#include "models/session.h"
#include "paperfigures.h"
#include "pages/calibrationpage.h"
#include "pages/headnumbers.h"
#include "plots/alignmentplot.h"
#include "plots/figurewriter.h"
#include "plots/headdistributionplot.h"
#include "plots/headmapplot.h"
#include "plots/headprofileplot.h"
#include "plots/hiddencosineplot.h"
#include "plots/tokenmapplot.h"
#include "store/lines.h"
#include "views/alarmlist.h"
#include "views/messageline.h"
#include "views/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

using namespace stillroom;
using widgets::Side;

/// The calibration page, through the real window.
class CalibrationTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("calibrationpage"));
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise)\\(\\)).*")));
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_madeUp = std::make_shared<test::MadeUp>();
        m_hold = m_begun = false;
        m_spec = {};
    }
    void cleanup()
    {
        m_window.reset();
        m_session.reset();
    }

    void anEmptyWorkspaceOffersACalibrationAndRunsIt()
    {
        open();
        showPage();
        QPushButton *first = button(QStringLiteral("Calibrate…"));
        QVERIFY(first);
        QVERIFY(!map()->isVisible());
        first->click();
        auto *dialog = m_window->findChild<widgets::ExperimentDialog *>();
        QVERIFY(dialog);
        auto *layers = dialog->findChild<QLineEdit *>(QString(), Qt::FindChildrenRecursively);
        QPushButton *ok = dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
        QTRY_VERIFY(ok->isEnabled());
        for (QLineEdit *edit : dialog->findChildren<QLineEdit *>())
            if (edit->accessibleName() == QStringLiteral("Layers"))
                layers = edit;
        layers->setText(QStringLiteral("3-x"));
        QVERIFY(!ok->isEnabled());
        layers->setText(QStringLiteral("4, 0-2"));
        QTRY_VERIFY(ok->isEnabled());
        m_hold = true;
        ok->click();
        QTRY_VERIFY(m_begun);
        QCOMPARE(m_spec.at("arm").get<std::string>(), std::string("both"));
        QCOMPARE(m_spec.at("layers").get<std::vector<int>>(), (std::vector<int>{0, 1, 2, 4}));
        QCOMPARE(m_spec.at("phase_2").at("steps").get<int>(), 300);
        QVERIFY(!m_spec.contains("maps_tokens"));      // left to the program
        m_hold = false;
        QTRY_VERIFY(!m_session->job().isRunning());
    }

    void curvesGrowWhileAJobCalibratesAndItsReportFollows()
    {
        open();
        showPage();
        m_hold = true;
        m_session->calibrate({{"layers", {0, 1}}});
        auto *curves = page()->findChild<widgets::AlignmentPlot *>();
        QTRY_COMPARE(curves->numCurves(), 2);
        QVERIFY(curves->isVisible());       // they came to the front
        const int before = curves->numPoints();
        m_session->choice().setKeep(3);     // another K leaves them
        QTRY_VERIFY(curves->numPoints() > before);
        m_hold = false;
        QTRY_VERIFY(!m_session->job().isRunning());
        QTRY_VERIFY(book().report());
        QCOMPARE(book().chosen()->key, experiment::sha256Hex("calibration 77"));
        QTRY_VERIFY(!book().isLive());
        QCOMPARE(curves->numCurves(), 2);
        QVERIFY(map()->isVisible());
    }

    void everyHeadIsACellThatKeysAndTheMousePick()
    {
        openStored(6, 2, 2);
        map()->setFocus();
        QTest::keyClick(map(), Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(m_session->selection().layer(), 0);
        QTest::keyClick(map(), Qt::Key_Down);
        QTest::keyClick(map(), Qt::Key_Down);
        QTest::keyClick(map(), Qt::Key_Right);
        QCOMPARE(std::pair(book().layer(), book().head()), std::pair(2, 1));
        QCOMPARE(m_session->selection().layer(), 2);
        QVERIFY(map()->accessibleDescription().contains(QStringLiteral("Layer 2, head 1: mean look-back 202 tokens")));
        std::set<std::pair<int, int>> picked;
        QWidget *canvas = canvasOf(map());
        QTest::qWait(50);
        for (int y = 2; y < canvas->height(); y += 5)
            for (int x = 2; x < canvas->width(); x += 20) {
                QTest::mouseClick(canvas, Qt::LeftButton, {}, {x, y});
                if (book().layer() >= 0)
                    picked.insert({book().layer(), book().head()});
            }
        QCOMPARE(picked.size(), std::size_t{12});
        m_session->selection().select(4);       // from another page
        QCOMPARE(book().layer(), 4);
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QCOMPARE(book().head(), -1);
    }

    void theHeadOfTheFirstAlarmIsPickedUnlessAPersonHasPickedOrLetGo()
    {
        openStored(6, 2, 2);
        QCOMPARE(std::pair(book().layer(), book().head()), std::pair(5, 0));
        QTRY_VERIFY(!distribution()->accessibleDescription().isEmpty() && distribution()->marked());
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QCOMPARE(book().head(), -1);
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        showPage();
        QCOMPARE(book().head(), -1);
    }
    void withoutAlarmsTheFirstHeadIsPicked()
    {
        nlohmann::json report = test::madeUpReport(6, 2, 2);
        report["alarms"].clear();
        report["layers"].erase(0);
        report["alignment"].erase(0);
        openReport(report);
        QCOMPARE(std::pair(book().layer(), book().head()), std::pair(1, 0));
    }
    void aLayerThatWasSelectedElsewhereStays()
    {
        const std::filesystem::path workspace = m_folder->path().toStdString();
        test::writeCalibration(workspace, 1, test::commitCalibration(workspace, 1, test::madeUpReport(6, 2, 2).dump()));
        open();
        m_session->selection().select(3);
        showPage();
        QTRY_VERIFY(book().report());
        QCOMPARE(std::pair(book().layer(), book().head()), std::pair(3, 0));
    }

    void itFitsIntoAWindowOf1280By800_data()
    {
        QTest::addColumn<bool>("chinese");
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("heads");
        for (const bool chinese : {false, true})
            for (const auto &[layers, heads] : {std::pair{6, 2}, {36, 32}})
                QTest::addRow("%s, %d layers of %d heads", chinese ? "Chinese" : "English", layers, heads) << chinese << layers << heads;
    }
    /// In Chinese also with letters that are whole squares, where the machine has such a font.
    void itFitsIntoAWindowOf1280By800()
    {
        QFETCH(const bool, chinese);
        QFETCH(const int, layers);
        QFETCH(const int, heads);
        const QFont font = QApplication::font();
        test::TsTranslator translator(QStringLiteral("stillroom_zh_CN.ts"));
        if (const QStringList families = QFontDatabase::families(QFontDatabase::SimplifiedChinese); chinese && !families.isEmpty())
            QApplication::setFont(QFont(families.front(), font.pointSize()));
        if (chinese)
            QVERIFY(QCoreApplication::installTranslator(&translator));
        openStored(layers, heads, 2);
        m_window->resize(1280, 800);
        const auto *area = qobject_cast<QScrollArea *>(page()->parentWidget()->parentWidget());
        QVERIFY(area);
        QStringList faults;
        for (int tab = 0; tab < tabs()->count(); ++tab) {
            tabs()->setCurrentIndex(tab);
            QTest::qWait(50);
            if (area->horizontalScrollBar()->isVisible() || area->horizontalScrollBar()->maximum() > 0)
                faults << QStringLiteral("%1: the page is %2 pixels too wide").arg(tabs()->tabText(tab)).arg(area->horizontalScrollBar()->maximum());
        }
        tabs()->setCurrentWidget(numbers());
        const auto *table = numbers()->findChild<QTableWidget *>();
        QTRY_VERIFY(table->rowCount() > 0);
        if (table->horizontalScrollBar()->maximum() > 0)
            faults << QStringLiteral("the head's numbers are %1 pixels too wide").arg(table->horizontalScrollBar()->maximum());
        const QSizeF cell = map()->cellSize();
        if (cell.width() < 10.0 || cell.height() < 10.0)
            faults << QStringLiteral("cells of %1 × %2").arg(cell.width()).arg(cell.height());
        m_window.reset();
        QCoreApplication::removeTranslator(&translator);
        QApplication::setFont(font);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
    }

    void largeModelsKeepCellsOfTenPixelsAndScroll()
    {
        openStored(36, 32, 8);
        m_window->resize(900, 600);
        QTest::qWait(100);
        QVERIFY2(map()->cellSize().width() >= 10.0 && map()->cellSize().height() >= 10.0, qPrintable(QStringLiteral("%1 × %2").arg(map()->cellSize().width()).arg(map()->cellSize().height())));
        QVERIFY(map()->shownLayers().second - map()->shownLayers().first < 36);
        map()->setFocus();
        QTest::keyClick(map(), Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(std::pair(book().layer(), book().head()), std::pair(35, 31));
        QCOMPARE(map()->shownLayers().second, 36);
        QCOMPARE(map()->shownColumns().second, 32);
        book().pick(20, 7);
        m_window->resize(1200, 1200);
        QTest::qWait(100);
        m_window->resize(900, 600);
        QTest::qWait(100);
        QVERIFY(map()->shownLayers().first <= 20 && map()->shownLayers().second > 20);      // it stays in sight
        book().pick(35, 31);
        book().setStatistic(QStringLiteral("half_life_mean"));      // 8 states: head 31 has the last
        QCOMPARE(map()->shownColumns().second, 8);
        QVERIFY(map()->accessibleDescription().contains(QStringLiteral("head 7")));
        QTest::keyClick(map(), Qt::Key_Left);
        QCOMPARE(book().head(), 24);
    }

    void statisticsSwitchByGroupAndMoment()
    {
        openStored(6, 2, 2);
        QComboBox *statistics = combo(QStringLiteral("Statistic")), *moments = combo(QStringLiteral("Moment"));
        QVERIFY(statistics->findText(QStringLiteral("Write gate")) > 0);
        QCOMPARE(statistics->findData(QStringLiteral("sigma")), -1);      // this one set no scales
        QCOMPARE(map()->colourRange(), std::pair(1.0, 502.0));
        QVERIFY(!moments->isEnabled());                                   // of the teacher: measured once
        choose(*statistics, QStringLiteral("half_life_mean"));
        QVERIFY(moments->isEnabled());
        QCOMPARE(moments->count(), 6);
        QCOMPARE(moments->currentText(), QStringLiteral("after phase 2"));
        QCOMPARE(map()->colourRange(), std::pair(4.0, 12.0));             // all moments alike
        for (const auto &[side, value] : {std::pair{Side::Before, 5.0}, {Side::AfterPhaseOne, 10.0}, {Side::AfterPhaseTwo, 12.0}, {Side::ByPhaseOne, 5.0}, {Side::ByPhaseTwo, 2.0}, {Side::Difference, 7.0}}) {
            chooseMoment(side);
            QCOMPARE(book().side(), side);
            QCOMPARE(book().report()->value(*book().statistic(), side, 1, 1), value);
        }
        QCOMPARE(map()->colourRange(), std::pair(-7.0, 7.0));             // around white
        book().pick(1, 1);
        QCOMPARE(distribution()->marked(), std::optional(7.0));
        QCOMPARE(distribution()->numShown(), 12);
        choose(*statistics, QStringLiteral("beta_mean"));
        chooseMoment(Side::AfterPhaseOne);
        QCOMPARE(map()->colourRange(), std::pair(0.0, 1.0));              // what is possible
        choose(*statistics, QStringLiteral("layer_mse"));
        QCOMPARE(map()->shownColumns().second, 1);
        QVERIFY(map()->sentence(3, 0).contains(QStringLiteral("0.200, before 1.10")));
        choose(*combo(QStringLiteral("Against")), QStringLiteral("entropy"));
        QCOMPARE(distribution()->numShown(), 12);                         // a point for each head of the finer one
        for (const char *id : {"teacher_rms", "value_rms", "best_step", "change/dt_bias", "change/q_proj.weight"})
            QVERIFY2(statistics->findData(QLatin1String(id)) > 0, id);
        choose(*statistics, QStringLiteral("change/q_proj.weight"));
        QCOMPARE(moments->count(), 1);                                    // phase 1 left it alone
        QCOMPARE(book().report()->value(*book().statistic(), Side::After, 3, 0), 0.2);
    }

    void anArmWithoutPhasesShowsHowItsLayersBegin()
    {
        nlohmann::json naive = test::madeUpReport(6, 2, 2);
        naive["arm"] = "naive-copy";
        naive.erase("alignment");
        for (nlohmann::json &layer : naive["layers"]) {
            for (const char *gone : {"after_phase_1", "after_phase_2", "parameter_change_phase_1", "parameter_change_phase_2"})
                layer.erase(gone);
            for (nlohmann::json &head : layer["heads"])
            {
                const nlohmann::json all = head;
                for (const auto &[name, value] : all.items())
                    if (name.find("_after_") != std::string::npos)
                        head.erase(name);
            }
        }
        openReport(naive);
        choose(*combo(QStringLiteral("Statistic")), QStringLiteral("half_life_mean"));
        QCOMPARE(combo(QStringLiteral("Moment"))->currentText(), QStringLiteral("before"));
        QCOMPARE(map()->colourRange(), std::pair(4.0, 5.0));
        QVERIFY(map()->sentence(1, 1).contains(QStringLiteral("5.00 tokens.")));
    }

    void aReportOfTheFirstSchemaIsRead()
    {
        nlohmann::json old{{"schema", 1}, {"arm", "both"}, {"sequences", 8}, {"sequence_length", 128}, {"layers", nlohmann::json::array()}, {"alignment", nlohmann::json::array()}};
        for (int layer = 0; layer < 6; ++layer) {
            const nlohmann::json head{{"half_life_before_tokens", {{"mean", 4.0}}}, {"half_life_after_tokens", {{"mean", 8.0}}}, {"beta_before", {{"mean", 0.4}}}, {"beta_after", {{"mean", 0.5}}}, {"context_rms_before", 0.1}, {"context_rms_after", 0.2}};
            old["layers"].push_back({{"layer", layer}, {"heads", {head, head}}, {"attention", {{"heads", {{{"entropy_nats", 1.0}}, {{"entropy_nats", 2.0}}}}}}, {"value_rms", 0.7}, {"before", {{"relative_mse", 1.1}}}, {"after", {{"relative_mse", 0.9}}},
                                     {"parameter_change", {{"dt_bias", 0.5}}}});
            old["alignment"].push_back({{"layer", layer}, {"relative_mse", 0.3}, {"best_step", 40}});
        }
        openReport(old);
        const auto number = [&](const char *id, Side side) {
            book().setStatistic(QLatin1String(id));
            return book().report()->value(*book().statistic(), side, 2, 0);
        };
        QCOMPARE(number("half_life_mean", Side::AfterPhaseOne), 8.0);
        QCOMPARE(number("half_life_mean", Side::Difference), 4.0);
        QCOMPARE(number("student_rms", Side::After), 0.2);
        QCOMPARE(number("layer_mse", Side::AfterPhaseOne), 0.9);
        QCOMPARE(number("layer_mse", Side::After), 0.3);
        QCOMPARE(number("value_rms", Side::AfterPhaseOne), 0.7);
        QCOMPARE(number("change/dt_bias", Side::AfterPhaseOne), 0.5);
        QCOMPARE(number("best_step", Side::After), 40.0);
        QCOMPARE(page()->findChild<widgets::HiddenCosinePlot *>()->numCurves(), 0);
    }

    void theStudentAsAWholeStandsAgainstDepth()
    {
        openStored(6, 2, 2);
        auto *depth = page()->findChild<widgets::HiddenCosinePlot *>();
        tabs()->setCurrentWidget(depth);
        QVERIFY(depth->isVisible());
        QTRY_COMPARE(depth->numCurves(), 3);
        QVERIFY2(depth->accessibleDescription().contains(QStringLiteral("after phase 2: 0.980")), qPrintable(depth->accessibleDescription()));
        QCOMPARE(depth->figure().table.rows.size(), std::size_t{18});
    }

    void theMapsOfAHeadAreAtLeast180PixelsInAWindowOf1400By900()
    {
        nlohmann::json rows = nlohmann::json::array();
        for (int t = 0; t < 64; ++t)
            rows.push_back(std::vector<double>(static_cast<std::size_t>(t) + 1, 1.0 / (t + 1)));
        const nlohmann::json head{{"attention", rows}, {"student_before", rows}, {"student_after_phase_2", rows}};
        openStored(6, 2, 2, {{"tokens", 64}, {"heads", {head, head}}}, 2);
        m_window->resize(1400, 900);
        book().pick(2, 1);
        QTRY_VERIFY(book().maps() && !book().maps()->empty());
        QCOMPARE(page()->findChildren<widgets::TokenMapPlot *>().size(), 2);
        for (const auto *one : page()->findChildren<widgets::TokenMapPlot *>())
            QTRY_VERIFY2(one->axesSize().width() >= 180 && one->axesSize().height() >= 180, qPrintable(QStringLiteral("%1 × %2 of %3 × %4").arg(one->axesSize().width()).arg(one->axesSize().height()).arg(one->width()).arg(one->height())));
    }

    void softmaxLayersOfTheHybridArePaleAndHatched()
    {
        openStored(6, 2, 2);
        book().setStatistic(QStringLiteral("sink_mass"));
        m_session->choice().toggle(5);      // the strip above has its words, and its height, from the first one on
        const QImage none = settledMap();
        m_session->choice().toggle(3);
        QVERIFY(map()->sentence(3, 0).contains(QStringLiteral("keeps its softmax")));
        const QImage kept = settledMap();
        QCOMPARE(kept.size(), none.size());
        int differing = 0;
        for (int y = 0; y < none.height(); ++y)
            for (int x = 0; x < none.width(); ++x)
                differing += none.pixel(x, y) != kept.pixel(x, y) ? 1 : 0;
        const double cells = 2.0 * map()->cellSize().width() * map()->cellSize().height();
        QVERIFY2(differing > 0.8 * cells && differing < 1.2 * cells, qPrintable(QStringLiteral("%1 of %2").arg(differing).arg(cells)));
    }

    void alarmsAreSentencesThatShowWhatTheyMean()
    {
        openStored(6, 2, 2);
        auto *list = page()->findChild<widgets::AlarmList *>();
        auto *rows = list->findChild<QTableWidget *>();
        QCOMPARE(rows->rowCount(), 2);
        QVERIFY(rows->item(0, 0)->text().contains(QStringLiteral("Layer 5, heads 0")));
        QVERIFY(rows->item(0, 0)->text().contains(QStringLiteral("uniform attention")));
        static_cast<QPushButton *>(rows->cellWidget(0, 1))->click();
        QCOMPARE(book().statistic()->id, QStringLiteral("distance_vs_uniform"));
        QCOMPARE(std::pair(book().layer(), book().head()), std::pair(5, 0));
        rows->setFocus();
        rows->setCurrentCell(1, 0);
        QTest::keyClick(rows, Qt::Key_Return);
        QCOMPARE(book().statistic()->id, QStringLiteral("beta_mean"));
        QCOMPARE(book().layer(), 1);
        for (const char *kind : {"sigma-floor", "look-back", "small-context", "write-target"}) {
            const widgets::CalibrationAlarm alarm{QString::fromLatin1(kind), 3, {0, 1, 2, 5}, 0.4, 0.2};
            QVERIFY2(widgets::alarmText(alarm).contains(QStringLiteral("0–2, 5")) && widgets::alarmText(alarm).contains(QStringLiteral("ayer 3")), kind);
            QVERIFY2(!widgets::alarmStatistic(alarm).isEmpty(), kind);
        }
    }

    void thePickedHeadIsShownInDetail()
    {
        const nlohmann::json rows{{1.0}, {0.25, 0.75}}, before{{0.5}, {-0.5, 0.25}}, after{{0.9}, {0.2, 0.7}};
        const nlohmann::json head{{"attention", rows}, {"student_before", before}, {"student_after_phase_1", before}, {"student_after_phase_2", after}};
        openStored(6, 2, 2, {{"tokens", 2}, {"heads", {head, head}}}, 2);
        book().setStatistic(QStringLiteral("half_life_mean"));
        book().pick(2, 1);
        const auto maps = page()->findChildren<widgets::TokenMapPlot *>();
        QCOMPARE(maps.size(), 2);
        QTRY_COMPARE(maps[0]->rows().size(), std::size_t{2});
        QCOMPARE(maps[0]->rows()[1], (std::vector<double>{0.25, 0.75}));
        QCOMPARE(maps[1]->rows()[1], (std::vector<double>{0.2, 0.7}));
        book().setSide(Side::Before);
        QCOMPARE(maps[1]->rows()[1], (std::vector<double>{-0.5, 0.25}));
        book().setSide(Side::AfterPhaseOne);
        QVERIFY(test::settle());
        QVERIFY(maps[1]->accessibleName().contains(QStringLiteral("after phase 1")));
        for (const auto *profile : page()->findChildren<widgets::HeadProfilePlot *>())
            QVERIFY(profile->numBins() >= 3);
        auto *table = namedTable(QStringLiteral("The head's numbers, at every moment"));
        bool found = false;
        for (int row = 0; row < table->rowCount(); ++row)
            if (table->item(row, 0)->text().startsWith(QStringLiteral("half-life: mean"))) {
                found = true;
                QCOMPARE(table->item(row, 1)->text(), QStringLiteral("5.00"));
                QCOMPARE(table->item(row, 2)->text(), QStringLiteral("10.0"));
                QCOMPARE(table->item(row, 3)->text(), QStringLiteral("12.0"));
            }
        QVERIFY(found);
        book().pick(3, 0);      // it has no file
        QTRY_VERIFY(maps[0]->rows().empty());
        QTRY_VERIFY(maps[0]->accessibleDescription().contains(QStringLiteral("kept no maps")));
    }

    void decaySharesAreThoseOfTheKernel()
    {
        const std::vector<double> shares = widgets::decayShares(3.0, 8);      // lags 0 … 15
        double whole = 0.0, sum = 0.0;
        std::vector<double> slow(8, 0.0);
        for (int lag = 0; lag < 16; ++lag) {
            int bin = 0;
            while (widgets::binStart(bin + 1) <= lag)
                ++bin;
            slow[static_cast<std::size_t>(bin)] += std::exp2(-lag / 3.0);
            whole += std::exp2(-lag / 3.0);
        }
        for (std::size_t bin = 0; bin < 8; ++bin) {
            QVERIFY(std::abs(shares[bin] - slow[bin] / whole) < 1e-12);
            sum += shares[bin];
        }
        QVERIFY(std::abs(sum - 1.0) < 1e-12);
    }

    void whatIsShownIsCopiedForASpreadsheet()
    {
        openStored(6, 2, 2);
        map()->setFocus();
        QTest::keyClick(map(), Qt::Key_C, Qt::ControlModifier);
        QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 7);
        QCOMPARE(lines[0], QStringLiteral("layer\tquery head 0 (tokens)\tquery head 1 (tokens)"));
        QCOMPARE(lines[3], QStringLiteral("2\t201\t202"));
        QVERIFY(QGuiApplication::clipboard()->mimeData()->hasFormat(QStringLiteral("image/svg+xml")));
        book().pick(2, 1);
        QTableWidget *table = namedTable(QStringLiteral("The head's numbers, at every moment"));
        tabs()->setCurrentWidget(numbers());
        table->setFocus();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("2\t1\tmean_distance\ttokens\t\t\t\t202")));
    }

    void everyPlotGoesOnPaperAndIsMadeAgainFromItsSpec()
    {
        const nlohmann::json rows{{1.0}, {0.25, 0.75}}, student{{0.9}, {-0.2, 0.7}};
        const nlohmann::json head{{"attention", rows}, {"student_before", rows}, {"student_after_phase_2", student}};
        openStored(6, 2, 2, {{"tokens", 2}, {"heads", {head, head}}}, 2);
        book().setStatistic(QStringLiteral("half_life_mean"));
        book().setSide(Side::Before);
        book().pick(2, 1);
        QTRY_VERIFY(book().maps() && !book().maps()->empty());
        distribution()->setAgainst(QStringLiteral("entropy"));
        const std::filesystem::path folder = m_folder->path().toStdString(), again = folder / "again";
        std::vector<std::filesystem::path> written;
        std::set<std::string> plots;
        for (const widgets::PlotView *plot : page()->findChildren<widgets::PlotView *>()) {
            QVERIFY2(!plot->tableTwin().rows.empty(), qPrintable(plot->accessibleName()));
            report::FigureSpec spec = plot->spec();
            plots.insert(spec.plot);
            spec.file = spec.plot + "-" + std::to_string(written.size());
            spec.formats = {"pdf", "svg", "tikz", "csv"};
            for (const std::filesystem::path &file : widgets::writeFigure(*plot, spec, folder, "0.1"))
                written.push_back(file);
            report::addFigure(folder / "figures.json", spec);
        }
        QCOMPARE(plots, (std::set<std::string>{"alignment", "head-attention", "head-distribution", "head-entropy", "head-lags", "head-map", "head-student", "hidden-cosine"}));
        try {
            makePaperFigures(folder / "figures.json", again, folder, [this](const nlohmann::json &spec, jobs::RunContext &context) { return (*m_madeUp)(spec, context); }, "0.1");
        } catch (const Error &error) {
            QFAIL(error.what());
        }
        for (const std::filesystem::path &file : written)
            QVERIFY2(contents(again / file.filename()) == contents(file), file.filename().c_str());
    }

    void aDamagedReportIsOneSentence_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("not JSON") << QStringLiteral("{\"layers\": [") << QStringLiteral("damaged");
        QTest::newRow("a list") << QStringLiteral("[1]") << QStringLiteral("damaged");
        QTest::newRow("no numbers") << QStringLiteral("{\"schema\": 1, \"arm\": \"naive-copy\"}") << QStringLiteral("no numbers");
        QTest::newRow("other types") << QStringLiteral("{\"layers\": [{\"layer\": 0, \"attention\": 7, \"heads\": {\"a\": 1}}], \"taylor\": [{\"layer\": 0, \"heads\": [1]}], \"alarms\": {}}") << QStringLiteral("alibration's report");
        QTest::newRow("newer") << QStringLiteral("{\"schema\": 99}") << QStringLiteral("newer version");
    }
    void aDamagedReportIsOneSentence()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, says);
        const std::filesystem::path workspace = m_folder->path().toStdString();
        test::writeCalibration(workspace, 3, test::commitCalibration(workspace, 3, text.toStdString()));
        open();
        showPage();
        widgets::MessageLine *shown = nullptr;
        for (auto *line : page()->findChildren<widgets::MessageLine *>())
            shown = line;
        QTRY_VERIFY(shown->isVisible());
        QVERIFY2(shown->text().contains(says), qPrintable(shown->text()));
        QVERIFY(!book().report());
        QTest::keyClick(map(), Qt::Key_Down);
        QTest::keyClick(page(), Qt::Key_C, Qt::ControlModifier);
    }

    void ofSeveralTheNewestIsShownAndAnotherIsChosen()
    {
        const std::filesystem::path workspace = m_folder->path().toStdString();
        test::writeCalibration(workspace, 1, test::commitCalibration(workspace, 1, test::madeUpReport(6, 2, 2).dump()));
        nlohmann::json part = test::madeUpReport(6, 2, 2);
        part["layers"].erase(0);
        part["alignment"].erase(0);
        test::writeCalibration(workspace, 2, test::commitCalibration(workspace, 2, part.dump()));
        test::writeCalibration(workspace, 4, test::commitCalibration(workspace, 2, part.dump()));      // used the results of 2
        open();
        showPage();
        QTRY_COMPARE(book().stored().size(), std::size_t{2});
        QTRY_VERIFY(book().report());
        QCOMPARE(book().chosen()->run, QString::fromStdString(runName(2)));
        QVERIFY(map()->sentence(0, 0).contains(QStringLiteral("not calibrated")));
        QComboBox *all = combo(QStringLiteral("Calibration"));
        QCOMPARE(all->count(), 2);
        choose(*all, QString::fromStdString(runName(1)));
        QTRY_VERIFY(book().report());
        QCOMPARE(book().chosen()->run, QString::fromStdString(runName(1)));
        QCOMPARE(book().report()->layers().size(), std::size_t{6});
        QVERIFY(!book().curves().isEmpty());
    }

    void differencesAreWhiteInTheMiddle()
    {
        QCOMPARE(widgets::differenceColour(0.0), QColor(Qt::white));
        QVERIFY(widgets::differenceColour(-1.0).blue() > widgets::differenceColour(-1.0).red());
        QVERIFY(widgets::differenceColour(1.0).red() > widgets::differenceColour(1.0).blue());
    }

private:
    /// Calibrates two layers until it is let go; leaves what a calibration leaves.
    nlohmann::json calibrate(const nlohmann::json &spec, jobs::RunContext &context)
    {
        m_spec = spec;
        m_begun = true;
        const std::string key = experiment::sha256Hex("calibration 77");
        context.sink(experiment::Started{.kind = "calibrate", .key = key, .specJson = spec.dump(), .device = "cpu", .computeType = "float32", .version = {}});
        for (std::int64_t step = 1; step <= 20 || m_hold; ++step) {
            if (context.stop.stop_requested())
                throw Error(ErrorCode::Cancelled, "cancelled");
            for (const int layer : {0, 1}) {
                context.sink(experiment::Metric{"calibrate/relative_mse/" + std::to_string(layer), step, step, 1.0 / static_cast<double>(step), ""});
                context.sink(experiment::Metric{"calibrate/cosine/" + std::to_string(layer), step, step, 0.5, ""});
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        test::commitCalibration(context.workspace, 77, test::madeUpReport(test::numLayers, 2, 2).dump());
        return {{"kind", "calibrate"}, {"arm", "both"}, {"mixer", "gdn"}, {"key", key}};
    }
    static std::string contents(const std::filesystem::path &file)
    {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    void openStored(int layers, int heads, int states, const nlohmann::json &maps = {}, int mapsLayer = 0)
    {
        const std::filesystem::path workspace = m_folder->path().toStdString();
        test::writeCalibration(workspace, 1, test::commitCalibration(workspace, 1, test::madeUpReport(layers, heads, states).dump(), maps, mapsLayer));
        m_madeUp->model = test::description(layers);
        open();
        showPage();
        QTRY_VERIFY_WITH_TIMEOUT(book().report(), 30000);      // a large one, on a machine that is busy
        QTest::qWait(50);
    }
    /// Once nothing of it changes any more.
    QImage settledMap()
    {
        QImage last, now = map()->grab().toImage();
        for (int round = 0; round < 50 && now != last; ++round) {
            last = now;
            QTest::qWait(100);
            now = map()->grab().toImage();
        }
        return now;
    }
    void openReport(const nlohmann::json &report)
    {
        const std::filesystem::path workspace = m_folder->path().toStdString();
        test::writeCalibration(workspace, 1, test::commitCalibration(workspace, 1, report.dump()));
        m_madeUp->model = test::description(6);
        open();
        showPage();
        QTRY_VERIFY(book().report());
    }
    void chooseMoment(Side side)
    {
        QComboBox *moments = combo(QStringLiteral("Moment"));
        const int index = moments->findData(static_cast<int>(side));
        QVERIFY2(index >= 0, qPrintable(widgets::sideName(side)));
        moments->setCurrentIndex(index);
        Q_EMIT moments->activated(index);
    }
    void open()
    {
        m_session = std::make_unique<widgets::Session>(m_folder->path().toStdString(), [this](const nlohmann::json &spec, jobs::RunContext &context) {
            return spec.at("kind") == "calibrate" ? calibrate(spec, context) : (*m_madeUp)(spec, context);
        });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->teacher().isValid());
        QTRY_VERIFY(!m_session->job().isRunning());
    }
    void showPage() { QTest::keyClick(m_window.get(), Qt::Key_4, Qt::ControlModifier); }
    widgets::CalibrationBook &book() { return m_session->calibrations(); }
    widgets::CalibrationPage *page() { return m_window->findChild<widgets::CalibrationPage *>(); }
    /// As it stands once it has followed what happened, like those below.
    widgets::HeadMapPlot *map() { return test::settle(), page()->findChild<widgets::HeadMapPlot *>(); }
    widgets::HeadDistributionPlot *distribution() { return test::settle(), page()->findChild<widgets::HeadDistributionPlot *>(); }
    static QWidget *canvasOf(const QWidget *view)
    {
        for (QObject *child : view->children())
            if (auto *widget = qobject_cast<QWidget *>(child))
                return widget;
        return nullptr;
    }
    QTabWidget *tabs() { return page()->findChild<QTabWidget *>(); }
    widgets::HeadNumbers *numbers() { return page()->findChild<widgets::HeadNumbers *>(); }
    QPushButton *button(const QString &text)
    {
        for (QPushButton *one : page()->findChildren<QPushButton *>())
            if (one->isVisible() && QString(one->text()).remove(QLatin1Char('&')) == text)
                return one;
        return nullptr;
    }
    QComboBox *combo(const QString &name)
    {
        for (QComboBox *box : page()->findChildren<QComboBox *>())
            if (box->accessibleName() == name)
                return box;
        return nullptr;
    }
    static void choose(QComboBox &box, const QString &what)
    {
        const int index = box.findData(what);
        QVERIFY2(index >= 0, qPrintable(what));
        box.setCurrentIndex(index);
        Q_EMIT box.activated(index);
    }
    QTableWidget *namedTable(const QString &name)
    {
        for (QTableWidget *table : page()->findChildren<QTableWidget *>())
            if (table->accessibleName() == name)
                return table;
        return nullptr;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<test::MadeUp> m_madeUp;
    std::atomic<bool> m_hold{false}, m_begun{false};
    nlohmann::json m_spec;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(CalibrationTest)
#include "calibrationpage.moc"
