// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"
#include "distillation/heldoutkl.h"
#include "distillation/trainingloop.h"
#include "error.h"
#include "experiment/spec.h"
#include "mixers/modelsize.h"
#include "mixers/modelsize.h"
#include "procedures/finiteweights.h"
#include "procedures/heldouthash.h"
#include "procedures/keptlayers.h"
#include "procedures/measures.h"
#include "procedures/progressmeter.h"
#include "procedures/stageoptions.h"
#include "procedures/stages.h"
#include "procedures/teacherstage.h"
#include "selection/curvefile.h"
#include "selection/hybrid.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace stillroom::procedures {
namespace fs = std::filesystem;
namespace {

/// Says loss, gradient norm, learning rate, throughput and held-out KL while the hybrid trains.
class DistillationReport final {
public:
    DistillationReport(const StageRun &run, const distillation::HeldOutSet &heldOut) : m_sink(run.sink), m_heldOut(heldOut), m_meter(run.sink, "stage 2") {}

    void afterStep(const distillation::StageTwo &stage)
    {
        m_meter.update(stage.step(), stage.totalSteps(), stage.tokens());
        if (stage.metrics().empty())
            return;
        const distillation::StageTwoMetrics &now = stage.metrics().front();
        m_sink(experiment::Metric{"distill/loss", stage.step(), stage.tokens(), now.loss, "nats/token"});
        m_sink(experiment::Metric{"distill/kl", stage.step(), stage.tokens(), now.klNats, "nats/token"});
        m_sink(experiment::Metric{"distill/gradient_norm", stage.step(), stage.tokens(), now.gradientNorm, ""});
        m_sink(experiment::Metric{"distill/learning_rate_factor", stage.step(), stage.tokens(), stage.learningRateFactor(), ""});
    }
    void evaluate(const nn::Transformer &student, std::int64_t step, std::int64_t tokens)
    {
        const distillation::HeldOutKl kl = m_heldOut.measure(student);
        m_sink(experiment::Metric{"distill/held_out_kl", step, tokens, kl.mean(), "nats/token"});
        m_sink(experiment::Metric{"distill/held_out_kl_se", step, tokens, kl.se(), "nats/token"});
    }
    [[nodiscard]] double seconds() const { return m_meter.seconds(); }

private:
    experiment::EventSink m_sink;
    const distillation::HeldOutSet &m_heldOut;
    ProgressMeter m_meter;
};

struct TrainedHybrid {
    nn::Transformer model;
    std::int64_t tokens = 0;      ///< that counted: padding and masked positions are in the steps, but teach nothing
};

TrainedHybrid trainHybrid(const nlohmann::json &spec, const StageRun &run, const std::string &key, const ComputeSettings &settings, const LoadedModel &teacher,
                          nn::Transformer student, const TrainingData &data, DistillationReport &report)
{
    if (spec.at("steps").get<std::int64_t>() == 0)      // the hybrid as its start makes it
        return {std::move(student), 0};
    distillation::StageTwoOptions options = stageTwoOptions(spec, settings);
    options.evaluateAtTokens = evaluationTokens(spec, tokensPerStep(spec));
    const distillation::StageTwo *running = nullptr;
    options.onEvaluate = [&](std::int64_t step, std::int64_t tokens) { report.evaluate(running->students().front().model, step, tokens); };
    distillation::StageTwo stage(teacher.model, {{"hybrid", std::move(student)}}, *data.training, options);
    running = &stage;
    distillation::TrainingLoopOptions loop = checkpointedLoop(spec, run, key, run.checkpoints(key));
    loop.onStep = [&] { report.afterStep(stage); };
    distillation::runTraining(stage, loop);
    return {stage.students().front().model, stage.tokens()};
}

void sayMeasures(const StageRun &run, const nlohmann::json &measures, std::int64_t step, std::int64_t tokens)
{
    for (const auto &[name, value] : measures.items())
        if (value.is_number())
            run.sink(experiment::Metric{"final/" + name, step, tokens, value.get<double>(), name.ends_with("nats") ? "nats/token" : ""});
}

}  // namespace

StageResult distill(const nlohmann::json &spec, StageRun &run)
{
    const ComputeSettings settings = computeSettings(spec);
    const auto teacher = run.models->get(spec.at("teacher").get<std::string>(), run.workspace, settings.device, run.stop);
    requireFiniteWeights(*teacher, run.stop);
    const experiment::LayerSet keep = keptLayers(spec, run, teacher->files.config.numLayers);
    const nlohmann::json full = withKept(spec, keep, teacher->files.config);
    const std::string key = distillKey(spec, keep, run, *teacher, settings);
    sayStarted(run, full, key, settings);
    warnOfFiles(run, teacher->files);
    warnOfContext(run, spec, teacher->files.config, "teacher");
    return reuseOrCompute(run, "distill", key, [&](const fs::path &output) {
        const std::vector<distillation::AlignedLayer> aligned =
            static_cast<int>(keep.size()) == teacher->files.config.numLayers ? std::vector<distillation::AlignedLayer>() : alignedStart(spec, run, *teacher, settings).layers;
        const auto batchSequences = spec.at("batch_sequences").get<std::int64_t>();
        const TrainingData data = openData(spec.at("data"), teacher->files,
                                           {batchSequences, spec.at("seed").get<std::uint64_t>(), teacher->files.config.vocabSize, {}, run.stop});
        warnOfUnknown(run, data);
        const std::int64_t headBudgetBytes = spec.at("kl_budget_mb").get<std::int64_t>() << 20;
        distillation::HeldOutOptions heldOutOptions;
        heldOutOptions.computeType = settings.computeType;
        heldOutOptions.headBudgetBytes = headBudgetBytes;
        heldOutOptions.stop = run.stop;
        const distillation::HeldOutSet heldOut(teacher->model, data.heldOut, heldOutOptions);
        DistillationReport report(run, heldOut);
        auto [hybrid, tokens] = trainHybrid(spec, run, key, settings, *teacher, selection::hybrid(teacher->model, aligned, keep), data, report);
        const distillation::HeldOutKl kl = heldOut.measure(hybrid);
        nlohmann::json measures = measure(hybrid, data, {{"perplexity", "recall", "hidden-cosine"}, &teacher->model, headBudgetBytes, 0, 0, settings, run.stop, {}});
        measures.update(klMeasures(kl));
        sayMeasures(run, measures, spec.at("steps").get<std::int64_t>(), tokens);

        hybrid.config.teacherHash = teacher->hash;
        // By sequence, so that hybrids measured on the same ones can be compared in pairs.
        checkpoint::writeFileAtomically(output / "curve.json", selection::curveToJson({keep, {tokens}, {kl}}).dump());
        nn::saveTransformer(hybrid, output / "model", teacher->files.tokenizerPath);
        checkpoint::writeFileAtomically(output / "model" / "spec.json", full.dump(1));
        return nlohmann::json{{"kind", "distill"}, {"selected", keep}, {"keep", keep.size()}, {"num_layers", teacher->files.config.numLayers}, {"teacher_hash", teacher->hash}, {"aligned", alignedKey(spec, run, *teacher, settings)}, {"held_out_hash", heldOutHash(data.heldOut)},
                              {"mixer", spec.at("mixer").at("kind")}, {"measures", measures}, {"tokens", tokens}, {"seconds", report.seconds()},
                              {"parameters", mixers::modelSize(hybrid.config).parameters}, {"model", "artifacts/" + key + "/model"}};
    });
}

}  // namespace stillroom::procedures
