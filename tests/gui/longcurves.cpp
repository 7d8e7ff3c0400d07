// SPDX-License-Identifier: GPL-3.0-or-later
#include "runswindow.h"
#include "store/lines.h"

#include "models/comparison.h"
#include "models/roomtogrow.h"
#include "models/session.h"
#include "pages/runspage.h"
#include "plots/growncurve.h"
#include "plots/runcurvesplot.h"

#include <QTableView>
#include <QTest>
#include <QTimer>

#include <SQLiteCpp/SQLiteCpp.h>
#include <qcustomplot.h>

#include <algorithm>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace stillroom;
using test::distillSpec;

/// Curves so long that they are made ready beside the window.
class LongCurvesTest final : public test::RunsWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("longcurves")); }
    void init() { begin(); }
    void cleanup() { end(); }

    void aLongCurveIsMadeReadyWhereItStopsNobody()
    {
        openLongRuns();
        widgets::Comparison comparison(*m_session);
        widgets::RunCurvesPlot plot(comparison);
        showCurve(plot);
        QCustomPlot &canvas = *plot.findChild<QCustomPlot *>();
        Gate opening(comparison.drawing());
        comparison.compare(page()->experiments());
        QTRY_VERIFY(!comparison.series().isEmpty());
        QTRY_VERIFY(plot.isBehind());
        runLoop();
        QVERIFY(plot.isBehind());      // nobody has done it here
        QVERIFY(plot.readings({}).empty() || !plot.readings({}).front().value);
        QVERIFY(plot.hasFigure());     // a file is of what is asked for
        opening.open();
        QTRY_VERIFY(!plot.isBehind());
        QVERIFY(isAsAtOnce(plot, comparison));
        QTRY_VERIFY(plot.accessibleDescription().contains(QStringLiteral("ends at")));

        using Against = widgets::RunCurvesPlot::Against;
        const std::vector<std::function<void()>> changes{[&] { plot.setSmoothing(0.9); }, [&] { plot.setAgainst(Against::Steps); }, [&] { plot.setAgainst(Against::WallTime); }, [&] { plot.setAgainst(Against::ComputeTime); },
                                                         [&] { plot.setLogarithmic(true); }, [&] { plot.setLogarithmicX(true); }, [&] { plot.setSmoothing(0.0); }, [&] { plot.setAgainst(Against::Tokens); }};
        for (const auto &change : changes) {
            Gate gate(comparison.drawing());
            const auto picture = [&] { return std::tuple(canvas.xAxis->range(), canvas.yAxis->range(), canvas.xAxis->scaleType(), canvas.yAxis->scaleType(), canvas.xAxis->label(), canvas.graph(1)->dataCount()); };
            const auto before = picture();
            change();
            runLoop();
            QVERIFY(plot.isBehind());
            QVERIFY(picture() == before);      // what was there stays
            gate.open();
            QTRY_VERIFY(!plot.isBehind());
            QVERIFY(isAsAtOnce(plot, comparison));
        }
    }

    void aCurveThatGrowsStaysWhereItIs()
    {
        QCustomPlot canvas;
        QCPGraph &graph = *canvas.addGraph();
        widgets::GrownCurve curve;
        const auto point = [](qsizetype i) { return std::pair(static_cast<double>(i), 1.0); };
        curve.follow(graph, 40, point);
        curve.follow(graph, 1300, point);      // past the first room: moved once more
        const QCPGraphData *first = &*graph.data()->constBegin();
        for (qsizetype numPoints = 1301; numPoints <= 32 * 1300; numPoints += 7) {
            curve.follow(graph, numPoints, point);
            QCOMPARE(static_cast<const void *>(&*graph.data()->constBegin()), static_cast<const void *>(first));
            QCOMPARE(graph.data()->size(), static_cast<int>(numPoints));
        }
        QCOMPARE(curve.extent().right, static_cast<double>(curve.numPoints() - 1));
        QVERIFY(widgets::roomToGrow(100'000'000) < 105'000'000);      // of a very long one not thirty times as much
    }

    void ofTwoChangesOfALongCurveTheLastOneIsShown()
    {
        openLongRuns();
        widgets::Comparison comparison(*m_session);
        widgets::RunCurvesPlot plot(comparison);
        showReady(comparison, plot);
        int drawn = 0;
        connect(&plot, &widgets::RunCurvesPlot::drawn, &plot, [&] { ++drawn; });
        Gate gate(comparison.drawing());
        plot.setSmoothing(0.6);
        plot.setLogarithmic(true);
        plot.setSmoothing(0.97);
        runLoop();
        QCOMPARE(drawn, 0);
        gate.open();
        QTRY_VERIFY(!plot.isBehind());
        settle(comparison);
        QCOMPARE(drawn, 1);
        QVERIFY(isAsAtOnce(plot, comparison));

        Gate again(comparison.drawing());
        plot.setSmoothing(0.6);
        plot.setSmoothing(0.97);      // what is shown still: there is nothing to wait for
        QVERIFY(!plot.isBehind());
        again.open();
        settle(comparison);
        QVERIFY(!plot.isBehind());
        QVERIFY(isAsAtOnce(plot, comparison));
    }

    void aLongCurveOnPaperIsThereAtOnce()
    {
        openLongRuns();
        widgets::Comparison comparison(*m_session);
        widgets::RunCurvesPlot plot(comparison);
        showReady(comparison, plot);
        const Gate gate(comparison.drawing());
        plot.setSmoothing(0.9);
        QVERIFY(plot.isBehind());
        const std::unique_ptr<widgets::PlotView> twin = plot.copy();
        twin->putOnPaper(widgets::Paper());
        const auto &paper = dynamic_cast<const widgets::RunCurvesPlot &>(*twin);
        QVERIFY(!paper.isBehind());
        const report::Figure figure = plot.figure();
        QCOMPARE(figure.chart.series.size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i)
            QCOMPARE(figure.chart.series[i].points.back().y, *paper.readings({})[i].value);
    }

    void aCurveThatHasNotChangedIsNotDrawnAgain()
    {
        write(70, distillSpec(1, {3, 4}, "over"), 0.2);
        LineWriter writer(workspace(), runName(72), thisProcess(), 1764570000.0);
        writer.say(experiment::Started{.kind = "distill", .key = "k72", .specJson = distillSpec(3, {3, 4}, "at work").dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "distill");
        writer.say(experiment::Metric{"distill/kl", 0, 0, 0.5, "nats/token"}, "distill");
        openWindow();
        QTRY_COMPARE(table().rowCount(), 2);
        widgets::Comparison comparison(*m_session);
        comparison.compare(page()->experiments());
        const auto curves = [&] {
            std::map<std::string, widgets::SharedCurve> all;
            for (const widgets::ComparedExperiment &one : comparison.experiments())
                if (const auto found = one.curves.find(QStringLiteral("distill/kl")); found != one.curves.end())
                    all[one.row.uuid] = found->second;
            return all;
        };
        QTRY_COMPARE(curves().size(), std::size_t{2});
        const auto first = curves();
        writer.say(experiment::Metric{"distill/held_out_kl", 0, 0, 0.5, "nats/token"}, "distill");
        readAgain();
        QTRY_VERIFY(comparison.series().contains(QStringLiteral("distill/held_out_kl")));
        QVERIFY(curves() == first);      // the same objects: of one that is over, and of one that goes on
        writer.say(experiment::Metric{"distill/kl", 1, 100, 0.25, "nats/token"}, "distill");
        readAgain();
        QTRY_COMPARE(curves()[runName(72)]->size(), std::size_t{2});
        QCOMPARE(curves()[runName(70)], first.at(runName(70)));
        QCOMPARE(first.at(runName(72))->size(), std::size_t{1});      // who looks at it may go on
    }

    void aCurveIsReadAsItStandsWhateverBecomesOfIt()
    {
        auto writer = runUnderWay();
        const auto add = [&](int from, int to, double value) {
            for (int step = from; step < to; ++step)
                writer->say(experiment::Metric{"distill/kl", step, step * 100LL, value, "nats/token"}, "distill");
        };
        add(0, 6, 0.5);
        openWindow();
        QTRY_COMPARE(table().rowCount(), 1);
        widgets::Comparison comparison(*m_session);
        comparison.compare(page()->experiments());
        QTRY_COMPARE(valuesOf(comparison), std::vector<double>(6, 0.5));
        add(6, 8, 0.4);      // it grows
        readAgain();
        std::vector<double> wanted{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.4, 0.4};
        QTRY_COMPARE(valuesOf(comparison), wanted);

        sayBegun(*writer, true);      // it goes on from step 3, and has not come as far as it had
        add(3, 5, 0.3);
        readAgain();
        wanted[3] = wanted[4] = 0.3;
        QTRY_COMPARE(valuesOf(comparison), wanted);
        add(5, 7, 0.3);
        readAgain();
        wanted[5] = wanted[6] = 0.3;
        QTRY_COMPARE(valuesOf(comparison), wanted);
        add(7, 10, 0.2);      // past it
        readAgain();
        wanted.resize(7);
        wanted.insert(wanted.end(), 3, 0.2);
        QTRY_COMPARE(valuesOf(comparison), wanted);
        add(10, 12, 0.1);
        readAgain();
        wanted.insert(wanted.end(), 2, 0.1);
        QTRY_COMPARE(valuesOf(comparison), wanted);
    }

    void ofACurveThatGrowsOnlyWhatIsNewIsRead()
    {
        auto writer = runUnderWay();
        for (int step = 0; step < 6; ++step)
            writer->say(experiment::Metric{"distill/kl", step, step * 100LL, 0.5, "nats/token"}, "distill");
        openWindow();
        QTRY_COMPARE(table().rowCount(), 1);
        widgets::Comparison comparison(*m_session);
        comparison.compare(page()->experiments());
        QTRY_COMPARE(valuesOf(comparison).size(), std::size_t{6});
        changeBehindItsBack(2, 9.0);      // in front of the last known point: nobody looks there again
        writer->say(experiment::Metric{"distill/kl", 6, 600, 0.25, "nats/token"}, "distill");
        readAgain();
        QTRY_COMPARE(valuesOf(comparison), (std::vector<double>{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.25}));
        changeBehindItsBack(6, 8.0);      // the last one is not as it was: all is read
        readAgain();
        QTRY_COMPARE(valuesOf(comparison), (std::vector<double>{0.5, 0.5, 9.0, 0.5, 0.5, 0.5, 8.0}));
    }

    void aLongCurveThatGrowsIsMadeReadyToItsEnd()
    {
        auto writer = runUnderWay();
        const int many = static_cast<int>(widgets::RunCurvesPlot::fewPoints) + 500;
        for (int step = 0; step < many; ++step)
            writer->say(experiment::Metric{"distill/kl", step, step * 100LL, 1.0 / (step + 1), "nats/token"}, "distill");
        openWindow();
        QTRY_COMPARE(table().rowCount(), 1);
        widgets::Comparison comparison(*m_session);
        widgets::RunCurvesPlot plot(comparison);
        showCurve(plot);
        Gate gate(comparison.drawing());
        comparison.compare(page()->experiments());
        QTRY_COMPARE(valuesOf(comparison).size(), static_cast<std::size_t>(many));
        runLoop();
        QVERIFY(plot.isBehind());
        int drawn = 0;
        connect(&plot, &widgets::RunCurvesPlot::drawn, &plot, [&] { ++drawn; });
        writer->say(experiment::Metric{"distill/kl", many, many * 100LL, 0.5, "nats/token"}, "distill");      // while it is made ready
        readAgain();
        QTRY_COMPARE(valuesOf(comparison).size(), static_cast<std::size_t>(many) + 1);
        runLoop();
        gate.open();
        settle(comparison);
        QVERIFY(drawn >= 1);      // what was under way was not given up
        QTRY_VERIFY(!plot.isBehind());      // and what has come since follows
        QVERIFY(isAsAtOnce(plot, comparison));
    }

private:
    /// Of run 72.
    std::unique_ptr<LineWriter> runUnderWay()
    {
        auto writer = std::make_unique<LineWriter>(workspace(), runName(72), thisProcess(), 1764570000.0);
        sayBegun(*writer, false);
        return writer;
    }
    static void sayBegun(LineWriter &writer, bool resumed)
    {
        writer.say(experiment::Started{.kind = "distill", .key = "k72", .specJson = distillSpec(3, {3, 4}, "at work").dump(), .device = "cpu", .computeType = "float32", .resumed = resumed, .version = "0.1.0"}, "distill");
    }
    static std::vector<double> valuesOf(const widgets::Comparison &comparison)
    {
        std::vector<double> values;
        for (const widgets::ComparedExperiment &one : comparison.experiments())
            if (const auto found = one.curves.find(QStringLiteral("distill/kl")); found != one.curves.end())
                for (const store::MetricPoint &point : *found->second)
                    values.push_back(point.value);
        return values;
    }
    /// A value in the database, which no event says.
    void changeBehindItsBack(int step, double value)
    {
        SQLite::Database database((workspace() / "stillroom.db").string(), SQLite::OPEN_READWRITE);
        database.exec("UPDATE metrics SET value = " + std::to_string(value) + " WHERE step = " + std::to_string(step));
    }
    /// Holds the thread on which curves are made ready.
    class Gate final {
    public:
        explicit Gate(widgets::Background &background)
        {
            background.run("gate", [opened = m_gate.get_future().share()]() -> widgets::Background::Answer {
                opened.wait();
                return {};
            });
        }
        ~Gate() { open(); }
        Q_DISABLE_COPY_MOVE(Gate)
        void open()
        {
            if (!std::exchange(m_isOpen, true))
                m_gate.set_value();
        }

    private:
        std::promise<void> m_gate;
        bool m_isOpen = false;
    };
    /// A long one that was stopped for a night, and a short one.
    void openLongRuns()
    {
        write(70, distillSpec(1, {3, 4}, "long"), 0.2, {}, nlohmann::json::object(), {.steps = static_cast<int>(widgets::RunCurvesPlot::fewPoints) + 500, .pauseBefore = 5000, .resumed = true});
        write(71, distillSpec(2, {3, 4}, "short"), 0.3);
        openWindow();
        QTRY_COMPARE(table().rowCount(), 2);
    }
    static void showCurve(widgets::RunCurvesPlot &plot)
    {
        plot.resize(900, 500);
        plot.setSeries(QStringLiteral("distill/kl"));
        plot.show();
    }
    void showReady(widgets::Comparison &comparison, widgets::RunCurvesPlot &plot)
    {
        showCurve(plot);
        comparison.compare(page()->experiments());
        QTRY_VERIFY(!comparison.series().isEmpty() && !plot.isBehind());
    }
    /// What has been asked for by now is begun.
    static void runLoop()
    {
        bool over = false;
        QTimer::singleShot(0, [&] { over = true; });
        while (!over)
            QCoreApplication::processEvents();
        QCoreApplication::processEvents();
    }
    /// All that was to be made ready has been answered.
    static void settle(widgets::Comparison &comparison)
    {
        bool over = false;
        comparison.drawing().run("last", [&]() -> widgets::Background::Answer { return [&] { over = true; }; });
        QTRY_VERIFY(over);
    }
    /// Whether it shows what another plot does that has never waited.
    static bool isAsAtOnce(const widgets::RunCurvesPlot &plot, widgets::Comparison &comparison)
    {
        widgets::RunCurvesPlot atOnce(comparison);
        atOnce.setSeries(plot.series());
        atOnce.setAgainst(plot.against());
        atOnce.setSmoothing(plot.smoothing());
        atOnce.setLogarithmic(plot.isLogarithmic());
        atOnce.setLogarithmicX(plot.isLogarithmicX());
        atOnce.putOnPaper(widgets::Paper());
        const QCustomPlot &canvas = *plot.findChild<QCustomPlot *>(), &wanted = *atOnce.findChild<QCustomPlot *>();
        bool same = canvas.xAxis->range() == wanted.xAxis->range() && canvas.yAxis->range() == wanted.yAxis->range() && canvas.xAxis->scaleType() == wanted.xAxis->scaleType()
                    && canvas.xAxis->label() == wanted.xAxis->label() && canvas.yAxis->scaleType() == wanted.yAxis->scaleType() && canvas.graphCount() == wanted.graphCount();
        same = same && plot.numDropped() == atOnce.numDropped() && plot.numBeforeAxis() == atOnce.numBeforeAxis() && plot.spec().over == atOnce.spec().over;
        for (int i = 0; same && i <= 1000; ++i) {
            const double place = wanted.xAxis->range().lower + 1e-3 * i * wanted.xAxis->range().size();
            const auto isEqual = [](const widgets::CurveReading &a, const widgets::CurveReading &b) { return a.state == b.state && a.x == b.x && a.value == b.value; };
            const std::vector<widgets::CurveReading> read = plot.readings(place), expected = atOnce.readings(place);
            same = !expected.empty() && std::equal(read.begin(), read.end(), expected.begin(), expected.end(), isEqual);
        }
        return same;
    }
};

QTEST_MAIN(LongCurvesTest)
#include "longcurves.moc"
