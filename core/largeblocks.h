// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace stillroom {

/// Large blocks of memory with pages of their own, outside the C library's heap: what is small and stays cannot cut the place of what is large and comes again. A freed block
/// waits to be taken again, so that the kernel need not clear its pages anew at every step; together with what is in use, those that wait hold at most
/// `largestShareHeld` times what was in use at once. Safe to use from several threads.
class LargeBlocks final {
public:
    static constexpr std::size_t leastBytes = std::size_t{1} << 20;      ///< smaller ones are the heap's
    static constexpr double largestShareHeld = 1.125;
    LargeBlocks() = default;
    LargeBlocks(const LargeBlocks &) = delete;
    LargeBlocks &operator=(const LargeBlocks &) = delete;
    ~LargeBlocks();

    /// \return a block of at least `bytes` on a boundary of pages, what it holds being left open; null when the system has none
    [[nodiscard]] void *take(std::size_t bytes);
    /// \return whether `block` was taken here; if not, nothing is done
    bool giveBack(void *block);
    [[nodiscard]] bool isInUse(void *block) const;
    /// Gives the waiting blocks back to the system, and forgets how much was in use at once.
    void dropWaiting();
    /// In use and waiting.
    [[nodiscard]] std::size_t heldBytes() const;

private:
    struct Block {
        void *start = nullptr;
        std::size_t bytes = 0;
    };
    static void unmap(const std::vector<Block> &blocks);
    [[nodiscard]] Block takeWaiting(std::size_t bytes);
    void dropWaitingFor(std::size_t newBytes);

    mutable std::mutex m_mutex;
    std::unordered_map<void *, std::size_t> m_inUse;
    std::vector<Block> m_waiting;       ///< the one that has waited longest comes first
    std::size_t m_bytesInUse = 0, m_bytesWaiting = 0, m_mostInUse = 0;
};

/// Those of the process, which outlast everything that could give one back.
[[nodiscard]] LargeBlocks &largeBlocks();

}  // namespace stillroom
