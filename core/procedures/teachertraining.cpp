// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/teachertraining.h"

#include "distillation/gradients.h"
#include "distillation/nonfinite.h"
#include "error.h"
#include "evaluation/recall.h"
#include "nn/zeromixer.h"
#include "nn/torcherror.h"
#include "seed.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace stillroom::procedures {
namespace {

constexpr const char *stateKind = "train-teacher";
constexpr std::int64_t roomBesidePairs = 16;   // tokens at least for queries and fillers

void checkPlan(const TeacherPlan &plan, std::int64_t taskVocabulary)
{
    if (plan.config.vocabSize < taskVocabulary)
        throw Error(ErrorCode::Usage, "the recall task has " + std::to_string(taskVocabulary) + " symbols, but the teacher's vocabulary only " + std::to_string(plan.config.vocabSize));
    if (plan.config.maxPositions < plan.task.length)
        throw Error(ErrorCode::Usage, "the recall task has " + std::to_string(plan.task.length) + " tokens, but the teacher's context only " + std::to_string(plan.config.maxPositions));
    if (plan.steps < 1 || plan.batchSequences < 1 || plan.evaluateEvery < 1 || plan.startPairs < 1)
        throw Error(ErrorCode::Usage, "a teacher's training needs at least one step, one sequence, one pair and a distance of measurements of one step or more");
}

/// Sequence length of the task while it has `pairs` pairs: in a straight line from the start to the full task, with room for queries.
std::int64_t lengthFor(const TeacherPlan &plan, std::int64_t pairs)
{
    const std::int64_t full = plan.task.length;
    if (!plan.curriculum || pairs >= plan.task.pairs)
        return full;
    const double share = static_cast<double>(pairs - plan.startPairs) / static_cast<double>(plan.task.pairs - plan.startPairs);
    const auto straight = static_cast<std::int64_t>(static_cast<double>(plan.startLength) + share * static_cast<double>(full - plan.startLength));
    return std::min(full, std::max(straight, 2 * pairs + roomBesidePairs));
}

}  // namespace

/// Sequences of one step with their targets' weights in the loss.
struct TeacherTraining::StepBatch {
    at::Tensor ids_BT;        ///< int64
    at::Tensor weight_BS;     ///< float, S = T-1 predicted tokens; sums to 1 + otherTokensWeight
    at::Tensor recall_BS;     ///< bool: the token is a value that was asked for
};

TeacherTraining::TeacherTraining(TeacherPlan plan, std::vector<text::RecallSequence> heldOut) : m_plan(std::move(plan)), m_task(m_plan.task), m_heldOut(std::move(heldOut))
{
    checkPlan(m_plan, m_task.vocabSize());
    startAttempt();
}

std::int64_t TeacherTraining::totalSteps() const
{
    const std::int64_t attemptSteps = m_progress.solvedAt >= 0 ? std::min(m_plan.steps, m_progress.solvedAt + m_plan.extraSteps) : m_plan.steps;
    return m_step - m_progress.attemptStep + attemptSteps;
}

void TeacherTraining::startAttempt()
{
    nn::asStillroomError("Starting the teacher", [&] {
        m_model = startTeacher(m_plan.config, m_plan.start, attemptSeed());
        m_model.moveTo(m_plan.device);
        m_model.requireGrad(true);
        makeOptimizer();
    });
    m_progress = {.attempt = m_progress.attempt};
    m_progress.pairs = m_plan.curriculum ? std::min(m_plan.startPairs, m_plan.task.pairs) : m_plan.task.pairs;
    m_progress.length = lengthFor(m_plan, m_progress.pairs);
}

void TeacherTraining::makeOptimizer()
{
    distillation::ParameterGroup group{"teacher", m_plan.learningRate, m_plan.weightDecay, {}};
    m_model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits traits) { group.parameters.push_back({name, tensor, traits}); });
    m_optimizer = std::make_unique<distillation::AdamW>(std::vector{std::move(group)}, m_plan.adamw);
}

std::int64_t TeacherTraining::stepSequences() const
{
    return std::max(m_plan.batchSequences, m_plan.batchTokens / m_progress.length);
}

TeacherTraining::StepBatch TeacherTraining::drawBatch() const
{
    const std::int64_t length = m_progress.length, rows = stepSequences();
    const std::uint64_t stream = seedFor(attemptSeed(), "teacher training", 0, m_progress.attemptStep);
    StepBatch batch;
    batch.ids_BT = at::empty({rows, length}, at::TensorOptions(at::kLong));
    const at::Tensor recall = at::zeros({rows, length - 1}, at::TensorOptions(at::kBool)), known = at::zeros_like(recall);
    for (std::int64_t row = 0; row < rows; ++row) {
        const text::RecallSequence sequence = m_task.sequence(stream, row, m_progress.pairs, length);
        std::copy(sequence.ids.begin(), sequence.ids.end(), batch.ids_BT.data_ptr<std::int64_t>() + row * length);
        for (std::int64_t t = 0; t + 1 < length; ++t) {
            const text::RecallTarget target = sequence.targets[static_cast<std::size_t>(t)];
            recall.data_ptr<bool>()[row * (length - 1) + t] = target == text::RecallTarget::Recall;
            known.data_ptr<bool>()[row * (length - 1) + t] = target != text::RecallTarget::None;
        }
    }
    const auto numKnown = static_cast<double>(known.sum().item<std::int64_t>()), numOthers = static_cast<double>(known.numel()) - numKnown;
    const at::Tensor known_BS = known.to(at::kFloat);
    batch.weight_BS = known_BS / std::max(1.0, numKnown) + (1.0 - known_BS) * (m_plan.otherTokensWeight / std::max(1.0, numOthers));
    batch.recall_BS = recall;
    for (at::Tensor *tensor : {&batch.ids_BT, &batch.weight_BS, &batch.recall_BS})
        *tensor = tensor->to(m_plan.device);
    return batch;
}

double TeacherTraining::learningRateFactor() const
{
    const double factor = distillation::learningRateFactor(m_plan.schedule, m_progress.attemptStep, m_plan.steps);
    if (m_progress.solvedAt < 0)
        return factor;
    return factor * (1.0 - static_cast<double>(m_progress.attemptStep - m_progress.solvedAt) / static_cast<double>(m_plan.extraSteps));
}

void TeacherTraining::learnRows(const StepBatch &rows, const std::stop_token &stop, double &loss, std::int64_t &right) const
{
    nn::ForwardOptions options;
    options.stop = stop;
    options.checkpointBlocks = m_plan.checkpointBlocks;
    const at::Tensor hidden_BTD = m_model.forward(rows.ids_BT, {}, m_plan.computeType, options).hidden_BTD;
    const std::int64_t predicted = rows.ids_BT.size(1) - 1;
    const at::Tensor next_BS = rows.ids_BT.narrow(1, 1, predicted);
    const at::Tensor logits_BSV = m_model.logits(hidden_BTD.narrow(1, 0, predicted)).to(at::kFloat);
    const at::Tensor nats = at::cross_entropy_loss(logits_BSV.flatten(0, 1), next_BS.flatten(), {}, at::Reduction::None);
    const at::Tensor part = nats.dot(rows.weight_BS.flatten());
    part.backward();
    loss += part.item<double>();
    right += (logits_BSV.argmax(-1) == next_BS).logical_and(rows.recall_BS).sum().item<std::int64_t>();
}

void TeacherTraining::refuseNonFinite(const char *what)
{
    distillation::NonFiniteValues values = distillation::nonFiniteValues(*m_optimizer);
    m_nonFinite = std::move(values.tensors);
    throw Error(ErrorCode::NonFinite, std::string("the teacher's ") + what + " is not finite at step " + std::to_string(m_step) + ", first " + values.first + ": lower the learning rate");
}

double TeacherTraining::learn(const StepBatch &batch, const std::stop_token &stop)
{
    m_optimizer->zeroGradients();
    m_nonFinite.reset();
    const std::int64_t rows = batch.ids_BT.size(0), micro = m_plan.microBatchSequences > 0 ? m_plan.microBatchSequences : rows;
    double loss = 0.0;
    std::int64_t right = 0;
    for (std::int64_t first = 0; first < rows; first += micro) {
        const std::int64_t count = std::min(micro, rows - first);
        learnRows({batch.ids_BT.narrow(0, first, count), batch.weight_BS.narrow(0, first, count), batch.recall_BS.narrow(0, first, count)}, stop, loss, right);
    }
    if (!std::isfinite(loss))
        refuseNonFinite("loss");
    m_progress.loss = loss;
    const auto asked = batch.recall_BS.sum().item<std::int64_t>();
    return asked > 0 ? static_cast<double>(right) / static_cast<double>(asked) : m_progress.runningRecall;
}

void TeacherTraining::advance(std::stop_token stop)
{
    // What was reached is looked at before a step and follows from the weights alone: a stop in between loses nothing.
    noteWhetherSolved(stop);
    if (m_step >= totalSteps())
        return;
    restartIfStuck();
    nn::asStillroomError("Training the teacher", [&] {
        const double recall = learn(drawBatch(), stop);
        const distillation::GradientGroup group{m_optimizer->gradients(0)};
        const std::span<const distillation::GradientGroup> groups(&group, 1);
        const std::vector<double> norms{distillation::gradientNorms(groups).item<double>()};
        if (!std::isfinite(norms.front()))
            refuseNonFinite("gradient");
        distillation::scaleAndClip(groups, norms, {}, m_plan.clipNorm);
        m_optimizer->step(learningRateFactor());
        m_optimizer->zeroGradients();
        m_tokens += m_progress.length * stepSequences();
        ++m_step;
        ++m_progress.attemptStep;
        growTask(recall);
    });
}

void TeacherTraining::restartIfStuck()
{
    const bool stuck = m_plan.restartStep > 0 && m_progress.grewAt < 0 && m_progress.attemptStep >= m_plan.restartStep;
    if (!stuck || m_progress.pairs >= m_plan.task.pairs)
        return;
    if (m_progress.attempt >= m_plan.restarts)
        throw Error(ErrorCode::Failed, "the teacher did not learn its first " + std::to_string(m_progress.pairs) + " pairs within " + std::to_string(m_plan.restartStep) +
                                           " steps from any of " + std::to_string(m_plan.restarts + 1) + " seeds: try another seed or learning rate");
    ++m_progress.attempt;
    startAttempt();
}

void TeacherTraining::growTask(double recall)
{
    m_progress.runningRecall = m_plan.runningAverage * m_progress.runningRecall + (1.0 - m_plan.runningAverage) * recall;
    if (m_progress.pairs >= m_plan.task.pairs || m_progress.runningRecall <= m_plan.growThreshold)
        return;
    if (m_progress.grewAt < 0)
        m_progress.grewAt = m_progress.attemptStep;
    const auto grown = static_cast<std::int64_t>(m_plan.growth * static_cast<double>(m_progress.pairs));
    m_progress.pairs = std::min(m_plan.task.pairs, std::max(m_progress.pairs + 1, grown));
    m_progress.length = lengthFor(m_plan, m_progress.pairs);
    m_progress.runningRecall = 0.0;   // the new size has to be learned before it grows again
}

void TeacherTraining::noteWhetherSolved(const std::stop_token &stop)
{
    if (m_progress.solvedAt >= 0 || m_progress.pairs < m_plan.task.pairs || m_progress.attemptStep % m_plan.evaluateEvery != 0)
        return;
    if (evaluation::recallAccuracy(m_model, m_heldOut, m_plan.computeType, m_plan.batchSequences, stop).recall > m_plan.solvedRecall)
        m_progress.solvedAt = m_progress.attemptStep;
}

distillation::TrainingState TeacherTraining::state(bool withOptimizer) const
{
    distillation::TrainingState state;
    state.kind = stateKind;
    state.step = m_step;
    state.tokens = m_tokens;
    state.scalarsJson = nlohmann::json{{"attempt", m_progress.attempt}, {"attempt_step", m_progress.attemptStep}, {"pairs", m_progress.pairs}, {"length", m_progress.length},
                                       {"running_recall", m_progress.runningRecall}, {"loss", m_progress.loss}, {"grew_at", m_progress.grewAt}, {"solved_at", m_progress.solvedAt}}
                            .dump();
    nn::Transformer handles = m_model;   // visiting may replace handles, so it is done on a copy of them
    handles.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { state.weights.emplace_back(name, tensor); });
    if (withOptimizer)
        state.optimizer = m_optimizer->state();
    return state;
}

void TeacherTraining::restore(const distillation::TrainingState &state)
{
    if (state.kind != stateKind)
        throw Error(ErrorCode::BadFile, "the checkpoint is of " + state.kind + " and not of a teacher's training");
    const auto lookUp = [](const std::vector<distillation::NamedTensor> &tensors) {
        return [&tensors](const std::string &name) {
            const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const distillation::NamedTensor &tensor) { return tensor.first == name; });
            return found == tensors.end() ? at::Tensor() : found->second;
        };
    };
    const at::NoGradGuard noGrad;
    m_model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        const at::Tensor stored = lookUp(state.weights)(name);
        if (!stored.defined() || stored.sizes() != tensor.sizes())
            throw Error(ErrorCode::BadFile, "the checkpoint's weight " + name + " is missing or has another shape");
        tensor.copy_(stored);
    });
    if (!state.optimizer.empty())
        m_optimizer->restore(lookUp(state.optimizer));
    const nlohmann::json scalars = nlohmann::json::parse(state.scalarsJson);
    m_progress = {scalars.at("attempt"), scalars.at("attempt_step"), scalars.at("pairs"), scalars.at("length"), scalars.at("running_recall"), scalars.at("loss"), scalars.at("grew_at"), scalars.at("solved_at")};
    m_step = state.step;
    m_tokens = state.tokens;
}

std::vector<double> recallWithoutEachAttention(const nn::Transformer &teacher, const std::vector<text::RecallSequence> &sequences, at::ScalarType computeType, std::stop_token stop)
{
    return nn::asStillroomError("Measuring the teacher", [&] {
        std::vector<double> recalls;
        for (std::size_t layer = 0; layer < teacher.blocks.size(); ++layer) {
            nn::Transformer without = teacher;
            without.blocks[layer].mixer = std::make_shared<nn::ZeroMixer>();
            recalls.push_back(evaluation::recallAccuracy(without, sequences, computeType, 32, stop).recall);
        }
        return recalls;
    });
}

}  // namespace stillroom::procedures
