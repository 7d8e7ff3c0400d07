// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/nonfinite.h"

#include "nn/tensorfile.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>

namespace stillroom::distillation {
namespace {

namespace fs = std::filesystem;

constexpr const char *filePrefix = "nonfinite-step-";

bool allFinite(const at::Tensor &tensor)
{
    return tensor.detach().isfinite().all().item<bool>();
}

}  // namespace

NonFiniteValues nonFiniteValues(const AdamW &optimizer)
{
    NonFiniteValues found;
    std::string firstGradient;
    std::vector<NamedTensor> gradients;
    for (const ParameterGroup &group : optimizer.groups())
        for (const TrainedParameter &one : group.parameters) {
            if (!allFinite(one.tensor)) {
                found.first = found.first.empty() ? "the weight " + one.name : found.first;
                found.tensors.emplace_back("weight." + one.name, one.tensor.detach());
            }
            if (const at::Tensor gradient = one.tensor.grad(); gradient.defined() && !allFinite(gradient)) {
                firstGradient = firstGradient.empty() ? "the gradient of " + one.name : firstGradient;
                gradients.emplace_back("grad." + one.name, gradient);
            }
        }
    found.tensors.insert(found.tensors.end(), gradients.begin(), gradients.end());
    if (found.first.empty())
        found.first = firstGradient.empty() ? "the loss alone" : firstGradient;
    return found;
}

fs::path writeNonFiniteValues(const fs::path &folder, std::int64_t step, const std::vector<NamedTensor> &tensors, std::int64_t maximumBytes)
{
    fs::path file = folder / (filePrefix + std::to_string(step) + ".safetensors");
    std::vector<NamedTensor> written;
    std::string leftOut;
    std::int64_t numBytes = 0;
    for (const NamedTensor &one : tensors) {
        const auto size = static_cast<std::int64_t>(one.second.nbytes());
        if (numBytes + size > maximumBytes) {
            leftOut += (leftOut.empty() ? "" : "\n") + one.first;
            continue;
        }
        written.push_back(one);
        numBytes += size;
    }
    std::vector<std::pair<std::string, std::string>> metadata;
    if (!leftOut.empty())
        metadata.emplace_back("left_out", leftOut);
    nn::asStillroomError("Writing what was not finite", [&] { nn::writeTensors(file, written, metadata); });
    return file;
}

void removeNonFiniteValues(const fs::path &folder)
{
    std::vector<fs::path> files;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().starts_with(filePrefix))
            files.push_back(entry.path());
    for (const fs::path &file : files)
        fs::remove(file);
}

}  // namespace stillroom::distillation
