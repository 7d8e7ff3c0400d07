// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"
#include "paperfigures.h"
#include "settled.h"
#include "store/lines.h"
#include "storedscorings.h"
#include "testdata.h"
#include "windowtest.h"

#include "analysis/klcurve.h"
#include "experiment/jsontext.h"
#include "models/klcurves.h"
#include "models/session.h"
#include "plots/figurewriter.h"
#include "plots/klcurveplot.h"
#include "plots/rankplot.h"

#include <QFile>
#include <QLabel>
#include <QRadioButton>
#include <QTemporaryDir>
#include <QTest>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <set>
#include <utility>

using namespace stillroom;

namespace {

constexpr int smolLayers = 30, smolHidden = 576;

std::filesystem::path measuredCurves() { return test::testData() / "selection/smollm2-gdn-curves.json"; }

/// What the file says of the last evaluation.
struct KeptAlone {
    std::vector<std::vector<double>> kl_LS{static_cast<std::size_t>(smolLayers)};
    std::vector<double> allLinear_S;
};
KeptAlone keptAlone()
{
    KeptAlone found;
    const auto json = experiment::parseJson(experiment::readTextFile(measuredCurves().string(), std::size_t{16} << 20U, "The curves"), "The curves");
    for (const nlohmann::json &curve : json.at("curves")) {
        const int layer = curve.at("layer").get<int>();
        (layer < 0 ? found.allLinear_S : found.kl_LS[static_cast<std::size_t>(layer)]) = curve.at("kl_nats").back().get<std::vector<double>>();
    }
    return found;
}

}  // namespace

/// Held-out KL against K on the page of the layers, through the real window.
class KlCurvesTest final : public test::WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("klcurves")); }
    void init()
    {
        begin();
        m_madeUp->model = test::description(smolLayers, smolHidden);
    }
    void cleanup() { end(); }

    void thePredictionIsThatOfTheScoresBySequence()
    {
        openWithCurves();
        showKl();
        QTRY_VERIFY(plot()->hasFigure());
        const KeptAlone kl = keptAlone();
        const analysis::KlCurve curve = analysis::additivePrediction(analysis::LayerSamples(kl.kl_LS), kl.allLinear_S, *m_session->scores().ranking());
        const std::vector<analysis::Interval> means = analysis::meanKl(curve);
        std::size_t numAbove = 0;
        while (numAbove < means.size() && means[numAbove].mean > 0.0)
            ++numAbove;
        const report::Table table = plot()->tableTwin();
        QCOMPARE(table.rows.size(), numAbove);
        for (std::size_t k = 0; k < numAbove; ++k) {
            QCOMPARE(*table.rows[k][0].value, static_cast<double>(k));
            QCOMPARE(*table.rows[k][1].value, means[k].mean);
            QCOMPARE(*table.rows[k][1].reach, means[k].high - means[k].mean);
            QCOMPARE(*table.rows[k][1].n, std::int64_t{48});
            QVERIFY(!table.rows[k][2].value);
        }
        QTRY_COMPARE(drawn("predicted, additive"), static_cast<int>(numAbove));
        QCOMPARE(table.rows.size(), static_cast<std::size_t>(smolLayers));      // with all layers it is the teacher, which is no guess
        const auto elbow = analysis::elbow(curve);                              // single layers gain little there, but less and less
        QVERIFY(elbow);
        QCOMPARE(elbow->keep, 3);
        QVERIFY(shownLabel(QStringLiteral("predicted: further layers pay less from K = 3")));
        const report::Figure figure = plot()->figure();
        QVERIFY(std::any_of(figure.chart.series.begin(), figure.chart.series.end(), [](const report::Series &one) { return one.name == "elbow, predicted: K = 3"; }));
    }

    void aDistilledHybridAppears()
    {
        openWithCurves();
        showKl();
        QTRY_VERIFY(plot()->hasFigure());
        QCOMPARE(drawn("measured"), 0);
        distil(1, 4, {0.30, 0.34});
        distil(2, 2, {0.50, 0.54});
        distil(3, 2, {0.40, 0.44}, 900);      // on other tokens: not beside them
        QTRY_COMPARE(drawn("measured"), 2);
        const report::Table table = plot()->tableTwin();
        QCOMPARE(*table.rows.at(4)[2].value, 0.32);
        QCOMPARE(*table.rows.at(2)[2].value, 0.52);
        QCOMPARE(*table.rows.at(4)[2].n, std::int64_t{2});
        QVERIFY(std::abs(*table.rows.at(4)[2].reach - 12.706204736 * 0.02) < 1e-6);      // t(1, 0.975) of a standard error of 0.02
        QVERIFY(QString::fromStdString(table.note).contains(QStringLiteral("trained on 500 tokens each")));
        const auto &keys = table.provenance.keys;
        for (const char *key : {"key-1", "hybrid-1", "hybrid-2"})
            QVERIFY2(std::find(keys.begin(), keys.end(), key) != keys.end(), key);
        const auto &hybrids = table.provenance.hybrids;
        QCOMPARE(hybrids.size(), std::size_t{2});
        QCOMPARE(hybrids.at(1).keep, 4);
        QCOMPARE(hybrids.at(1).klNats, 0.32);
        QCOMPARE(hybrids.at(1).n, std::int64_t{2});
        QTRY_VERIFY(!plot()->tableTwin().provenance.hybrids.at(1).source.run.empty());      // once its run is taken in
        QTRY_VERIFY(shownLabel(QStringLiteral("left out: 1 trained on another number of tokens")));
        m_session->choice().setKeep(4);
        QVERIFY(test::settle());
        QVERIFY2(plot()->accessibleDescription().contains(QStringLiteral("measured 0.3200 (")), qPrintable(plot()->accessibleDescription()));
    }

    void arrowKeysAndAClickChooseK()
    {
        openWithCurves();
        showKl();
        QTRY_VERIFY(plot()->hasFigure());
        QTRY_VERIFY(drawn("predicted, additive") > 0);
        m_session->choice().setKeep(3);
        plot()->setFocus();
        QTest::keyClick(plot(), Qt::Key_Right);
        QCOMPARE(m_session->choice().keep(), 4);
        QVERIFY2(plot()->accessibleDescription().startsWith(QStringLiteral("K = 4: predicted ")), qPrintable(plot()->accessibleDescription()));
        QTest::keyClick(plot(), Qt::Key_Left);
        QTest::keyClick(plot(), Qt::Key_Left);
        QCOMPARE(m_session->choice().keep(), 2);
        QCustomPlot &canvas = canvasOf(*plot());
        canvas.replot(QCustomPlot::rpImmediateRefresh);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(static_cast<int>(std::lround(canvas.xAxis->coordToPixel(11.2))), canvas.axisRect()->center().y()));
        QCOMPARE(m_session->choice().keep(), 11);
        for (int i = 0; i < canvas.graphCount(); ++i)
            if (canvas.graph(i)->name() == QStringLiteral("K = 11"))
                QCOMPARE(canvas.graph(i)->data()->at(0)->key, 11.0);
        m_session->choice().setKeep(smolLayers);
        QTest::keyClick(plot(), Qt::Key_Right);
        QCOMPARE(m_session->choice().keep(), smolLayers);
    }

    void aScoringWithoutValuesSaysSo()
    {
        test::writeScoring(workspace(), 1, test::measuredEvaluations(measuredCurves()));
        open();
        showKl();
        const QString missing = QStringLiteral("this scoring kept no KL by held-out sequence.");
        QTRY_VERIFY2(sentence().contains(missing), qPrintable(sentence()));
        QVERIFY(!plot()->hasFigure());
        distil(1, 4, {0.30, 0.34});      // whose teacher is known by a distillation alone
        QTRY_COMPARE(drawn("measured"), 1);
        QVERIFY(sentence().isEmpty());
        QVERIFY(shownLabel(missing));
        QCOMPARE(plot()->tableTwin().rows.size(), std::size_t{1});
    }

    void scoresOfAnotherKindSayWhichOnesPredict()
    {
        test::writeScoring(workspace(), 1, test::measuredEvaluations(measuredCurves(), "kl-bypass"));
        open();
        showKl();
        QTRY_VERIFY2(sentence().contains(QStringLiteral("Score with GA-S2 or zero-shot GA")), qPrintable(sentence()));
    }

    void theChosenPlotIsRemembered()
    {
        openWithCurves();
        QVERIFY(m_window->findChild<widgets::RankPlot *>()->isVisible());
        QVERIFY(!plot()->isVisible());
        m_window->findChild<QRadioButton *>(QStringLiteral("klAgainstK"))->setFocus();
        QTest::keyClick(m_window->findChild<QRadioButton *>(QStringLiteral("klAgainstK")), Qt::Key_Space);
        QTRY_VERIFY(plot()->isVisible());
        QVERIFY(!m_window->findChild<widgets::RankPlot *>()->isVisible());
        m_window.reset();
        m_session.reset();
        open();
        QTRY_VERIFY(plot()->isVisible());
        m_window->findChild<QRadioButton *>(QStringLiteral("klAgainstK"))->setFocus();
        QTest::keyClick(m_window->findChild<QRadioButton *>(QStringLiteral("klAgainstK")), Qt::Key_Left);
        QTRY_VERIFY(m_window->findChild<widgets::RankPlot *>()->isVisible());
    }

    void itsFigureIsMadeAgainToTheSameBytes()
    {
        openWithCurves();
        showKl();
        distil(1, 4, {0.30, 0.34});
        distil(2, 1, {0.70, 0.74});
        distil(3, 9, {0.10, 0.14});
        QTRY_COMPARE(drawn("measured"), 3);
        QTRY_VERIFY(isEveryRunKnown());
        QCOMPARE(drawn("elbow, measured: K = 4"), 2);
        QVERIFY(shownLabel(QStringLiteral("measured: further layers pay less from K = 4 on (95 %: 4 to 4)")));
        m_session->choice().setKeep(5);
        const std::filesystem::path out = (m_folder->path() + QStringLiteral("/out")).toStdString(), again = out / "again";
        std::filesystem::create_directories(out);
        report::FigureSpec spec = plot()->spec();
        QCOMPARE(spec.plot, std::string("kl-against-k"));
        QCOMPARE(spec.keep, std::optional(5));
        spec.venue = "icml";
        spec.width = "column";
        spec.formats = report::formatNames();
        const auto written = widgets::writeFigure(*plot(), spec, out, "0.1");
        QCOMPARE(written.size(), std::size_t{9});
        report::addFigure(out / "figures.json", spec);
        makePaperFigures(out / "figures.json", again, workspace(), [madeUp = m_madeUp](const nlohmann::json &one, jobs::RunContext &context) { return (*madeUp)(one, context); }, "0.1");
        for (const std::filesystem::path &file : written) {
            QFile one(QString::fromStdString(file.string())), other(QString::fromStdString((again / file.filename()).string()));
            QVERIFY(one.open(QIODevice::ReadOnly) && other.open(QIODevice::ReadOnly));
            QVERIFY2(one.readAll() == other.readAll(), file.c_str());
        }
        const auto paper = widgets::onPaper(*plot(), spec);
        (void)widgets::svgOf(*paper, {});
        const QCustomPlot &canvas = canvasOf(*paper);
        std::set<QString> names;
        for (int cell = 0; cell < canvas.legend->elementCount(); ++cell)
            if (auto *item = qobject_cast<QCPPlottableLegendItem *>(canvas.legend->elementAt(cell))) {
                QVERIFY(item->outerRect().right() < canvas.viewport().right() - 2 && item->outerRect().left() >= 0);
                names.insert(item->plottable()->name());
            }
        for (const char *name : {"predicted, additive", "measured", "elbow, measured: K = 4", "K = 5"})
            QVERIFY2(names.contains(QString::fromLatin1(name)), name);
    }

    void aFigureShowsTheRunThatItNamesAndElseTheNewestThatIsItsOwn()
    {
        test::writeScoring(workspace(), 2, test::measuredEvaluations(measuredCurves()), 2);
        test::writeScoring(workspace(), 3, test::measuredEvaluations(measuredCurves(), "ga-s1"), 3, {{"selector", "ga-s2"}});      // what stage 1 said on the way
        openWithCurves();
        const std::filesystem::path out = (m_folder->path() + QStringLiteral("/out")).toStdString();
        std::filesystem::create_directories(out);
        report::FigureSpec spec;
        spec.plot = "layer-scores";
        spec.formats = {"csv"};
        spec.file = "newest";
        report::addFigure(out / "figures.json", spec);
        for (const int number : {1, 2, 3}) {
            spec.run = runName(number);
            spec.file = "run-" + std::to_string(number);
            report::addFigure(out / "figures.json", spec);
        }
        makePaperFigures(out / "figures.json", out, workspace(), [madeUp = m_madeUp](const nlohmann::json &one, jobs::RunContext &context) { return (*madeUp)(one, context); }, "0.1");
        for (const auto &[file, number] : {std::pair{"newest", 2}, std::pair{"run-1", 1}, std::pair{"run-2", 2}, std::pair{"run-3", 3}}) {
            QFile written(QString::fromStdString((out / file).string()) + QStringLiteral(".json"));
            QVERIFY2(written.open(QIODevice::ReadOnly), file);
            const QByteArray text = written.readAll();
            for (const int other : {1, 2, 3})
                QVERIFY2(text.contains(runName(other).c_str()) == (other == number), file);
        }
    }

private:
    void put(const std::string &key, const char *file, const nlohmann::json &content) const
    {
        std::filesystem::create_directories((workspace() / "artifacts" / key / file).parent_path());
        std::ofstream(workspace() / "artifacts" / key / file) << content;
    }
    /// SmolLM2's curves in the workspace, with their values by sequence.
    void openWithCurves()
    {
        test::writeScoring(workspace(), 1, test::measuredEvaluations(measuredCurves()), 1, {}, "{}", measuredCurves());
        put("key-1", "scores.json", {{"scores", nlohmann::json::array()}, {"teacher_hash", "t"}, {"mixer", "gdn"}});
        open();
    }
    void open()
    {
        openWindow();
        openDemo();
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
    }
    void showKl()
    {
        m_window->findChild<QRadioButton *>(QStringLiteral("klAgainstK"))->click();
        QTRY_VERIFY(plot()->isVisible());
    }
    /// A hybrid of the best `keep` layers: what its stage leaves, and its run, which the session takes in.
    void distil(int number, int keep, const std::vector<double> &kl_S, std::int64_t tokens = 500)
    {
        const std::string key = "hybrid-" + std::to_string(number);
        const experiment::LayerSet kept = experiment::topLayers(*m_session->scores().ranking(), keep);
        put(key, "curve.json", {{"kept", kept}, {"tokens", {tokens}}, {"kl_nats", nlohmann::json::array({kl_S})}, {"counted_tokens", std::vector<std::int64_t>(kl_S.size(), 512)}});
        put(key, "result.json", {{"kind", "distill"}, {"teacher_hash", "t"}, {"mixer", "gdn"}, {"tokens", tokens}, {"held_out_hash", "h"}, {"aligned", "a"}});
        put(key, "model/spec.json", {{"mixer", {{"kind", "gdn"}}}, {"seed", 1}, {"temperature", 1}, {"ce_weight", 0}, {"reverse_kl_weight", 0}});
        LineWriter writer(workspace(), runName(10 + number), goneProcess());
        const nlohmann::json spec = {{"kind", "distill"}, {"teacher", "demo"}, {"mixer", {{"kind", "gdn"}}}, {"keep", kept}, {"seed", 1}};
        writer.say(experiment::Started{.kind = "distill", .key = key, .specJson = spec.dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "distill");
        writer.say(experiment::Artifact{.role = "distill", .hash = key, .path = "artifacts/" + key}, "distill");
        const nlohmann::json measures = {{"kl_nats", 0.5 * (kl_S.front() + kl_S.back())}, {"se_nats", 0.02}, {"n", kl_S.size()}};
        writer.say(experiment::Finished{.resultJson = nlohmann::json{{"kind", "distill"}, {"selected", kept}, {"mixer", "gdn"}, {"tokens", tokens}, {"measures", measures}}.dump(), .seconds = 1.0}, "distill");
    }
    [[nodiscard]] widgets::KlCurvePlot *plot() const { return m_window->findChild<widgets::KlCurvePlot *>(); }
    static QCustomPlot &canvasOf(const widgets::PlotView &plot) { return *plot.findChild<QCustomPlot *>(); }
    /// Files of a hybrid are seen before the store has its run's lines.
    [[nodiscard]] bool isEveryRunKnown() const
    {
        const std::vector<report::HybridShown> hybrids = plot()->figure().table.provenance.hybrids;
        return std::none_of(hybrids.begin(), hybrids.end(), [](const report::HybridShown &one) { return one.source.run.empty(); });
    }
    /// How many points the graph of that name has.
    int drawn(const char *name)
    {
        (void)test::settle();
        const QCustomPlot &canvas = canvasOf(*plot());
        for (int i = 0; i < canvas.graphCount(); ++i)
            if (canvas.graph(i)->name() == QString::fromUtf8(name))
                return canvas.graph(i)->dataCount();
        return -1;
    }
    /// In the place of the plot; empty where the plot is there.
    QString sentence()
    {
        (void)test::settle();
        QCustomPlot &canvas = canvasOf(*plot());
        canvas.replot(QCustomPlot::rpImmediateRefresh);
        for (int i = 0; i < canvas.itemCount(); ++i)
            if (const auto *text = qobject_cast<QCPItemText *>(canvas.item(i)); text && text->realVisibility())
                return QString(text->text()).replace(QStringLiteral("-\n"), QStringLiteral("-")).replace(QLatin1Char('\n'), QLatin1Char(' '));      // a line may end at a hyphen
        return {};
    }
    bool shownLabel(const QString &part)
    {
        (void)test::settle();
        for (const QLabel *label : m_window->findChildren<QLabel *>())
            if (label->isVisible() && label->text().contains(part))
                return true;
        return false;
    }
};

QTEST_MAIN(KlCurvesTest)
#include "klcurves.moc"
