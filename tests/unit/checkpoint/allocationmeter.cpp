// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationmeter.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::atomic<std::size_t> held{0}, peak{0};

void *allocate(std::size_t size) noexcept {
    void *memory = std::malloc(std::max<std::size_t>(size, 1));
    if (memory == nullptr)
        return nullptr;
    const auto now = held += ::malloc_usable_size(memory);
    auto most = peak.load();
    while (most < now && !peak.compare_exchange_weak(most, now)) {}
    return memory;
}

void *allocateOrThrow(std::size_t size) {
    void *memory = allocate(size);
    if (memory == nullptr)
        throw std::bad_alloc();
    return memory;
}

void release(void *memory) noexcept {
    if (memory == nullptr)
        return;
    held -= ::malloc_usable_size(memory);
    std::free(memory);
}

}  // namespace

// Every allocation of this test program is counted.
void *operator new(std::size_t size) { return allocateOrThrow(size); }
void *operator new[](std::size_t size) { return allocateOrThrow(size); }
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { return allocate(size); }
void *operator new[](std::size_t size, const std::nothrow_t &) noexcept { return allocate(size); }
void operator delete(void *memory) noexcept { release(memory); }
void operator delete[](void *memory) noexcept { release(memory); }
void operator delete(void *memory, std::size_t) noexcept { release(memory); }
void operator delete[](void *memory, std::size_t) noexcept { release(memory); }
void operator delete(void *memory, const std::nothrow_t &) noexcept { release(memory); }
void operator delete[](void *memory, const std::nothrow_t &) noexcept { release(memory); }

AllocationMeter::AllocationMeter() : m_start(held) {
    peak = m_start;
}

std::size_t AllocationMeter::peakBytes() const {
    return peak - m_start;
}
