// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/trainingloop.h"
#include "error.h"
#include "procedures/alignedlayers.h"
#include "procedures/finiteweights.h"
#include "procedures/progressmeter.h"
#include "procedures/stageoptions.h"
#include "procedures/stages.h"
#include "procedures/teacherstage.h"
#include "selection/residual.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <limits>

namespace stillroom::procedures {
namespace {

experiment::LayerScore residualScore(const std::string &mixer, int layer, double residual, double se, std::int64_t numSequences, std::int64_t tokens)
{
    experiment::LayerScore score;
    score.selector = "ga-s1";
    score.mixer = mixer;
    score.layer = layer;
    score.score = residual;
    score.unit = "relative squared error";
    score.higherIsBetter = true;     // the layer that a linear mixer imitates worst is kept first
    score.se = se;
    score.numSequences = numSequences;
    score.tokens = tokens;
    return score;
}

/// Copies of the teacher's weights, or what an earlier stage made of them.
std::vector<distillation::AlignedLayer> startOf(const nlohmann::json &spec, StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings)
{
    const auto wanted = spec.at("layers").get<std::vector<int>>();
    if (!spec.contains("init"))
        return freshMixers(teacher.model, spec.at("mixer").at("kind").get<std::string>(), mixerOptionsJson(spec), wanted, spec.at("seed").get<std::uint64_t>());
    return chosenLayers(alignedStart(spec, run, teacher, settings).layers, wanted);
}

/// Says what stage 1 does: a curve per layer in about 200 points, and the bars of the residuals about once a second.
class AlignmentReport final {
public:
    AlignmentReport(const StageRun &run, const distillation::StageOne &stage, std::string mixer, std::int64_t batchSequences)
        : m_sink(run.sink), m_stage(stage), m_mixer(std::move(mixer)), m_batchSequences(batchSequences), m_meter(run.sink, "stage 1"),
          m_stride(std::max<std::int64_t>(1, stage.totalSteps() / 200))
    {
    }

    void afterStep()
    {
        const std::int64_t step = m_stage.step();
        m_meter.update(step, m_stage.totalSteps(), m_stage.tokens());
        const bool last = step == m_stage.totalSteps();
        if (step % m_stride == 0 || last)
            for (const distillation::StageOneMetrics &layer : m_stage.metrics())
                m_sink(experiment::Metric{"align/residual/" + std::to_string(layer.layer), step, m_stage.tokens(), layer.relativeMse, ""});
        const auto now = std::chrono::steady_clock::now();
        if (m_stage.metrics().empty() || now - m_lastBars < std::chrono::seconds(1))
            return;
        m_lastBars = now;
        for (const distillation::StageOneMetrics &layer : m_stage.metrics())
            m_sink(residualScore(m_mixer, layer.layer, layer.relativeMse, std::numeric_limits<double>::quiet_NaN(), m_batchSequences, m_stage.tokens()));
    }
    [[nodiscard]] double seconds() const { return m_meter.seconds(); }

private:
    experiment::EventSink m_sink;
    const distillation::StageOne &m_stage;
    std::string m_mixer;
    std::int64_t m_batchSequences;
    ProgressMeter m_meter;
    std::int64_t m_stride;
    std::chrono::steady_clock::time_point m_lastBars{};
};

}  // namespace

StageResult align(const nlohmann::json &spec, StageRun &run)
{
    const ComputeSettings settings = computeSettings(spec);
    const auto teacher = run.models->get(spec.at("teacher").get<std::string>(), run.workspace, settings.device, run.stop);
    requireFiniteWeights(*teacher, run.stop);
    (void)experiment::validLayerSet(spec.at("layers").get<std::vector<int>>(), teacher->files.config.numLayers);
    const std::string key = alignKey(spec, *teacher, settings, run.stop);
    sayStarted(run, spec, key, settings);
    warnOfFiles(run, teacher->files);
    warnOfContext(run, spec, teacher->files.config, "teacher");
    return reuseOrCompute(run, "align", key, [&](const std::filesystem::path &output) {
        const auto seed = spec.at("seed").get<std::uint64_t>();
        const auto batchSequences = spec.at("batch_sequences").get<std::int64_t>();
        ProgressMeter packing(run.sink, "packing");
        const TrainingData data = openData(spec.at("data"), teacher->files,
                                           {batchSequences, seed, teacher->files.config.vocabSize,
                                            [&](std::int64_t done, std::int64_t total) { packing.update(done, total, 0); }, run.stop});
        warnOfUnknown(run, data);
        const std::string kind = spec.at("mixer").at("kind").get<std::string>();
        const auto students = startOf(spec, run, *teacher, settings);
        distillation::StageOne stage(teacher->model, students, *data.training, stageOneOptions(spec, settings));
        AlignmentReport report(run, stage, kind, batchSequences);
        distillation::TrainingLoopOptions loop = checkpointedLoop(spec, run, key, run.checkpoints(key));
        loop.onStep = [&] { report.afterStep(); };
        distillation::runTraining(stage, loop);

        nlohmann::json residuals = nlohmann::json::array();
        ProgressMeter measuring(run.sink, "held-out residuals");
        const selection::ResidualOptions measure{.computeType = settings.computeType, .progress = [&](std::int64_t done, std::int64_t total) { measuring.update(done, total, 0); }, .stop = run.stop};
        for (const selection::LayerResidual &one : selection::heldOutResiduals(teacher->model, stage.layers(), data.heldOut, measure)) {
            run.sink(residualScore(kind, one.layer, one.error, one.se, one.numSequences, stage.tokens()));
            residuals.push_back({{"layer", one.layer}, {"relative_mse", one.error}, {"se", one.se}, {"n", one.numSequences}});
        }
        saveAligned(output, {teacher->hash, kind, students.empty() ? "{}" : students.front().mixer->optionsJson(), stage.layers()});
        return nlohmann::json{{"kind", "align"}, {"mixer", kind}, {"steps", stage.step()}, {"tokens", stage.tokens()}, {"seconds", report.seconds()}, {"residuals", residuals}};
    });
}

}  // namespace stillroom::procedures
