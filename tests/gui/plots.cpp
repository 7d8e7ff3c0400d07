// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "filledworkspace.h"
#include "madeup.h"
#include "mainwindow.h"
#include "paperfigures.h"
#include "settled.h"
#include "storedscorings.h"

#include "comparison/teacherchoices.h"
#include "models/session.h"
#include "plots/agreementplot.h"
#include "plots/alignmentplot.h"
#include "plots/canvasline.h"
#include "plots/endlabels.h"
#include "plots/figurewriter.h"
#include "plots/layerbarplot.h"
#include "plots/paper.h"
#include "plots/rankplot.h"
#include "report/venues.h"

#include <QApplication>
#include <QImage>
#include <QListWidget>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace stillroom;

namespace {

QCustomPlot &canvasOf(const widgets::PlotView &plot)
{
    return *plot.findChild<QCustomPlot *>();
}

}  // namespace

/// What plots draw on the screen and on paper, looked at on their canvases.
class PlotsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("plots"));
        QSettings().clear();
        m_workspace = (m_folder.path() + QStringLiteral("/workspace")).toStdString();
        test::fillWorkspace(m_workspace);
        std::vector<experiment::LayerScore> scores, residuals;
        for (int layer = 0; layer < test::numLayers; ++layer) {
            scores.push_back(test::klScore("gr-s2", layer, 0.4 + 0.07 * ((5 * layer) % 6), 0.01 * (layer + 1), 1000));
            residuals.push_back(test::klScore("ga-s1", layer, -0.3 + 0.2 * ((layer + 2) % 6), 0.02 * (test::numLayers - layer), 1000));
            residuals.back().klNats.reset();
            residuals.back().higherIsBetter = true;
        }
        test::writeScoring(m_workspace, 5, scores);
        test::writeScoring(m_workspace, 6, residuals);
        m_procedure = [madeUp = std::make_shared<test::MadeUp>()](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); };
        m_session = std::make_unique<widgets::Session>(m_workspace, m_procedure);
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->resize(1280, 800);
        m_window->show();
        const QSignalSpy read(m_session.get(), &widgets::Session::storedRead);
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(!read.isEmpty());
        QTRY_VERIFY(!m_session->job().isRunning());
        QTRY_VERIFY(m_session->calibrations().report());
        m_session->scores().setSource({QStringLiteral("gr-s2"), QStringLiteral("gdn")});
        m_session->choice().setKeep(2);
        m_bars = m_window->findChild<widgets::LayerBarPlot *>();
        QVERIFY(m_bars);
        const store::Scoring *other = m_session->choices().latest("ga-s1", "gdn");
        QVERIFY(other);
        m_bars->setOverlay(widgets::ChoiceBook::keyOf(*other));
    }
    void cleanupTestCase()
    {
        m_window.reset();
        m_session.reset();
    }

    void canvasesAreDrawnOneInATurn()
    {
        QCustomPlot first, second;
        QTest::qWait(50);      // a canvas draws itself once
        QStringList order;
        const auto note = [&order](const char *what) { return [&order, what] { order << QString::fromLatin1(what); }; };
        connect(&first, &QCustomPlot::afterReplot, this, [&] {
            note("first")();
            QMetaObject::invokeMethod(&first, note("a key"), Qt::QueuedConnection);
        });
        connect(&second, &QCustomPlot::afterReplot, this, note("second"));
        for (QCustomPlot *one : {&first, &second, &first})
            widgets::CanvasLine::ofProgram().add(*one);
        QTRY_VERIFY(order.contains(QStringLiteral("second")));
        QCOMPARE(order, (QStringList{QStringLiteral("first"), QStringLiteral("a key"), QStringLiteral("second")}));
    }

    void everyWhiskerIsThatOfItsOwnLayer_data()
    {
        QTest::addColumn<bool>("byRank");
        QTest::newRow("by layer") << false;
        QTest::newRow("by rank") << true;
    }
    void everyWhiskerIsThatOfItsOwnLayer()
    {
        QFETCH(const bool, byRank);
        m_bars->setOrder(byRank ? widgets::LayerBarPlot::Order::ByRank : widgets::LayerBarPlot::Order::ByLayer);
        const QCustomPlot &canvas = canvasOf(*m_bars);
        const experiment::Ranking ranking = *m_session->scores().ranking();
        int compared = 0;
        for (int i = 0; i < canvas.plottableCount(); ++i) {
            auto *whiskers = qobject_cast<QCPErrorBars *>(const_cast<QCustomPlot &>(canvas).plottable(i));
            if (!whiskers)
                continue;
            const bool overlay = qobject_cast<QCPGraph *>(whiskers->dataPlottable()) != nullptr;
            for (int point = 0; point < whiskers->dataCount(); ++point, ++compared) {
                const int place = static_cast<int>(std::lround(whiskers->dataMainKey(point))), layer = byRank ? ranking[static_cast<std::size_t>(place)] : place;
                // t(47, 0.975): 48 sequences
                const double wanted = 2.0117405 * (overlay ? 0.02 * (test::numLayers - layer) : 0.01 * (layer + 1));
                QVERIFY2(std::abs(whiskers->data()->at(point).errorPlus - wanted) < 1e-3, qPrintable(QStringLiteral("layer %1: %2, not %3").arg(layer).arg(whiskers->data()->at(point).errorPlus).arg(wanted)));
            }
        }
        QCOMPARE(compared, 2 * test::numLayers);
        m_bars->setOrder(widgets::LayerBarPlot::Order::ByLayer);
    }

    void zerosOfBothAxesAreAtOneHeight()
    {
        const QCustomPlot &canvas = canvasOf(*m_bars);
        QVERIFY(canvas.yAxis2->visible());
        QVERIFY(std::abs(canvas.yAxis->coordToPixel(0.0) - canvas.yAxis2->coordToPixel(0.0)) < 0.6);
        QVERIFY(canvas.yAxis2->range().lower < 0.0);      // it has a bar below
    }

    void theNumbersOfLayersNeverRunTogether_data()
    {
        QTest::addColumn<int>("layers");
        for (const int layers : {2, 6, 12, 30, 36, 80})
            QTest::addRow("%d layers", layers) << layers;
    }
    /// On the paper of every venue, and on the screen as wide as a page and as narrow as a window lets it be.
    void theNumbersOfLayersNeverRunTogether()
    {
        QFETCH(const int, layers);
        const QTemporaryDir folder;
        const std::filesystem::path workspace = (folder.path() + QStringLiteral("/workspace")).toStdString();
        std::vector<experiment::LayerScore> scores;
        for (int layer = 0; layer < layers; ++layer)
            scores.push_back(test::klScore("gr-s2", layer, 0.1 + 0.01 * ((7 * layer) % layers), 0.01, 1000));
        test::writeScoring(workspace, 1, scores);
        auto madeUp = std::make_shared<test::MadeUp>();
        madeUp->model = test::description(layers);
        widgets::Session session(workspace, [madeUp](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        session.openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(session.scores().ranking().has_value());
        widgets::LayerBarPlot bars(session);
        for (const auto order : {widgets::LayerBarPlot::Order::ByLayer, widgets::LayerBarPlot::Order::ByRank}) {
            bars.setOrder(order);
            for (const report::Venue &venue : report::venues())
                for (const char *width : {"column", "text"}) {
                    if (width == QByteArrayLiteral("column") && venue.columnInches <= 0.0)
                        continue;
                    report::FigureSpec spec = bars.spec();
                    spec.venue = venue.key;
                    spec.width = width;
                    const auto sheet = bars.copy();
                    sheet->putOnPaper(widgets::Paper::of(spec));
                    QImage image(sheet->paper()->units(), QImage::Format_RGB32);
                    sheet->drawOn(image, 1.0);
                    checkNumbers(canvasOf(*sheet), layers, QString::fromStdString(venue.key) + QLatin1Char(' ') + QLatin1String(width));
                }
            bars.show();
            for (const int width : {1400, 500}) {
                bars.resize(width, 300);
                QVERIFY(test::settle());
                canvasOf(bars).replot(QCustomPlot::rpImmediateRefresh);
                QVERIFY(test::settle());
                canvasOf(bars).replot(QCustomPlot::rpImmediateRefresh);
                checkNumbers(canvasOf(bars), layers, QStringLiteral("screen %1").arg(width));
            }
            bars.hide();
        }
    }

    void numbersOfALowPlotNeverStandOnEachOther_data()
    {
        QTest::addColumn<int>("height");
        for (const int height : {90, 120, 400})
            QTest::addRow("%d high", height) << height;
    }
    void numbersOfALowPlotNeverStandOnEachOther()
    {
        QFETCH(const int, height);
        widgets::LayerBarPlot bars(*m_session);
        bars.setMinimumHeight(0);
        bars.resize(600, height);
        bars.show();
        for (int times = 0; times < 2; ++times) {      // how high the axes are is known once they are laid out
            QVERIFY(test::settle());
            canvasOf(bars).replot(QCustomPlot::rpImmediateRefresh);
        }
        const QCPAxis &axis = *canvasOf(bars).yAxis;
        const QVector<double> places = axis.tickVector();
        const double each = QFontMetricsF(axis.tickLabelFont()).height();
        for (qsizetype i = 1; i < places.size(); ++i) {
            const double apart = std::abs(axis.coordToPixel(places[i]) - axis.coordToPixel(places[i - 1]));
            QVERIFY2(apart >= each, qPrintable(QStringLiteral("%1 px apart, letters of %2 px").arg(apart).arg(each)));
        }
        QVERIFY(height < 400 || places.size() >= 4);      // where there is room they are as many as ever
    }

    void namesAreNeverPowersOfTen()
    {
        for (const widgets::PlotView *plot : m_window->findChildren<widgets::PlotView *>())
            for (const QCPAxis *axis : canvasOf(*plot).findChildren<QCPAxis *>())
                if (axis->visible() && axis->tickLabels())
                    QVERIFY2(!axis->numberFormat().contains(QLatin1Char('b')), qPrintable(plot->accessibleName()));      // 'b' sets the "e072" of a run as one
    }

    void legendsFitOnAColumn()
    {
        m_session->scores().setSource({QStringLiteral("ga-s2"), QStringLiteral("gdn")});      // three evaluations: there are ranks
        for (const int layer : {0, 1, 2, 3, 4, 5})
            if (m_session->choice().isKept(layer) != (layer == 3 || layer == 4))
                m_session->choice().toggle(layer);
        QTRY_VERIFY(!m_session->curve(QStringLiteral("distill/held_out_kl")).isEmpty());
        m_window->findChild<QListWidget *>()->setCurrentRow(layersRow);
        QTRY_VERIFY(m_bars->isVisible());
        int legends = 0;
        for (const widgets::PlotView *plot : m_window->findChildren<widgets::PlotView *>()) {
            if (!plot->hasFigure() || !plot->copy())
                continue;
            report::FigureSpec spec = plot->spec();
            spec.venue = "icml";
            spec.width = "column";
            const auto paper = widgets::onPaper(*plot, spec);
            (void)widgets::svgOf(*paper, {});
            const QCustomPlot &canvas = canvasOf(*paper);
            if (!canvas.legend->visible())
                continue;
            ++legends;
            for (int cell = 0; cell < canvas.legend->elementCount(); ++cell) {
                if (!canvas.legend->elementAt(cell))
                    continue;
                const QCPLayoutElement &one = *canvas.legend->elementAt(cell);
                QVERIFY2(one.outerRect().right() < canvas.viewport().right() - 2 && one.outerRect().left() >= 0 && one.outerRect().width() >= one.minimumOuterSizeHint().width(), qPrintable(plot->accessibleName()));
            }
        }
        QVERIFY2(legends >= 3, qPrintable(QString::number(legends)));
        m_session->choice().useRanking();
        m_session->scores().setSource({QStringLiteral("gr-s2"), QStringLiteral("gdn")});
    }

    void aRightClickOpensTheMenuAndChoosesNothing()
    {
        m_window->activateWindow();      // an earlier test showed a plot of its own
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        auto *pages = m_window->findChild<QListWidget *>();
        int clicked = 0;
        for (int row = 0; row < pages->count(); ++row) {
            pages->setCurrentRow(row);
            QTest::qWait(50);      // laid out
            for (widgets::PlotView *plot : m_window->findChildren<widgets::PlotView *>()) {
                const QPoint middle = plot->mapTo(m_window.get(), plot->rect().center());
                if (!plot->isVisible() || m_window->childAt(middle) != &canvasOf(*plot))      // scrolled away
                    continue;
                m_session->selection().select(1);
                const int keep = m_session->choice().keep();
                QTest::mouseClick(m_window->windowHandle(), Qt::RightButton, {}, middle);
                QTRY_VERIFY2(qobject_cast<QMenu *>(QApplication::activePopupWidget()), qPrintable(plot->accessibleName()));
                QVERIFY(!QApplication::activePopupWidget()->actions().isEmpty());
                QApplication::activePopupWidget()->close();
                QTRY_VERIFY(!QApplication::activePopupWidget());
                QCOMPARE(m_session->selection().layer(), 1);
                QCOMPARE(m_session->choice().keep(), keep);
                QTRY_VERIFY2(plot->hasFocus(), qPrintable(plot->accessibleName()));
                ++clicked;
            }
        }
        QVERIFY2(clicked >= 6, qPrintable(QString::number(clicked)));
    }

    void anOverlayIsMadeAgainToTheSameBytes()
    {
        const std::filesystem::path out = m_folder.path().toStdString(), again = out / "again";
        report::FigureSpec spec = m_bars->spec();
        QCOMPARE(spec.overlay, comparison::scoringName(*m_session->choices().latest("ga-s1", "gdn")));
        spec.formats = report::formatNames();
        const auto written = widgets::writeFigure(*m_bars, spec, out, "0.1");
        report::addFigure(out / "figures.json", spec);
        makePaperFigures(out / "figures.json", again, m_workspace, m_procedure, "0.1");
        for (const std::filesystem::path &file : written) {
            QFile one(QString::fromStdString(file.string())), other(QString::fromStdString((again / file.filename()).string()));
            QVERIFY(one.open(QIODevice::ReadOnly) && other.open(QIODevice::ReadOnly));
            QVERIFY2(one.readAll() == other.readAll(), file.c_str());
        }
        spec.overlay.back() = 'm';
        spec.file = "wrong";
        report::addFigure(out / "figures.json", spec);
        try {
            makePaperFigures(out / "figures.json", out / "once-more", m_workspace, m_procedure, "0.1");
            QFAIL("a scoring that is not there");
        } catch (const Error &error) {
            QVERIFY2(QByteArray(error.what()).contains("did you mean " + QByteArray::fromStdString(m_bars->spec().overlay) + "?"), error.what());
        }
        QVERIFY(std::filesystem::exists(out / "once-more" / "layer-scores.pdf"));      // the other one is made
    }

    void everyCurveOfAnAlignmentIsNamedAtItsEnd()
    {
        int plots = 0;
        for (const auto *shown : m_window->findChildren<widgets::AlignmentPlot *>()) {
            const std::unique_ptr<widgets::PlotView> copy = shown->copy();      // it is drawn now, whatever page is open
            const auto *plot = qobject_cast<const widgets::AlignmentPlot *>(copy.get());
            const QCustomPlot &canvas = canvasOf(*plot);
            for (int i = 0; i < canvas.itemCount(); ++i)
                if (const auto *ends = dynamic_cast<widgets::EndLabels *>(canvas.item(i))) {
                    QCOMPARE(static_cast<int>(ends->labels().size()), plot->numCurves());
                    QVERIFY(plot->numCurves() == 0 || ends->visible());
                    plots += plot->numCurves() > 0 ? 1 : 0;
                }
        }
        QVERIFY(plots > 0);
    }

    void aSentenceInAnEmptyPlotFitsAndHasItToItself()
    {
        auto *ranks = m_window->findChild<widgets::RankPlot *>();
        m_window->findChild<QListWidget *>()->setCurrentRow(layersRow);
        QTRY_VERIFY(ranks->isVisible());
        QCustomPlot &canvas = canvasOf(*ranks);
        QCOMPARE(ranks->trajectory().tokens_E.size(), std::size_t{1});
        QVERIFY(!canvas.axisRect()->visible());
        ranks->parentWidget()->ensurePolished();
        canvas.replot(QCustomPlot::rpImmediateRefresh);
        int sentences = 0;
        for (int i = 0; i < canvas.itemCount(); ++i)
            if (const auto *text = qobject_cast<QCPItemText *>(canvas.item(i)); text && text->realVisibility()) {
                ++sentences;
                QVERIFY(!text->text().isEmpty());
                QVERIFY2(QFontMetrics(text->font()).boundingRect(QRect(0, 0, 10000, 10000), 0, text->text()).width() <= canvas.viewport().width(), qPrintable(text->text()));
            }
        QCOMPARE(sentences, 1);
    }

    void ranksThatGrewAreThoseThatAreDrawnAtOnce()
    {
        auto *ranks = m_window->findChild<widgets::RankPlot *>();
        m_window->findChild<QListWidget *>()->setCurrentRow(layersRow);
        QTRY_VERIFY(ranks->isVisible());
        const QSignalSpy read(m_session.get(), &widgets::Session::storedRead);
        m_session->openTeacher(QStringLiteral("demo"));      // what the tests before have stored is read now, and not while this scoring grows
        QTRY_VERIFY(!read.isEmpty());
        for (qsizetype before = -1; before != read.size(); QTest::qWait(1200))     // and what opening it has stored
            before = read.size();
        const std::string spec = R"({"kind":"score","teacher":"demo","selector":"ga-s2","seed":1,"early_stop":{"enabled":true}})";
        std::size_t evaluations = 0;
        for (std::int64_t evaluation = 1; evaluation <= 6; ++evaluation) {
            for (int layer = 0; layer < test::numLayers; ++layer)
                if (evaluation <= 3 || layer != 2)      // a race: layer 2 leaves it
                    m_session->choices().add("growing0", "score", {test::klScore("ga-s2", layer, 0.1 * ((layer * 5 + static_cast<int>(evaluation)) % 6), 0.01, 100 * evaluation)}, spec);
            m_session->scores().setSource({QStringLiteral("ga-s2"), QStringLiteral("gdn"), QStringLiteral("growing0"), QStringLiteral("score")});
            m_session->choice().setKeep(static_cast<int>(evaluation % 4) + 1);
            ++evaluations;
            QVERIFY(m_session->shownScoring() && m_session->shownScoring()->run == "growing0" && comparison::isRace(*m_session->shownScoring()));
            m_session->selection().select(static_cast<int>(evaluation) - 1);      // drawn now, and not in its turn
            QTRY_COMPARE(ranks->trajectory().tokens_E.size(), evaluations);
        }
        QVERIFY(ranks->trajectory().hasLeft(2));
        QVERIFY(test::settle());
        const std::unique_ptr<widgets::PlotView> fresh = ranks->copy();
        const auto drawn = [](const QCustomPlot &canvas) {      // whatever order the lines were made in
            std::multiset<std::vector<double>> lines;
            for (int i = 0; i < canvas.graphCount(); ++i) {
                std::vector<double> points;
                for (const QCPGraphData &point : *canvas.graph(i)->data()) {
                    points.push_back(point.key);
                    points.push_back(point.value);
                }
                lines.insert(std::move(points));
            }
            return lines;
        };
        QVERIFY(drawn(canvasOf(*ranks)) == drawn(canvasOf(*fresh)));
        QCOMPARE(ranks->lastChange(), qobject_cast<const widgets::RankPlot *>(fresh.get())->lastChange());
        m_session->selection().clear();
        m_session->choices().endRun("growing0", store::RunStatus::Cancelled);
    }

    void linesOfAnAlignmentStayWhileTheyGrow()
    {
        widgets::CalibrationBook &book = m_session->calibrations();
        const std::unique_ptr<widgets::PlotView> copy = std::make_unique<widgets::AlignmentPlot>(book, m_session->selection(), widgets::AlignmentPlot::Quantity::Cosine);
        copy->show();
        QVERIFY(QTest::qWaitForWindowExposed(copy.get()));
        QCustomPlot &canvas = canvasOf(*copy);
        book.beginLive(QStringLiteral("live"));
        QTRY_COMPARE(canvas.graphCount(), 0);
        const auto say = [&book](double step) {
            for (int layer = 0; layer < 3; ++layer)
                book.addLive("calibrate/cosine/" + std::to_string(layer), step, 0.1 * step + 0.01 * layer);
            book.sayCurves();
        };
        say(1.0);
        QTRY_COMPARE(canvas.graphCount(), 3);
        QCPGraph *first = canvas.graph(0);
        say(2.0);
        say(3.0);
        QTRY_COMPARE(canvas.graph(0)->dataCount(), 3);
        QCOMPARE(canvas.graph(0), first);
        QCOMPARE(canvas.graph(2)->data()->at(2)->value, 0.32);
        QCOMPARE(canvas.yAxis->range().upper, 0.32 * 1.04);
        m_session->selection().select(0);      // over the others
        QTRY_VERIFY(canvas.layer(QStringLiteral("main"))->children().last() == first);
        m_session->selection().clear();
        book.endLive({});
        book.beginLive(QStringLiteral("another"));
        say(1.0);
        QTRY_COMPARE(canvas.graph(0)->dataCount(), 1);
        book.beginLive({});
    }

    void aChoiceIsNotComparedWithItself()
    {
        widgets::AgreementPlot plot(m_session->choice());
        const auto curve = analysis::agreementCurve({0, 1, 2, 3}, {0, 1, 3, 2}, 4);
        plot.setCurve(curve, {"a", "b"});
        QVERIFY(plot.hasFigure());
        plot.setCurve(curve, {"a", "a"});
        QVERIFY(!plot.hasFigure());
    }

private:
    /// Of the axis of layers: each beside the next, and as many of them as a reader needs.
    static void checkNumbers(const QCustomPlot &canvas, int layers, const QString &where)
    {
        const QCPAxis &axis = *canvas.xAxis;
        const QFontMetricsF metrics(axis.tickLabelFont());
        const QVector<double> places = axis.tickVector();
        const QVector<QString> numbers = axis.tickVectorLabels();
        QCOMPARE(places.size(), numbers.size());
        QVERIFY2(std::ssize(numbers) >= std::min(layers, 6), qPrintable(QStringLiteral("%1: %2 numbers").arg(where).arg(numbers.size())));
        for (qsizetype i = 1; i < numbers.size(); ++i) {
            const double before = axis.coordToPixel(places[i - 1]) + 0.5 * metrics.horizontalAdvance(numbers[i - 1]), here = axis.coordToPixel(places[i]) - 0.5 * metrics.horizontalAdvance(numbers[i]);
            QVERIFY2(before < here, qPrintable(QStringLiteral("%1: %2 and %3 run together by %4").arg(where, numbers[i - 1], numbers[i]).arg(before - here)));
        }
    }
    static constexpr int layersRow = 1;
    QTemporaryDir m_folder;
    std::filesystem::path m_workspace;
    jobs::Procedure m_procedure;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
    widgets::LayerBarPlot *m_bars = nullptr;
};

QTEST_MAIN(PlotsTest)
#include "plots.moc"
