// SPDX-License-Identifier: GPL-3.0-or-later
#include "storedfigure.h"

#include "analysis/margin.h"
#include "choices/published.h"
#include "comparison/klagainstk.h"
#include "comparison/meantscoring.h"
#include "comparison/rankedsamples.h"
#include "comparison/teacherchoices.h"
#include "error.h"
#include "procedures/modelargument.h"
#include "report/resultfigures.h"
#include "setsource.h"
#include "shownname.h"
#include "store/runreference.h"
#include "store/scorings.h"
#include "store/workspace.h"
#include "version.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace stillroom::cli {
namespace {

report::Provenance provenanceOf(const report::FigureSpec &spec, const std::string &title)
{
    report::Provenance provenance{.title = title, .version = versionText, .runs = {}, .keys = {}, .seeds = {}, .settings = {}, .date = spec.date};
    return provenance;
}

/// Nothing where the figure names no run.
std::optional<store::RunReference> runOf(const report::FigureSpec &spec, const store::Workspace &workspace)
{
    try {
        return spec.run.empty() ? std::nullopt : std::optional(store::findReference(workspace, spec.run));
    } catch (const Error &error) {
        report::cannotMake(spec, error.what());
    }
}

store::Scoring scoringOf(const report::FigureSpec &spec, const store::Workspace &workspace)
{
    return comparison::meantScoring(store::scorings(workspace, spec.teacher), {runOf(spec, workspace), spec.selector, spec.mixer}, spec.teacher, report::whatCannotBeMade(spec));
}

int numLayersOf(const store::Scoring &scoring)
{
    return scoring.scores.empty() ? 0 : scoring.scores.back().layer + 1;
}

int keepOf(const report::FigureSpec &spec, int numLayers)
{
    const int keep = spec.keep ? *spec.keep : experiment::keepFromPercent(usualPercent, numLayers);
    if (keep > numLayers)
        report::cannotMake(spec, "keep is " + std::to_string(keep) + ", but the teacher has " + std::to_string(numLayers) + " layers");
    return keep;
}

experiment::LayerSet keptOf(const store::Scoring &scoring, int keep, int numLayers)
{
    if (!scoring.ranking)
        return {};
    const choices::KeepRule rule = scoring.sets.empty() ? choices::KeepRule::ranked(*scoring.ranking, numLayers) : choices::KeepRule::searched(scoring.sets, *scoring.ranking, numLayers);
    return rule.at(keep).value_or(experiment::LayerSet());
}

report::Provenance provenanceOf(const report::FigureSpec &spec, const store::Scoring &scoring, int keep, const std::string &title)
{
    report::Provenance provenance = provenanceOf(spec, title);
    provenance.runs = {scoring.run};
    if (!scoring.key.empty())
        provenance.keys = {scoring.key};
    provenance.seeds = {scoring.seed};
    provenance.settings = {{"K", std::to_string(keep)}, {"mixer", scoring.mixer}, {"selector", scoring.selector}};
    return provenance;
}

analysis::LayerBars barsOf(const store::Scoring &scoring)
{
    std::map<int, experiment::LayerScore> byLayer;
    for (const experiment::LayerScore &score : scoring.scores)
        byLayer[score.layer] = score;
    return analysis::layerBars(byLayer);
}

/// As the window judges it.
std::vector<int> unsettledOf(const store::Scoring &scoring, const analysis::LayerBars &bars, const store::Workspace &workspace, int keep)
{
    const auto samples = comparison::rankedSamples(workspace.folder(), scoring.artifact, *scoring.ranking);
    if (!samples)
        return analysis::unsettledLayers(bars, *scoring.ranking, keep);
    return keep > 0 && keep < samples->numLayers() ? analysis::tieBand(*samples, *scoring.ranking, keep) : std::vector<int>();
}

report::Figure layerScores(const report::FigureSpec &spec, const store::Workspace &workspace)
{
    const store::Scoring scoring = scoringOf(spec, workspace);
    const int numLayers = numLayersOf(scoring), keep = keepOf(spec, numLayers);
    report::LayerScoresShown shown{.bars = barsOf(scoring), .ranking = scoring.ranking, .kept = {}, .unsettled = {}, .byRank = spec.byRank, .overlaid = {}};
    if (scoring.ranking) {
        shown.kept = keptOf(scoring, keep, numLayers);
        if (std::none_of(scoring.sets.begin(), scoring.sets.end(), [&](const auto &set) { return std::ssize(set) == keep; }))
            shown.unsettled = unsettledOf(scoring, shown.bars, workspace, keep);
    }
    report::Provenance provenance = provenanceOf(spec, scoring, keep, "Scores by layer");
    if (!spec.overlay.empty()) {
        const std::vector<store::Scoring> all = store::scorings(workspace, spec.teacher);
        const store::Scoring &other = comparison::scoringNamed(all, spec.overlay, report::whatCannotBeMade(spec));
        shown.overlaid = report::OverlaidScores{comparison::scoringName(other), other.mixer, barsOf(other)};
        report::addOverlay(provenance, comparison::scoringName(other), other.mixer, other.run, other.key, other.seed);
    }
    return report::layerScoresFigure(shown, std::move(provenance));
}

report::Figure ranks(const report::FigureSpec &spec, const store::Workspace &workspace)
{
    const store::Scoring scoring = scoringOf(spec, workspace);
    const int numLayers = numLayersOf(scoring), keep = keepOf(spec, numLayers);
    const auto left = comparison::isRace(scoring) ? analysis::Missing::Left : analysis::Missing::NotYet;
    return report::ranksFigure(analysis::rankTrajectory(scoring.evaluations, numLayers, left), keptOf(scoring, keep, numLayers), keep,
                               provenanceOf(spec, scoring, keep, "Ranks of the layers over training tokens"));
}

report::Figure klAgainstK(const report::FigureSpec &spec, const store::Workspace &workspace)
{
    const store::Scoring scoring = scoringOf(spec, workspace);
    const int numLayers = numLayersOf(scoring), keep = keepOf(spec, numLayers);
    comparison::KlAgainstK found = comparison::klAgainstK(workspace, scoring, spec.teacher);
    if (found.predicted.points.empty() && found.measured.curve.points.empty())
        report::cannotMake(spec, comparison::nothingAgainstK);
    return report::klAgainstKFigure({numLayers, scoring.mixer, std::move(found.predicted), std::move(found.measured.curve), found.measured.tokens, keep, std::move(found.measured.hybrids), found.measured.seed, found.measured.isOwn},
                                    provenanceOf(spec, scoring, keep, "Held-out KL against K"));
}

report::CurveShown curveNamed(const std::string &name, const std::string &series, const store::Workspace &workspace, const store::Run &run, const std::string &task)
{
    report::CurveShown curve{name, {}};
    for (const store::MetricPoint &point : workspace.metric(run.uuid, task, series))
        curve.points.emplace_back(static_cast<double>(point.tokens), point.value);
    return curve;
}

/// Of a run, the results of its distillations by task.
std::vector<std::pair<std::string, nlohmann::json>> distillations(const store::Run &run)
{
    const nlohmann::json result = nlohmann::json::parse(run.resultJson, nullptr, false);
    if (run.kind == "distill")
        return {{"distill", result}};
    std::vector<std::pair<std::string, nlohmann::json>> all;
    if (run.kind == "pipeline" && result.is_object() && result.contains("stages"))
        for (const auto &[task, stage] : result["stages"].items())
            all.emplace_back(task, stage.value("result", nlohmann::json()));
    return all;
}

report::Figure curve(const report::FigureSpec &spec, const store::Workspace &workspace)
{
    const std::optional<store::RunReference> wanted = runOf(spec, workspace);
    for (const store::Run &run : workspace.runs())      // newest first
        for (const auto &[task, result] : distillations(run)) {
            if ((wanted && !wanted->isOf(run.uuid, task)) || !result.is_object() || !result.contains("selected"))
                continue;
            const auto layers = result["selected"].get<experiment::LayerSet>();
            const std::string mixer = result.value("mixer", std::string("gdn"));
            if ((!spec.layers.empty() && layers != spec.layers) || (!spec.mixer.empty() && mixer != spec.mixer))
                continue;
            const report::CurveShown training = curveNamed("training", "distill/kl", workspace, run, task), heldOut = curveNamed("held out", "distill/held_out_kl", workspace, run, task);
            if (training.points.empty() && heldOut.points.empty())
                continue;
            report::Provenance provenance = provenanceOf(spec, "Distillation of a hybrid");
            provenance.runs = {run.uuid};
            provenance.settings = {{"layers", experiment::layersText(layers)}, {"mixer", mixer}};
            return report::curveFigure(training, heldOut, "KL", "nats/token", mixer, spec.logarithmic, std::move(provenance));
        }
    report::cannotMake(spec, "the workspace holds no distillation of these layers with curves");
}

struct TeachersChoices {
    int numLayers = 0;
    std::vector<comparison::Choice> choices;
};

TeachersChoices choicesOf(const report::FigureSpec &spec, const store::Workspace &workspace)
{
    const auto config = procedures::openModelArgument(spec.teacher, workspace.folder()).config;
    std::vector<comparison::Choice> all = comparison::teacherChoices(store::scorings(workspace, spec.teacher), {config.numLayers, config.hiddenSize}, choices::PublishedSets::shipped());
    if (spec.choices.empty())
        return {config.numLayers, std::move(all)};
    std::vector<comparison::Choice> wanted;
    for (const std::string &name : spec.choices) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const comparison::Choice &one) { return one.name == name; });
        if (found == all.end())
            report::cannotMake(spec, "there is no choice " + shownName(name) + ": compare --teacher lists them");
        wanted.push_back(*found);
    }
    return {config.numLayers, std::move(wanted)};
}

report::Figure overlap(const report::FigureSpec &spec, const store::Workspace &workspace)
{
    const TeachersChoices teacher = choicesOf(spec, workspace);
    const int keep = keepOf(spec, teacher.numLayers);
    report::Provenance provenance = provenanceOf(spec, "Overlap of choices of layers");
    provenance.settings = {{"K", std::to_string(keep)}};
    std::vector<report::ChoiceShown> shown;
    std::vector<std::optional<experiment::LayerSet>> sets;
    for (const comparison::Choice &choice : teacher.choices) {
        sets.push_back(choice.rule ? choice.rule->at(keep) : std::nullopt);
        shown.push_back({choice.name, sets.back()});
        if (!choice.run.empty() && std::find(provenance.runs.begin(), provenance.runs.end(), choice.run) == provenance.runs.end())
            provenance.runs.push_back(choice.run);
    }
    return report::overlapFigure(shown, analysis::OverlapMatrix(sets, teacher.numLayers), std::move(provenance));
}

report::Figure agreement(const report::FigureSpec &spec, const store::Workspace &workspace)
{
    const TeachersChoices teacher = choicesOf(spec, workspace);
    const auto &a = teacher.choices.at(0), &b = teacher.choices.at(1);
    if (!a.rule || !b.rule) {
        const std::string &name = a.rule ? b.name : a.name;
        const std::vector<store::Scoring> scorings = store::scorings(workspace, spec.teacher);
        report::cannotMake(spec, shownName(name) + ' ' + comparison::whyUnranked(comparison::scoringNamed(scorings, name, report::whatCannotBeMade(spec)), teacher.numLayers));
    }
    report::Provenance provenance = provenanceOf(spec, "Agreement of two choices of layers");
    provenance.settings = {{"choice A", a.name}, {"choice B", b.name}};
    return report::agreementFigure(analysis::agreementOfSets(a.rule->all(), b.rule->all()), teacher.numLayers, std::move(provenance));
}

}  // namespace

report::Figure storedFigure(const report::FigureSpec &spec, const std::filesystem::path &folder)
{
    if (report::isOfCalibration(spec.plot) || report::isOfRuns(spec.plot))
        report::cannotMake(spec, "calibrations and compared runs are drawn by the window's program: stillroom --figures FILE --out FOLDER makes them, without a display too");
    const store::Workspace workspace(folder);
    if (spec.plot == "layer-scores")
        return layerScores(spec, workspace);
    if (spec.plot == "ranks")
        return ranks(spec, workspace);
    if (spec.plot == "kl-against-k")
        return klAgainstK(spec, workspace);
    if (spec.plot == "curve")
        return curve(spec, workspace);
    return spec.plot == "overlap" ? overlap(spec, workspace) : agreement(spec, workspace);
}

}  // namespace stillroom::cli
