// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "procedures/stagerun.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace stillroom::procedures {

/// What an align, calibrate, score or distill spec will take, said beforehand. Stages that are in the workspace already take nothing.
struct CostEstimate {
    std::int64_t trainingTokens = 0;   ///< of all students together, stage 1's among them
    std::int64_t forwardTokens = 0;    ///< tokens through a whole model without training, to measure
    std::string selectorText;          ///< of a score spec: what the selector takes beside stage 1, in words
    double seconds = 0.0;              ///< on this machine: from a timed forward pass of the teacher; within a factor of about two
    std::int64_t memoryBytes = 0;      ///< at the peak, on the device: weights, what a selector holds while it measures (measuringmemory.h), what training holds; on the CPU the program itself, too
    std::int64_t freeBytes = 0;        ///< of the device's memory, before anything was loaded
    std::int64_t diskBytes = 0;        ///< checkpoints and results
    int groupSize = 0;                 ///< students in lock-step
    std::vector<std::string> reused;   ///< kinds of the stages that are in the workspace already, and so not in these numbers: the spec's own, or "align" for its stage 1
};

/// Tokens of a calibration, known from its spec alone.
struct CalibrationTokens {
    std::int64_t read = 0;             ///< off the teacher
    std::int64_t trained = 0;          ///< by every layer in Phase 2, at most
    std::int64_t measured = 0;         ///< afterwards: the residuals of all layers on every held-out sequence, and at every moment that there was the student with all of them beside the teacher on the first held-out batch
};
/// \param full  with its phases filled in (withCalibrationPhases)
[[nodiscard]] CalibrationTokens calibrationTokens(const nlohmann::json &full);

/// What becomes of what equal stages left, as a run's --resume and --fresh say.
struct EarlierStages {
    bool resume = true;                ///< one that was interrupted would go on; with neither it is refused, as a run refuses it
    bool fresh = false;                ///< everything is made anew, and counted
};

/// Whether the cost of specs of this kind is said beforehand; of the command "run", too, which takes any kind.
[[nodiscard]] bool isCostEstimated(std::string_view kind);

/// Loads the teacher, and times it where something is left to compute.
/// \throws Error(Usage) for another kind of spec, and what the stage itself would refuse.
/// \throws Error(Cancelled) once it is told to stop: looked at before each thing that takes time
[[nodiscard]] CostEstimate estimateCost(const nlohmann::json &completedSpec, const std::filesystem::path &workspace, const std::stop_token &stop = {}, EarlierStages earlier = {});

/// One sentence where the memory that is needed is more than is free: how much of both, and what makes it less. Empty where it suffices.
[[nodiscard]] std::string memoryWarning(const CostEstimate &cost, std::string_view kind);

}  // namespace stillroom::procedures
