// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/gates.h"

#include "error.h"
#include "selection/gatedmixer.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

namespace stillroom::selection {
namespace {

void checkGates(const GateOptions &options)
{
    const bool open = options.form != GateForm::Clamp;
    if (!(options.start >= 0.0 && options.start <= 1.0) || (open && (options.start == 0.0 || options.start == 1.0)))
        throw Error(ErrorCode::Usage, "gates start at " + std::to_string(options.start) + ": give a number " + (open ? "between 0 and 1, for a sigmoid or softmax never reaches them" : "from 0 to 1"));
    if (!(options.linearisation >= 0.0) || !std::isfinite(options.linearisation))
        throw Error(ErrorCode::Usage, "the weight of linearisation is " + std::to_string(options.linearisation) + ": give a number of 0 or more");
}

/// θ that makes every gate `start`.
at::Tensor startingNumbers(const GateOptions &options, std::int64_t numLayers, at::TensorOptions tensorOptions)
{
    switch (options.form) {
    case GateForm::Clamp:
        return at::full({numLayers}, options.start, tensorOptions);
    case GateForm::Sigmoid:
        return at::full({numLayers}, std::log(options.start / (1.0 - options.start)), tensorOptions);
    case GateForm::Softmax:
        break;
    }
    const at::Tensor logits_2 = at::tensor({std::log(options.start), std::log(1.0 - options.start)}, at::kDouble);
    return logits_2.expand({numLayers, 2}).to(tensorOptions).contiguous();
}

}  // namespace

GateForm parseGateForm(const std::string &text)
{
    if (text == "clamp")
        return GateForm::Clamp;
    if (text == "sigmoid")
        return GateForm::Sigmoid;
    if (text == "softmax")
        return GateForm::Softmax;
    throw Error(ErrorCode::Usage, "there is no form of gate \"" + text + "\": choose clamp, sigmoid or softmax");
}

at::Tensor gatesOf(GateForm form, const at::Tensor &numbers)
{
    switch (form) {
    case GateForm::Clamp:
        return numbers;
    case GateForm::Sigmoid:
        return at::sigmoid(numbers);
    case GateForm::Softmax:
        break;
    }
    return at::softmax(numbers, 1).select(1, 0);
}

nn::Transformer gatedStudent(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const at::Tensor &alpha_L)
{
    const std::size_t numLayers = teacher.blocks.size();
    if (alpha_L.dim() != 1 || alpha_L.size(0) != static_cast<std::int64_t>(numLayers))
        throw Error(ErrorCode::Usage, "a teacher of " + std::to_string(numLayers) + " layers needs as many gates");
    nn::Transformer student = teacher;
    for (const distillation::AlignedLayer &one : frozenMixers(teacher, aligned)) {
        const auto layer = static_cast<std::size_t>(one.layer);
        student.blocks[layer].mixer = std::make_shared<GatedMixer>(teacher.blocks[layer].mixer, one.mixer, alpha_L.select(0, one.layer));
    }
    return student;
}

GateTraining::GateTraining(const nn::Transformer &givenTeacher, const std::vector<distillation::AlignedLayer> &aligned, distillation::BatchSource &source, GateOptions options)
    : HiddenStateTraining("gates", givenTeacher, source, options.training), m_mixers(frozenMixers(givenTeacher, aligned)), m_options(std::move(options))
{
    checkGates(m_options);
    const at::ScalarType type = m_options.training.computeType == at::kDouble ? at::kDouble : at::kFloat;
    m_numbers = startingNumbers(m_options, static_cast<std::int64_t>(m_mixers.size()), at::TensorOptions(type).device(givenTeacher.device())).requires_grad_(true);
    train({{"gates", m_numbers, {false, true}}});
}

nn::Transformer GateTraining::student(std::int64_t) const { return gatedStudent(teacher(), m_mixers, gatesOf(m_options.form, m_numbers)); }

at::Tensor GateTraining::penalty() const
{
    return m_options.linearisation > 0.0 ? m_options.linearisation * gatesOf(m_options.form, m_numbers).mean() : at::Tensor();
}

void GateTraining::afterUpdate()
{
    if (m_options.form == GateForm::Clamp)
        m_numbers.detach().clamp_(0.0, 1.0);
}

std::vector<double> GateTraining::gates() const
{
    const at::NoGradGuard noGrad;
    const at::Tensor alpha_L = gatesOf(m_options.form, m_numbers).to(at::kCPU, at::kDouble).contiguous();
    return {alpha_L.const_data_ptr<double>(), alpha_L.const_data_ptr<double>() + alpha_L.numel()};
}

}  // namespace stillroom::selection
