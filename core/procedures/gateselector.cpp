// SPDX-License-Identifier: GPL-3.0-or-later
// One gate a layer between softmax and linear attention, trained with all weights frozen.
#include "analysis/intervals.h"
#include "distillation/trainingloop.h"
#include "error.h"
#include "procedures/measuringmemory.h"
#include "procedures/modelargument.h"
#include "procedures/passkeybatches.h"
#include "procedures/progressmeter.h"
#include "procedures/selectors.h"
#include "procedures/stageoptions.h"
#include "seed.h"
#include "selection/gates.h"

#include <algorithm>
#include <array>

namespace stillroom::procedures {
namespace {

constexpr std::array<SelectorField, 1> gateFields{
    {{"gates", R"({"form": "clamp", "start": 0.5, "linearisation": 0.1, "hidden_states": "final", "learning_rate": 0.05, "data": "passkeys", "pairs": 4, "queries": 0,
                   "value_digits": 5, "answers_only": false, "runs": 3})"}}};

SelectorCost gateCost(const ScoringPlan &plan)
{
    const auto runs = plan.spec.at("gates").at("runs").get<std::int64_t>();
    return {.students = runs, .trainingTokens = runs * plan.spec.at("steps").get<std::int64_t>() * tokensPerStep(plan.spec), .lockStep = false};
}

selection::GateOptions gateOptions(const ScoringStage &stage)
{
    const nlohmann::json &wanted = stage.spec.at("gates");
    selection::GateOptions options;
    options.form = selection::parseGateForm(wanted.at("form").get<std::string>());
    options.start = wanted.at("start").get<double>();
    options.linearisation = wanted.at("linearisation").get<double>();
    options.training = hiddenStateOptions(stage.spec, stage.settings);
    options.training.states = selection::parseAlignedStates(wanted.at("hidden_states").get<std::string>());
    options.training.learningRate = wanted.at("learning_rate").get<double>();
    options.training.weightDecay = 0.0;      // a gate has no reason to fall towards 0 but the pull of linearisation
    return options;
}

/// The recall task's sequences are keys, values and questions already.
bool hidesPasskeys(const nlohmann::json &spec)
{
    return spec.at("gates").at("data") == "passkeys" && spec.at("data").at("source") != "recall-task";
}

text::PasskeyDocuments passkeys(const ScoringPlan &plan)
{
    const nlohmann::json &wanted = plan.spec.at("gates");
    text::PasskeyOptions options;
    options.pairs = wanted.at("pairs").get<std::int64_t>();
    options.queries = wanted.at("queries").get<std::int64_t>();
    options.valueDigits = wanted.at("value_digits").get<std::int64_t>();
    return {options, tokenizerOf(plan.files)};
}

void checkGatesSpec(const nlohmann::json &spec)
{
    if (hidesPasskeys(spec) && spec.at("data").at("source") != "text")
        throw Error(ErrorCode::Usage, "The field \"gates.data\" is passkeys, which are hidden in text: give data.source text, or set gates.data to corpus to train on the tokens as they are.");
}

/// Makes one document out of nothing: whether passkeys have room depends on the tokenizer and the length alone.
void checkGates(const ScoringPlan &plan)
{
    if (hidesPasskeys(plan.spec))
        (void)passkeys(plan).document(std::vector<text::TokenId>{0}, plan.spec.at("data").at("sequence_length").get<std::int64_t>(), 0, 0);
}

/// The data of one run: other sequences in another order than every other run's.
std::unique_ptr<distillation::BatchSource> gateData(const ScoringStage &stage, const StageRun &run, std::int64_t index)
{
    const nlohmann::json &data = stage.spec.at("data"), &wanted = stage.spec.at("gates");
    const std::uint64_t seed = seedFor(stage.spec.at("seed").get<std::uint64_t>(), "gate run", 0, index);
    const checkpoint::ModelFiles &files = stage.teacher.files;
    std::unique_ptr<distillation::BatchSource> source =
        openData(data, files, {stage.spec.at("batch_sequences").get<std::int64_t>(), seed, files.config.vocabSize, {}, run.stop}).training;
    if (!hidesPasskeys(stage.spec))
        return source;
    return std::make_unique<PasskeyBatches>(std::move(source), passkeys(stage), seed, wanted.at("answers_only").get<bool>());
}

void sayGates(const StageRun &run, const selection::GateTraining &training)
{
    if (!training.metrics())
        return;
    const auto say = [&](const std::string &series, double value, const char *unit) { run.sink(experiment::Metric{series, training.step(), training.tokens(), value, unit}); };
    say("gates/hidden-error", training.metrics()->hiddenError, "relative squared error");
    say("gates/loss", training.metrics()->loss, "");
    const std::vector<double> gates = training.gates();
    for (std::size_t layer = 0; layer < gates.size(); ++layer)
        say("gates/alpha/" + std::to_string(layer), gates[layer], "");
}

/// α by layer of one run, trained or taken from its checkpoint.
std::vector<double> trainedGates(const ScoringStage &stage, const StageRun &run, std::int64_t index)
{
    const std::unique_ptr<distillation::BatchSource> source = gateData(stage, run, index);
    selection::GateTraining training(stage.teacher.model, stage.aligned, *source, gateOptions(stage));
    ProgressMeter meter(run.sink, "gates, run " + std::to_string(index + 1));
    distillation::TrainingLoopOptions loop = checkpointedLoop(stage.spec, run, stage.key, run.checkpoints(stage.key) / ("gates-" + std::to_string(index)));
    loop.onStep = [&] {
        meter.update(training.step(), training.totalSteps(), training.tokens());
        sayGates(run, training);
    };
    distillation::runTraining(training, loop);
    return training.gates();
}

std::vector<experiment::LayerScore> gateScores(const ScoringStage &stage, const std::vector<std::vector<double>> &byRun, std::int64_t tokens)
{
    std::vector<experiment::LayerScore> scores;
    for (const int layer : stage.layers) {
        std::vector<double> gates;
        for (const std::vector<double> &run : byRun)
            gates.push_back(run[static_cast<std::size_t>(layer)]);
        experiment::LayerScore score = estimatedScore(stage, layer, analysis::estimate(gates));
        score.unit = "gate";
        score.higherIsBetter = true;
        score.tokens = tokens;
        scores.push_back(score);
    }
    return scores;
}

Scored scoreGates(const ScoringStage &stage, StageRun &run)
{
    Scored scored;
    const auto runs = stage.spec.at("gates").at("runs").get<std::int64_t>();
    std::vector<std::vector<double>> byRun;
    for (std::int64_t index = 0; index < runs; ++index) {
        byRun.push_back(trainedGates(stage, run, index));
        scored.scores = gateScores(stage, byRun, stage.spec.at("steps").get<std::int64_t>() * tokensPerStep(stage.spec));
        for (const experiment::LayerScore &score : scored.scores)
            run.sink(score);
    }
    scored.notes = {{"gates_by_run", byRun}};
    for (const int layer : stage.layers)
        if (runs > 1) {
            scored.samples.push_back({layer, {}});
            for (const std::vector<double> &gates : byRun)
                scored.samples.back().values.push_back(gates[static_cast<std::size_t>(layer)]);
        }
    scored.errorBarsOver = std::to_string(runs) + " runs on different data";
    if (runs == 1)
        scored.withoutErrorBars = "one run gives one gate a layer; gates.runs 2 or more measures how far runs on other data differ";
    scored.spent = gateCost(stage);
    return scored;
}

}  // namespace

extern const Selector gatesSelector;
constinit const Selector gatesSelector{
    .name = "gates",
    .help = "Keeps the layers whose gate between softmax and linear attention stays open when only the gates are trained.",
    .source = "FlashMorph (arXiv 2606.30562); form softmax: DASH (arXiv 2605.20936)",
    .costFormula = "runs · steps · batch tokens, each through the teacher, forward through both operators of every layer, and back to L numbers",
    .trains = true,
    .fields = gateFields,
    .checkSpec = checkGatesSpec,
    .check = checkGates,
    .cost = gateCost,
    .memory = nothingMeasured,
    .score = scoreGates,
};

}  // namespace stillroom::procedures
