// SPDX-License-Identifier: GPL-3.0-or-later
// bench_bigworkspace: a workspace of many runs and very many points in the real window. Milliseconds of the clock until the window is painted first, until all runs stand in
// the table, for a search, until a very long curve is open, for a frame while it is moved; memory with all pages open. Each beside what is promised; JSON on standard output.
#include "filledmetrics.h"
#include "madeup.h"
#include "mainwindow.h"
#include "store/lines.h"

#include "experiment/spec.h"
#include "models/session.h"
#include "pages/comparepage.h"
#include "pages/runspage.h"
#include "plots/runcurvesplot.h"
#include "store/experimentrows.h"

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QListWidget>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QThread>

#include <qcustomplot.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <unistd.h>

namespace {

using namespace stillroom;

constexpr int runsRow = 4, compareRow = 5;
constexpr qint64 patienceMs = 60'000;

struct Setting {
    int runs = 10'000, longPoints = 2'000'000, rounds = 9, frames = 120;
    std::int64_t metricRows = 4'000'000;
    std::string workspace;      ///< empty: under TMPDIR, and removed
};

void writeRuns(int runs, const std::filesystem::path &workspace)
{
    for (int number = 1; number <= runs; ++number) {
        const nlohmann::json spec = experiment::completeSpec({{"kind", "distill"}, {"name", "hybrid " + std::to_string(number % 500)}, {"teacher", "demo"}, {"keep", {number % 6}}, {"seed", number}});
        const double kl = 0.1 + 0.0003 * (number % 1000);
        LineWriter writer(workspace, runName(number), goneProcess(), 1764480000.0 + 10.0 * number);
        writer.say(experiment::Started{.kind = "distill", .key = "k" + std::to_string(number), .specJson = spec.dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "distill");
        writer.say(experiment::Metric{"distill/kl", 1, 512, kl, "nats/token"}, "distill");
        writer.say(experiment::Finished{.resultJson = nlohmann::json{{"selected", spec.at("keep")}, {"tokens", 61440}, {"measures", {{"kl_nats", kl}, {"recall", 1.0 - kl}}}}.dump(), .seconds = 3.0}, "distill");
    }
}

void settle()
{
    while (QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents)) {
    }
}

void waitFor(const std::function<bool()> &isSo)
{
    QElapsedTimer clock;
    clock.start();
    while (!isSo() && clock.elapsed() < patienceMs) {
        QCoreApplication::processEvents();
        QThread::usleep(500);
    }
}

double elapsedMs(const QElapsedTimer &clock) { return 1e-6 * static_cast<double>(clock.nsecsElapsed()); }

/// Of this thread on a core: what is left where other programs are quiet.
double busyMs()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// \param busy  of all rounds together
nlohmann::json spread(std::vector<double> times, double promisedMs, double busy)
{
    std::sort(times.begin(), times.end());
    return {{"rounds", times.size()}, {"busy_ms", busy / static_cast<double>(times.size())}, {"median_ms", times[times.size() / 2]}, {"fastest_ms", times.front()}, {"p95_ms", times[times.size() * 95 / 100]}, {"slowest_ms", times.back()}, {"promised_ms", promisedMs}};
}

nlohmann::json timed(int rounds, double promisedMs, const std::function<void(int)> &work)
{
    std::vector<double> times;
    const double before = busyMs();
    for (int round = 0; round < rounds; ++round) {
        QElapsedTimer clock;
        clock.start();
        work(round);
        times.push_back(elapsedMs(clock));
    }
    return spread(std::move(times), promisedMs, busyMs() - before);
}

double residentMiB()
{
    std::int64_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576.0;
}

/// A window on the workspace, as a person starts it.
struct Opened {
    explicit Opened(const std::filesystem::path &workspace)
        : session(workspace, [](const nlohmann::json &, jobs::RunContext &) { return test::description(); }), window(session, {})
    {
        window.resize(1400, 900);
        window.show();
        window.grab();
    }
    widgets::Session session;
    MainWindow window;
};

nlohmann::json startsOf(const std::filesystem::path &workspace, const Setting &setting)
{
    std::vector<double> first, all, close;
    double busyFirst = 0.0, busyAll = 0.0, busyClose = 0.0;
    for (int round = 0; round < setting.rounds; ++round) {
        const double before = busyMs();
        QElapsedTimer clock;
        clock.start();
        auto opened = std::make_unique<Opened>(workspace);
        first.push_back(elapsedMs(clock));
        busyFirst += busyMs() - before;
        const auto *table = opened->window.findChild<widgets::RunsPage *>()->findChild<QTableView *>();
        waitFor([&] { return table->model()->rowCount() >= setting.runs; });
        all.push_back(elapsedMs(clock));
        busyAll += busyMs() - before;
        const double open = busyMs();
        clock.restart();
        opened.reset();
        close.push_back(elapsedMs(clock));
        busyClose += busyMs() - open;
    }
    return {{"first_paint", spread(first, 1000.0, busyFirst)}, {"all_rows", spread(all, 3000.0, busyAll)}, {"close", spread(close, 1000.0, busyClose)}};
}

void showPage(MainWindow &window, int row)
{
    for (QListWidget *pages : window.findChildren<QListWidget *>())
        if (pages->accessibleName() == QStringLiteral("Pages"))
            pages->setCurrentRow(row);
    settle();
}

nlohmann::json searchesOf(MainWindow &window, int rounds)
{
    showPage(window, runsRow);
    auto *words = window.findChild<widgets::RunsPage *>()->findChild<QLineEdit *>();
    const QString searches[] = {QStringLiteral("hybrid kl<0.2"), QStringLiteral("hybrid 12"), QStringLiteral("k:1 kl<0.3"), QString()};
    return timed(4 * rounds, 100.0, [&](int round) {
        words->setText(searches[round % 4]);
        settle();
    });
}

nlohmann::json curveOf(MainWindow &window, std::vector<store::ExperimentRow> rows, const std::string &longRun, const Setting &setting)
{
    auto *page = window.findChild<widgets::ComparePage *>();
    auto *plot = page->findChild<widgets::RunCurvesPlot *>();
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const store::ExperimentRow &one) { return one.uuid == longRun; });
    const store::ExperimentRow longOne = *at;
    rows.erase(at);
    const auto row = [&](int number) { return rows[static_cast<std::size_t>(number) % rows.size()]; };
    showPage(window, compareRow);
    auto *canvas = plot->findChild<QCustomPlot *>();
    const double half = 0.5 * 512.0 * setting.longPoints;      // tokens: only the long curve goes that far
    std::vector<double> times;
    double busy = 0.0;
    for (int round = 0; round < setting.rounds; ++round) {
        page->compare({row(2 * round), row(2 * round + 1)});
        waitFor([&] { return plot->hasFigure() && canvas->xAxis->range().upper < half; });
        const double before = busyMs();
        QElapsedTimer clock;
        clock.start();
        page->compare({longOne, row(2 * round)});
        waitFor([&] { return canvas->xAxis->range().upper > half; });
        canvas->replot(QCustomPlot::rpImmediateRefresh);
        times.push_back(elapsedMs(clock));
        busy += busyMs() - before;
    }
    nlohmann::json result{{"open", spread(times, 1000.0, busy)}};
    const QCPRange whole = canvas->xAxis->range();
    const double step = 0.002 * whole.size();
    result["pan"] = timed(setting.frames, 16.0, [&](int i) {
        canvas->xAxis->setRange(whole.lower + step * (i % 20), whole.upper + step * (i % 20));
        canvas->replot(QCustomPlot::rpImmediateRefresh);
    });
    result["pan_tenth"] = timed(setting.frames, 16.0, [&](int i) {
        canvas->xAxis->setRange(whole.lower + step * i, whole.lower + 0.1 * whole.size() + step * i);
        canvas->replot(QCustomPlot::rpImmediateRefresh);
    });
    return result;
}

int measure(const Setting &setting)
{
    const QTemporaryDir folder;
    const std::filesystem::path workspace = setting.workspace.empty() ? folder.path().toStdString() : setting.workspace;
    nlohmann::json result{{"benchmark", "bigworkspace"}, {"runs", setting.runs}, {"metric_rows", setting.metricRows}, {"long_points", setting.longPoints}};
    QElapsedTimer clock;
    clock.start();
    if (!std::filesystem::exists(store::databaseFile(workspace))) {
        writeRuns(setting.runs, workspace);
        { const store::Workspace takesAllIn(workspace); }
        bench::fillMetrics(workspace, setting.metricRows, setting.longPoints);
    }
    result["made_ms"] = elapsedMs(clock);
    result["database_mib"] = static_cast<double>(bench::databaseBytes(workspace)) / 1048576.0;
    std::cerr << "made " << result.dump() << '\n';

    const std::string longRun = bench::longRun(workspace);
    result["start"] = startsOf(workspace, setting);
    Opened opened(workspace);
    waitFor([&] { return std::ssize(opened.window.findChild<widgets::RunsPage *>()->experiments()) >= setting.runs; });
    const std::vector<store::ExperimentRow> rows = opened.window.findChild<widgets::RunsPage *>()->experiments();
    opened.session.openTeacher(QStringLiteral("demo"));
    clock.restart();
    waitFor([&] { return std::ssize(opened.session.hybrids()) >= setting.runs; });
    result["teacher_ms"] = elapsedMs(clock);
    result["search"] = searchesOf(opened.window, setting.rounds);
    result["curve"] = curveOf(opened.window, rows, longRun, setting);
    for (int page = 0; page <= compareRow; ++page)
        showPage(opened.window, page);
    result["memory"] = {{"resident_mib", residentMiB()}, {"promised_mib", 600.0}};
    std::cout << result.dump(1) << '\n';
    return 0;
}

}  // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
    QCoreApplication::setApplicationName(QStringLiteral("bigworkspace"));
    QSettings().clear();
    Setting setting;
    CLI::App app{"A workspace of many runs and very many points in the window; it lies under TMPDIR while this runs"};
    app.add_option("--runs", setting.runs, "Distillations, 500 names")->check(CLI::Range(100, 1'000'000))->capture_default_str();
    app.add_option("--metric-rows", setting.metricRows, "Points of all curves; 100000000 take 3.6 GB")->check(CLI::Range(std::int64_t{100'000}, std::int64_t{1'000'000'000}))->capture_default_str();
    app.add_option("--long-points", setting.longPoints, "Of the one long curve")->check(CLI::Range(1000, 100'000'000))->capture_default_str();
    app.add_option("--workspace", setting.workspace, "Made there where it is not yet, and kept: for another run with the same numbers");
    app.add_option("--rounds", setting.rounds, "Of every measurement")->check(CLI::Range(1, 1000))->capture_default_str();
    app.add_option("--frames", setting.frames, "Moved")->check(CLI::Range(10, 100'000))->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return measure(setting);
}
