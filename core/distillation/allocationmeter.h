// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

namespace stillroom::distillation {

/// Counts what this thread's tensors allocate and free, on every device, through the hook that LibTorch's own profiler uses.
class AllocationMeter final : public c10::MemoryReportingInfoBase {
public:
    void reportMemoryUsage(void *, std::int64_t bytes, std::size_t, std::size_t, c10::Device) override
    {
        m_now += bytes;
        m_peak = std::max(m_peak, m_now);
        m_largest = std::max(m_largest, bytes);
    }
    bool memoryProfilingEnabled() const override { return true; }
    [[nodiscard]] std::int64_t nowBytes() const { return m_now; }          ///< above the start
    [[nodiscard]] std::int64_t peakBytes() const { return m_peak; }        ///< above the start
    [[nodiscard]] std::int64_t largestBytes() const { return m_largest; }  ///< of a single tensor

private:
    std::int64_t m_now = 0, m_peak = 0, m_largest = 0;
};

/// Runs `work` and says what it allocated. A profiler of LibTorch that runs on this thread does not see it.
template <typename Work>
std::shared_ptr<const AllocationMeter> measureAllocations(Work &&work)
{
    auto meter = std::make_shared<AllocationMeter>();
    const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, meter);
    std::forward<Work>(work)();
    return meter;
}

}  // namespace stillroom::distillation
