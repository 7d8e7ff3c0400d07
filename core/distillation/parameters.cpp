// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/parameters.h"

#include "error.h"

#include <unordered_map>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace stillroom::distillation {
namespace {

using ByName = std::unordered_map<std::string, at::Tensor>;

void restoreWeights(const AdamW &optimizer, const ByName &stored)
{
    const at::NoGradGuard noGrad;
    for (const ParameterGroup &group : optimizer.groups()) {
        for (const TrainedParameter &parameter : group.parameters) {
            const auto found = stored.find(parameter.name);
            const at::Tensor target = parameter.tensor.detach();
            if (found == stored.end() || found->second.sizes() != target.sizes() || found->second.scalar_type() != target.scalar_type())
                throw Error(ErrorCode::BadFile, "The checkpoint's weight " + parameter.name + (found == stored.end() ? " is missing." : " has another shape or type than the model asks for."));
            target.copy_(found->second);
        }
    }
}

}  // namespace

void addTrained(TrainingState &state, const std::vector<AdamW> &optimizers, bool withOptimizer)
{
    for (const AdamW &optimizer : optimizers) {
        for (const ParameterGroup &group : optimizer.groups())
            for (const TrainedParameter &parameter : group.parameters)
                state.weights.emplace_back(parameter.name, parameter.tensor.detach());
        if (withOptimizer)
            for (NamedTensor &moment : optimizer.state())
                state.optimizer.push_back(std::move(moment));
    }
}

void restoreTrained(std::vector<AdamW> &optimizers, const TrainingState &state, const std::string &kind, std::int64_t totalSteps)
{
    if (state.kind != kind || state.step < 0 || state.step > totalSteps)
        throw Error(ErrorCode::BadFile, "The checkpoint is not one of this " + kind + "; start afresh.");
    const bool final = state.step == totalSteps && state.optimizer.empty();
    const ByName weights(state.weights.begin(), state.weights.end()), moments(state.optimizer.begin(), state.optimizer.end());
    for (AdamW &optimizer : optimizers) {
        restoreWeights(optimizer, weights);
        if (!final)
            optimizer.restore([&](const std::string &name) {
                const auto found = moments.find(name);
                return found == moments.end() ? at::Tensor() : found->second;
            });
    }
}

}  // namespace stillroom::distillation
