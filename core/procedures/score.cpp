// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"
#include "experiment/spec.h"
#include "procedures/gas2stage.h"
#include "procedures/progressmeter.h"
#include "procedures/stages.h"
#include "selection/curvefile.h"
#include "selection/residual.h"
#include "selection/zeroshot.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace stillroom::procedures {
namespace {

using experiment::LayerScore;

/// What every selector hands back: one score a layer (and layer -1 where it was measured), and the curves behind them where there are any.
struct Scored {
    std::vector<LayerScore> scores;
    std::vector<selection::LayerCurve> curves;
    nlohmann::json notes = nlohmann::json::object();
};

Scored scoreResiduals(const ScoringStage &stage, StageRun &run)
{
    Scored scored;
    for (const selection::LayerResidual &one :
         selection::heldOutResiduals(stage.teacher.model, stage.aligned, stage.data.heldOut, stage.settings.computeType, run.stop)) {
        if (std::find(stage.layers.begin(), stage.layers.end(), one.layer) == stage.layers.end())
            continue;
        LayerScore score;
        score.selector = "ga-s1";
        score.mixer = stage.mixer;
        score.layer = one.layer;
        score.score = one.relativeMse;
        score.unit = "relative squared error";
        score.higherIsBetter = true;
        score.se = one.se;
        score.numSequences = one.numSequences;
        scored.scores.push_back(score);
        run.sink(score);
    }
    return scored;
}

Scored scoreWithoutTraining(const ScoringStage &stage, StageRun &run)
{
    const distillation::HeldOutSet heldOut(stage.teacher.model, stage.data.heldOut, heldOutOptions(stage, run));
    Scored scored;
    ProgressMeter meter(run.sink, "zero-shot scoring");
    const auto say = [&](const selection::ZeroShotScores &zero) {
        scored.curves.assign(1, {-1, {0}, {zero.allLinear}});
        for (std::size_t i = 0; i < zero.layers.size(); ++i)
            scored.curves.push_back({zero.layers[i], {0}, {zero.keptAlone[i]}});
        scored.scores.clear();
        for (const selection::LayerCurve &curve : scored.curves) {
            scored.scores.push_back(selection::scoreOf(curve, 0, "zero-shot-ga", stage.mixer));
            run.sink(scored.scores.back());
        }
    };
    selection::ZeroShotOptions options;
    options.layers = stage.layers;
    options.computeType = stage.settings.computeType;
    options.progress = [&](std::int64_t done, std::int64_t total) { meter.update(done, total, 0); };
    options.onBatch = say;
    options.stop = run.stop;
    const selection::ZeroShotScores zero = selection::scoreZeroShot(stage.teacher.model, stage.aligned, heldOut, options);
    scored.notes["block_evaluations"] = zero.blockEvaluations;
    scored.notes["head_evaluations"] = zero.headEvaluations;
    return scored;
}

Scored scoreByTraining(const ScoringStage &stage, StageRun &run)
{
    Scored scored;
    GaS2Result trained = scoreGaS2(stage, run);
    scored.curves = std::move(trained.curves);
    std::size_t evaluations = scored.curves.front().kl.size();
    for (const selection::LayerCurve &curve : scored.curves)
        evaluations = std::min(evaluations, curve.kl.size());
    for (const selection::LayerCurve &curve : scored.curves)
        scored.scores.push_back(selection::scoreOf(curve, evaluations - 1, "ga-s2", stage.mixer));
    scored.notes["group_size"] = trained.groupSize;
    scored.notes["reused_layers"] = trained.reusedLayers;
    scored.notes["early_stop"] = trained.earlyStop;
    return scored;
}

nlohmann::json scoreToJson(const LayerScore &score)
{
    nlohmann::json json = {{"layer", score.layer}, {"score", score.score}, {"unit", score.unit}, {"higher_is_better", score.higherIsBetter},
                           {"n", score.numSequences}, {"tokens", score.tokens}};
    json["kl_nats"] = score.klNats ? nlohmann::json(*score.klNats) : nlohmann::json();
    json[score.klNats ? "se_nats" : "se"] = score.se;
    return json;
}

/// {"scores", "ranking", …}: what `select` reads and `score` prints.
nlohmann::json resultJson(const ScoringStage &stage, const Scored &scored, double seconds)
{
    nlohmann::json result = {{"kind", "score"}, {"selector", stage.spec.at("selector")}, {"mixer", stage.mixer}, {"num_layers", stage.numLayers()},
                             {"teacher_hash", stage.teacher.hash}, {"aligned", stage.alignedKey}, {"seconds", seconds}, {"notes", scored.notes}};
    result["scores"] = nlohmann::json::array();
    for (const LayerScore &score : scored.scores) {
        if (score.layer < 0)
            result["all_linear"] = scoreToJson(score);
        else
            result["scores"].push_back(scoreToJson(score));
    }
    if (static_cast<int>(stage.layers.size()) == stage.numLayers())
        result["ranking"] = experiment::rank(scored.scores, stage.numLayers());
    return result;
}

std::vector<int> scoredLayers(const nlohmann::json &spec, int numLayers)
{
    const auto given = spec.at("layers").get<std::vector<int>>();
    if (!given.empty())
        return experiment::validLayerSet(given, numLayers);
    std::vector<int> all(static_cast<std::size_t>(numLayers));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace

StageResult score(const nlohmann::json &spec, StageRun &run)
{
    const ComputeSettings settings = computeSettings(spec);
    const auto teacher = run.models->get(spec.at("teacher").get<std::string>(), run.workspace, settings.device);
    const std::string alignedFrom = alignedKey(spec, run, *teacher, settings);
    std::vector<std::string> inputs{teacher->hash, alignedFrom};
    for (const std::string &hash : dataHashes(spec.at("data"), teacher->files))
        inputs.push_back(hash);
    const nlohmann::json full = withMixerOptions(spec, teacher->files.config);
    const std::string key = experiment::stageKey(full, inputs, settings.deviceClass(), settings.typeText());
    sayStarted(run, spec, key, settings);
    return reuseOrCompute(run, "score", key, [&](const std::filesystem::path &output) {
        const auto batchSequences = spec.at("batch_sequences").get<std::int64_t>();
        ScoringStage stage{full, key, inputs, settings, *teacher, alignedFrom, alignedStart(spec, run, *teacher, settings).layers,
                           openData(spec.at("data"), teacher->files, {batchSequences, spec.at("seed").get<std::uint64_t>(), teacher->files.config.vocabSize, {}, run.stop}),
                           spec.at("mixer").at("kind").get<std::string>(), scoredLayers(spec, teacher->files.config.numLayers)};
        const ProgressMeter clock(run.sink, "scoring");
        const std::string selector = spec.at("selector").get<std::string>();
        const Scored scored = selector == "ga-s1" ? scoreResiduals(stage, run) : selector == "zero-shot-ga" ? scoreWithoutTraining(stage, run) : scoreByTraining(stage, run);
        nlohmann::json curves = nlohmann::json::array();
        for (const selection::LayerCurve &curve : scored.curves)
            curves.push_back(selection::curveToJson(curve));
        checkpoint::writeFileAtomically(output / "curves.json", nlohmann::json{{"schema", 1}, {"curves", curves}}.dump());
        const nlohmann::json result = resultJson(stage, scored, clock.seconds());
        checkpoint::writeFileAtomically(output / "scores.json", result.dump(1));
        return result;
    });
}

}  // namespace stillroom::procedures
