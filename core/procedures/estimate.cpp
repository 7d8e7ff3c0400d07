// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/estimate.h"

#include "distillation/trainingmemory.h"
#include "error.h"
#include "experiment/spec.h"
#include "procedures/alignedlayers.h"
#include "procedures/calibrationoptions.h"
#include "procedures/finiteweights.h"
#include "procedures/initreference.h"
#include "procedures/keptlayers.h"
#include "procedures/selectors.h"
#include "procedures/stageoptions.h"
#include "procedures/teacherstage.h"
#include "selection/hybrid.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
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

/// Sequences of one forward pass in training.
std::int64_t rowsOfPass(const nlohmann::json &spec)
{
    const auto micro = spec.value("micro_batch_sequences", std::int64_t{0});
    return micro > 0 ? micro : spec.at("batch_sequences").get<std::int64_t>();
}

std::int64_t numParameters(nn::Transformer model)
{
    std::int64_t count = 0;
    model.visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { count += tensor.numel(); });
    return count;
}

/// Stage 1: one teacher pass, and forward and backward of every linear mixer, which take about as much as the teacher's pass each way.
void addAlignment(CostEstimate &cost, const nlohmann::json &spec, double secondsPerTeacherToken, std::int64_t mixerParameters)
{
    const std::int64_t tokens = spec.at("steps").get<std::int64_t>() * tokensPerStep(spec);
    cost.trainingTokens += tokens;
    cost.seconds += 3.0 * secondsPerTeacherToken * static_cast<double>(tokens);
    cost.memoryBytes = std::max(cost.memoryBytes, 16 * mixerParameters);
    cost.diskBytes += (2 * 12 + 4) * mixerParameters;   // two checkpoints with moments, and the result
}

/// Reading off the heads, with or without Phase 1, takes about four teacher passes over the tokens, measuring after Phase 2 about three more; Phase 2 runs the teacher once, keeps what every layer was given and made of it, and trains the mixers on that.
void addCalibration(CostEstimate &cost, const nlohmann::json &full, double secondsPerTeacherToken, std::int64_t mixerParameters, const checkpoint::ModelConfig &teacher)
{
    const std::int64_t tokens = full.at("sequences").get<std::int64_t>() * full.at("data").at("sequence_length").get<std::int64_t>();
    cost.forwardTokens = tokens;
    cost.diskBytes += 4 * mixerParameters;
    cost.seconds += (full.contains("phase_2") ? 7.0 : 4.0) * secondsPerTeacherToken * static_cast<double>(tokens);
    cost.memoryBytes = 4 * tokens * (7 * teacher.hiddenSize + teacher.intermediateSize);      // hidden states of all tokens, and six times as much for one layer
    if (full.at("taylor_error").get<bool>())
        cost.seconds += 4.0 * secondsPerTeacherToken * static_cast<double>(tokens);
    if (!full.contains("phase_2"))
        return;
    const std::int64_t trained = full.at("phase_2").at("steps").get<std::int64_t>() * tokens;
    cost.trainingTokens += trained;
    cost.seconds += 2.0 * secondsPerTeacherToken * static_cast<double>(trained);
    cost.memoryBytes = std::max(cost.memoryBytes, 20 * mixerParameters + 2 * 4 * tokens * teacher.numLayers * teacher.hiddenSize);
    cost.diskBytes += 2 * 16 * mixerParameters;      // weights, two moments, the best weights; two checkpoints
}

/// What a selector measures without training.
SelectorCost addMeasuring(CostEstimate &cost, const nlohmann::json &spec, const LoadedModel &teacher, double secondsPerTeacherToken)
{
    const Selector &selector = selectorNamed(spec.at("selector").get<std::string>());
    const SelectorCost selected = selector.cost(scoringPlan(spec, teacher.files));
    const int numLayers = teacher.files.config.numLayers;
    cost.forwardTokens = selected.forwardTokens(numLayers);
    cost.seconds += secondsPerTeacherToken * static_cast<double>(cost.forwardTokens);
    cost.selectorText = std::string(selector.name) + ": " + costText(selected, numLayers);
    return selected;
}

/// Students one after the other against the teacher's hidden states: its pass, theirs with both operators in a layer at most, and back to activations.
void addHiddenStateTraining(CostEstimate &cost, const nlohmann::json &spec, const ComputeSettings &settings, const nn::Transformer &teacher, const nn::Transformer &linear,
                            const SelectorCost &selected, double secondsPerTeacherToken)
{
    distillation::StageTwoOptions options = stageTwoOptions(spec, settings);
    options.trainable = distillation::Trainable::Mixers;
    const std::int64_t rows = rowsOfPass(spec);
    const auto length = spec.at("data").at("sequence_length").get<std::int64_t>();
    const auto one = distillation::studentBytes(linear, options, rows, length);
    cost.groupSize = 1;
    cost.trainingTokens += selected.trainingTokens;
    cost.seconds += 5.0 * secondsPerTeacherToken * static_cast<double>(selected.trainingTokens);
    cost.memoryBytes = std::max(cost.memoryBytes, distillation::sharedBytes(teacher, options, rows, length) + one.weights + one.gradients + one.moments + 2 * one.activations);
    cost.diskBytes += 2 * 3 * one.weights;
}

/// Refuses the start that a stage would refuse when it is there: an `init` that is no artifact of this teacher or holds other mixers, data that cannot be read, and
/// layers that would have no linear mixer. \param kept  softmax layers of a hybrid
void checkStart(const nlohmann::json &spec, const StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings, const experiment::LayerSet &kept)
{
    const auto kind = spec.at("kind").get<std::string>();
    checkData(spec.at("data"), teacher.files);
    const bool isScore = kind == "score", aligns = !isScore || selectorNamed(spec.at("selector").get<std::string>()).needsAligned;
    if (kind == "calibrate" || !aligns)
        return;
    if (kind == "distill" && static_cast<int>(kept.size()) == teacher.files.config.numLayers) {     // needs no linear mixer, but its key names the start
        (void)alignedKey(spec, run, teacher, settings);
        return;
    }
    std::vector<distillation::AlignedLayer> start;
    if (spec.contains("init")) {
        start = givenStart(spec, run, teacher, settings).layers;
    } else if (kind != "align") {
        const nlohmann::json alignment = experiment::alignmentSpec(spec);
        checkData(alignment.at("data"), teacher.files);
        start = freshMixers(teacher.model, alignment.at("mixer").at("kind").get<std::string>(), mixerOptionsJson(alignment), alignment.at("layers").get<std::vector<int>>(), 1);
    }
    if (kind == "align" && spec.contains("init"))
        (void)chosenLayers(start, spec.at("layers").get<std::vector<int>>());
    if (kind == "distill")
        (void)selection::hybrid(teacher.model, start, kept);
}

}  // namespace

bool isCostEstimated(std::string_view kind)
{
    return kind == "align" || kind == "calibrate" || kind == "score" || kind == "distill";
}

CostEstimate estimateCost(const nlohmann::json &named, const std::filesystem::path &workspace, const std::stop_token &stop)
{
    const nlohmann::json spec = withInitKeys(named, workspace);
    const auto kind = spec.at("kind").get<std::string>();
    if (!isCostEstimated(kind))
        throw Error(ErrorCode::Usage, "the cost of a spec of the kind " + kind + " is not estimated: align, calibrate, score and distill are");
    checkScorings(spec, workspace);
    const ComputeSettings settings = computeSettings(spec);
    goOnUnless(stop);
    LoadedModels models;
    const auto teacher = models.get(spec.at("teacher").get<std::string>(), workspace, settings.device);
    const auto length = spec.at("data").at("sequence_length").get<std::int64_t>();
    requireFiniteWeights(*teacher);
    const StageRun run{.workspace = workspace, .taskSink = {}, .sink = {}, .stop = stop};
    const experiment::LayerSet kept = kind == "distill" ? keptLayers(spec, run, teacher->files.config.numLayers) : experiment::LayerSet();
    checkStart(spec, run, *teacher, settings, kept);
    const std::int64_t rowsAtOnce = kind == "calibrate" ? spec.at("sequences").get<std::int64_t>() : rowsOfPass(spec);
    const double perToken = secondsPerToken(teacher->model, settings.computeType, rowsAtOnce, length, stop);
    goOnUnless(stop);
    const bool alignsAlone = kind == "align" || kind == "calibrate";
    const auto asked = alignsAlone ? spec.at("layers").get<std::vector<int>>() : std::vector<int>();
    const auto mixers = freshMixers(teacher->model, spec.at("mixer").at("kind").get<std::string>(), mixerOptionsJson(spec), asked, 1);
    const nn::Transformer linear = alignsAlone ? teacher->model : selection::hybrid(teacher->model, mixers, {});
    std::int64_t mixerParameters = 0;
    for (const distillation::AlignedLayer &one : mixers)
        one.mixer->visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { mixerParameters += tensor.numel(); });

    CostEstimate cost;
    if (kind == "align") {
        addAlignment(cost, spec, perToken, mixerParameters);
    } else if (kind == "calibrate") {
        const nlohmann::json full = withCalibrationPhases(spec);
        checkCalibration(full, teacher->model, mixers);
        addCalibration(cost, full, perToken, mixerParameters, teacher->files.config);
    } else {
        const SelectorCost selected = kind == "score" ? addMeasuring(cost, spec, *teacher, perToken) : SelectorCost{};
        const bool aligns = kind == "distill" ? static_cast<int>(kept.size()) < teacher->files.config.numLayers : selectorNamed(spec.at("selector").get<std::string>()).needsAligned;
        if (aligns && !spec.contains("init"))
            addAlignment(cost, experiment::alignmentSpec(spec), perToken, mixerParameters);
        const std::int64_t students = kind == "distill" ? 1 : selected.students;
        if (students > 0 && !selected.lockStep) {
            addHiddenStateTraining(cost, spec, settings, teacher->model, linear, selected, perToken);
        } else if (students > 0) {
            const distillation::StageTwoOptions options = stageTwoOptions(spec, settings);
            const std::int64_t rows = rowsOfPass(spec);
            const auto one = distillation::studentBytes(linear, options, rows, length);
            const std::int64_t shared = distillation::sharedBytes(teacher->model, options, rows, length);
            const auto most = static_cast<int>(std::min<std::int64_t>(students, std::numeric_limits<int>::max()));
            const int given = kind == "score" ? spec.at("group_size").get<int>() : 1;
            cost.groupSize = given > 0 ? std::min(given, most) : distillation::lockStepGroup(availableBytes(settings.device) / 5 * 4, one, shared, most);
            const std::int64_t tokens = kind == "distill" ? spec.at("steps").get<std::int64_t>() * tokensPerStep(spec) : selected.trainingTokens;
            cost.trainingTokens += tokens;
            cost.seconds += perToken * static_cast<double>(tokens) * (3.6 + 1.0 / cost.groupSize);
            cost.memoryBytes = std::max(cost.memoryBytes, shared + cost.groupSize * one.total());
            cost.diskBytes += (2 * 12 * cost.groupSize + (kind == "distill" ? 4 : 0)) * numParameters(linear);
        }
    }
    cost.memoryBytes += 4 * (numParameters(teacher->model) + mixerParameters);
    return cost;
}

}  // namespace stillroom::procedures
