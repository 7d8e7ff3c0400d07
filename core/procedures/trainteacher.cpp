// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/trainingloop.h"
#include "error.h"
#include "evaluation/recall.h"
#include "experiment/spec.h"
#include "procedures/progressmeter.h"
#include "procedures/stageoptions.h"
#include "procedures/stages.h"
#include "procedures/stagestart.h"
#include "procedures/teacherfolder.h"
#include "procedures/teacherstage.h"
#include "procedures/teachertraining.h"
#include "procedures/trainingdata.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::procedures {
namespace {

/// Model, tokenizer and the numbers of its training.
constexpr const char *modelFolder = "model";

checkpoint::ModelConfig teacherConfig(const nlohmann::json &shape, const text::RecallMix &task)
{
    checkpoint::ModelConfig config;
    config.qkvBias = shape.at("qkv_bias").get<bool>();
    config.modelType = config.qkvBias ? "qwen2" : "llama";
    config.numLayers = shape.at("num_layers").get<int>();
    config.hiddenSize = shape.at("hidden_size").get<int>();
    config.intermediateSize = shape.at("intermediate_size").get<int>();
    config.numHeads = shape.at("num_heads").get<int>();
    config.numKvHeads = shape.at("num_kv_heads").get<int>();
    config.headDim = shape.at("head_dim").get<int>();
    config.vocabSize = static_cast<int>(task.vocabSize()) + numSpecialTokens;
    config.maxPositions = task.options().length;   // beyond what it was trained on it forgets
    config.rope.theta = shape.at("rope_theta").get<double>();
    config.tiedHead = shape.at("tied_head").get<bool>();
    config.hiddenAct = shape.at("hidden_act").get<std::string>();
    config.slidingWindow.assign(static_cast<std::size_t>(config.numLayers), 0);
    config.eosIds = {endId(task)};
    config.layers.resize(static_cast<std::size_t>(config.numLayers));
    return config;
}

TeacherPlan teacherPlan(const nlohmann::json &spec, const ComputeSettings &settings)
{
    const text::RecallMix task = recallTask(spec.at("data"));
    const nlohmann::json &shape = spec.at("model"), &curriculum = spec.at("curriculum"), &stopping = spec.at("stopping");
    TeacherPlan plan;
    plan.config = teacherConfig(shape, task);
    plan.start = {shape.at("local_init").get<bool>(), shape.at("retrieval_layer").get<int>(), shape.at("local_peak").get<double>()};
    plan.task = task.options();
    plan.otherTokensWeight = spec.at("other_tokens_weight").get<double>();
    plan.curriculum = curriculum.at("enabled").get<bool>();
    plan.startPairs = curriculum.at("start_pairs").get<std::int64_t>();
    plan.startLength = curriculum.at("start_length").get<std::int64_t>();
    plan.growThreshold = curriculum.at("recall_threshold").get<double>();
    plan.growth = curriculum.at("growth").get<double>();
    plan.runningAverage = curriculum.at("running_average").get<double>();
    plan.batchTokens = curriculum.at("batch_tokens").get<std::int64_t>();
    plan.solvedRecall = stopping.at("recall").get<double>();
    plan.extraSteps = stopping.at("extra_steps").get<std::int64_t>();
    plan.evaluateEvery = stopping.at("evaluate_every_steps").get<std::int64_t>();
    plan.restartStep = stopping.at("restart_step").get<std::int64_t>();
    plan.restarts = stopping.at("restarts").get<std::int64_t>();
    plan.batchSequences = spec.at("batch_sequences").get<std::int64_t>();
    plan.microBatchSequences = spec.at("micro_batch_sequences").get<std::int64_t>();
    plan.checkpointBlocks = spec.at("checkpoint_blocks").get<bool>();
    plan.learningRate = spec.at("learning_rate").get<double>();
    plan.weightDecay = spec.at("weight_decay").get<double>();
    plan.clipNorm = spec.at("clip_norm").get<double>();
    plan.adamw = adamwOptions(spec);
    plan.schedule = scheduleOptions(spec);
    plan.steps = spec.at("steps").get<std::int64_t>();
    plan.seed = spec.at("seed").get<std::uint64_t>();
    plan.computeType = settings.computeType;
    plan.device = settings.device;
    return plan;
}

/// Says how a training goes: curves in about 200 points, and a warning where it starts again.
class TeacherReport final {
public:
    TeacherReport(const StageRun &run, const TeacherTraining &training, std::int64_t steps)
        : m_sink(run.sink), m_training(training), m_meter(run.sink, "training"), m_stride(std::max<std::int64_t>(1, steps / 200))
    {
    }

    void afterStep()
    {
        const TeacherProgress &progress = m_training.progress();
        const std::int64_t step = m_training.step(), tokens = m_training.tokens();
        m_meter.update(step, m_training.totalSteps(), tokens);
        if (progress.attempt != m_attempt) {
            m_attempt = progress.attempt;
            m_sink(experiment::Warning{"The teacher did not learn its first pairs and starts again from seed " + std::to_string(m_training.attemptSeed()) + "."});
        }
        if (step == 0 || (step % m_stride != 0 && step != m_training.totalSteps()))
            return;
        m_sink(experiment::Metric{"teacher/loss", step, tokens, progress.loss, "nats"});
        m_sink(experiment::Metric{"teacher/recall", step, tokens, progress.runningRecall, ""});
        m_sink(experiment::Metric{"teacher/pairs", step, tokens, static_cast<double>(progress.pairs), ""});
    }

private:
    experiment::EventSink m_sink;
    const TeacherTraining &m_training;
    ProgressMeter m_meter;
    std::int64_t m_stride, m_attempt = 0;
};

distillation::TrainingLoopOptions trainingLoop(const nlohmann::json &spec, const StageRun &run, const std::string &key, TeacherReport &report)
{
    distillation::TrainingLoopOptions loop = checkpointedLoop(spec, run, key, run.checkpoints(key));
    loop.onStep = [&report] { report.afterStep(); };
    return loop;
}

/// What the trained teacher can do, on held-out sequences, and how it came to be.
nlohmann::json teacherRecord(const nlohmann::json &spec, TeacherTraining &training, const ComputeSettings &settings, const std::stop_token &stop)
{
    const evaluation::RecallAccuracy accuracy = evaluation::recallAccuracy(training.model(), training.heldOut(), settings.computeType, 32, stop);
    const TeacherProgress &progress = training.progress();
    return {{"kind", "train-teacher"},
            {"spec", spec},
            {"seed", training.attemptSeed()},
            {"restarts", progress.attempt},
            {"first_pairs_learned_at_step", progress.grewAt},
            {"solved_at_step", progress.solvedAt},
            {"solved", progress.solvedAt >= 0},
            {"steps", training.step()},
            {"tokens", training.tokens()},
            {"recall", accuracy.recall},
            {"filler_accuracy", accuracy.filler},
            {"filler_ceiling", spec.at("data").at("recall").at("filler_likely_probability")},
            {"n", accuracy.numSequences},
            {"recall_without_attention", recallWithoutEachAttention(training.model(), training.heldOut(), settings.computeType, stop)}};
}

}  // namespace

StageResult trainTeacher(const nlohmann::json &spec, StageRun &run)
{
    checkTeacherTask(spec);
    const ComputeSettings settings = computeSettings(spec);
    const std::string key = experiment::stageKey(spec, {}, settings.deviceClass(), settings.typeText());
    sayStarted(run, spec, key, settings);
    return reuseOrCompute(run, "train-teacher", key, [&](const std::filesystem::path &output) {
        const text::RecallMix task = recallTask(spec.at("data"));
        std::vector<text::RecallSequence> heldOut;
        for (std::int64_t i = 0; i < spec.at("data").at("held_out_sequences").get<std::int64_t>(); ++i)
            heldOut.push_back(heldOutRecall(task, i));
        TeacherTraining training(teacherPlan(spec, settings), std::move(heldOut));
        TeacherReport report(run, training, spec.at("steps").get<std::int64_t>());
        distillation::runTraining(training, trainingLoop(spec, run, key, report));
        training.model().requireGrad(false);
        nlohmann::json record = teacherRecord(spec, training, settings, run.stop);
        if (!record.at("solved").get<bool>())
            run.sink(experiment::Warning{"The teacher's recall is " + std::to_string(record.at("recall").get<double>()) + " after all its steps, below the " +
                                         std::to_string(spec.at("stopping").at("recall").get<double>()) + " that count as solved."});
        writeTeacherFolder(training.model(), task, record, output / modelFolder);
        record["model"] = "artifacts/" + key + "/" + modelFolder;
        return record;
    });
}

}  // namespace stillroom::procedures
