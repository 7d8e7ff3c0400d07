// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/intervals.h"
#include "calibration/attentionstatistics.h"
#include "calibration/equivalentmaps.h"
#include "calibration/repeatedbatch.h"
#include "calibration/taylorerror.h"
#include "checkpoint/atomicfile.h"
#include "distillation/batchplaces.h"
#include "distillation/trainingloop.h"
#include "error.h"
#include "evaluation/hiddencosine.h"
#include "experiment/spec.h"
#include "nn/torcherror.h"
#include "procedures/alignedlayers.h"
#include "procedures/calibrationoptions.h"
#include "procedures/calibrationreport.h"
#include "procedures/finiteweights.h"
#include "procedures/progressmeter.h"
#include "procedures/stageoptions.h"
#include "procedures/stages.h"
#include "procedures/teacherstage.h"
#include "selection/hybrid.h"
#include "selection/residual.h"

#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace stillroom::procedures {
namespace fs = std::filesystem;
namespace {

using distillation::AlignedLayer;

/// JSON has no word for what is not finite.
nlohmann::json finiteOrNull(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

/// One calibration: its students become what the arm asks for, and its report grows with it.
class Calibration final {
public:
    Calibration(const nlohmann::json &spec, const StageRun &run, const std::string &key, const ComputeSettings &settings, const LoadedModel &teacher,
                const std::vector<AlignedLayer> &naive, distillation::Batch sequences)
        : m_spec(spec), m_run(run), m_key(key), m_settings(settings), m_teacher(teacher), m_sequences(std::move(sequences)),
          m_layers(calibration::startOf(calibration::parseArm(spec.at("arm").get<std::string>()), naive)),
          m_report{{"schema", calibrationSchema}, {"arm", spec.at("arm")}, {"sequences", m_sequences.ids_BT.size(0)}, {"sequence_length", m_sequences.ids_BT.size(1)}}
    {
    }

    void run()
    {
        readHeads();
        if (m_spec.at("taylor_error").get<bool>())
            taylorError();
        if (m_spec.contains("phase_2"))
            phaseTwo();
        fillLayers();
    }
    /// \throws Error(Io)
    void writeMaps(const fs::path &folder) const
    {
        const std::int64_t tokens = std::min(m_spec.value("maps_tokens", std::int64_t{0}), m_sequences.ids_BT.size(1));
        if (tokens == 0)
            return;
        const nn::Transformer &teacher = m_teacher.model;
        const distillation::Batch first = distillation::rowsOf(m_sequences, 0, 1);
        const at::Tensor ids_1T = first.ids_BT.narrow(1, 0, tokens);
        const nn::TokenPlaces places = distillation::placesOf({ids_1T, first.documents_BT.defined() ? first.documents_BT.narrow(1, 0, tokens) : at::Tensor(), {}}, teacher.device());
        const c10::NoGradGuard noGrad;
        nn::ForwardOptions options;
        options.keepMixerInputs = true;
        nn::ForwardResult kept;
        (void)teacher.runBlocks(teacher.embed(ids_1T, at::kFloat), places, 0, teacher.blocks.size(), options, &kept);
        ProgressMeter meter(m_run.sink, "maps");
        fs::create_directories(folder);
        for (const AlignedLayer &layer : m_layers) {
            nn::throwIfStopped(m_run.stop);
            const at::Tensor &x_1TD = kept.mixerInputs_BTD.at(static_cast<std::size_t>(layer.layer));
            const auto maps = [&](const nn::TokenMixer &mixer) { return calibration::mapsOf(mixer, x_1TD, places, teacher.config.numHeads); };
            std::vector<std::pair<std::string, at::Tensor>> students;
            for (const auto &[moment, layers] : moments({layer.layer}))
                students.emplace_back(moment, maps(*std::find_if(layers.begin(), layers.end(), [&](const AlignedLayer &one) { return one.layer == layer.layer; })->mixer));
            const nlohmann::json made = mapsToJson(maps(*teacher.blocks[static_cast<std::size_t>(layer.layer)].mixer), students);
            checkpoint::writeFileAtomically(folder / (std::to_string(layer.layer) + ".json"), made.dump());
            meter.update(&layer - m_layers.data() + 1, static_cast<std::int64_t>(m_layers.size()), tokens);
        }
    }
    /// What the errors of single layers add up to: the student with all of them in place, at every moment, beside the teacher.
    /// \param heldOut  what it reads: one batch, because each moment costs a pass of both models
    void addComposed(const distillation::Batch &heldOut)
    {
        ProgressMeter meter(m_run.sink, "composed student");
        const std::vector<std::pair<std::string, std::vector<AlignedLayer>>> all = moments(layerNumbers());
        nlohmann::json &composed = m_report["composed"] = {{"sequences", heldOut.ids_BT.size(0)}, {"tokens", distillation::countedTokens(heldOut).sum().item<std::int64_t>()}, {"moments", nlohmann::json::array()}};
        for (const auto &[moment, layers] : all) {
            composed["moments"].push_back(composedMomentOrNull(moment, layers, heldOut));
            meter.update(static_cast<std::int64_t>(composed["moments"].size()), static_cast<std::int64_t>(all.size()), heldOut.ids_BT.numel());
        }
    }
    [[nodiscard]] std::string mixerKind() const { return m_spec.at("mixer").at("kind").get<std::string>(); }
    [[nodiscard]] const std::vector<AlignedLayer> &layers() const { return m_layers; }
    [[nodiscard]] const nlohmann::json &report() const { return m_report; }
    [[nodiscard]] std::int64_t steps() const { return m_steps; }
    [[nodiscard]] std::int64_t trainingTokens() const { return m_trainingTokens; }

private:
    /// As the arm begins, drawn from the seed: the same each time. \param layers  empty: all
    [[nodiscard]] std::vector<AlignedLayer> startOf(const std::vector<int> &layers) const
    {
        return calibration::startOf(calibration::parseArm(m_spec.at("arm").get<std::string>()),
                                    freshMixers(m_teacher.model, mixerKind(), mixerOptionsJson(m_spec), layers, m_spec.at("seed").get<std::uint64_t>()));
    }

    [[nodiscard]] std::vector<int> layerNumbers() const
    {
        std::vector<int> numbers;
        for (const AlignedLayer &one : m_layers)
            numbers.push_back(one.layer);
        return numbers;
    }

    /// The students at every moment that there was, by its name. \param fresh  layers of which the start is drawn again; the others may be there too
    [[nodiscard]] std::vector<std::pair<std::string, std::vector<AlignedLayer>>> moments(const std::vector<int> &fresh) const
    {
        std::vector<std::pair<std::string, std::vector<AlignedLayer>>> all{{beforePhases, startOf(fresh)}};
        if (m_spec.contains("phase_1"))
            all.emplace_back(afterPhaseOne, m_afterPhaseOne);
        if (m_spec.contains("phase_2"))
            all.emplace_back(afterPhaseTwo, m_layers);
        return all;
    }

    /// A student that is not finite (a naive copy in half precision, say) is no reason to lose what was calibrated: its cosines are null.
    [[nodiscard]] nlohmann::json composedMomentOrNull(const std::string &moment, const std::vector<AlignedLayer> &layers, const distillation::Batch &heldOut) const
    {
        try {
            return composedMoment(moment, layers, heldOut);
        } catch (const Error &error) {
            if (error.code() != ErrorCode::NonFinite)
                throw;
            return {{"moment", moment}, {"hidden_cosine", nullptr}, {"hidden_cosine_se", nullptr}, {"hidden_cosine_sequences", heldOut.ids_BT.size(0)}, {"hidden_cosine_by_layer", nlohmann::json::array()}};
        }
    }

    [[nodiscard]] nlohmann::json composedMoment(const std::string &moment, const std::vector<AlignedLayer> &layers, const distillation::Batch &heldOut) const
    {
        const nn::Transformer &teacher = m_teacher.model;
        experiment::LayerSet kept;
        const std::vector<int> linear = layerNumbers();
        for (int layer = 0; layer < teacher.config.numLayers; ++layer)
            if (std::find(linear.begin(), linear.end(), layer) == linear.end())
                kept.push_back(layer);
        const evaluation::HiddenCosines cosines = evaluation::hiddenCosines(teacher, selection::hybrid(teacher, layers, kept), heldOut.ids_BT, distillation::placesOf(heldOut, teacher.device()),
                                                                            distillation::countedTokens(heldOut), m_settings.computeType, m_run.stop);
        nlohmann::json made = {{"moment", moment}, {"hidden_cosine", analysis::estimate(cosines.final).mean}, {"hidden_cosine_se", finiteOrNull(analysis::estimate(cosines.final).se)},
                               {"hidden_cosine_sequences", cosines.final.size()}, {"hidden_cosine_by_layer", nlohmann::json::array()}};
        for (const std::vector<double> &layer : cosines.afterBlock)
            made["hidden_cosine_by_layer"].push_back(analysis::estimate(layer).mean);
        return made;
    }

    /// What every head does, in any arm; Phase 1 sets what follows from it.
    void readHeads()
    {
        const bool sets = m_spec.contains("phase_1");
        ProgressMeter meter(m_run.sink, sets ? "phase 1" : "heads");
        std::int64_t done = 0;
        const auto total = static_cast<std::int64_t>(m_layers.size());
        calibration::PhaseOneProgress progress;
        progress.stop = m_run.stop;
        progress.onLayer = [&](const calibration::LayerCalibration &layer) {
            meter.update(++done, total, m_sequences.ids_BT.numel());
            if (!sets)
                return;
            m_run.sink(experiment::Metric{"calibrate/phase-1/relative_mse/" + std::to_string(layer.layer), 0, 0, layer.after.branch.relativeMse, ""});
            m_run.sink(experiment::Metric{"calibrate/phase-1/cosine/" + std::to_string(layer.layer), 0, 0, layer.after.branch.cosine, ""});
        };
        const calibration::PhaseOneOptions options = sets ? phaseOneOptions(m_spec.at("phase_1")) : calibration::PhaseOneOptions::measuring();
        calibration::PhaseOneResult result = calibration::calibratePhaseOne(m_teacher.model, m_layers, m_sequences, options, m_settings.computeType, progress);
        m_layers = m_afterPhaseOne = std::move(result.layers);
        m_heads = std::move(result.reports);
        m_report["dropped_keys"] = options.droppedKeys;
    }

    /// Layers and alarms, once all phases are over.
    void fillLayers()
    {
        const bool sets = m_spec.contains("phase_1"), aligns = m_spec.contains("phase_2");
        std::vector<calibration::LayerState> ended;
        if (aligns)
            ended = calibration::layerStates(m_teacher.model, m_layers, m_sequences, m_settings.computeType, m_run.stop);
        else
            for (const calibration::LayerCalibration &layer : m_heads)
                ended.push_back(layer.after);
        nlohmann::json &layers = m_report["layers"] = nlohmann::json::array();
        for (std::size_t i = 0; i < m_heads.size(); ++i) {
            layers.push_back(toJson(m_heads[i], sets));
            if (!aligns)
                continue;
            addState(layers.back(), ended[i], afterPhaseTwo);
            addChanges(layers.back(), calibration::parameterChanges(*m_afterPhaseOne[i].mixer, *m_layers[i].mixer), 2);
        }
        m_report["alarms"] = alarmsOf(m_heads, ended, m_teacher.files.config.rmsNormEps);
    }

    void phaseTwo()
    {
        calibration::RepeatedBatch source(m_sequences, "calibration sequences of " + m_key);
        distillation::StageOne stage(m_teacher.model, m_layers, source, calibration::stageOneOptions(phaseTwoOptions(m_spec.at("phase_2")), m_layers, m_settings.computeType));
        ProgressMeter meter(m_run.sink, "phase 2");
        distillation::TrainingLoopOptions loop = checkpointedLoop(m_spec, m_run, m_key, m_run.checkpoints(m_key));
        loop.onStep = [&] {
            meter.update(stage.step(), stage.totalSteps(), stage.tokens());
            sayAlignment(stage);
        };
        distillation::runTraining(stage, loop);
        m_layers = stage.layers();
        m_steps = stage.step();
        m_trainingTokens = stage.tokens();
        m_report["alignment"] = nlohmann::json::array();
        for (const distillation::StageOneMetrics &layer : stage.metrics())
            m_report["alignment"].push_back(alignmentToJson(layer));
    }

    /// Curves of about 200 points a layer.
    void sayAlignment(const distillation::StageOne &stage) const
    {
        const std::int64_t step = stage.step(), stride = std::max<std::int64_t>(1, m_spec.at("phase_2").at("steps").get<std::int64_t>() / 200);
        if (step % stride != 0 && step != stage.totalSteps())
            return;
        for (const distillation::StageOneMetrics &layer : stage.metrics()) {
            m_run.sink(experiment::Metric{"calibrate/relative_mse/" + std::to_string(layer.layer), step, stage.tokens(), layer.relativeMse, ""});
            m_run.sink(experiment::Metric{"calibrate/cosine/" + std::to_string(layer.layer), step, stage.tokens(), layer.cosine, ""});
        }
    }

    void taylorError()
    {
        ProgressMeter meter(m_run.sink, "Taylor error");
        m_report["taylor"] = nlohmann::json::array();
        for (const calibration::LayerTaylor &layer : calibration::taylorErrors(m_teacher.model, m_sequences, m_settings.computeType, [&](std::int64_t sequences) {
                 meter.update(sequences, m_sequences.ids_BT.size(0), sequences * m_sequences.ids_BT.size(1));
             }, m_run.stop)) {
            nlohmann::json heads = nlohmann::json::array();
            for (const calibration::HeadTaylor &head : layer.heads)
                heads.push_back(toJson(head));
            m_report["taylor"].push_back({{"layer", layer.layer}, {"heads", std::move(heads)}});
        }
    }

    const nlohmann::json &m_spec;        ///< with its phases filled in
    const StageRun &m_run;
    std::string m_key;
    const ComputeSettings &m_settings;
    const LoadedModel &m_teacher;
    distillation::Batch m_sequences;
    std::vector<AlignedLayer> m_layers, m_afterPhaseOne;      ///< the latter as the arm began, where it has no Phase 1
    std::vector<calibration::LayerCalibration> m_heads;
    nlohmann::json m_report;
    std::int64_t m_steps = 0, m_trainingTokens = 0;
};

nlohmann::json residualsOf(const Calibration &calibration, const StageRun &run, const LoadedModel &teacher, const TrainingData &data, const ComputeSettings &settings)
{
    nlohmann::json residuals = nlohmann::json::array();
    ProgressMeter meter(run.sink, "held-out residuals");
    const selection::ResidualOptions options{.computeType = settings.computeType, .progress = [&](std::int64_t done, std::int64_t total) { meter.update(done, total, 0); }, .stop = run.stop};
    for (const selection::LayerResidual &one : selection::heldOutResiduals(teacher.model, calibration.layers(), data.heldOut, options)) {
        run.sink(experiment::Metric{"calibrate/held_out_residual/" + std::to_string(one.layer), calibration.steps(), calibration.trainingTokens(), one.error, ""});
        residuals.push_back({{"layer", one.layer}, {"relative_mse", one.error}, {"se", one.se}, {"n", one.numSequences}});
    }
    return residuals;
}

}  // namespace

StageResult calibrate(const nlohmann::json &spec, StageRun &run)
{
    const ComputeSettings settings = computeSettings(spec);
    const auto teacher = run.models->get(spec.at("teacher").get<std::string>(), run.workspace, settings.device, run.stop);
    requireFiniteWeights(*teacher, run.stop);
    const nlohmann::json full = withCalibrationPhases(withMixerOptions(spec, teacher->files.config));
    const std::string key = calibrateKey(full, *teacher, settings, run.stop);
    sayStarted(run, full, key, settings);
    warnOfFiles(run, teacher->files);
    warnOfContext(run, spec, teacher->files.config, "teacher");
    return reuseOrCompute(run, "calibrate", key, [&](const fs::path &output) {
        const auto start = std::chrono::steady_clock::now();
        const std::vector<AlignedLayer> naive = freshMixers(teacher->model, full.at("mixer").at("kind").get<std::string>(), mixerOptionsJson(full),
                                                            full.at("layers").get<std::vector<int>>(), full.at("seed").get<std::uint64_t>());
        checkCalibration(full, teacher->model, naive);
        ProgressMeter packing(run.sink, "packing");
        const TrainingData data = openData(spec.at("data"), teacher->files,
                                           {spec.at("sequences").get<std::int64_t>(), spec.at("seed").get<std::uint64_t>(), teacher->files.config.vocabSize,
                                            [&](std::int64_t done, std::int64_t total) { packing.update(done, total, 0); }, run.stop});
        warnOfUnknown(run, data);
        Calibration calibration(full, run, key, settings, *teacher, naive, data.training->batch(0));
        calibration.run();
        nlohmann::json result = {{"kind", "calibrate"}, {"arm", full.at("arm")}, {"mixer", calibration.mixerKind()}, {"teacher_hash", teacher->hash}, {"steps", calibration.steps()},
                                 {"tokens", calibration.trainingTokens()}, {"calibration_tokens", spec.at("sequences").get<std::int64_t>() * data.sequenceLength},
                                 {"residuals", residualsOf(calibration, run, *teacher, data, settings)}};
        calibration.addComposed(data.heldOut.front());
        result["alarms"] = calibration.report().at("alarms");
        const nlohmann::json &composed = calibration.report().at("composed"), &ended = composed.at("moments").back();
        result["hidden_cosine"] = ended.at("hidden_cosine");
        result["hidden_cosine_se"] = ended.at("hidden_cosine_se");
        result["hidden_cosine_sequences"] = composed.at("sequences");
        checkpoint::writeFileAtomically(output / "calibration.json", calibration.report().dump());
        calibration.writeMaps(output / "maps");
        saveAligned(output, {teacher->hash, calibration.mixerKind(), calibration.layers().empty() ? "{}" : calibration.layers().front().mixer->optionsJson(), calibration.layers()});
        run.sink(experiment::Artifact{"calibration", key, "artifacts/" + key});
        result["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return result;
    });
}

}  // namespace stillroom::procedures
