// SPDX-License-Identifier: GPL-3.0-or-later
// bench_runtable: a workspace of many runs in the window. Milliseconds of the clock until the window is painted first, until all runs stand in the table, for a search word
// by word, for sorting, for putting repetitions together and for a page of scrolling; memory of the process. JSON on standard output.
#include "mainwindow.h"
#include "madeup.h"
#include "store/lines.h"

#include "experiment/spec.h"
#include "models/experimenttable.h"
#include "pages/runspage.h"
#include "randomstream.h"

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QThread>

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
    int runs = 10'000, points = 100, rounds = 9;
};

void writeRuns(const Setting &setting, const std::filesystem::path &workspace)
{
    RandomStream random(1);
    for (int number = 1; number <= setting.runs; ++number) {
        const nlohmann::json spec = experiment::completeSpec({{"kind", "distill"}, {"name", "hybrid " + std::to_string(number % 500)}, {"teacher", "demo"}, {"keep", {number % 6}}, {"seed", number}});
        const double kl = 0.1 + 0.3 * random.uniform();
        LineWriter writer(workspace, runName(number), goneProcess(), 1764480000.0 + 10.0 * number);
        writer.say(experiment::Started{.kind = "distill", .key = "k" + std::to_string(number), .specJson = spec.dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "distill");
        std::string lines;
        for (int point = 1; point <= setting.points; ++point)
            lines += experiment::toLine({.run = runName(number), .task = "distill", .seq = point + 1, .timeSeconds = 1764480000.0, .body = experiment::Metric{"distill/kl", point, point * 512LL, kl + 1.0 / point, "nats/token"}}) + '\n';
        lines += experiment::toLine({.run = runName(number), .task = "distill", .seq = setting.points + 2, .timeSeconds = 1764480100.0 + 10.0 * number,
                                     .body = experiment::Finished{.resultJson = nlohmann::json{{"selected", spec.at("keep")}, {"tokens", 61440}, {"measures", {{"kl_nats", kl}, {"recall", 1.0 - kl}}}}.dump(), .seconds = 3.0}}) + '\n';
        writer.append(lines);
    }
}

void settle()
{
    while (QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents)) {
    }
}

double elapsedMs(const QElapsedTimer &clock) { return 1e-6 * static_cast<double>(clock.nsecsElapsed()); }

nlohmann::json timed(int rounds, const std::function<void(int)> &work)
{
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        QElapsedTimer clock;
        clock.start();
        work(round);
        settle();
        times.push_back(elapsedMs(clock));
    }
    std::sort(times.begin(), times.end());
    return {{"median_ms", times[times.size() / 2]}, {"slowest_ms", times.back()}};
}

double residentMiB()
{
    std::int64_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576.0;
}

int measure(const Setting &setting)
{
    const QTemporaryDir folder;
    const std::filesystem::path workspace = folder.path().toStdString();
    QElapsedTimer clock;
    clock.start();
    writeRuns(setting, workspace);
    const double writtenMs = elapsedMs(clock);
    clock.restart();
    { const store::Workspace takesAllIn(workspace); }
    nlohmann::json result{{"benchmark", "runtable"}, {"runs", setting.runs}, {"metric_rows", static_cast<std::int64_t>(setting.runs) * setting.points}, {"written_ms", writtenMs}, {"taken_in_ms", elapsedMs(clock)}};

    clock.restart();
    widgets::Session session(workspace, [](const nlohmann::json &, jobs::RunContext &) { return test::description(); });
    MainWindow window(session, {});
    window.resize(1280, 800);
    window.show();
    window.grab();
    result["first_paint_ms"] = elapsedMs(clock);
    auto *page = window.findChild<widgets::RunsPage *>();
    auto *view = page->findChild<QTableView *>();
    while (view->model()->rowCount() < setting.runs && clock.elapsed() < 60'000) {
        QCoreApplication::processEvents();
        QThread::msleep(1);
    }
    result["all_rows_ms"] = elapsedMs(clock);
    for (QListWidget *pages : window.findChildren<QListWidget *>())
        pages->setCurrentRow(4);
    settle();
    auto *words = page->findChild<QLineEdit *>();
    result["search"] = timed(setting.rounds, [&](int round) { words->setText(round % 2 == 0 ? QStringLiteral("hybrid kl<0.2") : QStringLiteral("hybrid 12")); });
    words->clear();
    result["sort"] = timed(setting.rounds, [&](int round) { view->sortByColumn(1 + round % 3, round % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder); });
    result["scroll_page"] = timed(50, [&](int) {
        view->verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepAdd);
        view->viewport()->repaint();
    });
    result["resident_mib"] = residentMiB();
    std::cout << result.dump(1) << '\n';
    return 0;
}

}  // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
    QCoreApplication::setApplicationName(QStringLiteral("runtable"));
    QSettings().clear();
    Setting setting;
    CLI::App app{"A workspace of many runs in the window"};
    app.add_option("--runs", setting.runs, "Distillations, 500 names")->check(CLI::Range(1, 1'000'000))->capture_default_str();
    app.add_option("--points", setting.points, "Metric rows of each")->check(CLI::Range(0, 1'000'000))->capture_default_str();
    app.add_option("--rounds", setting.rounds, "Of every measurement")->check(CLI::Range(1, 1000))->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return measure(setting);
}
