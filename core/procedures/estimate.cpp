// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/estimate.h"

#include "distillation/trainingmemory.h"
#include "error.h"
#include "experiment/spec.h"
#include "largeblocks.h"
#include "mixers/modelsize.h"
#include "procedures/calibrationoptions.h"
#include "procedures/measuringmemory.h"
#include "procedures/selectors.h"
#include "procedures/stageoptions.h"
#include "procedures/stagestart.h"
#include "procedures/teacherstage.h"
#include "procedures/trainingdata.h"
#include "selection/hybrid.h"
#include "selection/residual.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <limits>

namespace stillroom::procedures {
namespace {

void goOnUnless(const std::stop_token &stop)
{
    if (stop.stop_requested())
        throw Error(ErrorCode::Cancelled, "the timing was stopped");
}

constexpr double longestTimedSeconds = 1.0;       // of one pass: the answer is waited for
constexpr std::int64_t mostTimedTokens = 8192;    // of one pass: more take memory and say no more

/// Of the teacher's forward pass over `rows` sequences.
double secondsOfPass(const nn::Transformer &teacher, at::ScalarType computeType, std::int64_t rows, std::int64_t length)
{
    const c10::NoGradGuard noGradients;
    const at::Tensor ids_BT = at::zeros({rows, length}, at::TensorOptions(at::kLong)).to(teacher.device());
    const auto start = std::chrono::steady_clock::now();
    // Reading one number makes a GPU finish.
    (void)teacher.logits(teacher.forward(ids_BT, {}, computeType).hidden_BTD).sum().item<double>();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds of the teacher's forward pass per token. A short sequence of a small model mostly waits for calls, so where there is time for it
/// as many rows are timed as a step trains on: first one row, which also warms up, then as many of them as fit into longestTimedSeconds.
double secondsPerToken(const nn::Transformer &teacher, at::ScalarType computeType, std::int64_t rows, std::int64_t length, const std::stop_token &stop)
{
    length = std::min<std::int64_t>(length, 256);
    goOnUnless(stop);
    const double first = secondsOfPass(teacher, computeType, 1, length);
    goOnUnless(stop);
    const double second = secondsOfPass(teacher, computeType, 1, length);
    const auto fitting = static_cast<std::int64_t>(longestTimedSeconds / std::max(std::min(first, second), 1e-9));
    rows = std::clamp<std::int64_t>(std::min(fitting, mostTimedTokens / length), 1, rows);
    goOnUnless(stop);
    const double whole = rows > 1 ? secondsOfPass(teacher, computeType, rows, length) : second;
    return whole / static_cast<double>(rows * length);
}

/// Reading off the heads, with or without Phase 1, takes about four teacher passes over the tokens, measuring after Phase 2 about three more; Phase 2 runs the teacher once, keeps what every layer was given and made of it, and trains the mixers on that.
void addCalibration(CostEstimate &cost, const nlohmann::json &full, double secondsPerTeacherToken, std::int64_t mixerParameters, const checkpoint::ModelConfig &teacher)
{
    const auto [tokens, trained, measured] = calibrationTokens(full);
    cost.forwardTokens = tokens + measured;
    cost.diskBytes += 4 * mixerParameters;
    cost.seconds += secondsPerTeacherToken * static_cast<double>((full.contains("phase_2") ? 7 : 4) * tokens + measured);
    cost.memoryBytes = 4 * tokens * (7 * teacher.hiddenSize + teacher.intermediateSize);      // hidden states of all tokens, and six times as much for one layer
    if (full.at("taylor_error").get<bool>())
        cost.seconds += 4.0 * secondsPerTeacherToken * static_cast<double>(tokens);
    if (!full.contains("phase_2"))
        return;
    cost.trainingTokens += trained;
    cost.seconds += 2.0 * secondsPerTeacherToken * static_cast<double>(trained);
    cost.memoryBytes = std::max(cost.memoryBytes, 20 * mixerParameters + 2 * 4 * tokens * teacher.numLayers * teacher.hiddenSize);
    cost.diskBytes += 2 * 16 * mixerParameters;      // weights, two moments, the best weights; two checkpoints
}

/// What the cost of one spec follows from.
struct Costing {
    const StageStart &start;
    nn::Transformer student;              ///< with every mixer of the start in place
    std::int64_t mixerParameters = 0;     ///< of all of them
    double secondsPerTeacherToken = 0.0;
    bool isAligned = false;               ///< its own stage 1 is in the workspace already

    [[nodiscard]] const nlohmann::json &spec() const { return start.spec; }
    [[nodiscard]] const nn::Transformer &teacher() const { return start.teacher->model; }
    [[nodiscard]] std::int64_t length() const { return spec().at("data").at("sequence_length").get<std::int64_t>(); }
};

/// Whether a score or distill spec holds a stage 1 of its own, which needs a layer to align.
bool hasOwnAlignment(const StageStart &start)
{
    const auto kind = start.spec.at("kind").get<std::string>();
    return (kind == "score" || kind == "distill") && !start.mixers.empty() && !start.spec.contains("init");
}

constexpr std::int64_t programBytes = 140'000'000;      // LibTorch's code and tables, a tokenizer; in the CPU's memory, measured

/// The process's memory, where so much is in use at once beside the teacher's weights. On the CPU freed blocks wait to be taken again, up to a share that largeblocks.h
/// keeps to; what they are larger than asked for, and gaps between small tensors in the heap, are not counted. Measured in stage 1 of ten layers of SmolLM2-135M at
/// 16 × 512 tokens: 1.68 GB resident, the program among them, where 1.40 were in use at once.
std::int64_t processBytes(std::int64_t bytesInUse, const StageStart &start)
{
    const std::int64_t inUse = 4 * mixers::modelSize(start.teacher->model.config).parameters + bytesInUse;
    return start.settings.device.is_cpu() ? static_cast<std::int64_t>(LargeBlocks::largestShareHeld * static_cast<double>(inUse)) + programBytes : inUse;
}

/// Stage 1: one teacher pass, and forward and backward of every linear mixer, which take about as much as the teacher's pass each way. At its end the residuals on the
/// held-out set: the teacher's pass and that of every mixer.
void addAlignment(CostEstimate &cost, const nlohmann::json &spec, const Costing &costing)
{
    const nlohmann::json &data = spec.at("data");
    const std::int64_t tokens = spec.at("steps").get<std::int64_t>() * tokensPerStep(spec), length = costing.length();
    const auto heldOut = data.at("held_out_sequences").get<std::int64_t>();
    cost.trainingTokens += tokens;
    cost.forwardTokens += 2 * heldOut * length;
    cost.seconds += costing.secondsPerTeacherToken * static_cast<double>(3 * tokens + 2 * heldOut * length);
    const distillation::StageOneOptions options = stageOneOptions(spec, costing.start.settings);
    const bool documents = hasDocuments(data);
    const std::int64_t training = distillation::alignmentBytes(costing.teacher(), costing.start.mixers, options, rowsOfPass(spec), length, documents);
    const std::int64_t measuring = selection::residualBytes(costing.teacher(), costing.student, options.computeType, std::min(heldOut, heldOutRows), length, documents);
    cost.memoryBytes = std::max(cost.memoryBytes, 16 * costing.mixerParameters + std::max(training, measuring));      // weights of its own, gradients, two moments
    cost.diskBytes += (2 * 12 + 4) * costing.mixerParameters;   // two checkpoints with moments, and the result
}

/// What a selector takes to measure, weights left out.
std::int64_t measuringBytes(const Selector &selector, const ScoringPlan &plan, const Costing &costing)
{
    const MeasuringBytes bytes = selector.memory({plan, costing.teacher(), costing.student, costing.start.settings.computeType});
    return bytes.kept + bytes.passing;
}

/// What a selector measures without training.
SelectorCost addMeasuring(CostEstimate &cost, const Selector &selector, const ScoringPlan &plan, const Costing &costing)
{
    const SelectorCost selected = selector.cost(plan);
    cost.forwardTokens = selected.forwardTokens(plan.numLayers());
    cost.seconds += costing.secondsPerTeacherToken * static_cast<double>(cost.forwardTokens);
    cost.selectorText = std::string(selector.name) + ": " + costText(selected, plan.numLayers());
    cost.memoryBytes = std::max(cost.memoryBytes, measuringBytes(selector, plan, costing));
    return selected;
}

Costing costingOf(const StageStart &start, const StageRun &run, double secondsPerTeacherToken)
{
    experiment::LayerSet softmax = start.kept;
    std::int64_t mixerParameters = 0;
    for (const distillation::AlignedLayer &one : start.mixers)
        mixerParameters += one.mixer->numParameters();
    for (int layer = 0; layer < start.teacher->files.config.numLayers; ++layer)
        if (std::none_of(start.mixers.begin(), start.mixers.end(), [&](const distillation::AlignedLayer &one) { return one.layer == layer; }))
            softmax.push_back(layer);
    std::sort(softmax.begin(), softmax.end());
    softmax.erase(std::unique(softmax.begin(), softmax.end()), softmax.end());
    const bool isAligned = hasOwnAlignment(start) && finishedStage(run, alignKey(experiment::alignmentSpec(start.spec), *start.teacher, start.settings, run.stop));
    return {start, selection::hybrid(start.teacher->model, start.mixers, softmax), mixerParameters, secondsPerTeacherToken, isAligned};
}

/// Students one after the other against the teacher's hidden states: its pass, theirs with both operators in a layer at most, and back to activations.
void addHiddenStateTraining(CostEstimate &cost, const Costing &costing, std::int64_t trainingTokens)
{
    distillation::StageTwoOptions options = stageTwoOptions(costing.spec(), costing.start.settings);
    options.trainable = distillation::Trainable::Mixers;
    const std::int64_t rows = rowsOfPass(costing.spec());
    const auto one = distillation::studentBytes(costing.student, options, rows, costing.length());
    cost.groupSize = 1;
    cost.trainingTokens += trainingTokens;
    cost.seconds += 5.0 * costing.secondsPerTeacherToken * static_cast<double>(trainingTokens);
    cost.memoryBytes = std::max(cost.memoryBytes, distillation::sharedBytes(costing.teacher(), options, rows, costing.length()) + one.weights + one.gradients + one.moments + 2 * one.activations);
    cost.diskBytes += 2 * 3 * one.weights;
}

/// Stage 2 of students in lock-step, of which a hybrid is one alone.
void addLockStepTraining(CostEstimate &cost, const Costing &costing, std::int64_t students, std::int64_t trainingTokens)
{
    const nlohmann::json &spec = costing.spec();
    const bool isHybrid = spec.at("kind") == "distill";
    const distillation::StageTwoOptions options = stageTwoOptions(spec, costing.start.settings);
    const std::int64_t rows = rowsOfPass(spec);
    const auto one = distillation::studentBytes(costing.student, options, rows, costing.length());
    const std::int64_t shared = distillation::sharedBytes(costing.teacher(), options, rows, costing.length());
    const auto most = static_cast<int>(std::min<std::int64_t>(students, std::numeric_limits<int>::max()));
    const int given = isHybrid ? 1 : spec.at("group_size").get<int>();
    cost.groupSize = given > 0 ? std::min(given, most) : distillation::lockStepGroup(availableBytes(costing.start.settings.device) / 5 * 4, one, shared, most);
    cost.trainingTokens += trainingTokens;
    cost.seconds += costing.secondsPerTeacherToken * static_cast<double>(trainingTokens) * (3.6 + 1.0 / cost.groupSize);
    cost.memoryBytes = std::max(cost.memoryBytes, shared + cost.groupSize * one.total());
    cost.diskBytes += (2 * 12 * cost.groupSize + (isHybrid ? 4 : 0)) * mixers::modelSize(costing.student.config).parameters;
}

void addOwnAlignment(CostEstimate &cost, const Costing &costing)
{
    if (costing.isAligned)
        cost.reused.emplace_back("align");
    else if (hasOwnAlignment(costing.start))
        addAlignment(cost, experiment::alignmentSpec(costing.spec()), costing);
}

void addScoring(CostEstimate &cost, const Costing &costing)
{
    const Selector &selector = selectorNamed(costing.spec().at("selector").get<std::string>());
    const SelectorCost selected = addMeasuring(cost, selector, scoringPlan(costing.spec(), costing.start.teacher->files), costing);
    addOwnAlignment(cost, costing);
    if (selected.students > 0 && selected.lockStep)
        addLockStepTraining(cost, costing, selected.students, selected.trainingTokens);
    else if (selected.students > 0)
        addHiddenStateTraining(cost, costing, selected.trainingTokens);
}

void addDistillation(CostEstimate &cost, const Costing &costing)
{
    addOwnAlignment(cost, costing);
    addLockStepTraining(cost, costing, 1, costing.spec().at("steps").get<std::int64_t>() * tokensPerStep(costing.spec()));
}

CostEstimate estimated(const Costing &costing)
{
    const nlohmann::json &spec = costing.spec();
    const auto kind = spec.at("kind").get<std::string>();
    CostEstimate cost;
    if (kind == "align")
        addAlignment(cost, spec, costing);
    else if (kind == "calibrate")
        addCalibration(cost, withCalibrationPhases(spec), costing.secondsPerTeacherToken, costing.mixerParameters, costing.start.teacher->files.config);
    else if (kind == "score")
        addScoring(cost, costing);
    else
        addDistillation(cost, costing);
    cost.memoryBytes = processBytes(cost.memoryBytes + 4 * costing.mixerParameters, costing.start);
    return cost;
}

/// What of a device's memory is free before anything is loaded; 0 where that cannot be said.
std::int64_t freeBytesOf(const nlohmann::json &spec)
{
    try {
        return availableBytes(statedSettings(spec).device);
    } catch (const Error &) {      // said where the memory decides something
        return 0;
    }
}

std::string gigabytes(std::int64_t bytes)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f GB", static_cast<double>(bytes) / 1e9);
    return text.data();
}

}  // namespace

bool isCostEstimated(std::string_view kind)
{
    return startsFromTeacher(kind);
}

CalibrationTokens calibrationTokens(const nlohmann::json &full)
{
    const nlohmann::json &data = full.at("data");
    const auto length = data.at("sequence_length").get<std::int64_t>(), sequences = data.at("held_out_sequences").get<std::int64_t>();
    const bool aligns = full.contains("phase_2");
    const std::int64_t moments = 1 + std::int64_t{full.contains("phase_1")} + std::int64_t{aligns};
    CalibrationTokens tokens;
    tokens.read = full.at("sequences").get<std::int64_t>() * length;
    tokens.trained = aligns ? full.at("phase_2").at("steps").get<std::int64_t>() * tokens.read : 0;
    tokens.measured = (2 * sequences + 2 * moments * std::min(sequences, heldOutRows)) * length;
    return tokens;
}

CostEstimate estimateCost(const nlohmann::json &spec, const std::filesystem::path &workspace, const std::stop_token &stop, EarlierStages earlier)
{
    const auto kind = spec.at("kind").get<std::string>();
    if (!isCostEstimated(kind))
        throw Error(ErrorCode::Usage, "the cost of a spec of the kind " + kind + " is not estimated: align, calibrate, score and distill are");
    goOnUnless(stop);
    const std::int64_t freeBytes = freeBytesOf(spec);
    LoadedModels models;
    const StageRun run{.workspace = workspace, .taskSink = {}, .sink = {}, .stop = stop, .resume = earlier.resume, .fresh = earlier.fresh, .models = &models};
    const StageStart start = stageStart(spec, run);
    if (finishedStage(run, start.key)) {
        CostEstimate nothing;
        nothing.memoryBytes = processBytes(0, start);      // for its hash
        nothing.freeBytes = freeBytes;
        nothing.reused = {kind};
        return nothing;
    }
    const std::int64_t rowsAtOnce = kind == "calibrate" ? spec.at("sequences").get<std::int64_t>() : rowsOfPass(spec);
    const auto length = spec.at("data").at("sequence_length").get<std::int64_t>();
    const double perToken = secondsPerToken(start.teacher->model, start.settings.computeType, rowsAtOnce, length, stop);
    goOnUnless(stop);
    CostEstimate cost = estimated(costingOf(start, run, perToken));
    cost.freeBytes = freeBytes;
    return cost;
}

std::string memoryWarning(const CostEstimate &cost, std::string_view kind)
{
    if (cost.freeBytes == 0 || cost.memoryBytes <= cost.freeBytes)
        return {};
    const char *ofScoring = cost.groupSize > 0 ? "--group-size, --micro-batch-sequences" : "--data.held-out-sequences";      // below a batch of them
    const char *remedy = kind == "calibrate" ? "--sequences" : kind == "score" ? ofScoring : kind == "distill" ? "--micro-batch-sequences" : "--batch-sequences, --data.held-out-sequences";
    return "The run needs about " + gigabytes(cost.memoryBytes) + " of memory, but " + gigabytes(cost.freeBytes) + " are free here: lower " + remedy + " or --data.sequence-length, or take a machine with more.";
}

}  // namespace stillroom::procedures
