// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "nn/transformer.h"

#include <ATen/ATen.h>

#include <charconv>

namespace stillroom::nn {

namespace {

std::string existingDevices(std::int64_t numCuda)
{
    if (numCuda == 0) {
        return "this machine has cpu only";
    }
    return "this machine has cpu and cuda:0" + (numCuda > 1 ? " to cuda:" + std::to_string(numCuda - 1) : std::string());
}

}  // namespace

at::Device parseDevice(const std::string &text)
{
    const auto numCuda = static_cast<std::int64_t>(at::hasCUDA() ? at::detail::getCUDAHooks().deviceCount() : 0);
    if (text == "auto") {
        return numCuda > 0 ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
    }
    if (text == "cpu") {
        return at::Device(at::kCPU);
    }
    const std::string prefix = "cuda:";
    int index = 0;
    const bool indexed = text.starts_with(prefix) && std::from_chars(text.data() + prefix.size(), text.data() + text.size(), index).ptr == text.data() + text.size() && text.size() > prefix.size();
    if (text != "cuda" && !indexed) {
        throw Error(ErrorCode::Usage, "The device \"" + text + "\" is not one of auto, cpu, cuda and cuda:N.");
    }
    if (index < 0 || index >= numCuda) {
        throw Error(ErrorCode::Usage, "There is no device \"" + text + "\": " + existingDevices(numCuda) + ".");
    }
    return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(index));
}

at::ScalarType parseComputeType(const std::string &text)
{
    if (text == "float32") {
        return at::kFloat;
    }
    if (text == "bfloat16") {
        return at::kBFloat16;
    }
    if (text == "float64") {
        return at::kDouble;
    }
    throw Error(ErrorCode::Usage, "The compute type \"" + text + "\" is not one of float32, bfloat16 and float64.");
}

}  // namespace stillroom::nn
