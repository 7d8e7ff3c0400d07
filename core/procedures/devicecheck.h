// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "recurrence/recurrence.h"

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace stillroom::procedures {

/// Whether a device computes what it should: compilers and drivers have got gradients wrong where the forward pass was right.
struct DeviceCheck {
    std::string device;               ///< "cpu", "cuda:0"
    std::string name;                 ///< of the processor or card; empty where nothing says
    std::string computeCapability;    ///< "9.0"; empty for the CPU
    double outputError = 0.0;         ///< largest over outputs and final state of max|a - b| / max|b|, b in float64
    double gradientError = 0.0;       ///< the same over the gradients of q, k, v, log decay and write strength
    std::string problem;              ///< what failed, or by how much it is off; empty: none was found
    std::string untested;             ///< why nothing can be said of it
};

using Recurrence = std::function<recurrence::Outputs(const recurrence::Inputs &)>;

/// A gated delta rule of 70 tokens, two heads, forward and backward in float32 on `device`, against a token loop in float64 under plain autograd on the CPU.
/// \param recurrence  what is tried. Never throws: a failure is the `problem`, a device without free memory `untested`.
[[nodiscard]] DeviceCheck checkDevice(const std::string &device, const Recurrence &recurrence);
/// The CPU and every CUDA device that there is, with the recurrence that all mixers use.
[[nodiscard]] std::vector<DeviceCheck> checkDevices();

[[nodiscard]] nlohmann::json toJson(const DeviceCheck &check);

}  // namespace stillroom::procedures
