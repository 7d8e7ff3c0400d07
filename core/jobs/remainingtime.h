// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace stillroom::jobs {

/// How long the phase of a job still takes: the median of its last 50 step durations times the steps to come, so that a slow first step, a disk that was
/// busy or a computer that slept does not shift it. The clock is handed in, and nothing is read from anywhere.
class RemainingTime final {
public:
    static constexpr std::int64_t neededSteps = 10, rememberedSteps = 50;

    /// So many steps of `phase` are done. Another phase, or one that begins again, is counted anew. Several steps since the last call count as equally long ones.
    /// \param seconds  of a clock that goes forward; where it was set back, what lies between belongs to no step
    void note(const std::string &phase, std::int64_t done, std::int64_t total, double seconds);
    /// What lies between now and the next note belongs to no step. The steps that were measured stay, wherever the phase is taken up again.
    void pause();
    /// Of this phase, from the last note on; empty before ten steps were measured, and for a phase of unknown length. 0 when all steps are done.
    [[nodiscard]] std::optional<double> seconds() const;
    /// The median of the steps that were measured, in seconds; empty before the first.
    [[nodiscard]] std::optional<double> stepSeconds() const;

private:
    /// Equally long ones.
    struct Steps {
        double each = 0.0;
        std::int64_t count = 0;
    };
    void add(double each, std::int64_t count);

    std::string m_phase;
    std::deque<Steps> m_steps;                ///< oldest first
    std::int64_t m_numSteps = 0;              ///< in all of them, at most rememberedSteps
    std::int64_t m_done = 0, m_total = 0;
    double m_lastSeconds = 0.0;
    bool m_hasLast = false;                   ///< false: the next note only says where things stand
};

}  // namespace stillroom::jobs
