// SPDX-License-Identifier: GPL-3.0-or-later
// bench_longcurve: one experiment with a very long curve on the Compare page. Milliseconds of a frame while the curve is moved, zoomed and smoothed, beside a frame of the
// same plot with few points; milliseconds until it is read, and until it is shown after it was opened, smoothed and laid over other axes, and how long the event loop is
// away at most meanwhile; memory of the process. JSON on standard output.
#include "mainwindow.h"
#include "madeup.h"
#include "responsiveness/watchdog.h"
#include "store/lines.h"

#include "experiment/spec.h"
#include "models/comparison.h"
#include "plots/runcurvesplot.h"
#include "randomstream.h"
#include "store/experimentrows.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QThread>

#include <qcustomplot.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <unistd.h>

namespace {

using namespace stillroom;

struct Setting {
    int points = 2'000'000, frames = 120;
};

void writeRun(int number, int points, const std::filesystem::path &workspace)
{
    RandomStream random(1);
    const nlohmann::json spec = experiment::completeSpec({{"kind", "distill"}, {"name", std::to_string(points) + " points"}, {"teacher", "demo"}, {"keep", {number}}, {"seed", number}});
    LineWriter writer(workspace, runName(number), goneProcess(), 1764480000.0 + 10.0 * number);
    writer.say(experiment::Started{.kind = "distill", .key = "k" + std::to_string(number), .specJson = spec.dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "distill");
    std::string lines;
    for (int point = 1; point <= points; ++point) {
        lines += experiment::toLine({.run = runName(number), .task = "distill", .seq = point + 1, .timeSeconds = 1764480000.0 + 0.01 * point,
                                     .body = experiment::Metric{"distill/kl", point, point * 512LL, 0.1 + 1.0 / (1.0 + 1e-3 * point) + 0.05 * random.uniform(), "nats/token"}}) + '\n';
        if (lines.size() > 4'000'000 || point == points) {
            writer.append(lines);
            lines.clear();
        }
    }
}

double elapsedMs(const QElapsedTimer &clock) { return 1e-6 * static_cast<double>(clock.nsecsElapsed()); }

nlohmann::json timed(int frames, const std::function<void(int)> &frame)
{
    std::vector<double> times;
    for (int i = 0; i < frames; ++i) {
        QElapsedTimer clock;
        clock.start();
        frame(i);
        times.push_back(elapsedMs(clock));
    }
    std::sort(times.begin(), times.end());
    return {{"median_ms", times[times.size() / 2]}, {"p95_ms", times[times.size() * 95 / 100]}, {"slowest_ms", times.back()}};
}

double residentMiB()
{
    std::int64_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576.0;
}

void waitFor(const std::function<bool()> &done)
{
    while (!done()) {
        QCoreApplication::processEvents();
        QThread::msleep(1);
    }
}

/// Until what was changed is painted.
nlohmann::json heldBy(const widgets::RunCurvesPlot &plot, const std::function<void()> &change)
{
    QCoreApplication::processEvents();      // frames that were asked for before
    bench::Watchdog watchdog;
    QElapsedTimer clock;
    clock.start();
    change();
    waitFor([&] { return !plot.isBehind(); });
    QCoreApplication::processEvents();
    const double shownMs = elapsedMs(clock);
    QThread::msleep(5);      // what is knocking still
    QCoreApplication::processEvents();
    const std::vector<double> waits = watchdog.take().waited;
    return {{"shown_ms", shownMs}, {"longest_hold_ms", waits.empty() ? 0.0 : waits.back()}};
}

/// Frames of a plot of this run: every one is painted before the clock stops.
nlohmann::json framesOf(widgets::Session &session, const store::ExperimentRow &row, const Setting &setting)
{
    widgets::Comparison comparison(session);
    widgets::RunCurvesPlot plot(comparison);
    plot.resize(1200, 600);
    plot.show();
    QCoreApplication::processEvents();
    nlohmann::json result;
    result["open"] = heldBy(plot, [&] {
        QElapsedTimer clock;
        clock.start();
        comparison.compare({row});
        waitFor([&] { return !comparison.series().isEmpty(); });
        result["read_ms"] = elapsedMs(clock);
        plot.setSeries(QStringLiteral("distill/kl"));
    });
    auto *canvas = plot.findChild<QCustomPlot *>();
    const QCPRange whole = canvas->xAxis->range();
    const auto frame = [&](double low, double high) {
        canvas->xAxis->setRange(low, high);
        canvas->replot(QCustomPlot::rpImmediateRefresh);
    };
    const double step = 0.002 * whole.size();
    result["move_whole"] = timed(setting.frames, [&](int i) { frame(whole.lower + step * (i % 20), whole.upper + step * (i % 20)); });
    result["move_tenth"] = timed(setting.frames, [&](int i) { frame(whole.lower + step * i, whole.lower + 0.1 * whole.size() + step * i); });
    result["zoom"] = timed(setting.frames, [&](int i) { frame(whole.lower, whole.lower + whole.size() / (1.0 + 0.1 * i)); });
    result["smooth"] = heldBy(plot, [&] { plot.setSmoothing(0.9); });
    result["move_whole_smoothed"] = timed(setting.frames, [&](int i) { frame(whole.lower + step * (i % 20), whole.upper + step * (i % 20)); });
    result["against_time"] = heldBy(plot, [&] { plot.setAgainst(widgets::RunCurvesPlot::Against::ComputeTime); });
    result["logarithmic"] = heldBy(plot, [&] { plot.setLogarithmic(true); });
    result["logarithmic_x"] = heldBy(plot, [&] { plot.setLogarithmicX(true); });
    result["smooth_twice"] = heldBy(plot, [&] {
        plot.setSmoothing(0.6);
        plot.setSmoothing(0.97);      // a second change before the first is shown
    });
    result["closed"] = heldBy(plot, [&] { comparison.compare({}); });
    return result;
}

int measure(const Setting &setting)
{
    const QTemporaryDir folder;
    const std::filesystem::path workspace = folder.path().toStdString();
    QElapsedTimer clock;
    clock.start();
    writeRun(1, setting.points, workspace);
    writeRun(2, 100, workspace);
    const double writtenMs = elapsedMs(clock);
    clock.restart();
    std::vector<store::ExperimentRow> rows;
    {
        const store::Workspace takesAllIn(workspace);
        rows = store::experimentRows(takesAllIn);
    }
    nlohmann::json result{{"benchmark", "longcurve"}, {"points", setting.points}, {"written_ms", writtenMs}, {"taken_in_ms", elapsedMs(clock)}};
    widgets::Session session(workspace, [](const nlohmann::json &, jobs::RunContext &) { return test::description(); });
    for (const store::ExperimentRow &row : rows)
        result[row.uuid == runName(1) ? "long" : "short"] = framesOf(session, row, setting);
    result["resident_mib"] = residentMiB();
    std::cout << result.dump(1) << '\n';
    return 0;
}

}  // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
    QCoreApplication::setApplicationName(QStringLiteral("longcurve"));
    QSettings().clear();
    Setting setting;
    CLI::App app{"A very long curve in the window"};
    app.add_option("--points", setting.points, "Of the long curve")->check(CLI::Range(1000, 100'000'000))->capture_default_str();
    app.add_option("--frames", setting.frames, "Of every measurement")->check(CLI::Range(10, 100'000))->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return measure(setting);
}
