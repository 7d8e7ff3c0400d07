// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/stagetwo.h"

#include "distillation/batchplaces.h"
#include "distillation/gradients.h"
#include "distillation/nonfinite.h"
#include "distillation/parameters.h"
#include "error.h"
#include "nn/torcherror.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <nlohmann/json.hpp>

namespace stillroom::distillation {

/// One student's sums over the micro-batches of a step: float64 scalars on the device; undefined where the term is off.
struct StageTwo::WindowSums {
    at::Tensor kl, reverseKl, crossEntropy;
};

/// What the losses of a step's micro-batches are divided by.
struct StageTwo::Window {
    std::int64_t countedTokens = 0;
    std::int64_t labelledTokens = 0;
};

namespace {

void check(const StageTwoOptions &options)
{
    if (options.steps < 1)
        throw Error(ErrorCode::Usage, "Stage 2 has " + std::to_string(options.steps) + " steps; give 1 or more.");
    if (options.microBatchSequences < 0 || !(options.clipNorm >= 0.0))
        throw Error(ErrorCode::Usage, "Stage 2's micro-batch and clipping norm must be 0 or more.");
    if (!(options.temperature > 0.0))
        throw Error(ErrorCode::Usage, "The temperature is " + std::to_string(options.temperature) + "; give a number above 0.");
    if (!(options.klWeight >= 0.0 && options.reverseKlWeight >= 0.0 && options.crossEntropyWeight >= 0.0)
        || !(options.klWeight + options.reverseKlWeight + options.crossEntropyWeight > 0.0))
        throw Error(ErrorCode::Usage, "Stage 2's loss weights must be 0 or more, and one of them above 0.");
    (void)learningRateFactor(options.schedule, 0, options.steps);
}

bool isLinearMixer(const std::string &name) { return name.find(".mixer.") != std::string::npos; }

bool isFast(const std::string &name, FastGroup group)
{
    if (isLinearMixer(name))
        return true;
    return group == FastGroup::Attention && (name.find(".self_attn.") != std::string::npos || name.find(".input_layernorm.") != std::string::npos);
}

/// The student with its own copy of what trains, and handles to the rest.
Student ownCopy(const Student &student, Trainable trainable)
{
    Student copy = student;
    for (nn::Block &block : copy.model.blocks)
        block.mixer = block.mixer->clone();
    copy.model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        if (trains(name, trainable))
            tensor = tensor.detach().clone(at::MemoryFormat::Contiguous).requires_grad_(true);
        else
            tensor = tensor.detach();
    });
    return copy;
}

AdamW optimizerFor(Student &student, const StageTwoOptions &options)
{
    ParameterGroup mixers{"mixers", options.mixerLearningRate, options.weightDecay, {}}, rest{"rest", options.restLearningRate, options.weightDecay, {}};
    student.model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits traits) {
        if (tensor.requires_grad())
            (isFast(name, options.fastGroup) ? mixers : rest).parameters.push_back({student.name + "/" + name, tensor, traits});
    });
    if (mixers.parameters.empty() && rest.parameters.empty())
        throw Error(ErrorCode::Usage, "Student " + student.name + " has no parameter that trains; it keeps every softmax layer.");
    return AdamW({mixers, rest}, options.adamw);
}

void addTo(at::Tensor &sum, const at::Tensor &term)
{
    if (term.defined())
        sum = sum.defined() ? sum + term : term;
}

nlohmann::json toJson(const StageTwoMetrics &metrics)
{
    return {{"student", metrics.student}, {"loss", metrics.loss}, {"kl_nats", metrics.klNats}, {"reverse_kl_nats", metrics.reverseKlNats},
            {"cross_entropy_nats", metrics.crossEntropyNats}, {"gradient_norm", metrics.gradientNorm}, {"best_loss", metrics.bestLoss}};
}

StageTwoMetrics stageTwoMetrics(const nlohmann::json &json)
{
    return {json.at("student"), json.at("loss"), json.at("kl_nats"), json.at("reverse_kl_nats"), json.at("cross_entropy_nats"), json.at("gradient_norm"), json.at("best_loss")};
}

}  // namespace

bool trains(const std::string &parameterName, Trainable trainable) { return trainable == Trainable::All || isLinearMixer(parameterName); }

StageTwo::StageTwo(const nn::Transformer &teacher, std::vector<Student> students, BatchSource &source, StageTwoOptions options)
    : m_teacher(teacher), m_source(source), m_options(std::move(options))
{
    check(m_options);
    if (students.empty())
        throw Error(ErrorCode::Usage, "Stage 2 has no student to train.");
    std::unordered_set<std::string> names;
    for (const Student &student : students) {
        if (student.name.empty() || !names.insert(student.name).second)
            throw Error(ErrorCode::Usage, "Every student needs a name of its own; \"" + student.name + "\" is empty or taken.");
        m_students.push_back(ownCopy(student, m_options.trainable));
    }
    for (Student &student : m_students)
        m_optimizers.push_back(optimizerFor(student, m_options));
}

std::int64_t StageTwo::totalSteps() const { return m_step == m_options.steps && evaluationIsDue() ? m_options.steps + 1 : m_options.steps; }

void StageTwo::advance(std::stop_token stop)
{
    nn::asStillroomError("Stage 2", [&] {
        evaluateIfDue();
        if (m_step == m_options.steps)
            return;
        dropGradients();
        m_nonFinite.reset();
        try {
            train(stop);
        } catch (...) {
            dropGradients();
            throw;
        }
        dropGradients();
        evaluateIfDue();
    });
}

void StageTwo::train(const std::stop_token &stop)
{
    const Batch batch = m_source.batch(m_step);
    checkBatch(batch, m_teacher.embedding_VD.size(0));
    Window window;
    window.countedTokens = countedTokens(batch).sum().item<std::int64_t>();
    if (window.countedTokens == 0)
        throw Error(ErrorCode::Usage, "The batch of step " + std::to_string(m_step) + " has no token that counts.");
    window.labelledTokens = nextTokenLabels(batch).ge(0).sum().item<std::int64_t>();
    std::vector<WindowSums> sums(m_students.size());
    const std::int64_t sequences = batch.ids_BT.size(0);
    const std::int64_t micro = m_options.microBatchSequences > 0 ? m_options.microBatchSequences : sequences;
    for (std::int64_t first = 0; first < sequences; first += micro)
        forwardBackward(rowsOf(batch, first, std::min(micro, sequences - first)), window, sums, stop);
    finishStep(sums, window);
}

void StageTwo::forwardBackward(const Batch &micro, const Window &window, std::vector<WindowSums> &sums, const std::stop_token &stop) const
{
    const at::Device device = m_teacher.device();
    const nn::TokenPlaces places = placesOf(micro, device);
    const at::Tensor ids_BT = micro.ids_BT.to(device);
    nn::ForwardOptions forward;
    forward.stop = stop;
    Head teacher{{}, m_teacher.head_VD};
    {
        const at::NoGradGuard noGrad;
        teacher.hidden_ND = m_teacher.forward(ids_BT, places, m_options.computeType, forward).hidden_BTD;
    }
    forward.checkpointBlocks = m_options.checkpointBlocks;
    std::vector<Head> heads;
    for (const Student &student : m_students)
        heads.push_back({student.model.forward(ids_BT, places, m_options.computeType, forward).hidden_BTD, student.model.head_VD});

    KlHeadOptions options;
    options.temperature = m_options.temperature;
    options.klWeight = m_options.klWeight;
    options.reverseKlWeight = m_options.reverseKlWeight;
    options.crossEntropyWeight = m_options.crossEntropyWeight;
    options.normaliser = static_cast<double>(window.countedTokens);
    options.crossEntropyNormaliser = static_cast<double>(std::max<std::int64_t>(window.labelledTokens, 1));
    options.budgetBytes = m_options.headBudgetBytes;
    options.stop = stop;
    std::vector<HeadLoss> losses = klHead(teacher, heads, countedTokens(micro), nextTokenLabels(micro), options);
    for (std::size_t i = 0; i < losses.size(); ++i) {
        nn::throwIfStopped(stop);
        heads[i] = {};   // the loss alone holds this student's graph now, and lets it go during backward
        losses[i].loss.backward();
        losses[i].loss.reset();
        addTo(sums[i].kl, losses[i].klSum);
        addTo(sums[i].reverseKl, losses[i].reverseKlSum);
        addTo(sums[i].crossEntropy, losses[i].crossEntropySum);
    }
}

void StageTwo::finishStep(const std::vector<WindowSums> &sums, const Window &window)
{
    const at::NoGradGuard noGrad;
    const std::size_t numStudents = m_students.size();
    std::vector<GradientGroup> groups;
    std::vector<at::Tensor> numbers;
    for (std::size_t i = 0; i < numStudents; ++i) {
        groups.push_back({m_optimizers[i].gradients()});
        for (const at::Tensor &sum : {sums[i].kl, sums[i].reverseKl, sums[i].crossEntropy})
            numbers.push_back(sum.defined() ? sum : at::zeros_like(sums[i].kl));
    }
    const at::Tensor home = at::cat({at::stack(numbers), gradientNorms(groups)}).to(at::kCPU).contiguous();   // the step's one sync
    const double *number = home.data_ptr<double>();
    const std::vector<double> norms(number + 3 * numStudents, number + 4 * numStudents);

    const double tauSquared = m_options.temperature * m_options.temperature;
    const auto tokens = static_cast<double>(window.countedTokens), labels = static_cast<double>(std::max<std::int64_t>(window.labelledTokens, 1));
    std::vector<StageTwoMetrics> metrics;
    for (std::size_t i = 0; i < numStudents; ++i) {
        StageTwoMetrics one{m_students[i].name, 0.0, number[3 * i] / tokens, number[3 * i + 1] / tokens, number[3 * i + 2] / labels, norms[i], 0.0};
        one.loss = tauSquared * (m_options.klWeight * one.klNats + m_options.reverseKlWeight * one.reverseKlNats) + m_options.crossEntropyWeight * one.crossEntropyNats;
        one.bestLoss = m_metrics.empty() ? one.loss : std::min(one.loss, m_metrics[i].bestLoss);
        if (!std::isfinite(one.loss) || !std::isfinite(one.klNats) || !std::isfinite(one.gradientNorm)) {
            NonFiniteValues values = nonFiniteValues(m_optimizers[i]);
            m_nonFinite = std::move(values.tensors);
            throw Error(ErrorCode::NonFinite, "The loss or gradient of student " + one.student + " is not finite in step " + std::to_string(m_step)
                                                  + ", first " + values.first + "; the weights of the last good step are kept. Lower the learning rate, or compute in float32.");
        }
        const double hopeless = 1.1 * std::log(static_cast<double>(m_teacher.head_VD.size(0)));
        if (m_step == 0 && m_options.refuseHopelessStart && one.klNats > hopeless)
            throw Error(ErrorCode::Failed, "Student " + one.student + " starts with a KL of " + std::to_string(one.klNats) + " nats per token, above " + std::to_string(hopeless)
                                               + " (1.1 ln V), as a model that knows nothing would; start from this teacher's stage 1.");
        metrics.push_back(one);
    }
    scaleAndClip(groups, norms, {}, m_options.clipNorm);
    const double factor = distillation::learningRateFactor(m_options.schedule, m_step, m_options.steps);
    for (AdamW &optimizer : m_optimizers)
        optimizer.step(factor);
    m_metrics = std::move(metrics);
    m_tokens += window.countedTokens;
    ++m_step;
}

void StageTwo::dropGradients()
{
    for (AdamW &optimizer : m_optimizers)
        optimizer.zeroGradients();
}

bool StageTwo::evaluationIsDue() const
{
    return m_options.onEvaluate && std::any_of(m_options.evaluateAtTokens.begin(), m_options.evaluateAtTokens.end(), [&](std::int64_t at) {
               // Padding counts no token, so the end may come before a point that was meant to be it.
               const bool atTheEnd = m_step == m_options.steps && m_evaluatedTokens < m_tokens;
               return at > m_evaluatedTokens && (at <= m_tokens || atTheEnd);
           });
}

void StageTwo::evaluateIfDue()
{
    if (!evaluationIsDue())
        return;
    const at::NoGradGuard noGrad;
    m_options.onEvaluate(m_step, m_tokens);
    m_evaluatedTokens = m_tokens;
}

void StageTwo::retire(const std::string &student)
{
    const auto found = std::find_if(m_students.begin(), m_students.end(), [&](const Student &one) { return one.name == student; });
    if (found == m_students.end())
        throw Error(ErrorCode::Usage, "Stage 2 has no student \"" + student + "\" to take out.");
    if (m_students.size() == 1)
        throw Error(ErrorCode::Usage, "Student " + student + " is the last one: end the training instead.");
    const auto at = found - m_students.begin();
    m_students.erase(found);
    m_optimizers.erase(m_optimizers.begin() + at);
    if (!m_metrics.empty())
        m_metrics.erase(m_metrics.begin() + at);
}

void StageTwo::retireAllBut(const std::vector<std::string> &left)
{
    std::vector<std::string> gone;
    for (const Student &student : m_students)
        if (std::find(left.begin(), left.end(), student.name) == left.end())
            gone.push_back(student.name);
    if (gone.size() + left.size() != m_students.size() || left.empty())
        throw Error(ErrorCode::BadFile, "The checkpoint holds other students; start afresh.");
    for (const std::string &student : gone)
        retire(student);
}

double StageTwo::learningRateFactor() const
{
    return m_step == 0 ? 0.0 : distillation::learningRateFactor(m_options.schedule, m_step - 1, m_options.steps);
}

TrainingState StageTwo::state(bool withOptimizer) const
{
    TrainingState state;
    state.kind = "stage-2";
    state.step = m_step;
    state.tokens = m_tokens;
    nlohmann::json metrics = nlohmann::json::array();
    for (const StageTwoMetrics &one : m_metrics)
        metrics.push_back(toJson(one));
    nlohmann::json students = nlohmann::json::array();
    for (const Student &student : m_students)
        students.push_back(student.name);
    state.scalarsJson = nlohmann::json{{"metrics", metrics}, {"evaluated_tokens", m_evaluatedTokens}, {"students", students}}.dump();
    addTrained(state, m_optimizers, withOptimizer);
    return state;
}

void StageTwo::restore(const TrainingState &state)
{
    try {
        const nlohmann::json scalars = nlohmann::json::parse(state.scalarsJson);
        retireAllBut(scalars.at("students"));
        m_metrics.clear();
        for (const nlohmann::json &one : scalars.at("metrics"))
            m_metrics.push_back(stageTwoMetrics(one));
        m_evaluatedTokens = scalars.at("evaluated_tokens");
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, "The checkpoint's losses are damaged; start afresh.", error.what());
    }
    if (!m_metrics.empty() && m_metrics.size() != m_students.size())
        throw Error(ErrorCode::BadFile, "The checkpoint holds the losses of other students; start afresh.");
    restoreTrained(m_optimizers, state, "stage-2", m_options.steps);
    m_step = state.step;
    m_tokens = state.tokens;
}

}  // namespace stillroom::distillation
