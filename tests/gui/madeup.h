// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/run.h"

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace stillroom::test {

inline constexpr int numLayers = 6;

nlohmann::json description(int layers = numLayers, int hiddenSize = 64);

/// Stands in for the compute rooms: opens at once, scores layer by layer, distils until it is told to stop.
struct MadeUp final {
    std::atomic<bool> holdScoring{false}, failNext{false};
    std::atomic<bool> scoresForever{false};      ///< finds layer 1 the best of all, and goes on until it is told to stop
    std::atomic<std::int64_t> stepsDone{0};      ///< distilling begins behind them, as one that goes on from a checkpoint
    nlohmann::json model = description();      ///< what is opened
    std::string key;                    ///< of the stage that distilling says it makes; empty: it says none

    nlohmann::json operator()(const nlohmann::json &spec, jobs::RunContext &context);
};

}  // namespace stillroom::test
