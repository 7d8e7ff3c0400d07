// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/stageoptions.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::procedures {
namespace {

/// What the training fields of every kind say (`training` in kinds.cpp), for whichever stage.
template <typename Options>
void setTraining(Options &options, const nlohmann::json &spec, const ComputeSettings &settings)
{
    options.weightDecay = spec.at("weight_decay").get<double>();
    options.adamw = adamwOptions(spec);
    options.schedule = scheduleOptions(spec);
    options.clipNorm = spec.at("clip_norm").get<double>();
    options.steps = spec.at("steps").get<std::int64_t>();
    options.microBatchSequences = spec.at("micro_batch_sequences").get<std::int64_t>();
    options.computeType = settings.computeType;
}

}  // namespace

distillation::AdamWOptions adamwOptions(const nlohmann::json &spec)
{
    return {spec.at("beta1").get<double>(), spec.at("beta2").get<double>(), spec.at("eps").get<double>()};
}

distillation::Schedule scheduleOptions(const nlohmann::json &spec)
{
    distillation::Schedule made;
    made.kind = distillation::parseScheduleKind(spec.at("schedule").get<std::string>());
    made.warmupSteps = spec.at("warmup_steps").get<std::int64_t>();
    made.minimumRatio = spec.at("min_lr_ratio").get<double>();
    made.decayShare = spec.at("decay_fraction").get<double>();
    return made;
}

std::int64_t rowsOfPass(const nlohmann::json &spec)
{
    const auto batch = spec.at("batch_sequences").get<std::int64_t>(), micro = spec.value("micro_batch_sequences", std::int64_t{0});
    return micro > 0 ? std::min(micro, batch) : batch;
}

distillation::StageOneOptions stageOneOptions(const nlohmann::json &alignment, const ComputeSettings &settings)
{
    distillation::StageOneOptions options;
    options.loss = distillation::parseOutputLoss(alignment.at("loss").get<std::string>());
    options.learningRate = alignment.at("learning_rate").get<double>();
    setTraining(options, alignment, settings);
    return options;
}

distillation::StageTwoOptions stageTwoOptions(const nlohmann::json &spec, const ComputeSettings &settings)
{
    distillation::StageTwoOptions options;
    options.trainable = spec.at("train") == "mixers" ? distillation::Trainable::Mixers : distillation::Trainable::All;
    options.fastGroup = spec.at("fast_group") == "published" ? distillation::FastGroup::Attention : distillation::FastGroup::NewMixers;
    options.mixerLearningRate = spec.at("learning_rate_mixers").get<double>();
    options.restLearningRate = spec.at("learning_rate_rest").get<double>();
    setTraining(options, spec, settings);
    options.checkpointBlocks = spec.at("checkpoint_blocks").get<bool>();
    options.temperature = spec.at("temperature").get<double>();
    options.crossEntropyWeight = spec.at("ce_weight").get<double>();
    options.reverseKlWeight = spec.at("reverse_kl_weight").get<double>();
    options.headBudgetBytes = spec.at("kl_budget_mb").get<std::int64_t>() * 1024 * 1024;
    return options;
}

selection::HiddenStateTrainingOptions hiddenStateOptions(const nlohmann::json &spec, const ComputeSettings &settings)
{
    selection::HiddenStateTrainingOptions options;
    setTraining(options, spec, settings);
    options.checkpointBlocks = spec.at("checkpoint_blocks").get<bool>();
    return options;
}

distillation::TrainingLoopOptions checkpointedLoop(const nlohmann::json &spec, const StageRun &run, const std::string &key, const std::filesystem::path &checkpoints)
{
    distillation::TrainingLoopOptions loop;
    loop.checkpointFolder = checkpoints;
    loop.key = key;
    loop.checkpointSeconds = spec.at("checkpoint_interval_seconds").get<double>();
    loop.stop = run.stop;
    loop.onCheckpoint = [sink = run.sink, workspace = run.workspace](std::int64_t step, std::int64_t tokens, const std::filesystem::path &path) {
        sink(experiment::CheckpointSaved{step, tokens, std::filesystem::relative(path, workspace).string()});
    };
    return loop;
}

std::vector<std::int64_t> evaluationTokens(const nlohmann::json &spec, std::int64_t tokensPerStep)
{
    const std::int64_t end = spec.at("steps").get<std::int64_t>() * tokensPerStep;
    std::vector<std::int64_t> tokens = spec.value("evaluate_at_tokens", std::vector<std::int64_t>());
    if (tokens.empty()) {
        const auto count = spec.at("evaluations").get<std::int64_t>();
        const auto steps = spec.at("steps").get<std::int64_t>();
        for (std::int64_t i = 1; i <= count; ++i)
            tokens.push_back((steps * i + count - 1) / count * tokensPerStep);
    }
    for (const std::int64_t always : {std::int64_t{0}, end})
        tokens.push_back(always);
    std::erase_if(tokens, [&](std::int64_t at) { return at > end; });
    std::sort(tokens.begin(), tokens.end());
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    return tokens;
}

}  // namespace stillroom::procedures
