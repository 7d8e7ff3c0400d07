// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "procedures/stagerun.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <string_view>

namespace stillroom::procedures {

/// What an align, score or distill spec will take, said beforehand.
struct CostEstimate {
    std::int64_t trainingTokens = 0;   ///< of all students together, stage 1's among them
    std::int64_t forwardTokens = 0;    ///< tokens through a whole model without training, to measure
    std::string selectorText;          ///< of a score spec: what the selector takes beside stage 1, in words
    double seconds = 0.0;              ///< on this machine: from a timed forward pass of the teacher; within a factor of about two
    std::int64_t memoryBytes = 0;      ///< at the peak, on the device, weights included
    std::int64_t freeBytes = 0;        ///< of the device's memory, before anything was loaded
    std::int64_t diskBytes = 0;        ///< checkpoints and results
    int groupSize = 0;                 ///< students in lock-step
};

/// Whether the cost of specs of this kind is said beforehand; of the command "run", too, which takes any kind.
[[nodiscard]] bool isCostEstimated(std::string_view kind);

/// Loads the teacher and times it. \param goesOn  an equal stage that was interrupted would be resumed or started anew: without it that is refused, as a run refuses it.
/// \throws Error(Usage) for another kind of spec, and what the stage itself would refuse.
/// \throws Error(Cancelled) once it is told to stop: looked at before each thing that takes time
[[nodiscard]] CostEstimate estimateCost(const nlohmann::json &completedSpec, const std::filesystem::path &workspace, const std::stop_token &stop = {}, bool goesOn = true);

/// One sentence where the memory that is needed is more than is free: how much of both, and what makes it less. Empty where it suffices.
[[nodiscard]] std::string memoryWarning(const CostEstimate &cost, std::string_view kind);

}  // namespace stillroom::procedures
