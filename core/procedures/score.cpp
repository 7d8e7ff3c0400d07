// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"
#include "error.h"
#include "experiment/spec.h"
#include "procedures/finiteweights.h"
#include "procedures/progressmeter.h"
#include "procedures/selectors.h"
#include "procedures/stages.h"
#include "selection/curvefile.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace stillroom::procedures {
namespace {

using experiment::LayerScore;

nlohmann::json numberOrNull(double value)
{
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

nlohmann::json scoreToJson(const LayerScore &score)
{
    nlohmann::json json = {{"layer", score.layer}, {"score", score.score}, {"unit", score.unit}, {"higher_is_better", score.higherIsBetter},
                           {"n", score.numSequences}, {"tokens", score.tokens}};
    json["kl_nats"] = score.klNats ? nlohmann::json(*score.klNats) : nlohmann::json();
    json[score.klNats ? "se_nats" : "se"] = numberOrNull(score.se);
    return json;
}

nlohmann::json setToJson(const ScoredSet &set)
{
    return {{"keep", set.layers.size()}, {"layers", set.layers}, {"score", set.score ? nlohmann::json(*set.score) : nlohmann::json()},
            {"se", set.se ? numberOrNull(*set.se) : nlohmann::json()}, {"n", set.numSequences}};
}

/// {"scores", "ranking", "sets", …}: what `select` reads and `score` prints.
nlohmann::json resultJson(const ScoringStage &stage, const Scored &scored, const SelectorCost &planned, double seconds)
{
    nlohmann::json result = {{"kind", "score"}, {"selector", stage.spec.at("selector")}, {"mixer", stage.mixer}, {"num_layers", stage.numLayers()},
                             {"teacher_hash", stage.teacher.hash}, {"data", stage.spec.at("data")}, {"seconds", seconds}, {"notes", scored.notes},
                             {"cost", {{"planned", costToJson(planned, stage.numLayers())}, {"spent", costToJson(scored.spent, stage.numLayers())}}},
                             {"error_bars", scored.withoutErrorBars.empty() ? "standard error over " + scored.errorBarsOver : "none: " + scored.withoutErrorBars}};
    if (!stage.alignedKey.empty())
        result["aligned"] = stage.alignedKey;
    result["scores"] = nlohmann::json::array();
    for (const LayerScore &score : scored.scores) {
        if (score.layer < 0)
            result["all_linear"] = scoreToJson(score);
        else
            result["scores"].push_back(scoreToJson(score));
    }
    if (static_cast<int>(stage.layers.size()) == stage.numLayers())
        result["ranking"] = scored.ranking ? *scored.ranking : experiment::rank(scored.scores, stage.numLayers());
    for (const ScoredSet &set : scored.sets)
        result["sets"].push_back(setToJson(set));
    return result;
}

/// "curves" are of students that keep one layer alone or none: what says how sure a ranking by them is. Others are "students".
/// "samples" are what each layer's score is the mean of, whatever was measured.
nlohmann::json curvesJson(const Scored &scored)
{
    const bool byLayer = !scored.scores.empty() && !scored.scores.front().higherIsBetter;
    nlohmann::json curves = nlohmann::json::array(), students = nlohmann::json::array();
    for (const selection::StudentCurve &curve : scored.curves)
        (byLayer && curve.kept.size() < 2 ? curves : students).push_back(selection::curveToJson(curve));
    nlohmann::json samples = nlohmann::json::array();
    for (const ScoreSamples &one : scored.samples)
        samples.push_back({{"layer", one.layer}, {"values", one.values}});
    return {{"schema", 1}, {"curves", std::move(curves)}, {"students", std::move(students)},
            {"samples", {{"higher_is_better", !scored.scores.empty() && scored.scores.front().higherIsBetter}, {"layers", std::move(samples)}}}};
}

}  // namespace

StageResult score(const nlohmann::json &spec, StageRun &run)
{
    const Selector &selector = selectorNamed(spec.at("selector").get<std::string>());
    const ComputeSettings settings = computeSettings(spec);
    checkScorings(spec, run.workspace);      // before a weight is read
    const auto teacher = run.models->get(spec.at("teacher").get<std::string>(), run.workspace, settings.device, run.stop);
    requireFiniteWeights(*teacher, run.stop);
    ScoringPlan plan = scoringPlan(spec, teacher->files);
    const auto [alignedFrom, inputs, key] = scoringKey(plan, spec, run, *teacher, settings);
    sayStarted(run, spec, key, settings);
    warnOfFiles(run, teacher->files);
    warnOfContext(run, spec, teacher->files.config, "teacher");
    return reuseOrCompute(run, "score", key, [&](const std::filesystem::path &output) {
        const auto batchSequences = spec.at("batch_sequences").get<std::int64_t>();
        TrainingData data = openData(spec.at("data"), teacher->files, {batchSequences, spec.at("seed").get<std::uint64_t>(), teacher->files.config.vocabSize, {}, run.stop});
        warnOfUnknown(run, data);
        setHeldOut(plan, data);
        const SelectorCost planned = selector.cost(plan);
        run.sink(experiment::Text{"cost", std::string(selector.name) + ": " + costText(planned, plan.numLayers()) + '.'});
        ScoringStage stage{plan, *teacher, key, inputs, settings, alignedFrom, {}, std::move(data), selector.needsAligned ? spec.at("mixer").at("kind").get<std::string>() : "none"};
        if (selector.needsAligned)
            stage.aligned = alignedStart(spec, run, *teacher, settings).layers;
        checkStartLayers(plan, stage.aligned);
        const ProgressMeter clock(run.sink, "scoring");
        const Scored scored = selector.score(stage, run);
        checkpoint::writeFileAtomically(output / "curves.json", curvesJson(scored).dump());
        const nlohmann::json result = resultJson(stage, scored, planned, clock.seconds());
        checkpoint::writeFileAtomically(output / "scores.json", result.dump(1));
        return result;
    });
}

}  // namespace stillroom::procedures
