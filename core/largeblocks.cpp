// SPDX-License-Identifier: GPL-3.0-or-later
#include "largeblocks.h"

#include <algorithm>
#include <sys/mman.h>

namespace stillroom {
namespace {

constexpr std::size_t roundedTo = std::size_t{1} << 16;      // whole pages of every kernel

std::size_t rounded(std::size_t bytes) { return (bytes + roundedTo - 1) / roundedTo * roundedTo; }

/// A block may serve what is smaller by up to an eighth: the rest of it stays in memory with it.
bool serves(std::size_t block, std::size_t wanted) { return block >= wanted && block - wanted <= wanted / 8; }

/// Null when the system has none.
void *mapped(std::size_t bytes)
{
    void *start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return start == MAP_FAILED ? nullptr : start;
}

}  // namespace

void LargeBlocks::unmap(const std::vector<Block> &blocks)
{
    for (const Block &block : blocks)
        munmap(block.start, block.bytes);
}

LargeBlocks::~LargeBlocks() { dropWaiting(); }

void *LargeBlocks::take(std::size_t bytes)
{
    const std::lock_guard lock(m_mutex);
    const std::size_t wanted = rounded(bytes);
    Block block = takeWaiting(wanted);
    if (!block.start) {
        dropWaitingFor(wanted);
        block = {mapped(wanted), wanted};
    }
    if (!block.start) {
        unmap(m_waiting);      // perhaps it has one then
        m_waiting.clear();
        m_bytesWaiting = 0;
        block.start = mapped(wanted);
    }
    if (!block.start)
        return nullptr;
    if (const std::size_t blocks = m_inUse.size() + m_waiting.size() + 1; m_waiting.capacity() < blocks)
        m_waiting.reserve(2 * blocks);      // giveBack, which destructors call, has its room
    m_inUse.emplace(block.start, block.bytes);
    m_bytesInUse += block.bytes;
    m_mostInUse = std::max(m_mostInUse, m_bytesInUse);
    return block.start;
}

bool LargeBlocks::isInUse(void *block) const
{
    const std::lock_guard lock(m_mutex);
    return m_inUse.contains(block);
}

bool LargeBlocks::giveBack(void *block)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_inUse.find(block);
    if (found == m_inUse.end())
        return false;
    m_waiting.push_back({block, found->second});
    m_bytesWaiting += found->second;
    m_bytesInUse -= found->second;
    m_inUse.erase(found);
    return true;
}

/// The smallest that serves; of equal ones the last to come, whose pages are nearest to the processor.
LargeBlocks::Block LargeBlocks::takeWaiting(std::size_t bytes)
{
    auto best = m_waiting.end();
    for (auto one = m_waiting.begin(); one != m_waiting.end(); ++one)
        if (serves(one->bytes, bytes) && (best == m_waiting.end() || one->bytes <= best->bytes))
            best = one;
    if (best == m_waiting.end())
        return {};
    const Block block = *best;
    m_waiting.erase(best);
    m_bytesWaiting -= block.bytes;
    return block;
}

/// Before a new block is there, so that at no moment more is held.
void LargeBlocks::dropWaitingFor(std::size_t newBytes)
{
    const std::size_t inUse = m_bytesInUse + newBytes;
    const auto most = static_cast<std::size_t>(largestShareHeld * static_cast<double>(std::max(m_mostInUse, inUse)));
    auto one = m_waiting.begin();
    for (; one != m_waiting.end() && inUse + m_bytesWaiting > most; ++one) {
        munmap(one->start, one->bytes);
        m_bytesWaiting -= one->bytes;
    }
    m_waiting.erase(m_waiting.begin(), one);
}

void LargeBlocks::dropWaiting()
{
    std::vector<Block> dropped;
    {
        const std::lock_guard lock(m_mutex);
        dropped.reserve(m_waiting.capacity());      // the room that giveBack counts on
        dropped.swap(m_waiting);
        m_bytesWaiting = 0;
        m_mostInUse = m_bytesInUse;
    }
    unmap(dropped);      // gigabytes take a while, in which other threads may take and give back
}

std::size_t LargeBlocks::heldBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_bytesInUse + m_bytesWaiting;
}

LargeBlocks &largeBlocks()
{
    static LargeBlocks &blocks = *new LargeBlocks;
    return blocks;
}

}  // namespace stillroom
