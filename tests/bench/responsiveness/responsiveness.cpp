// SPDX-License-Identifier: GPL-3.0-or-later
// bench_responsiveness: how long the window is away while a job sends events as fast as it can, on every page: while it scores layers, and while it distils. Milliseconds that the
// event loop let a knock wait, and what it worked meanwhile, JSON on standard output. The window promises less than 8 ms; what a person begins to feel is some 50 ms.
#include "error.h"
#include "madeup.h"
#include "mainwindow.h"
#include "storedscorings.h"
#include "watchdog.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QListWidget>
#include <QSettings>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <atomic>
#include <functional>
#include <iostream>
#include <memory>

namespace {

using namespace stillroom;

struct Setting {
    int layers = 48, scoresEvery = 64;
    double seconds = 3.0;
};

/// Sends without a pause until it is told to stop. While it scores, progress is most of it: to evaluate a layer takes a job longer than to say a step.
class Flood final {
public:
    explicit Flood(const Setting &setting) : m_layers(setting.layers), m_scoresEvery(setting.scoresEvery) {}
    nlohmann::json operator()(const nlohmann::json &spec, jobs::RunContext &context)
    {
        const auto kind = spec.at("kind").get<std::string>();
        if (kind == "inspect")
            return test::description(m_layers, 4096);
        std::int64_t scored = 0;
        for (std::int64_t step = 1; !context.stop.stop_requested(); ++step) {
            if (kind != "score") {
                context.sink(experiment::Metric{"distill/kl", step, step * 100, 1.0 / static_cast<double>(step), "nats/token"});
            } else if (step <= m_layers || step % m_scoresEvery == 0) {
                const auto layer = static_cast<int>(scored % m_layers);
                context.sink(test::klScore("ga-s2", layer, 0.3 + 0.004 * layer + 1.0 / static_cast<double>(scored + 1), 0.01, 1000 * (1 + scored / m_layers)));
                ++scored;
            }
            context.sink(experiment::Progress{"stage 2", step, 1LL << 40U, step * 100, 1e-3 * static_cast<double>(step), 2.0});
            ++m_sent;
        }
        throw Error(ErrorCode::Cancelled, "cancelled");
    }
    [[nodiscard]] std::int64_t takeSent() { return m_sent.exchange(0); }

private:
    int m_layers, m_scoresEvery;
    std::atomic<std::int64_t> m_sent{0};
};

bool waitFor(const std::function<bool()> &done, int atMostMs = 60'000)
{
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < atMostMs) {
        QCoreApplication::processEvents();
        QThread::msleep(1);
    }
    return done();
}

void runLoop(double seconds)
{
    QEventLoop loop;
    QTimer::singleShot(static_cast<int>(1e3 * seconds), &loop, &QEventLoop::quit);
    loop.exec();
}

nlohmann::json summary(const bench::Watchdog::Waits &waits)
{
    const std::vector<double> &waited = waits.waited;
    if (waited.empty())
        return nullptr;
    return {{"knocks", waited.size()}, {"median_ms", waited[waited.size() / 2]}, {"p99_ms", waited[waited.size() * 99 / 100]}, {"longest_ms", waited.back()}, {"longest_work_ms", waits.worked.back()}};
}

int measure(const Setting &setting)
{
    const QTemporaryDir folder;
    const auto flood = std::make_shared<Flood>(setting);
    widgets::Session session(folder.path().toStdString(), [flood](const nlohmann::json &spec, jobs::RunContext &context) { return (*flood)(spec, context); });
    MainWindow window(session, {});
    window.resize(1280, 800);
    window.show();
    session.openTeacher(QStringLiteral("demo"));
    if (!waitFor([&] { return session.teacher().isValid() && !session.job().isRunning(); })) {
        std::cerr << "the teacher was not opened\n";
        return 1;
    }
    nlohmann::json result = {{"benchmark", "responsiveness"}, {"layers", setting.layers}, {"seconds", setting.seconds}};
    auto *pages = window.findChild<QListWidget *>();
    bench::Watchdog watchdog;
    runLoop(0.5);
    result["idle"] = summary(watchdog.take());
    for (const char *job : {"score", "distill"}) {
        if (std::string(job) == "score")
            session.score(nlohmann::json::object(), true);
        else
            session.distil(nlohmann::json::object());
        if (!waitFor([&] { return session.job().isRunning(); }) || (std::string(job) == "score" && !waitFor([&] { return session.scores().ranking().has_value(); }))) {
            std::cerr << "the job did not begin\n";
            return 1;
        }
        for (int row = 0; row < pages->count(); ++row) {
            pages->setCurrentRow(row);
            runLoop(0.3);
            (void)watchdog.take();
            (void)flood->takeSent();
            runLoop(setting.seconds);
            nlohmann::json entry = summary(watchdog.take());
            entry["steps_a_second"] = static_cast<double>(flood->takeSent()) / setting.seconds;
            result[job][pages->item(row)->data(Qt::UserRole).toString().toStdString()] = entry;
        }
        session.cancel();
        if (!waitFor([&] { return !session.job().isRunning(); })) {
            std::cerr << "the job did not end\n";
            return 1;
        }
    }
    std::cout << result.dump(1) << '\n';
    return 0;
}

}  // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
    QCoreApplication::setApplicationName(QStringLiteral("responsiveness"));
    QSettings().clear();
    Setting setting;
    CLI::App app{"How long the window is away while a job sends events as fast as it can"};
    app.add_option("--layers", setting.layers, "L")->check(CLI::Range(3, 10000))->capture_default_str();
    app.add_option("--scores-every", setting.scoresEvery, "Steps between two evaluations of a layer")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--seconds", setting.seconds, "On each page")->check(CLI::Range(0.5, 600.0))->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return measure(setting);
}
