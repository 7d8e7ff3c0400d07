// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/progressmeter.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stillroom::procedures {
namespace {

constexpr std::size_t remembered = 50, neededForEta = 10;
constexpr std::chrono::milliseconds interval{500};

}  // namespace

ProgressMeter::ProgressMeter(experiment::EventSink sink, std::string phase) : m_sink(std::move(sink)), m_phase(std::move(phase))
{
}

double ProgressMeter::seconds() const
{
    return std::chrono::duration<double>(Clock::now() - m_start).count();
}

double ProgressMeter::medianStepSeconds() const
{
    std::vector<double> sorted(m_stepSeconds.begin(), m_stepSeconds.end());
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

void ProgressMeter::update(std::int64_t done, std::int64_t total, std::int64_t tokens)
{
    const Clock::time_point now = Clock::now();
    if (m_lastDone >= 0 && done > m_lastDone) {
        m_stepSeconds.push_back(std::chrono::duration<double>(now - m_lastStep).count() / static_cast<double>(done - m_lastDone));
        if (m_stepSeconds.size() > remembered)
            m_stepSeconds.pop_front();
    }
    const bool first = m_lastDone < 0;
    m_lastDone = done;
    m_lastStep = now;
    if (!first && done < total && now - m_lastSaid < interval)
        return;
    m_lastSaid = now;
    experiment::Progress progress{m_phase, done, total, tokens, seconds(), {}};
    if (m_stepSeconds.size() >= neededForEta || (done >= total && done > 0))
        progress.etaSeconds = done >= total ? 0.0 : medianStepSeconds() * static_cast<double>(total - done);
    m_sink(progress);
}

}  // namespace stillroom::procedures
