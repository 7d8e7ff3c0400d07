// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/run.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace stillroom::test {

inline constexpr int numSteps = 20;

/// Stands in for the compute rooms where it matters how a job goes: opens at once, works in steps, waits where the test says so, keeps a checkpoint when it is stopped.
struct SteppedWork final {
    struct Call {
        std::string kind, run;
        bool resume = false, fresh = false;
    };
    std::atomic<bool> hold{false}, failNext{false}, warns{true};
    std::atomic<bool> lingers{false};          ///< the memory of a job takes a while to go
    std::atomic<int> atOnce{0}, mostAtOnce{0};
    std::atomic<int> holdAt{1};                ///< step
    std::atomic<bool> isDeaf{false};           ///< what opens does not hear that it is to stop
    std::mutex mutex;
    std::vector<Call> calls;                   ///< but for openings

    nlohmann::json operator()(const nlohmann::json &spec, jobs::RunContext &context);
    [[nodiscard]] std::vector<Call> made();
    void holdOpening(const std::string &model);      ///< until another one is named, or none

private:
    nlohmann::json open(const std::string &model, jobs::RunContext &context);
    [[nodiscard]] bool isHeld(const std::string &model);
    void note(const std::string &kind, const jobs::RunContext &context);
    void steps(const std::string &kind, jobs::RunContext &context);
    std::string heldModel;
};

}  // namespace stillroom::test
