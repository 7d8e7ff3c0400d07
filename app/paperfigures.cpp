// SPDX-License-Identifier: GPL-3.0-or-later
#include "paperfigures.h"

#include "analysis/overlap.h"
#include "comparison/klagainstk.h"
#include "comparison/meantscoring.h"
#include "comparison/teacherchoices.h"
#include "error.h"
#include "experiment/spec.h"
#include "folders.h"
#include "models/klcurves.h"
#include "models/overlaptable.h"
#include "models/rankdraws.h"
#include "models/session.h"
#include "models/comparison.h"
#include "pages/headdetail.h"
#include "plots/agreementplot.h"
#include "plots/alignmentplot.h"
#include "plots/curveplot.h"
#include "plots/figurewriter.h"
#include "plots/headdistributionplot.h"
#include "plots/headmapplot.h"
#include "plots/headprofileplot.h"
#include "plots/hiddencosineplot.h"
#include "plots/klcurveplot.h"
#include "plots/layerbarplot.h"
#include "plots/overlapplot.h"
#include "plots/rankplot.h"
#include "plots/runbarsplot.h"
#include "plots/runcurvesplot.h"
#include "plots/tokenmapplot.h"
#include "store/layout.h"
#include "store/runreference.h"

#include <QEventLoop>
#include <QItemSelectionModel>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <optional>

namespace stillroom {
namespace {

constexpr int patienceMs = 120'000;

using report::cannotMake;

/// Nothing where the figure names no run.
std::optional<store::RunReference> runOf(const report::FigureSpec &spec, const widgets::Session &session)
{
    try {
        return spec.run.empty() ? std::nullopt : std::optional(store::findReference(store::Workspace(session.workspace()), spec.run));
    } catch (const Error &error) {
        cannotMake(spec, error.what());
    }
}

/// The session knows runs by their UUIDs.
report::FigureSpec withUuid(report::FigureSpec spec, const std::optional<store::RunReference> &run)
{
    if (run)
        spec.run = run->run.uuid;
    return spec;
}

/// Until `sender` says so, or the session what is wrong.
template <typename Sender, typename Signal> void await(const report::FigureSpec &spec, widgets::Session &session, Sender &sender, Signal signal, const std::function<void()> &start)
{
    QEventLoop loop;
    std::string wrong = "nothing came of the workspace in time";
    QObject::connect(&sender, signal, &loop, [&] {
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

/// The scoring that the command line would take.
void showScores(const report::FigureSpec &spec, const std::optional<store::RunReference> &run, widgets::Session &session)
{
    const store::Scoring &meant = comparison::meantScoring(session.choices().scorings(), {run, spec.selector, spec.mixer}, spec.teacher, report::whatCannotBeMade(spec));
    const widgets::ScoreBook::Source source{QString::fromStdString(meant.selector), QString::fromStdString(meant.mixer), QString::fromStdString(meant.run), QString::fromStdString(meant.task)};
    session.scores().setSource(source);
    if (session.scores().source() != source)
        cannotMake(spec, "its run " + meant.run + " has no scores of the layers of the teacher " + spec.teacher + ": name another run");
}

/// The scoring of that name.
widgets::ChoiceBook::ScoringKey overlayOf(const report::FigureSpec &spec, widgets::Session &session)
{
    return widgets::ChoiceBook::keyOf(comparison::scoringNamed(session.choices().scorings(), spec.overlay, report::whatCannotBeMade(spec)));
}

std::unique_ptr<widgets::PlotView> curveOf(const report::FigureSpec &spec, widgets::Session &session)
{
    if (!spec.mixer.empty() && !session.teacher().mixer(QString::fromStdString(spec.mixer)))
        cannotMake(spec, "there is no mixer " + spec.mixer);
    for (const int layer : spec.layers)
        if (layer >= session.choice().numLayers())
            cannotMake(spec, "layers has " + std::to_string(layer) + ", but the teacher's layers are 0 to " + std::to_string(session.choice().numLayers() - 1));
    if (!spec.mixer.empty())
        session.setProbe(QString::fromStdString(spec.mixer));
    if (!spec.layers.empty())
        keepLayers(session.choice(), spec.layers);
    const auto shown = session.measured(session.choice().layers());
    if (!shown)
        cannotMake(spec, "the workspace holds no distillation that keeps the layers " + experiment::layersText(session.choice().layers()));
    if (!spec.run.empty() && shown->run.toStdString() != spec.run)
        cannotMake(spec, "its run " + spec.run + " is not the newest distillation of these layers, which is " + shown->run.toStdString() + ": name that one, or none");
    if (session.curve(QStringLiteral("distill/held_out_kl")).isEmpty() && session.measured(session.choice().layers()))
        await(spec, session, session, &widgets::Session::curveChanged, [] {});
    auto plot = widgets::CurvePlot::ofDistillation(session);
    plot->setLogarithmic(spec.logarithmic);
    return plot;
}

/// What is settled is judged by values that are read in the background.
void awaitDraws(const report::FigureSpec &spec, widgets::Session &session)
{
    const auto areOnTheirWay = [&] {
        const store::Scoring *scoring = session.shownScoring();
        if (scoring)
            (void)session.rankDraws().of(*scoring);
        return scoring && session.rankDraws().isOnItsWay(*scoring);
    };
    while (areOnTheirWay())
        await(spec, session, session.rankDraws(), &widgets::RankDraws::changed, [] {});
}

/// Out of files that are read in the background.
std::unique_ptr<widgets::PlotView> klCurveOf(const report::FigureSpec &spec, widgets::Session &session)
{
    auto plot = std::make_unique<widgets::KlCurvePlot>(session);      // asks for them
    while (session.shownScoring() && session.klCurves().isOnItsWay(*session.shownScoring()))
        await(spec, session, session.klCurves(), &widgets::KlCurves::changed, [] {});
    if (!plot->hasFigure())
        cannotMake(spec, comparison::nothingAgainstK);
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

std::string listed(const std::vector<std::string> &names)
{
    std::string all;
    for (const std::string &name : names)
        all += (all.empty() ? "" : ", ") + name;
    return all;
}

/// None is named, or one that there is.
void requireStatistic(const report::FigureSpec &spec, const widgets::CalibrationReport &report, const std::string &id)
{
    std::vector<std::string> ids;
    for (const widgets::HeadStatistic &one : report.statistics())
        ids.push_back(one.id.toStdString());
    if (!id.empty() && std::find(ids.begin(), ids.end(), id) == ids.end())
        cannotMake(spec, "the calibration has no statistic " + id + ", but " + listed(ids));
}

/// Chooses the calibration, its statistic and the head, as far as the figure names them.
void showCalibration(const report::FigureSpec &spec, widgets::Session &session)
{
    widgets::CalibrationBook &book = session.calibrations();
    const auto &stored = book.stored();
    const auto isIt = [&](const widgets::StoredCalibration &one) { return spec.run.empty() || one.run.toStdString() == spec.run; };
    const auto found = std::find_if(stored.begin(), stored.end(), isIt);
    if (found == stored.end())
        cannotMake(spec, "the workspace holds no such calibration of the teacher " + spec.teacher);
    const QString run = found->run;
    if (!book.chosen() || book.chosen()->run != run || (!book.report() && book.problem().isEmpty()))
        await(spec, session, book, &widgets::CalibrationBook::reportChanged, [&] { book.choose(run); });
    if (!book.report())
        cannotMake(spec, book.problem().toStdString());
    requireStatistic(spec, *book.report(), spec.statistic);
    if (!spec.statistic.empty())
        book.setStatistic(QString::fromStdString(spec.statistic));
    const auto &sides = report::sideNames();
    const auto side = static_cast<widgets::Side>(std::find(sides.begin(), sides.end(), spec.side) - sides.begin());
    const auto &all = book.report()->statistics();
    // A map of a head names no statistic, and one that was measured once has no moments.
    if (const auto fits = std::find_if(all.begin(), all.end(), [&](const widgets::HeadStatistic &one) { return one.has(side); }); spec.statistic.empty() && fits != all.end())
        book.setStatistic(fits->id);
    book.setSide(side);
    if (!spec.layer || !spec.head)
        return;
    const auto &layers = book.report()->layers();
    if (std::find(layers.begin(), layers.end(), *spec.layer) == layers.end() || *spec.head >= book.report()->numQueryHeads())
        cannotMake(spec, "the calibration has no head " + std::to_string(*spec.head) + " in layer " + std::to_string(*spec.layer));
    book.pick(*spec.layer, *spec.head);
}

std::unique_ptr<widgets::PlotView> tokenMapOf(const report::FigureSpec &spec, widgets::Session &session)
{
    widgets::CalibrationBook &book = session.calibrations();
    if (!book.maps())
        await(spec, session, book, &widgets::CalibrationBook::mapsChanged, [] {});
    if (!book.mapsProblem().isEmpty())
        cannotMake(spec, book.mapsProblem().toStdString());
    if (!book.maps() || static_cast<std::size_t>(*spec.head) >= book.maps()->size())
        cannotMake(spec, "the calibration kept no maps");
    return widgets::headMap(book, spec.plot == "head-attention" ? widgets::HeadMapKind::Attention : widgets::HeadMapKind::Student);
}

std::unique_ptr<widgets::PlotView> calibrationPlot(const report::FigureSpec &spec, widgets::Session &session)
{
    showCalibration(spec, session);
    widgets::CalibrationBook &book = session.calibrations();
    if (spec.plot == "head-map")
        return std::make_unique<widgets::HeadMapPlot>(book, session.choice());
    if (spec.plot == "head-distribution") {
        requireStatistic(spec, *book.report(), spec.against);
        auto plot = std::make_unique<widgets::HeadDistributionPlot>(book);
        plot->setAgainst(QString::fromStdString(spec.against));
        return plot;
    }
    if (spec.plot == "alignment") {
        if (!spec.series.empty() && spec.series != "cosine" && spec.series != "relative_mse")
            cannotMake(spec, "its series is " + spec.series + ": choose relative_mse or cosine");
        auto plot = std::make_unique<widgets::AlignmentPlot>(book, session.selection(), spec.series == "cosine" ? widgets::AlignmentPlot::Quantity::Cosine : widgets::AlignmentPlot::Quantity::RelativeMse);
        plot->setLogarithmic(spec.logarithmic);
        return plot;
    }
    if (spec.plot == "hidden-cosine") {
        if (book.report()->composed().empty())
            cannotMake(spec, "the calibration did not measure the student as a whole");
        return std::make_unique<widgets::HiddenCosinePlot>(book);
    }
    if (spec.plot == "head-lags" || spec.plot == "head-entropy")
        return std::make_unique<widgets::HeadProfilePlot>(book, spec.plot == "head-lags" ? widgets::HeadProfilePlot::Kind::Lags : widgets::HeadProfilePlot::Kind::Entropy);
    return tokenMapOf(spec, session);
}

std::vector<store::ExperimentRow> runsOf(const report::FigureSpec &spec, widgets::Session &session)
{
    const std::vector<store::ExperimentRow> all = store::experimentRows(store::Workspace(session.workspace()));
    std::vector<store::ExperimentRow> wanted;
    for (const std::string &name : spec.runs) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const store::ExperimentRow &one) { return widgets::identityOf(one) == name; });
        if (found == all.end())
            cannotMake(spec, "the workspace holds no run " + name);
        wanted.push_back(*found);
    }
    return wanted;
}

std::vector<std::filesystem::path> makeRunBars(const report::FigureSpec &spec, widgets::Session &session, const std::filesystem::path &out, const std::string &version)
{
    widgets::Comparison comparison(session);
    comparison.compare(runsOf(spec, session));
    const std::vector<std::string> measures = comparison.measures();
    if (std::find(measures.begin(), measures.end(), spec.series) == measures.end())
        cannotMake(spec, "none of its runs has a measure " + spec.series + (measures.empty() ? std::string() : ", but " + listed(measures)));
    widgets::RunBarsPlot plot(comparison);
    plot.setMeasure(QString::fromStdString(spec.series));
    return writeFigure(plot, spec, out, version);
}

std::vector<std::filesystem::path> makeRunCurves(const report::FigureSpec &spec, widgets::Session &session, const std::filesystem::path &out, const std::string &version)
{
    widgets::Comparison comparison(session);
    comparison.compare(runsOf(spec, session));
    if (!comparison.series().contains(QString::fromStdString(spec.series)))
        await(spec, session, comparison, &widgets::Comparison::changed, [] {});
    if (!comparison.series().contains(QString::fromStdString(spec.series)))
        cannotMake(spec, "none of its runs has a curve " + spec.series + (comparison.series().isEmpty() ? std::string() : ", but " + comparison.series().join(QStringLiteral(", ")).toStdString()));
    widgets::RunCurvesPlot plot(comparison);
    const auto &overs = report::overNames();
    plot.setAgainst(static_cast<widgets::RunCurvesPlot::Against>(std::find(overs.begin(), overs.end(), spec.over) - overs.begin()));
    plot.setSeries(QString::fromStdString(spec.series));
    plot.setSmoothing(spec.smoothing);
    plot.setLogarithmic(spec.logarithmic);
    plot.setLogarithmicX(spec.logarithmicX);
    return writeFigure(plot, spec, out, version);
}

std::vector<std::filesystem::path> makeOverlap(const report::FigureSpec &spec, widgets::Session &session, const std::filesystem::path &out, const std::string &version)
{
    const auto &entries = session.choices().entries();
    for (const std::string &name : spec.choices)
        if (std::none_of(entries.begin(), entries.end(), [&](const widgets::ChoiceBook::Entry &one) { return one.choice.name == name; }))
            cannotMake(spec, "there is no choice " + name + ": stillroom-cli compare --teacher lists them");
    widgets::OverlapTable table(session.choices(), session.choice());
    table.setFilter({.words = {}, .group = {}, .probe = {}, .names = spec.choices});
    QItemSelectionModel current(&table);
    const widgets::OverlapPlot plot(table, current);
    return writeFigure(plot, spec, out, version);
}

std::vector<std::filesystem::path> makeFigure(const report::FigureSpec &given, widgets::Session &session, const std::filesystem::path &out, const std::string &version)
{
    const std::optional<store::RunReference> run = runOf(given, session);
    const report::FigureSpec spec = withUuid(given, run);
    if (session.teacher().argument.toStdString() != spec.teacher)
        await(spec, session, session, &widgets::Session::storedRead, [&] { session.openTeacher(QString::fromStdString(spec.teacher)); });
    if (spec.plot == "run-curves")
        return makeRunCurves(spec, session, out, version);
    if (spec.plot == "run-bars")
        return makeRunBars(spec, session, out, version);
    if (report::isOfCalibration(spec.plot))
        return writeFigure(*calibrationPlot(spec, session), spec, out, version);
    const int numLayers = session.choice().numLayers();
    if (spec.plot == "layer-scores" || spec.plot == "ranks" || spec.plot == "kl-against-k")
        showScores(spec, run, session);
    if (spec.keep.value_or(0) > numLayers)
        cannotMake(spec, "keep is " + std::to_string(*spec.keep) + ", but the teacher has " + std::to_string(numLayers) + " layers");
    session.choice().setKeep(spec.keep.value_or(experiment::keepFromPercent(25.0, numLayers)));
    if (spec.plot == "overlap")
        return makeOverlap(spec, session, out, version);
    std::unique_ptr<widgets::PlotView> plot;
    if (spec.plot == "layer-scores") {
        awaitDraws(spec, session);
        auto bars = std::make_unique<widgets::LayerBarPlot>(session);
        bars->setOrder(spec.byRank ? widgets::LayerBarPlot::Order::ByRank : widgets::LayerBarPlot::Order::ByLayer);
        if (!spec.overlay.empty())
            bars->setOverlay(overlayOf(spec, session));
        plot = std::move(bars);
    } else if (spec.plot == "ranks") {
        plot = std::make_unique<widgets::RankPlot>(session);
    } else if (spec.plot == "kl-against-k") {
        plot = klCurveOf(spec, session);
    } else {
        plot = spec.plot == "curve" ? curveOf(spec, session) : agreementOf(spec, session);
    }
    return writeFigure(*plot, spec, out, version);
}

}  // namespace

void makePaperFigures(const std::filesystem::path &figuresFile, const std::filesystem::path &out, const std::filesystem::path &workspace, const jobs::Procedure &procedure, const std::string &version,
                      const std::function<void(const std::filesystem::path &)> &tell)
{
    requireWorkspace(workspace, "name the one that holds the runs");
    store::refuseStored(out, workspace, "folder");
    widgets::Session session(workspace, procedure);
    const auto make = [&](const report::FigureSpec &spec) {
        report::refuseOwnFile(spec, out, figuresFile);
        for (const std::filesystem::path &file : makeFigure(spec, session, out, version))
            if (tell)
                tell(file);
    };
    report::makeEach(figuresFile, make, [&] { report::makeFolder(out); });
}

}  // namespace stillroom
