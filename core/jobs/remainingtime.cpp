// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/remainingtime.h"

#include <algorithm>
#include <vector>

namespace stillroom::jobs {

void RemainingTime::note(const std::string &phase, std::int64_t done, std::int64_t total, double seconds)
{
    const bool again = m_hasLast && done < m_done;
    if (phase != m_phase || again) {
        m_steps.clear();
        m_numSteps = 0;
        m_hasLast = false;
    }
    if (m_hasLast && done == m_done)
        return;                 // the step under way goes on
    if (m_hasLast && seconds >= m_lastSeconds)
        add((seconds - m_lastSeconds) / static_cast<double>(done - m_done), done - m_done);
    m_phase = phase;
    m_done = done;
    m_total = total;
    m_lastSeconds = seconds;
    m_hasLast = true;
}

void RemainingTime::pause()
{
    m_hasLast = false;
}

void RemainingTime::add(double each, std::int64_t count)
{
    m_steps.push_back({each, std::min(count, rememberedSteps)});
    m_numSteps += m_steps.back().count;
    while (m_numSteps > rememberedSteps) {
        Steps &oldest = m_steps.front();
        const std::int64_t taken = std::min(oldest.count, m_numSteps - rememberedSteps);
        oldest.count -= taken;
        m_numSteps -= taken;
        if (oldest.count == 0)
            m_steps.pop_front();
    }
}

std::optional<double> RemainingTime::stepSeconds() const
{
    if (m_numSteps == 0)
        return std::nullopt;
    std::vector<Steps> sorted(m_steps.begin(), m_steps.end());
    std::sort(sorted.begin(), sorted.end(), [](const Steps &a, const Steps &b) { return a.each < b.each; });
    const auto nth = [&sorted](std::int64_t place) {
        for (const Steps &steps : sorted) {
            if (place < steps.count)
                return steps.each;
            place -= steps.count;
        }
        return sorted.back().each;
    };
    return (nth((m_numSteps - 1) / 2) + nth(m_numSteps / 2)) / 2.0;
}

std::optional<double> RemainingTime::seconds() const
{
    if (m_total > 0 && m_done >= m_total)
        return 0.0;
    if (m_total <= 0 || m_numSteps < neededSteps)
        return std::nullopt;
    return *stepSeconds() * static_cast<double>(m_total - m_done);
}

}  // namespace stillroom::jobs
