// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/adamw.h"

#include "error.h"

#include <unordered_set>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace stillroom::distillation {
namespace {

void check(const std::vector<ParameterGroup> &groups, const AdamWOptions &options)
{
    if (!(options.beta1 >= 0.0 && options.beta1 < 1.0) || !(options.beta2 >= 0.0 && options.beta2 < 1.0))
        throw Error(ErrorCode::Usage, "AdamW's betas are " + std::to_string(options.beta1) + " and " + std::to_string(options.beta2) + "; give numbers from 0 to below 1.");
    if (!(options.epsilon > 0.0))
        throw Error(ErrorCode::Usage, "AdamW's epsilon is " + std::to_string(options.epsilon) + "; give a number above 0.");
    std::unordered_set<std::string> names;
    for (const ParameterGroup &group : groups) {
        if (!(group.learningRate >= 0.0) || !(group.weightDecay >= 0.0))
            throw Error(ErrorCode::Usage, "The learning rate and weight decay of group \"" + group.name + "\" must be 0 or more.");
        for (const TrainedParameter &parameter : group.parameters) {
            if (!names.insert(parameter.name).second)
                throw Error(ErrorCode::Usage, "Parameter " + parameter.name + " is in two groups of the optimizer.");
            const at::Tensor &tensor = parameter.tensor;
            if (!tensor.defined() || !tensor.is_leaf() || !tensor.requires_grad() || !tensor.is_contiguous()
                || (tensor.scalar_type() != at::kFloat && tensor.scalar_type() != at::kDouble))
                throw Error(ErrorCode::Usage, "Parameter " + parameter.name + " cannot be trained: it must be a contiguous float32 or float64 leaf that requires a gradient.");
        }
    }
}

/// The tensor lists of one fused update.
struct UpdateLists {
    std::vector<at::Tensor> parameters, gradients, first, second, counts;
};

void copyInto(at::Tensor target, const std::string &name, const TensorLookup &stored)
{
    const at::Tensor source = stored(name);
    if (!source.defined() || source.sizes() != target.sizes() || source.scalar_type() != target.scalar_type())
        throw Error(ErrorCode::BadFile, "The checkpoint's optimizer state " + name + (source.defined() ? " has another shape or type than the model asks for." : " is missing."));
    target.copy_(source);
}

}  // namespace

AdamW::AdamW(std::vector<ParameterGroup> groups, AdamWOptions options)
    : m_groups(std::move(groups)), m_options(options)
{
    check(m_groups, m_options);
    for (const ParameterGroup &group : m_groups) {
        std::vector<Moments> moments;
        moments.reserve(group.parameters.size());
        for (const TrainedParameter &parameter : group.parameters) {
            const at::Tensor plain = parameter.tensor.detach();
            moments.push_back({at::zeros_like(plain), at::zeros_like(plain), at::zeros({}, plain.options().dtype(at::kFloat))});
        }
        m_moments.push_back(std::move(moments));
    }
}

void AdamW::step(double learningRateFactor)
{
    const at::NoGradGuard noGrad;
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        updatePart(m_groups[group], m_moments[group], true, learningRateFactor);
        updatePart(m_groups[group], m_moments[group], false, learningRateFactor);
    }
}

void AdamW::updatePart(const ParameterGroup &group, const std::vector<Moments> &moments, bool decayed, double learningRateFactor)
{
    UpdateLists lists;
    for (std::size_t i = 0; i < group.parameters.size(); ++i) {
        const TrainedParameter &parameter = group.parameters[i];
        const at::Tensor &gradient = parameter.tensor.grad();
        if (parameter.traits.weightDecay != decayed || !gradient.defined())
            continue;
        lists.parameters.push_back(parameter.tensor);
        lists.gradients.push_back(gradient.contiguous());
        lists.first.push_back(moments[i].first);
        lists.second.push_back(moments[i].second);
        lists.counts.push_back(moments[i].count);
    }
    if (lists.parameters.empty())
        return;
    at::_foreach_add_(lists.counts, 1);
    at::_fused_adamw_(lists.parameters, lists.gradients, lists.first, lists.second, {}, lists.counts, group.learningRate * learningRateFactor,
                      m_options.beta1, m_options.beta2, decayed ? group.weightDecay : 0.0, m_options.epsilon, /*amsgrad=*/false, /*maximize=*/false);
}

void AdamW::zeroGradients()
{
    for (ParameterGroup &group : m_groups)
        for (TrainedParameter &parameter : group.parameters)
            parameter.tensor.mutable_grad().reset();
}

std::vector<at::Tensor> AdamW::gradients(std::size_t group) const
{
    std::vector<at::Tensor> result;
    for (const TrainedParameter &parameter : m_groups.at(group).parameters)
        if (parameter.tensor.grad().defined())
            result.push_back(parameter.tensor.grad());
    return result;
}

std::vector<at::Tensor> AdamW::gradients() const
{
    std::vector<at::Tensor> all;
    for (std::size_t group = 0; group < m_groups.size(); ++group)
        for (at::Tensor &gradient : gradients(group))
            all.push_back(std::move(gradient));
    return all;
}

std::vector<NamedTensor> AdamW::state() const
{
    std::vector<NamedTensor> result;
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        for (std::size_t i = 0; i < m_moments[group].size(); ++i) {
            const std::string &name = m_groups[group].parameters[i].name;
            result.emplace_back("exp_avg." + name, m_moments[group][i].first);
            result.emplace_back("exp_avg_sq." + name, m_moments[group][i].second);
            result.emplace_back("step." + name, m_moments[group][i].count);
        }
    }
    return result;
}

void AdamW::restore(const TensorLookup &stored)
{
    const at::NoGradGuard noGrad;
    for (const auto &[name, tensor] : state())
        copyInto(tensor, name, stored);
}

std::int64_t AdamW::stateBytes() const
{
    std::int64_t bytes = 0;
    for (const auto &[name, tensor] : state())
        bytes += static_cast<std::int64_t>(tensor.nbytes());
    return bytes;
}

}  // namespace stillroom::distillation
