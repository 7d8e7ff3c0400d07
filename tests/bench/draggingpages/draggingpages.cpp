// SPDX-License-Identifier: GPL-3.0-or-later
// bench_draggingpages: what the window takes when K is dragged, from a step of the slider until all is painted, on the Layers page (bars, tie band, ranks over
// tokens, costs) and on the Overlap page (matrix, pair, curve), for 48 layers and eight scorings of eight evaluations each. Milliseconds of processor time
// and of the clock, JSON on standard output; a frame is 16 ms.
#include "mainwindow.h"
#include "madeup.h"
#include "storedscorings.h"

#include "randomstream.h"

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QSlider>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QThread>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <functional>
#include <iostream>

namespace {

using namespace stillroom;

struct Setting {
    int layers = 48, scorings = 8, evaluations = 8, rounds = 5, width = 1280, height = 800;
};

double processorMs()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

void writeScorings(const Setting &setting, const std::filesystem::path &workspace)
{
    RandomStream random(1);
    for (int number = 1; number <= setting.scorings; ++number) {
        std::vector<experiment::LayerScore> evaluations;
        for (int evaluation = 1; evaluation <= setting.evaluations; ++evaluation)
            for (int layer = 0; layer < setting.layers; ++layer)
                evaluations.push_back(test::klScore("ga-s2", layer, 0.3 + 0.004 * layer + 0.2 * random.uniform() / evaluation, 0.01, 100'000 * evaluation));
        test::writeScoring(workspace, number, evaluations, number);
    }
}

/// Until nothing is left to do: queued replots, layouts, paint events.
void settle()
{
    while (QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents)) {
    }
}

struct Times {
    std::vector<double> processor, clock;
};

nlohmann::json summary(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    return {{"median_ms", times[times.size() / 2]}, {"p95_ms", times[times.size() * 95 / 100]}, {"slowest_ms", times.back()}};
}

/// Every K once a round, up and down, on the page that is shown; the first round is a warm-up.
nlohmann::json drag(QSlider &slider, const Setting &setting)
{
    Times times;
    for (int round = 0; round <= setting.rounds; ++round)
        for (int step = 1; step < setting.layers; ++step) {
            QElapsedTimer clock;
            clock.start();
            const double start = processorMs();
            slider.setValue(round % 2 == 0 ? step : setting.layers - step);
            settle();
            if (round == 0)
                continue;
            times.processor.push_back(processorMs() - start);
            times.clock.push_back(1e-6 * static_cast<double>(clock.nsecsElapsed()));
        }
    return {{"processor", summary(times.processor)}, {"clock", summary(times.clock)}};
}

bool waitFor(const std::function<bool()> &done)
{
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < 30'000) {
        QCoreApplication::processEvents();
        QThread::msleep(5);
    }
    return done();
}

QWidget *pageOf(const MainWindow &window, const char *className)
{
    for (QWidget *widget : window.findChildren<QWidget *>())
        if (widget->inherits(className))
            return widget;
    return nullptr;
}

int measure(const Setting &setting)
{
    const QTemporaryDir folder;
    writeScorings(setting, folder.path().toStdString());
    widgets::Session session(folder.path().toStdString(), [&](const nlohmann::json &, jobs::RunContext &) { return test::description(setting.layers, 4096); });
    MainWindow window(session, {});
    window.resize(setting.width, setting.height);
    window.show();
    session.openTeacher(QStringLiteral("demo"));
    if (!waitFor([&] { return session.choices().scorings().size() == static_cast<std::size_t>(setting.scorings) && session.scores().ranking(); })) {
        std::cerr << "the workspace was not taken in\n";
        return 1;
    }
    nlohmann::json result = {{"benchmark", "draggingpages"}, {"layers", setting.layers}, {"choices", session.choices().entries().size()}, {"evaluations", setting.evaluations}, {"width", setting.width}, {"height", setting.height}};
    for (const char *className : {"stillroom::widgets::LayersPage", "stillroom::widgets::OverlapPage"}) {
        QWidget *page = pageOf(window, className);
        auto *pages = qobject_cast<QStackedWidget *>(page->parentWidget()->parentWidget()->parentWidget());
        pages->setCurrentWidget(page->parentWidget()->parentWidget());
        settle();
        result[std::string(className).substr(sizeof("stillroom::widgets::") - 1)] = drag(*page->findChild<QSlider *>(), setting);
    }
    std::cout << result.dump(1) << '\n';
    return 0;
}

}  // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
    QCoreApplication::setApplicationName(QStringLiteral("draggingpages"));
    QSettings().clear();
    Setting setting;
    CLI::App app{"What the window takes when K is dragged"};
    app.add_option("--layers", setting.layers, "L")->check(CLI::Range(3, 10000))->capture_default_str();
    app.add_option("--scorings", setting.scorings, "Each a choice, and SMART of it another")->check(CLI::Range(1, 1000))->capture_default_str();
    app.add_option("--evaluations", setting.evaluations, "Of each scoring")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--rounds", setting.rounds, "Times every K")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--width", setting.width, "Of the window")->check(CLI::Range(900, 10000))->capture_default_str();
    app.add_option("--height", setting.height, "Of the window")->check(CLI::Range(600, 10000))->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return measure(setting);
}
