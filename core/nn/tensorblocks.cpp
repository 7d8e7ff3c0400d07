// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/tensorblocks.h"

#include "largeblocks.h"

#include <c10/core/CPUAllocator.h>

#include <cstdint>

namespace stillroom::nn {
namespace {

/// LibTorch's own for what is small, and where the system has no block left: it says so in its own words.
class LargeBlockAllocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(std::size_t bytes) override
    {
        void *block = bytes >= LargeBlocks::leastBytes ? largeBlocks().take(bytes) : nullptr;
        if (!block)
            return c10::GetDefaultCPUAllocator()->allocate(bytes);
        c10::profiledCPUMemoryReporter().New(block, bytes);
        return {block, block, giveBack, c10::Device(c10::kCPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return giveBackAny; }
    void copy_data(void *to, const void *from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }

private:
    static void giveBack(void *block)
    {
        c10::profiledCPUMemoryReporter().Delete(block);
        largeBlocks().giveBack(block);
    }
    /// For those that keep a bare pointer and do not know which kind it is.
    static void giveBackAny(void *block)
    {
        if (largeBlocks().isInUse(block))
            giveBack(block);
        else
            c10::GetDefaultCPUAllocator()->raw_deleter()(block);
    }
};

}  // namespace

void keepTensorsInLargeBlocks()
{
    constexpr std::uint8_t aboveLibTorchs = 10;
    static LargeBlockAllocator &allocator = *new LargeBlockAllocator;      // outlasts every tensor
    c10::SetCPUAllocator(&allocator, aboveLibTorchs);
}

}  // namespace stillroom::nn
