// SPDX-License-Identifier: GPL-3.0-or-later
#include "paperfigures.h"

#include "analysis/overlap.h"
#include "error.h"
#include "folders.h"
#include "models/overlaptable.h"
#include "models/session.h"
#include "plots/agreementplot.h"
#include "plots/curveplot.h"
#include "plots/figurewriter.h"
#include "plots/layerbarplot.h"
#include "plots/overlapplot.h"
#include "plots/rankplot.h"

#include <QEventLoop>
#include <QItemSelectionModel>
#include <QTimer>

#include <algorithm>
#include <functional>

namespace stillroom {
namespace {

constexpr int patienceMs = 120'000;

[[noreturn]] void cannotMake(const report::FigureSpec &spec, const std::string &what)
{
    throw Error(ErrorCode::Usage, "the figure " + report::stemOf(spec) + " cannot be made: " + what);
}

/// Until the session says so, or what is wrong.
template <typename Signal> void await(const report::FigureSpec &spec, widgets::Session &session, Signal signal, const std::function<void()> &start)
{
    QEventLoop loop;
    std::string wrong = "nothing came of the workspace in time";
    QObject::connect(&session, signal, &loop, [&] {
        wrong.clear();
        loop.quit();
    });
    QObject::connect(&session, &widgets::Session::problem, &loop, [&](const QString &text) {
        wrong = text.toStdString();
        loop.quit();
    });
    QTimer::singleShot(patienceMs, &loop, &QEventLoop::quit);
    start();
    loop.exec();
    if (!wrong.empty())
        cannotMake(spec, wrong);
}

void keepLayers(widgets::HybridChoice &choice, const std::vector<int> &layers)
{
    for (int layer = 0; layer < choice.numLayers(); ++layer)
        if (choice.isKept(layer) != (std::find(layers.begin(), layers.end(), layer) != layers.end()))
            choice.toggle(layer);
}

/// The window shows the newest scoring of a selector and probe.
void showScores(const report::FigureSpec &spec, widgets::Session &session)
{
    const auto sources = session.scores().sources();
    const auto fits = [](const std::string &wanted, const QString &is) { return wanted.empty() || is.toStdString() == wanted; };
    const auto found = std::find_if(sources.begin(), sources.end(), [&](const widgets::ScoreBook::Source &one) { return fits(spec.selector, one.selector) && fits(spec.mixer, one.mixer); });
    if (found == sources.end())
        cannotMake(spec, "the workspace holds no such scoring of the teacher " + spec.teacher);
    if (!spec.selector.empty() || !spec.mixer.empty())
        session.scores().setSource(*found);
    const std::string shown = session.scoresSpec(spec.plot).run;
    if (!spec.run.empty() && shown != spec.run)
        cannotMake(spec, "its run " + spec.run + " is not the newest scoring of its kind, which is " + shown + ": name that one, or none");
}

std::unique_ptr<widgets::PlotView> curveOf(const report::FigureSpec &spec, widgets::Session &session)
{
    if (!spec.mixer.empty())
        session.setProbe(QString::fromStdString(spec.mixer));
    if (!spec.layers.empty())
        keepLayers(session.choice(), spec.layers);
    if (session.curve(QStringLiteral("distill/held_out_kl")).isEmpty() && session.measured(session.choice().layers()))
        await(spec, session, &widgets::Session::curveChanged, [] {});
    auto plot = widgets::CurvePlot::ofDistillation(session);
    plot->setLogarithmic(spec.logarithmic);
    return plot;
}

std::unique_ptr<widgets::PlotView> agreementOf(const report::FigureSpec &spec, widgets::Session &session)
{
    std::vector<const choices::KeepRule *> rules;
    for (const std::string &name : spec.choices) {
        const auto &entries = session.choices().entries();
        const auto found = std::find_if(entries.begin(), entries.end(), [&](const widgets::ChoiceBook::Entry &one) { return one.choice.name == name; });
        if (found == entries.end() || !found->choice.rule)
            cannotMake(spec, "there is no finished choice " + name + ": stillroom-cli compare --teacher lists them");
        rules.push_back(&*found->choice.rule);
    }
    auto plot = std::make_unique<widgets::AgreementPlot>(session.choice());
    plot->setCurve(analysis::agreementOfSets(rules.at(0)->all(), rules.at(1)->all()), spec.choices);
    return plot;
}

std::vector<std::filesystem::path> makeOverlap(const report::FigureSpec &spec, widgets::Session &session, const std::filesystem::path &out, const std::string &version)
{
    widgets::OverlapTable table(session.choices(), session.choice());
    table.setFilter({.words = {}, .group = {}, .probe = {}, .names = spec.choices});
    QItemSelectionModel current(&table);
    const widgets::OverlapPlot plot(table, current);
    return writeFigure(plot, spec, out, version);
}

std::vector<std::filesystem::path> makeFigure(const report::FigureSpec &spec, widgets::Session &session, const std::filesystem::path &out, const std::string &version)
{
    if (session.teacher().argument.toStdString() != spec.teacher)
        await(spec, session, &widgets::Session::storedRead, [&] { session.openTeacher(QString::fromStdString(spec.teacher)); });
    const int numLayers = session.choice().numLayers();
    if (spec.plot == "layer-scores" || spec.plot == "ranks")
        showScores(spec, session);
    session.choice().setKeep(spec.keep.value_or(experiment::keepFromPercent(25.0, numLayers)));
    if (spec.plot == "overlap")
        return makeOverlap(spec, session, out, version);
    std::unique_ptr<widgets::PlotView> plot;
    if (spec.plot == "layer-scores") {
        auto bars = std::make_unique<widgets::LayerBarPlot>(session);
        bars->setOrder(spec.byRank ? widgets::LayerBarPlot::Order::ByRank : widgets::LayerBarPlot::Order::ByLayer);
        plot = std::move(bars);
    } else if (spec.plot == "ranks") {
        plot = std::make_unique<widgets::RankPlot>(session);
    } else {
        plot = spec.plot == "curve" ? curveOf(spec, session) : agreementOf(spec, session);
    }
    return writeFigure(*plot, spec, out, version);
}

}  // namespace

std::vector<std::filesystem::path> makePaperFigures(const std::filesystem::path &figuresFile, const std::filesystem::path &out, const std::filesystem::path &workspace, const jobs::Procedure &procedure,
                                                    const std::string &version)
{
    const std::vector<report::FigureSpec> all = report::readFigures(figuresFile);
    if (!isThere(workspace))
        throw Error(ErrorCode::Usage, "there is no workspace at \"" + workspace.string() + "\": name the one that holds the runs");
    std::error_code problem;
    std::filesystem::create_directories(out, problem);
    if (problem)
        throw Error(ErrorCode::Io, "cannot make the folder \"" + out.string() + "\" (" + problem.message() + "): choose another one with --out");
    widgets::Session session(workspace, procedure);
    std::vector<std::filesystem::path> written;
    for (const report::FigureSpec &spec : all)
        for (std::filesystem::path &file : makeFigure(spec, session, out, version))
            written.push_back(std::move(file));
    return written;
}

}  // namespace stillroom
