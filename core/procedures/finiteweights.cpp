// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/finiteweights.h"

#include "error.h"
#include "nn/torcherror.h"
#include "shownname.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <string>

namespace stillroom::procedures {
namespace fs = std::filesystem;

namespace {

/// A NaN or an infinity is never lost in a sum, which needs no second tensor; only a sum that is not finite itself has to be looked at value by value.
bool allFinite(const at::Tensor &weights) { return std::isfinite(weights.sum().item<double>()) || weights.isfinite().all().item<bool>(); }

/// The shard that holds it; the model itself where it has no shards.
fs::path fileOf(const std::string &tensor, const checkpoint::ModelFiles &model)
{
    for (const fs::path &file : model.files)
        if (file.extension() == ".safetensors" && checkpoint::openSafetensors(file)->find(tensor))
            return file;
    return model.path;
}

}  // namespace

std::string nonFiniteWeights(const checkpoint::ModelFiles &files, const nn::Transformer &model, const std::stop_token &stop)
{
    const c10::NoGradGuard noGradients;
    nn::Transformer handles = model;
    std::string first;
    handles.visitParameters([&](const std::string &name, at::Tensor &weights, nn::ParameterTraits) {
        nn::throwIfStopped(stop);
        if (first.empty() && !allFinite(weights))
            first = name;
    });
    return first.empty() ? first : shownLine(fileOf(first, files).string()) + ": the tensor " + shownName(first) + " holds values that are not finite: fetch or export the model again";
}

void requireFiniteWeights(const LoadedModel &model, const std::stop_token &stop)
{
    if (const std::string problem = nonFiniteWeights(model.files, model.model, stop); !problem.empty())
        throw Error(ErrorCode::BadFile, problem);
}

}  // namespace stillroom::procedures
