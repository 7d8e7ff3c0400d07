// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/gas2stage.h"

#include "analysis/stability.h"
#include "checkpoint/atomicfile.h"
#include "distillation/trainingmemory.h"
#include "error.h"
#include "experiment/spec.h"
#include "procedures/progressmeter.h"
#include "procedures/stageoptions.h"
#include "selection/curvefile.h"
#include "selection/hybrid.h"

#include <algorithm>
#include <fstream>

namespace stillroom::procedures {
namespace fs = std::filesystem;
namespace {

using selection::LayerCurve;

/// A layer's curve does not depend on which other layers are scored, on the group, or on whether scoring could have stopped early.
std::string curveKey(const ScoringStage &stage, int layer)
{
    nlohmann::json alone = stage.spec;
    alone["layers"] = nlohmann::json::array();
    alone["include_all_linear"] = true;
    alone["early_stop"]["enabled"] = false;
    std::vector<std::string> inputs = stage.inputs;
    inputs.push_back("layer " + std::to_string(layer));
    return experiment::stageKey(alone, inputs, stage.settings.deviceClass(), stage.settings.typeText());
}

void keepCurve(const ScoringStage &stage, const StageRun &run, const LayerCurve &curve)
{
    const std::string key = curveKey(stage, curve.layer);
    const store::StageCache cache = run.stages();
    const store::StageDraft draft = cache.beginStage(key);
    checkpoint::writeFileAtomically(draft.folder / "curve.json", selection::curveToJson(curve).dump());
    cache.commitStage(draft, {{"kind", "kl-curve"}, {"layer", curve.layer}}, true);
    run.sink(experiment::Artifact{"kl-curve:" + std::to_string(curve.layer), key, "artifacts/" + key});
}

std::vector<LayerCurve> keptCurves(const ScoringStage &stage, const StageRun &run, std::vector<int> &missing)
{
    std::vector<LayerCurve> curves;
    std::vector<int> wanted = std::exchange(missing, {});
    for (const int layer : wanted) {
        const std::string key = curveKey(stage, layer);
        if (const auto kept = run.stages().findStage(key); kept && !run.fresh)
            curves.push_back(selection::curveFromJson(nlohmann::json::parse(std::ifstream(kept->folder / "curve.json"), nullptr, false)));
        else
            missing.push_back(layer);
    }
    return curves;
}

int groupSize(const ScoringStage &stage, const distillation::StageTwoOptions &options, std::size_t numStudents)
{
    const int given = stage.spec.at("group_size").get<int>();
    if (given > 0)
        return std::min(given, static_cast<int>(numStudents));
    const std::int64_t sequences = options.microBatchSequences > 0 ? options.microBatchSequences : stage.spec.at("batch_sequences").get<std::int64_t>();
    const nn::Transformer student = selection::hybrid(stage.teacher.model, stage.aligned, {});
    const auto one = distillation::studentBytes(student, options, sequences, stage.data.sequenceLength);
    // A fifth stays free for the allocator's gaps and for the rest of the machine.
    const std::int64_t budget = availableBytes(stage.settings.device) / 5 * 4;
    return distillation::lockStepGroup(budget, one, distillation::sharedBytes(stage.teacher.model, options, sequences, stage.data.sequenceLength), static_cast<int>(numStudents));
}

/// Stops the training when every wanted top set has been stable for long enough; says so once.
class EarlyStop final {
public:
    EarlyStop(const ScoringStage &stage, const StageRun &run, std::int64_t totalTokens) : m_stage(stage), m_run(run), m_totalTokens(totalTokens)
    {
        const nlohmann::json &wanted = stage.spec.at("early_stop");
        m_window = wanted.at("window").get<int>();
        m_keep = wanted.at("keep").get<std::vector<int>>();
        if (m_keep.empty())
            m_keep.push_back(experiment::keepFromPercent(25.0, stage.numLayers()));
    }

    bool operator()(const std::vector<LayerCurve> &curves)
    {
        std::vector<experiment::Ranking> rankings;
        for (std::size_t evaluation = 1; evaluation < curves.front().kl.size(); ++evaluation) {   // the first is before any training
            std::vector<experiment::LayerScore> scores;
            for (const LayerCurve &curve : curves)
                scores.push_back(selection::scoreOf(curve, evaluation, "ga-s2", m_stage.mixer));
            rankings.push_back(experiment::rank(scores, m_stage.numLayers()));
        }
        const bool settled = std::all_of(m_keep.begin(), m_keep.end(), [&](int keep) { return analysis::settled(rankings, keep, m_window); });
        const std::int64_t tokens = curves.front().tokens.back();
        if (!settled || tokens >= m_totalTokens)
            return false;
        const double saved = 1.0 - static_cast<double>(tokens) / static_cast<double>(m_totalTokens);
        note = {{"stopped", true}, {"tokens", tokens}, {"saved_fraction", saved}};
        m_run.sink(experiment::Text{"early-stop", "The best layers have been the same for " + std::to_string(m_window + 1) + " evaluations: scoring stopped at " +
                                                      std::to_string(tokens) + " of " + std::to_string(m_totalTokens) + " tokens a layer."});
        return true;
    }
    nlohmann::json note;

private:
    const ScoringStage &m_stage;
    const StageRun &m_run;
    std::int64_t m_totalTokens;
    int m_window = 3;
    std::vector<int> m_keep;
};

void sayScores(const StageRun &run, const std::vector<LayerCurve> &curves, const std::string &mixer)
{
    for (const LayerCurve &curve : curves)
        run.sink(selection::scoreOf(curve, curve.kl.size() - 1, "ga-s2", mixer));
}

std::string groupName(const std::vector<int> &layers)
{
    return "group-" + std::to_string(layers.front()) + "-" + std::to_string(layers.back()) + "-of-" + std::to_string(layers.size());
}

std::vector<LayerCurve> trainGroup(const ScoringStage &stage, StageRun &run, const distillation::HeldOutSet &heldOut, selection::GaS2Group::Options options)
{
    const std::vector<int> layers = options.layers;
    selection::GaS2Group group(stage.teacher.model, stage.aligned, heldOut, *stage.data.training, std::move(options));
    ProgressMeter meter(run.sink, "scoring " + std::to_string(layers.size()) + " students in lock-step");
    distillation::TrainingLoopOptions loop;
    loop.checkpointFolder = run.checkpoints(stage.key) / groupName(layers);
    loop.key = stage.key;
    loop.checkpointSeconds = stage.spec.at("checkpoint_interval_seconds").get<double>();
    loop.stop = run.stop;
    loop.onStep = [&] {
        meter.update(group.step(), group.totalSteps(), group.tokens());
        for (std::size_t i = 0; i < group.metrics().size(); ++i)
            run.sink(experiment::Metric{"score/kl/" + std::to_string(layers[i]), group.step(), group.tokens(), group.metrics()[i].klNats, "nats/token"});
    };
    loop.onCheckpoint = [&](std::int64_t step, std::int64_t tokens, const fs::path &path) {
        run.sink(experiment::CheckpointSaved{step, tokens, fs::relative(path, run.workspace).string()});
    };
    distillation::runTraining(group, loop);
    return group.curves();
}

}  // namespace

distillation::HeldOutOptions heldOutOptions(const ScoringStage &stage, const StageRun &run)
{
    distillation::HeldOutOptions options;
    options.computeType = stage.settings.computeType;
    options.headBudgetBytes = stage.spec.at("kl_budget_mb").get<std::int64_t>() * 1024 * 1024;
    options.stop = run.stop;
    return options;
}

GaS2Result scoreGaS2(const ScoringStage &stage, StageRun &run)
{
    std::vector<int> missing = stage.layers;
    if (stage.spec.at("include_all_linear").get<bool>())
        missing.insert(missing.begin(), -1);
    const std::size_t numStudents = missing.size();
    GaS2Result result;
    result.curves = keptCurves(stage, run, missing);
    for (const LayerCurve &curve : result.curves)
        result.reusedLayers.push_back(curve.layer);
    sayScores(run, result.curves, stage.mixer);

    selection::GaS2Group::Options options;
    options.training = stageTwoOptions(stage.spec, stage.settings);
    options.training.evaluateAtTokens = evaluationTokens(stage.spec, tokensPerStep(stage.spec));
    result.groupSize = missing.empty() ? 0 : groupSize(stage, options.training, missing.size());
    EarlyStop earlyStop(stage, run, options.training.evaluateAtTokens.back());
    const bool mayStop = stage.spec.at("early_stop").at("enabled").get<bool>();
    const bool together = missing.size() == numStudents && result.groupSize == static_cast<int>(numStudents) && static_cast<int>(stage.layers.size()) == stage.numLayers();
    if (mayStop && !together)
        run.sink(experiment::Warning{"Early stop needs all layers in one lock-step group; here " + std::to_string(result.groupSize) + " of " + std::to_string(numStudents) +
                                     " students train at a time, so every layer gets all its tokens."});
    if (!missing.empty()) {
        const distillation::HeldOutSet heldOut(stage.teacher.model, stage.data.heldOut, heldOutOptions(stage, run));
        for (std::size_t first = 0; first < missing.size(); first += static_cast<std::size_t>(result.groupSize)) {
            const std::size_t last = std::min(missing.size(), first + static_cast<std::size_t>(result.groupSize));
            options.layers.assign(missing.begin() + static_cast<std::ptrdiff_t>(first), missing.begin() + static_cast<std::ptrdiff_t>(last));
            options.onEvaluation = [&](const std::vector<LayerCurve> &curves) {
                sayScores(run, curves, stage.mixer);
                return mayStop && together && earlyStop(curves);
            };
            for (LayerCurve &curve : trainGroup(stage, run, heldOut, options)) {
                if (!earlyStop.note.is_object())
                    keepCurve(stage, run, curve);
                result.curves.push_back(std::move(curve));
            }
        }
    }
    result.earlyStop = earlyStop.note;
    std::sort(result.curves.begin(), result.curves.end(), [](const LayerCurve &a, const LayerCurve &b) { return a.layer < b.layer; });
    return result;
}

}  // namespace stillroom::procedures
