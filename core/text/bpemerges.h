// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace stillroom::text {

/// Buffers of mergeSymbols(), kept between words so that no word allocates.
struct MergeScratch {
    struct Candidate {
        std::uint64_t order;   // rank, then position: the smallest is merged first
        std::uint32_t id;
    };
    std::vector<std::uint32_t> ranks;
    std::vector<std::uint32_t> merged;
    std::vector<std::uint32_t> previous;
    std::vector<std::uint32_t> next;
    std::vector<Candidate> heap;
};

/// (left id, right id) → (rank, id of the merged token): a flat hash table.
class MergeTable {
public:
    struct Merge {
        std::uint32_t rank;
        std::uint32_t id;
    };
    void reserve(std::size_t merges);
    /// A pair that is already there takes the new rank if `replace`, else keeps its own.
    void insert(std::uint32_t left, std::uint32_t right, Merge merge, bool replace);
    [[nodiscard]] const Merge *find(std::uint32_t left, std::uint32_t right) const noexcept
    {
        if (m_slots.empty()) {
            return nullptr;
        }
        const Slot &slot = m_slots[slotOf(keyOf(left, right))];
        return slot.key == freeKey ? nullptr : &slot.merge;
    }
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

private:
    struct Slot {
        std::uint64_t key = freeKey;
        Merge merge{};
    };
    static constexpr std::uint64_t freeKey = ~std::uint64_t{0};
    static std::uint64_t keyOf(std::uint32_t left, std::uint32_t right) noexcept { return (std::uint64_t{left} << 32U) | right; }
    [[nodiscard]] std::size_t slotOf(std::uint64_t key) const noexcept
    {
        std::uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 32U;
        std::size_t slot = hash & (m_slots.size() - 1);
        while (m_slots[slot].key != key && m_slots[slot].key != freeKey) {
            slot = (slot + 1) & (m_slots.size() - 1);
        }
        return slot;
    }
    void rehash(std::size_t slots);

    std::vector<Slot> m_slots;
    std::size_t m_size = 0;
};

/// Byte-pair merging of one word's symbols in place: always the pair of lowest rank, leftmost first (Sennrich et al. 2016; ties as Hugging Face's and
/// llama.cpp's heaps break them). n log n in the number of symbols.
void mergeSymbols(std::vector<std::uint32_t> &symbols, const MergeTable &table, MergeScratch &scratch);

}  // namespace stillroom::text
