// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace stillroom::procedures {

/// Where and in what type a stage computes: what "auto" became.
struct ComputeSettings {
    at::Device device = at::kCPU;
    at::ScalarType computeType = at::kFloat;
    int threads = 1;
    [[nodiscard]] std::string deviceText() const;    ///< "cpu", "cuda:0"
    [[nodiscard]] std::string deviceClass() const;   ///< "cpu" or "cuda": what a stage's key holds
    [[nodiscard]] std::string typeText() const;      ///< "float32", "bfloat16", "float64"
};

/// What a completed spec states, without a thread of torch being touched: for what does not compute, beside what does. \throws as computeSettings
[[nodiscard]] ComputeSettings statedSettings(const nlohmann::json &spec);

/// From a completed spec's device, compute_type and threads; also sets this thread's number of torch threads.
/// \throws Error(Usage) for a device that is not there.
[[nodiscard]] ComputeSettings computeSettings(const nlohmann::json &spec);

/// Memory that may still be used on a device, bytes: free GPU memory, or the system's available memory.
[[nodiscard]] std::int64_t availableBytes(at::Device device);

}  // namespace stillroom::procedures
