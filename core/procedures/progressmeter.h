// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>

namespace stillroom::procedures {

/// Says how far a phase is, at most twice a second, with a time left from the median of the last 50 steps (none before the tenth).
class ProgressMeter final {
public:
    ProgressMeter(experiment::EventSink sink, std::string phase);
    /// After each step; `done` may start above 0 when a run was resumed. Says the first and the last step always.
    void update(std::int64_t done, std::int64_t total, std::int64_t tokens);
    [[nodiscard]] double seconds() const;          ///< since the object was made

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] double medianStepSeconds() const;
    experiment::EventSink m_sink;
    std::string m_phase;
    Clock::time_point m_start = Clock::now(), m_lastStep = m_start, m_lastSaid{};
    std::int64_t m_lastDone = -1;
    std::deque<double> m_stepSeconds;
};

}  // namespace stillroom::procedures
