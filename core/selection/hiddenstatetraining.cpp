// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/hiddenstatetraining.h"

#include "distillation/batchplaces.h"
#include "distillation/gradients.h"
#include "distillation/nonfinite.h"
#include "distillation/parameters.h"
#include "error.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace stillroom::selection {
namespace {

using distillation::Batch;

/// Σ_t ‖h_T - h_S‖² / Σ_t ‖h_T‖² over counted tokens, by sequence.
at::Tensor relativeError_B(const at::Tensor &teacher_BTD, const at::Tensor &student_BTD, const at::Tensor &counted_BT1)
{
    const at::ScalarType type = student_BTD.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    // where, not a product: what stands at other tokens may be NaN, and must not reach the gradient either.
    const at::Tensor zero = at::zeros({}, student_BTD.options().dtype(type));
    const at::Tensor target_BTD = at::where(counted_BT1, teacher_BTD.to(type), zero), output_BTD = at::where(counted_BT1, student_BTD.to(type), zero);
    return (target_BTD - output_BTD).square().sum(at::IntArrayRef({1, 2})) / target_BTD.square().sum(at::IntArrayRef({1, 2}));
}

void checkTraining(const HiddenStateTrainingOptions &options)
{
    if (options.steps < 1)
        throw Error(ErrorCode::Usage, "the training on hidden states has " + std::to_string(options.steps) + " steps: give 1 or more");
    if (options.microBatchSequences < 0 || !(options.clipNorm >= 0.0))
        throw Error(ErrorCode::Usage, "micro-batch and clipping norm of the training on hidden states must be 0 or more");
    (void)distillation::learningRateFactor(options.schedule, 0, options.steps);
}

}  // namespace

AlignedStates parseAlignedStates(const std::string &text)
{
    if (text == "final")
        return AlignedStates::Final;
    if (text == "every-layer")
        return AlignedStates::Every;
    throw Error(ErrorCode::Usage, "there are no hidden states \"" + text + "\" to align: choose final or every-layer");
}

at::Tensor hiddenError_B(const nn::Transformer &teacher, const nn::Transformer &student, const Batch &batch, const HiddenErrorOptions &options)
{
    const at::Device device = teacher.device();
    const at::Tensor counted_BT = distillation::countedTokens(batch);
    if (!counted_BT.any(1).all().item<bool>())
        throw Error(ErrorCode::Usage, "a sequence has no token that counts: leave it out");
    const at::Tensor counted_BT1 = counted_BT.to(device).unsqueeze(-1);
    const nn::TokenPlaces places = distillation::placesOf(batch, device);
    const std::size_t numLayers = teacher.blocks.size();
    nn::ForwardOptions teacherForward, studentForward;
    teacherForward.stop = studentForward.stop = options.stop;
    studentForward.checkpointBlocks = options.checkpointBlocks;
    at::Tensor target_BTD = teacher.embed(batch.ids_BT, options.computeType), h_BTD = target_BTD;
    at::Tensor sum_B;
    for (std::size_t layer = 0; layer < numLayers; ++layer) {
        {
            const at::NoGradGuard noGrad;
            target_BTD = teacher.runBlocks(target_BTD, places, layer, layer + 1, teacherForward);
        }
        h_BTD = student.runBlocks(h_BTD, places, layer, layer + 1, studentForward);
        if (options.states == AlignedStates::Every && layer + 1 < numLayers) {
            const at::Tensor error_B = relativeError_B(target_BTD, h_BTD, counted_BT1);
            sum_B = sum_B.defined() ? sum_B + error_B : error_B;
        }
    }
    const at::Tensor last_B = relativeError_B(teacher.normFinal(target_BTD), student.normFinal(h_BTD), counted_BT1);
    return sum_B.defined() ? (sum_B + last_B) / static_cast<double>(numLayers) : last_B;
}

HiddenStateTraining::HiddenStateTraining(std::string kind, const nn::Transformer &teacher, distillation::BatchSource &source, HiddenStateTrainingOptions options)
    : m_kind(std::move(kind)), m_teacher(frozenHandles(teacher)), m_source(source), m_options(std::move(options))
{
    checkTraining(m_options);
}

void HiddenStateTraining::train(std::vector<distillation::TrainedParameter> parameters)
{
    m_optimizers.clear();
    m_optimizers.emplace_back(std::vector<distillation::ParameterGroup>{{m_kind, m_options.learningRate, m_options.weightDecay, std::move(parameters)}}, m_options.adamw);
}

void HiddenStateTraining::dropGradients() { m_optimizers.front().zeroGradients(); }

void HiddenStateTraining::advance(std::stop_token stop)
{
    nn::asStillroomError("The training on hidden states", [&] {
        if (m_step == m_options.steps)
            return;
        dropGradients();
        try {
            runStep(stop);
        } catch (...) {
            dropGradients();
            throw;
        }
        dropGradients();
    });
}

/// Leaves gradients of the batch's mean behind.
double HiddenStateTraining::hiddenErrorOf(const Batch &batch, const std::stop_token &stop) const
{
    const std::int64_t sequences = batch.ids_BT.size(0);
    const std::int64_t micro = m_options.microBatchSequences > 0 ? m_options.microBatchSequences : sequences;
    const HiddenErrorOptions options{m_options.states, m_options.computeType, m_options.checkpointBlocks, stop};
    double sum = 0.0;
    for (std::int64_t first = 0; first < sequences; first += micro) {
        const at::Tensor error_B = hiddenError_B(m_teacher, student(m_step), distillation::rowsOf(batch, first, std::min(micro, sequences - first)), options);
        sum += error_B.detach().sum(at::kDouble).item<double>();
        if (error_B.requires_grad())      // a step whose student has nothing that trains teaches nothing
            (error_B.sum() / static_cast<double>(sequences)).backward();
    }
    return sum / static_cast<double>(sequences);
}

void HiddenStateTraining::runStep(const std::stop_token &stop)
{
    m_nonFinite.reset();
    const Batch batch = m_source.batch(m_step);
    distillation::checkBatch(batch, m_teacher.embedding_VD.size(0));
    HiddenStateMetrics metrics;
    metrics.hiddenError = metrics.loss = hiddenErrorOf(batch, stop);
    if (const at::Tensor added = penalty(); added.defined()) {
        added.backward();
        metrics.loss += added.item<double>();
    }
    const at::NoGradGuard noGrad;
    const std::vector<distillation::GradientGroup> groups{{m_optimizers.front().gradients(0)}};
    metrics.gradientNorm = distillation::gradientNorms(groups).item<double>();
    if (!std::isfinite(metrics.loss) || !std::isfinite(metrics.gradientNorm)) {
        distillation::NonFiniteValues values = distillation::nonFiniteValues(m_optimizers.front());
        m_nonFinite = std::move(values.tensors);
        throw Error(ErrorCode::NonFinite, "the hidden-state loss or its gradient is not finite in step " + std::to_string(m_step) + ", first " + values.first +
                                              ": what the last good step left is kept; lower the learning rate, or compute in float32");
    }
    const std::vector<double> norms{metrics.gradientNorm};
    distillation::scaleAndClip(groups, norms, {}, m_options.clipNorm);
    m_optimizers.front().step(distillation::learningRateFactor(m_options.schedule, m_step, m_options.steps));
    afterUpdate();
    m_metrics = metrics;
    m_tokens += distillation::countedTokens(batch).sum().item<std::int64_t>();
    ++m_step;
}

distillation::TrainingState HiddenStateTraining::state(bool withOptimizer) const
{
    distillation::TrainingState state;
    state.kind = m_kind;
    state.step = m_step;
    state.tokens = m_tokens;
    if (m_metrics)
        state.scalarsJson = nlohmann::json{{"loss", m_metrics->loss}, {"hidden_error", m_metrics->hiddenError}, {"gradient_norm", m_metrics->gradientNorm}}.dump();
    distillation::addTrained(state, m_optimizers, withOptimizer);
    return state;
}

void HiddenStateTraining::restore(const distillation::TrainingState &state)
{
    distillation::restoreTrained(m_optimizers, state, m_kind, m_options.steps);
    try {
        const nlohmann::json scalars = nlohmann::json::parse(state.scalarsJson);
        m_metrics.reset();
        if (!scalars.empty())
            m_metrics = HiddenStateMetrics{scalars.at("loss"), scalars.at("hidden_error"), scalars.at("gradient_norm")};
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, "the checkpoint's losses are damaged: start afresh", error.what());
    }
    m_step = state.step;
    m_tokens = state.tokens;
}

std::vector<distillation::AlignedLayer> frozenMixers(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned)
{
    std::vector<distillation::AlignedLayer> frozen;
    for (int layer = 0; layer < static_cast<int>(teacher.blocks.size()); ++layer) {
        const auto found = std::find_if(aligned.begin(), aligned.end(), [&](const distillation::AlignedLayer &one) { return one.layer == layer; });
        if (found == aligned.end())
            throw Error(ErrorCode::Usage, "layer " + std::to_string(layer) + " has no aligned mixer: align every layer first");
        frozen.push_back({layer, found->mixer->clone()});
        frozen.back().mixer->visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.detach(); });
    }
    return frozen;
}

nn::Transformer frozenHandles(const nn::Transformer &model)
{
    nn::Transformer frozen = model;
    for (nn::Block &block : frozen.blocks)
        block.mixer = block.mixer->clone();
    frozen.visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.detach(); });
    return frozen;
}

}  // namespace stillroom::selection
