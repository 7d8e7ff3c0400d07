// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/stageone.h"

#include "distillation/batchplaces.h"
#include "distillation/gradients.h"
#include "distillation/parameters.h"
#include "error.h"
#include "nn/torcherror.h"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>
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
    (void)learningRateFactor(options.schedule, 0, options.steps);
}

/// A copy whose weights are its own and train.
AlignedLayer ownCopy(const AlignedLayer &student)
{
    AlignedLayer copy{student.layer, student.mixer->clone()};
    copy.mixer->visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) {
        tensor = tensor.detach().clone(at::MemoryFormat::Contiguous).requires_grad_(true);
    });
    return copy;
}

AdamW optimizerFor(const AlignedLayer &student, const StageOneOptions &options)
{
    ParameterGroup group{"layer." + std::to_string(student.layer), options.learningRate, options.weightDecay, {}};
    student.mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits traits) {
        group.parameters.push_back({"layers." + std::to_string(student.layer) + "." + name, tensor, traits});
    });
    return AdamW({group}, options.adamw);
}

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
            {"gradient_norm", metrics.gradientNorm}, {"best_loss", metrics.bestLoss}};
}

StageOneMetrics stageOneMetrics(const nlohmann::json &json)
{
    return {json.at("layer"), json.at("loss"), json.at("relative_mse"), json.at("cosine"), json.at("gradient_norm"), json.at("best_loss")};
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
        m_layers.push_back(ownCopy(student));
    }
    std::sort(m_layers.begin(), m_layers.end(), [](const AlignedLayer &a, const AlignedLayer &b) { return a.layer < b.layer; });
    for (std::size_t i = 1; i < m_layers.size(); ++i)
        if (m_layers[i].layer == m_layers[i - 1].layer)
            throw Error(ErrorCode::Usage, "Layer " + std::to_string(m_layers[i].layer) + " is given twice.");
    for (const AlignedLayer &layer : m_layers)
        m_optimizers.push_back(optimizerFor(layer, m_options));
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
        try {
            std::vector<WindowSums> sums(m_layers.size());
            const std::int64_t sequences = batch.ids_BT.size(0);
            const std::int64_t micro = m_options.microBatchSequences > 0 ? m_options.microBatchSequences : sequences;
            for (std::int64_t first = 0; first < sequences; first += micro)
                forwardBackward(rowsOf(batch, first, std::min(micro, sequences - first)), sums, stop);
            finishStep(sums, counted);
        } catch (...) {
            dropGradients();
            throw;
        }
        dropGradients();
    });
}

void StageOne::forwardBackward(const Batch &micro, std::vector<WindowSums> &sums, const std::stop_token &stop) const
{
    const at::NoGradGuard noGrad;
    const at::Device device = m_teacher.device();
    const nn::TokenPlaces places = placesOf(micro, device);
    const at::Tensor counted_BT = countedTokens(micro).to(device);
    at::Tensor h_BTD = m_teacher.embed(micro.ids_BT, m_options.computeType);
    std::size_t next = 0;   // block the residual stream stands before
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const auto layer = static_cast<std::size_t>(m_layers[i].layer);
        nn::ForwardOptions options;
        options.stop = stop;
        h_BTD = m_teacher.runBlocks(h_BTD, places, next, layer, options);
        options.keepMixerInputs = options.keepMixerOutputs = true;
        nn::ForwardResult kept;
        h_BTD = m_teacher.runBlocks(h_BTD, places, layer, layer + 1, options, &kept);
        next = layer + 1;
        // Backward at once: no other layer's graph is alive.
        const at::AutoGradMode gradOn(true);
        const at::Tensor output_BTD = m_layers[i].mixer->forward(kept.mixerInputs_BTD[0], places, nullptr);
        const OutputLossSums loss = outputLossSums(m_options.loss, kept.mixerOutputs_BTD[0], output_BTD, counted_BT);
        loss.numerator.backward();
        sums[i].numerator = runningSum(sums[i].numerator, loss.numerator);
        sums[i].errorSquares = runningSum(sums[i].errorSquares, loss.errorSquares);
        sums[i].targetSquares = runningSum(sums[i].targetSquares, loss.targetSquares);
        sums[i].cosineSum = runningSum(sums[i].cosineSum, loss.cosineSum);
    }
}

void StageOne::finishStep(const std::vector<WindowSums> &sums, std::int64_t countedTokens)
{
    const at::NoGradGuard noGrad;
    std::vector<GradientGroup> groups;
    std::vector<at::Tensor> numerators, errors, targets, cosines;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        groups.push_back({m_optimizers[i].gradients(0)});
        numerators.push_back(sums[i].numerator);
        errors.push_back(sums[i].errorSquares);
        targets.push_back(sums[i].targetSquares);
        cosines.push_back(sums[i].cosineSum);
    }
    const auto numbers = bringHome({at::stack(numerators), at::stack(errors), at::stack(targets), at::stack(cosines), gradientNorms(groups)}, m_layers.size());

    const std::int64_t width = m_teacher.embedding_VD.size(1);
    std::vector<StageOneMetrics> metrics;
    std::vector<double> scales;
    double squares = 0.0;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const double scale = 1.0 / outputLossDenominator(m_options.loss, numbers[2][i], countedTokens, width);
        StageOneMetrics one{m_layers[i].layer, numbers[0][i] * scale, numbers[1][i] / numbers[2][i], numbers[3][i] / static_cast<double>(countedTokens), numbers[4][i] * scale, 0.0};
        if (!std::isfinite(one.loss) || !std::isfinite(one.gradientNorm))
            throw Error(ErrorCode::NonFinite, "Stage 1's loss or gradient of layer " + std::to_string(one.layer) + " is not finite in step " + std::to_string(m_step)
                                                  + "; the weights of the last good step are kept. Lower the learning rate, or compute in float32.");
        one.bestLoss = m_metrics.empty() ? one.loss : std::min(one.loss, m_metrics[i].bestLoss);
        scales.push_back(m_options.globalClip ? scale / static_cast<double>(m_layers.size()) : scale);
        squares += std::pow(numbers[4][i] * scales.back(), 2);
        metrics.push_back(one);
    }
    if (m_options.globalClip && m_options.clipNorm > 0.0)
        for (double &scale : scales)
            scale *= std::min(1.0, m_options.clipNorm / (std::sqrt(squares) + 1e-6));
    scaleAndClip(groups, numbers[4], scales, m_options.globalClip ? 0.0 : m_options.clipNorm);
    const double factor = learningRateFactor(m_options.schedule, m_step, m_options.steps);
    for (AdamW &optimizer : m_optimizers)
        optimizer.step(factor);
    m_metrics = std::move(metrics);
    m_tokens += countedTokens;
    ++m_step;
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
    state.scalarsJson = nlohmann::json{{"metrics", metrics}}.dump();
    addTrained(state, m_optimizers, withOptimizer);
    return state;
}

void StageOne::restore(const TrainingState &state)
{
    restoreTrained(m_optimizers, state, "stage-1", m_options.steps);
    try {
        const nlohmann::json scalars = nlohmann::json::parse(state.scalarsJson);
        m_metrics.clear();
        for (const nlohmann::json &one : scalars.at("metrics"))
            m_metrics.push_back(stageOneMetrics(one));
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, "The checkpoint's losses are damaged; start afresh.", error.what());
    }
    if (!m_metrics.empty() && m_metrics.size() != m_layers.size())
        throw Error(ErrorCode::BadFile, "The checkpoint holds the losses of other layers; start afresh.");
    m_step = state.step;
    m_tokens = state.tokens;
}

}  // namespace stillroom::distillation
