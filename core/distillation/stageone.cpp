// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/stageone.h"

#include "distillation/batchplaces.h"
#include "distillation/gradients.h"
#include "distillation/nonfinite.h"
#include "distillation/parameters.h"
#include "error.h"
#include "nn/torcherror.h"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <nlohmann/json.hpp>

namespace stillroom::distillation {

/// One layer's sums over the micro-batches of a step: float64 scalars on the device.
struct StageOne::WindowSums {
    at::Tensor numerator, errorSquares, targetSquares, cosineSum;
};

namespace {

void check(const StageOneOptions &options)
{
    if (options.steps < 1)
        throw Error(ErrorCode::Usage, "Stage 1 has " + std::to_string(options.steps) + " steps; give 1 or more.");
    if (options.microBatchSequences < 0 || !(options.clipNorm >= 0.0))
        throw Error(ErrorCode::Usage, "Stage 1's micro-batch and clipping norm must be 0 or more.");
    if (options.patienceSteps < 0 || !(options.leastImprovement >= 0.0 && options.leastImprovement < 1.0))
        throw Error(ErrorCode::Usage, "Stage 1's patience must be 0 or more steps, and the improvement it waits for 0 to below 1.");
    (void)learningRateFactor(options.schedule, 0, options.steps);
}

double baseRate(const StageOneOptions &options, int layer, const std::string &parameter)
{
    return options.learningRateOf ? options.learningRateOf(layer, parameter) : options.learningRate;
}

/// A copy whose weights are its own; those with a learning rate train.
AlignedLayer ownCopy(const AlignedLayer &student, const StageOneOptions &options)
{
    AlignedLayer copy{student.layer, student.mixer->clone()};
    copy.mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        tensor = tensor.detach().clone(at::MemoryFormat::Contiguous).requires_grad_(!options.learningRateOf || baseRate(options, student.layer, name) > 0.0);
    });
    return copy;
}

/// One group for each learning rate, in the order of their first parameters.
AdamW optimizerFor(const AlignedLayer &student, const StageOneOptions &options)
{
    std::vector<ParameterGroup> groups;
    student.mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits traits) {
        if (!tensor.requires_grad())
            return;
        const double rate = baseRate(options, student.layer, name);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const ParameterGroup &one) { return one.learningRate == rate; });
        if (group == groups.end())
            group = groups.insert(groups.end(), {"layer." + std::to_string(student.layer), rate, options.weightDecay, {}});
        traits.weightDecay = traits.weightDecay || options.decayAll;
        group->parameters.push_back({"layers." + std::to_string(student.layer) + "." + name, tensor, traits});
    });
    if (groups.empty())
        throw Error(ErrorCode::Usage, "No parameter of layer " + std::to_string(student.layer) + " has a learning rate above 0.");
    return AdamW(std::move(groups), options.adamw);
}

std::vector<TrainedParameter> trainedBy(const AdamW &optimizer)
{
    std::vector<TrainedParameter> all;
    for (const ParameterGroup &group : optimizer.groups())
        all.insert(all.end(), group.parameters.begin(), group.parameters.end());
    return all;
}

std::string bestName(const std::string &parameter) { return "best." + parameter; }

at::Tensor runningSum(const at::Tensor &sum, const at::Tensor &term)
{
    const at::Tensor wide = term.detach().to(at::kDouble);
    return sum.defined() ? sum + wide : wide;
}

/// Brings everything that a step's decision needs home in one transfer: rows of [numerator, error², target², cosine, gradient norm] by layer.
std::vector<std::vector<double>> bringHome(const std::vector<at::Tensor> &rows, std::size_t numLayers)
{
    const at::Tensor numbers = at::stack(rows).to(at::kCPU).contiguous();
    std::vector<std::vector<double>> result;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const double *first = numbers.data_ptr<double>() + row * numLayers;
        result.emplace_back(first, first + numLayers);
    }
    return result;
}

nlohmann::json toJson(const StageOneMetrics &metrics)
{
    return {{"layer", metrics.layer}, {"loss", metrics.loss}, {"relative_mse", metrics.relativeMse}, {"cosine", metrics.cosine},
            {"gradient_norm", metrics.gradientNorm}, {"best_loss", metrics.bestLoss}, {"best_step", metrics.bestStep}, {"best_relative_mse", metrics.bestRelativeMse},
            {"best_cosine", metrics.bestCosine}, {"stopped", metrics.stopped}};
}

StageOneMetrics stageOneMetrics(const nlohmann::json &json)
{
    return {json.at("layer"), json.at("loss"), json.at("relative_mse"), json.at("cosine"), json.at("gradient_norm"), json.at("best_loss"),
            json.value("best_step", std::int64_t{0}), json.value("best_relative_mse", 0.0), json.value("best_cosine", 0.0), json.value("stopped", false)};
}

}  // namespace

StageOne::StageOne(const nn::Transformer &teacher, const std::vector<AlignedLayer> &students, BatchSource &source, StageOneOptions options)
    : m_teacher(teacher), m_source(source), m_options(std::move(options))
{
    check(m_options);
    if (students.empty())
        throw Error(ErrorCode::Usage, "Stage 1 has no layer to align.");
    for (const AlignedLayer &student : students) {
        if (student.layer < 0 || static_cast<std::size_t>(student.layer) >= m_teacher.blocks.size())
            throw Error(ErrorCode::Usage, "There is no layer " + std::to_string(student.layer) + "; the teacher's are 0 to " + std::to_string(m_teacher.blocks.size() - 1) + ".");
        m_layers.push_back(ownCopy(student, m_options));
    }
    std::sort(m_layers.begin(), m_layers.end(), [](const AlignedLayer &a, const AlignedLayer &b) { return a.layer < b.layer; });
    for (std::size_t i = 1; i < m_layers.size(); ++i)
        if (m_layers[i].layer == m_layers[i - 1].layer)
            throw Error(ErrorCode::Usage, "Layer " + std::to_string(m_layers[i].layer) + " is given twice.");
    for (const AlignedLayer &layer : m_layers)
        m_optimizers.push_back(optimizerFor(layer, m_options));
    m_patience.resize(m_layers.size());
    m_best.resize(m_layers.size());
}

std::int64_t StageOne::totalSteps() const
{
    return activeLayers().empty() ? m_step : m_options.steps;
}

std::vector<std::size_t> StageOne::activeLayers() const
{
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i < m_layers.size(); ++i)
        if (!m_patience[i].stopped)
            active.push_back(i);
    return active;
}

void StageOne::advance(std::stop_token stop)
{
    nn::asStillroomError("Stage 1", [&] {
        const Batch batch = m_source.batch(m_step);
        checkBatch(batch, m_teacher.embedding_VD.size(0));
        const auto counted = countedTokens(batch).sum().item<std::int64_t>();
        if (counted == 0)
            throw Error(ErrorCode::Usage, "The batch of step " + std::to_string(m_step) + " has no token that counts.");
        dropGradients();
        m_nonFinite.reset();
        try {
            std::vector<WindowSums> sums(m_layers.size());
            const std::int64_t sequences = batch.ids_BT.size(0);
            const std::int64_t micro = m_options.microBatchSequences > 0 ? m_options.microBatchSequences : sequences;
            std::size_t index = 0;
            for (std::int64_t first = 0; first < sequences; first += micro)
                forwardBackward(rowsOf(batch, first, std::min(micro, sequences - first)), index++, sums, stop);
            finishStep(sums, counted);
        } catch (...) {
            dropGradients();
            throw;
        }
        dropGradients();
    });
}

void StageOne::forwardBackward(const Batch &micro, std::size_t microIndex, std::vector<WindowSums> &sums, const std::stop_token &stop)
{
    const at::NoGradGuard noGrad;
    const at::Device device = m_teacher.device();
    const nn::TokenPlaces places = placesOf(micro, device);
    const at::Tensor counted_BT = countedTokens(micro).to(device);
    if (microIndex < m_fixed.size()) {
        for (const std::size_t i : activeLayers()) {
            nn::throwIfStopped(stop);
            layerBackward(i, m_fixed[microIndex][i], places, counted_BT, sums[i]);
        }
        return;
    }
    nn::ResidualStream stream(m_teacher, micro.ids_BT, places, m_options.computeType, stop);
    std::vector<nn::MixerValues> targets(m_layers.size());
    for (const std::size_t i : activeLayers()) {
        const nn::MixerValues target = stream.through(static_cast<std::size_t>(m_layers[i].layer));
        layerBackward(i, target, places, counted_BT, sums[i]);
        if (m_options.fixedBatch)
            targets[i] = target;
    }
    if (m_options.fixedBatch)
        m_fixed.push_back(std::move(targets));
}

/// Backward at once: no other layer's graph is alive.
void StageOne::layerBackward(std::size_t index, const nn::MixerValues &target, const nn::TokenPlaces &places, const at::Tensor &counted_BT, WindowSums &sums) const
{
    const at::AutoGradMode gradOn(true);
    const at::Tensor output_BTD = m_layers[index].mixer->forward(target.x_BTD, places, nullptr);
    const OutputLossSums loss = outputLossSums(m_options.loss, target.y_BTD, output_BTD, counted_BT);
    loss.numerator.backward();
    sums.numerator = runningSum(sums.numerator, loss.numerator);
    sums.errorSquares = runningSum(sums.errorSquares, loss.errorSquares);
    sums.targetSquares = runningSum(sums.targetSquares, loss.targetSquares);
    sums.cosineSum = runningSum(sums.cosineSum, loss.cosineSum);
}

void StageOne::finishStep(const std::vector<WindowSums> &sums, std::int64_t countedTokens)
{
    const at::NoGradGuard noGrad;
    const std::vector<std::size_t> active = activeLayers();
    std::vector<GradientGroup> groups;
    std::vector<at::Tensor> numerators, errors, targets, cosines;
    for (const std::size_t i : active) {
        groups.push_back({m_optimizers[i].gradients()});
        numerators.push_back(sums[i].numerator);
        errors.push_back(sums[i].errorSquares);
        targets.push_back(sums[i].targetSquares);
        cosines.push_back(sums[i].cosineSum);
    }
    const auto numbers = bringHome({at::stack(numerators), at::stack(errors), at::stack(targets), at::stack(cosines), gradientNorms(groups)}, active.size());

    const std::int64_t width = m_teacher.embedding_VD.size(1);
    std::vector<StageOneMetrics> metrics;
    std::vector<double> scales;
    double squares = 0.0;
    for (std::size_t a = 0; a < active.size(); ++a) {
        const double scale = 1.0 / outputLossDenominator(m_options.loss, numbers[2][a], countedTokens, width);
        StageOneMetrics one;
        one.layer = m_layers[active[a]].layer;
        one.loss = numbers[0][a] * scale;
        one.relativeMse = numbers[1][a] / numbers[2][a];
        one.cosine = numbers[3][a] / static_cast<double>(countedTokens);
        one.gradientNorm = numbers[4][a] * scale;
        if (!std::isfinite(one.loss) || !std::isfinite(one.gradientNorm)) {
            NonFiniteValues values = nonFiniteValues(m_optimizers[active[a]]);
            m_nonFinite = std::move(values.tensors);
            throw Error(ErrorCode::NonFinite, "Stage 1's loss or gradient of layer " + std::to_string(one.layer) + " is not finite in step " + std::to_string(m_step)
                                                  + ", first " + values.first + "; the weights of the last good step are kept. Lower the learning rate, or compute in float32.");
        }
        scales.push_back(m_options.globalClip ? scale / static_cast<double>(active.size()) : scale);
        squares += std::pow(numbers[4][a] * scales.back(), 2);
        metrics.push_back(one);
    }
    if (m_options.globalClip && m_options.clipNorm > 0.0)
        for (double &scale : scales)
            scale *= std::min(1.0, m_options.clipNorm / (std::sqrt(squares) + 1e-6));
    scaleAndClip(groups, numbers[4], scales, m_options.globalClip ? 0.0 : m_options.clipNorm);
    const double factor = learningRateFactor(m_options.schedule, m_step, m_options.steps);
    m_metrics.resize(m_layers.size());
    for (std::size_t a = 0; a < active.size(); ++a) {
        noteBest(metrics[a], active[a]);   // before the update: the loss was measured with these weights
        m_optimizers[active[a]].step(factor);
        if (m_options.bestAfterUpdate && m_options.restoreBest && metrics[a].bestStep == m_step)
            keepWeights(active[a]);
        m_metrics[active[a]] = metrics[a];
    }
    m_tokens += countedTokens;
    ++m_step;
    endLayers();
}

/// Compares a step's loss with what came before it.
void StageOne::noteBest(StageOneMetrics &metrics, std::size_t index)
{
    const StageOneMetrics &before = m_metrics[index];
    const bool first = m_step == 0;
    if (first || metrics.loss < before.bestLoss) {
        metrics.bestLoss = metrics.loss;
        metrics.bestStep = m_step;
        metrics.bestRelativeMse = metrics.relativeMse;
        metrics.bestCosine = metrics.cosine;
        if (m_options.restoreBest && !m_options.bestAfterUpdate)
            keepWeights(index);
    } else {
        metrics.bestLoss = before.bestLoss;
        metrics.bestStep = before.bestStep;
        metrics.bestRelativeMse = before.bestRelativeMse;
        metrics.bestCosine = before.bestCosine;
    }
    Patience &patience = m_patience[index];
    if (first || metrics.loss < patience.loss * (1.0 - m_options.leastImprovement))
        patience = {metrics.loss, m_step, false};
    metrics.stopped = m_options.patienceSteps > 0 && m_step - patience.step >= m_options.patienceSteps;
}

void StageOne::keepWeights(std::size_t index)
{
    const std::vector<TrainedParameter> trained = trainedBy(m_optimizers[index]);
    std::vector<at::Tensor> &best = m_best[index];
    if (best.empty())
        for (const TrainedParameter &parameter : trained)
            best.push_back(at::empty_like(parameter.tensor.detach()));
    for (std::size_t i = 0; i < trained.size(); ++i)
        best[i].copy_(trained[i].tensor.detach());
}

/// Layers that ran out of patience, or all after the last step, get what is to be left of them.
void StageOne::endLayers()
{
    for (const std::size_t i : activeLayers()) {
        m_patience[i].stopped = m_metrics[i].stopped;
        if (!m_metrics[i].stopped && m_step < m_options.steps)
            continue;
        const std::vector<TrainedParameter> trained = trainedBy(m_optimizers[i]);
        for (std::size_t parameter = 0; parameter < m_best[i].size(); ++parameter)
            trained[parameter].tensor.detach().copy_(m_best[i][parameter]);
        m_best[i].clear();
    }
}

void StageOne::dropGradients()
{
    for (AdamW &optimizer : m_optimizers)
        optimizer.zeroGradients();
}

double StageOne::learningRate() const
{
    return m_step == 0 ? 0.0 : m_options.learningRate * learningRateFactor(m_options.schedule, m_step - 1, m_options.steps);
}

TrainingState StageOne::state(bool withOptimizer) const
{
    TrainingState state;
    state.kind = "stage-1";
    state.step = m_step;
    state.tokens = m_tokens;
    nlohmann::json metrics = nlohmann::json::array();
    for (const StageOneMetrics &one : m_metrics)
        metrics.push_back(toJson(one));
    nlohmann::json patience = nlohmann::json::array();
    for (const Patience &one : m_patience)
        patience.push_back({{"loss", one.loss}, {"step", one.step}, {"stopped", one.stopped}});
    state.scalarsJson = nlohmann::json{{"metrics", metrics}, {"patience", patience}}.dump();
    addTrained(state, m_optimizers, withOptimizer);
    for (std::size_t i = 0; i < m_best.size(); ++i) {
        const std::vector<TrainedParameter> trained = trainedBy(m_optimizers[i]);
        for (std::size_t parameter = 0; parameter < m_best[i].size(); ++parameter)
            state.weights.emplace_back(bestName(trained[parameter].name), m_best[i][parameter]);
    }
    return state;
}

void StageOne::restoreScalars(const std::string &scalarsJson)
{
    try {
        const nlohmann::json scalars = nlohmann::json::parse(scalarsJson);
        m_metrics.clear();
        m_patience.assign(m_layers.size(), {});
        for (const nlohmann::json &one : scalars.at("metrics"))
            m_metrics.push_back(stageOneMetrics(one));
        const nlohmann::json none = nlohmann::json::array();   // a checkpoint from before there was patience
        const nlohmann::json &patience = scalars.contains("patience") ? scalars.at("patience") : none;
        for (std::size_t i = 0; i < patience.size(); ++i)
            m_patience.at(i) = {patience[i].at("loss"), patience[i].at("step"), patience[i].at("stopped")};
    } catch (const std::exception &error) {
        throw Error(ErrorCode::BadFile, "The checkpoint's losses are damaged; start afresh.", error.what());
    }
    if (!m_metrics.empty() && m_metrics.size() != m_layers.size())
        throw Error(ErrorCode::BadFile, "The checkpoint holds the losses of other layers; start afresh.");
}

void StageOne::restoreBestWeights(const TrainingState &state)
{
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        m_best[i].clear();
        if (!m_options.restoreBest || m_patience[i].stopped || state.step == 0 || state.step == m_options.steps)
            continue;
        for (const TrainedParameter &parameter : trainedBy(m_optimizers[i])) {
            const auto found = std::find_if(state.weights.begin(), state.weights.end(), [&](const NamedTensor &one) { return one.first == bestName(parameter.name); });
            if (found == state.weights.end() || found->second.sizes() != parameter.tensor.sizes())
                throw Error(ErrorCode::BadFile, "The checkpoint lacks the best weights so far of layer " + std::to_string(m_layers[i].layer) + "; start afresh.");
            m_best[i].push_back(found->second.to(parameter.tensor.options().requires_grad(false)).clone());
        }
    }
}

void StageOne::restore(const TrainingState &state)
{
    restoreScalars(state.scalarsJson);
    restoreTrained(m_optimizers, state, "stage-1", activeLayers().empty() ? state.step : m_options.steps);
    restoreBestWeights(state);
    m_fixed.clear();
    m_step = state.step;
    m_tokens = state.tokens;
}

}  // namespace stillroom::distillation
