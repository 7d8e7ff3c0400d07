// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "mainwindow.h"
#include "paperfigures.h"
#include "runswindow.h"
#include "store/lines.h"
#include "storedscorings.h"

#include "models/experimenttable.h"
#include "models/session.h"
#include "pages/comparepage.h"
#include "pages/continuations.h"
#include "pages/runspage.h"
#include "plots/figurewriter.h"
#include "plots/runbarsplot.h"
#include "plots/runcurvesplot.h"
#include "report/runlooks.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <qcustomplot.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

using namespace stillroom;
using test::distillSpec;
using test::MadeUp;

/// Experiments side by side, through the real window.
class CompareTest final : public test::RunsWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("compare")); }
    void init()
    {
        begin();
        m_holdWriting = false;
    }
    void cleanup() { end(); }

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
        QCOMPARE(kl.at(0), QStringLiteral("0.3000 ± 0.0200"));
        QCOMPARE(kl.at(1), QStringLiteral("0.3000 ± 0.0200\nΔ +0.0000"));
        QCOMPARE(kl.at(2), QStringLiteral("0.2000 ± 0.0200\nΔ −0.1000 *"));

        sideBySide->setCurrentIndex(sideBySide->model()->index(0, 3));
        sideBySide->setFocus();
        QTest::keyClick(sideBySide, Qt::Key_B);
        QCOMPARE(line(*sideBySide, QStringLiteral("KL (nats/token)")).at(0), QStringLiteral("0.1000 ± 0.0200"));
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

    void namesOfReadingsHaveTheRoomThatNumbersLeave()
    {
        open(4);
        compareAll();
        auto *readings = compared()->findChild<QTableView *>(QStringLiteral("readings"));
        QTRY_COMPARE(readings->model()->columnCount(), 2);
        QCOMPARE(readings->textElideMode(), Qt::ElideMiddle);
        const int number = readings->columnWidth(1);
        QVERIFY(number >= readings->fontMetrics().horizontalAdvance(QStringLiteral("−0.000e−00")));
        QTRY_COMPARE(readings->columnWidth(0), readings->viewport()->width() - number);
        QVERIFY2(readings->columnWidth(0) > number, qPrintable(QStringLiteral("%1, %2").arg(readings->columnWidth(0)).arg(number)));
        QCOMPARE(readings->model()->index(0, 0).data(Qt::ToolTipRole), readings->model()->index(0, 0).data());
        compared()->findChild<QComboBox *>(QStringLiteral("curveBeside"))->setCurrentIndex(1);
        QTRY_COMPARE(readings->model()->columnCount(), 3);
        QCOMPARE(readings->columnWidth(2), number);
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
        QVERIFY(std::abs(*kl.table.rows[0][1].reach - 1.9983405425207412 * 0.01) < 1e-12);
        const QCustomPlot &canvas = *bars->findChild<QCustomPlot *>();      // what is drawn is in sight as in the files
        QCOMPARE(canvas.yAxis->range().upper, kl.chart.y.high);
        QCOMPARE(canvas.xAxis->range().lower, kl.chart.x.low);
        std::set<std::string> colours;
        for (const report::Series &series : kl.chart.series)
            colours.insert(series.colour);
        QCOMPARE(colours.size(), std::size_t{3});
        QVERIFY2(bars->accessibleDescription().contains(QStringLiteral("0.2000 ± 0.0200, Δ −0.1000 to the baseline")), qPrintable(bars->accessibleDescription()));

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

    void theIntervalOfRecallIsThatOfItsSequences()
    {
        write(1, distillSpec(1, {3, 4}, "old"), 0.3, {}, {{"recall_se", 0.01}, {"recall_n", 400}});
        write(2, distillSpec(2, {3, 4}, "new"), 0.2, {}, {{"recall_se", 0.01}, {"recall_n", 12}, {"recall_sequences", 3}});
        openWindow();
        QTRY_COMPARE(table().rowCount(), 2);
        compareAll();
        QTRY_VERIFY(lineOf(*sideBySide(), QStringLiteral("recall")) >= 0);
        QCOMPARE(line(*sideBySide(), QStringLiteral("recall")), (QStringList{QStringLiteral("0.8000 ± 0.0430"), QStringLiteral("0.7000\nΔ −0.1000")}));      // t(2), not t(11); how many sequences the old one had nobody knows
        QCOMPARE(lineOf(*sideBySide(), QStringLiteral("recall, sequences")), -1);      // a count is not better or worse
        const auto tip = [&](int column) { return sideBySide()->model()->index(lineOf(*sideBySide(), QStringLiteral("recall")), column).data(Qt::ToolTipRole).toString(); };
        QVERIFY2(tip(0).contains(QStringLiteral("over 12 answers\nin 3 held-out sequences")), qPrintable(tip(0)));
        QVERIFY2(tip(1).contains(QStringLiteral("over 400 answers\nno interval")), qPrintable(tip(1)));
        auto *measure = compared()->findChild<QComboBox *>(QStringLiteral("measure"));
        measure->setCurrentIndex(measure->findData(QStringLiteral("recall")));
        const report::Figure bars = compared()->findChild<widgets::RunBarsPlot *>()->figure();
        QVERIFY(std::abs(*bars.table.rows[0][1].reach - 4.302652729911275 * 0.01) < 1e-9);
        QCOMPARE(bars.table.rows[0][1].n, std::optional<std::int64_t>(3));
        QVERIFY(!bars.table.rows[1][1].reach && !bars.table.rows[1][1].n);
    }

    void whatARunMeasuredIsThereWhenItEnds()
    {
        write(1, distillSpec(1, {3, 4}, "over"), 0.3);
        LineWriter writer(workspace(), runName(70), thisProcess(), 1764570000.0);
        writer.say(experiment::Started{.kind = "distill", .key = "k70", .specJson = distillSpec(2, {3, 4}, "at work").dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "distill");
        openWindow();
        QTRY_COMPARE(table().rowCount(), 2);
        compareAll();
        QTRY_VERIFY(lineOf(*sideBySide(), QStringLiteral("KL (nats/token)")) >= 0);
        QCOMPARE(line(*sideBySide(), QStringLiteral("KL (nats/token)")).at(0), QStringLiteral("–"));
        writer.say(experiment::Finished{.resultJson = R"({"kind":"distill","selected":[3,4],"measures":{"kl_nats":0.2,"se_nats":0.01,"n":64}})", .seconds = 1.0}, "distill");
        readAgain();
        QTRY_COMPARE(line(*sideBySide(), QStringLiteral("KL (nats/token)")), (QStringList{QStringLiteral("0.2000 ± 0.0200"), QStringLiteral("0.3000 ± 0.0200\nΔ +0.1000 *")}));
    }

    void whoIsLeftAloneOfItsNameNeedsNothingBesides()
    {
        open(4);      // three are called the same
        compareAll();
        const auto head = [&](int column) { return sideBySide()->model()->headerData(column, Qt::Horizontal).toString(); };
        QVERIFY2(head(3).startsWith(QStringLiteral("same\nseed ")), qPrintable(head(3)));
        for (int i = 0; i < 2; ++i) {
            sideBySide()->setCurrentIndex(sideBySide()->model()->index(0, 1));
            sideBySide()->setFocus();
            QTest::keyClick(sideBySide(), Qt::Key_Delete);
        }
        QCOMPARE(sideBySide()->model()->columnCount(), 2);
        QCOMPARE(head(1), QStringLiteral("same"));
    }

    void twoPlotsHaveOneLegend()
    {
        open(2);
        write(70, distillSpec(9, {3, 4}, "held out"), 0.2, {}, nlohmann::json::object(), {.series = "distill/held_out_kl"});
        readAgain();
        QTRY_COMPARE(table().rowCount(), 3);
        compareAll();
        auto *curves = compared()->findChild<widgets::RunCurvesPlot *>(QStringLiteral("comparedCurves")), *beside = compared()->findChild<widgets::RunCurvesPlot *>(QStringLiteral("comparedCurvesBeside"));
        const auto named = [](const QWidget *plot) {
            const QCPLegend &legend = *plot->findChild<QCustomPlot *>()->legend;
            return legend.visible() ? legend.itemCount() : 0;
        };
        QTRY_COMPARE(named(curves), 1);      // alone, it names whom it shows
        auto *choices = compared()->findChild<QComboBox *>(QStringLiteral("curveBeside"));
        choices->setCurrentIndex(choices->findData(QStringLiteral("distill/kl")));
        QTRY_VERIFY(beside->isVisible() && beside->hasFigure());
        QTRY_COMPARE(named(curves), 3);      // those of both plots
        QCOMPARE(named(beside), 0);
        const std::unique_ptr<widgets::PlotView> twin = beside->copy();      // on paper it stands alone
        twin->putOnPaper(widgets::Paper());
        QCOMPARE(named(twin.get()), 2);
        choices->setCurrentIndex(0);
        QTRY_COMPARE(named(curves), 1);
    }

    void whatTheyWroteStaysBesideAnotherBaseline()
    {
        m_distilled = m_onDisk = {1, 2};
        open(4);
        compareAll();
        auto *panel = compared()->findChild<widgets::Continuations *>();
        compared()->findChild<QTabWidget *>()->setCurrentWidget(panel);
        auto *texts = panel->findChild<QSplitter *>();
        const auto text = [&](int place) { return texts->widget(place)->findChild<QPlainTextEdit *>()->toPlainText(); };
        QTRY_COMPARE(texts->count(), 4);
        auto *prompt = panel->findChild<QPlainTextEdit *>(QStringLiteral("prompt"));
        prompt->setFocus();
        prompt->setPlainText(QStringLiteral("Once"));
        QTest::keyClick(prompt, Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(text(2) == QStringLiteral("k2 goes on") && text(3) == QStringLiteral("k1 goes on"));
        QTRY_VERIFY(!m_session->job().isRunning());
        makeBaseline(3);
        QTRY_COMPARE(text(0), QStringLiteral("k1 goes on"));
        QCOMPARE(text(3), QStringLiteral("k2 goes on"));
        QCOMPARE(prompt->toPlainText(), QStringLiteral("Once"));

        m_holdWriting = true;      // and what is being written goes on
        prompt->setFocus();
        prompt->setPlainText(QStringLiteral("Twice"));
        QTest::keyClick(prompt, Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(text(0) == QStringLiteral("k1 goes on") && m_session->job().isRunning());
        makeBaseline(3);
        QTRY_COMPARE(text(1), QStringLiteral("k1 goes on"));
        QVERIFY(m_session->job().isRunning());
        m_holdWriting = false;
        QTRY_COMPARE(text(0), QStringLiteral("k2 goes on"));
        QTRY_VERIFY(!m_session->job().isRunning());
        QVERIFY(!labelIn(*panel, QStringLiteral("stopped before all had written")));
    }

private:
    static std::string contents(const std::filesystem::path &file)
    {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
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
    void makeBaseline(int column)
    {
        sideBySide()->setCurrentIndex(sideBySide()->model()->index(0, column));
        sideBySide()->setFocus();
        QTest::keyClick(sideBySide(), Qt::Key_B);
    }
    [[nodiscard]] QTableView *sideBySide() const { return compared()->findChild<QTableView *>(); }
    nlohmann::json perform(const nlohmann::json &spec, jobs::RunContext &context, MadeUp &madeUp) override { return spec.at("kind") == "pipeline" ? letThemWrite(spec, context) : madeUp(spec, context); }
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
    bool labelIn(const QWidget &widget, const QString &part)
    {
        m_labels = widget.findChildren<QLabel *>();
        return std::any_of(m_labels.begin(), m_labels.end(), [&](const QLabel *label) { return label->isVisible() && label->text().contains(part); });
    }

    QList<QLabel *> m_labels;
    std::atomic<bool> m_holdWriting{false};
};

QTEST_MAIN(CompareTest)
#include "compare.moc"
