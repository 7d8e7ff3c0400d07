// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/bpemerges.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace stillroom::text {

namespace {

constexpr std::uint32_t noSymbol = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t scanLimit = 48;   // up to here a scan for the best pair beats a heap

void mergeByScan(std::vector<std::uint32_t> &symbols, const MergeTable &table, MergeScratch &scratch)
{
    std::size_t n = symbols.size();
    scratch.ranks.resize(n);
    scratch.merged.resize(n);
    const auto rate = [&](std::size_t i) {
        const MergeTable::Merge *merge = table.find(symbols[i], symbols[i + 1]);
        scratch.ranks[i] = merge != nullptr ? merge->rank : noSymbol;
        scratch.merged[i] = merge != nullptr ? merge->id : noSymbol;
    };
    for (std::size_t i = 0; i + 1 < n; ++i) {
        rate(i);
    }
    while (n > 1) {
        const auto first = scratch.ranks.begin();
        const auto best = std::min_element(first, first + static_cast<std::ptrdiff_t>(n - 1));
        if (*best == noSymbol) {
            break;
        }
        const auto i = static_cast<std::size_t>(best - first);
        symbols[i] = scratch.merged[i];
        const auto erase = [&](std::vector<std::uint32_t> &values, std::size_t at) {
            std::copy(values.begin() + static_cast<std::ptrdiff_t>(at + 1), values.begin() + static_cast<std::ptrdiff_t>(n),
                      values.begin() + static_cast<std::ptrdiff_t>(at));
        };
        erase(symbols, i + 1);
        erase(scratch.ranks, i);
        erase(scratch.merged, i);
        --n;
        if (i + 1 < n) {
            rate(i);
        }
        if (i > 0) {
            rate(i - 1);
        }
    }
    symbols.resize(n);
}

void mergeByHeap(std::vector<std::uint32_t> &symbols, const MergeTable &table, MergeScratch &scratch)
{
    const auto n = static_cast<std::uint32_t>(symbols.size());
    using Candidate = MergeScratch::Candidate;
    const auto later = [](const Candidate &a, const Candidate &b) { return a.order > b.order; };
    scratch.previous.resize(n);
    scratch.next.resize(n);
    scratch.heap.clear();
    const auto offer = [&](std::uint32_t left, std::uint32_t right) -> bool {
        const MergeTable::Merge *merge = table.find(symbols[left], symbols[right]);
        if (merge == nullptr) {
            return false;
        }
        scratch.heap.push_back({(std::uint64_t{merge->rank} << 32U) | left, merge->id});
        return true;
    };
    for (std::uint32_t i = 0; i < n; ++i) {
        scratch.previous[i] = i == 0 ? noSymbol : i - 1;
        scratch.next[i] = i + 1 == n ? noSymbol : i + 1;
        if (i + 1 < n) {
            offer(i, i + 1);
        }
    }
    std::make_heap(scratch.heap.begin(), scratch.heap.end(), later);
    const auto push = [&](std::uint32_t left, std::uint32_t right) {
        if (offer(left, right)) {
            std::push_heap(scratch.heap.begin(), scratch.heap.end(), later);
        }
    };
    while (!scratch.heap.empty()) {
        const Candidate top = scratch.heap.front();
        std::pop_heap(scratch.heap.begin(), scratch.heap.end(), later);
        scratch.heap.pop_back();
        const auto left = static_cast<std::uint32_t>(top.order & noSymbol);
        const std::uint32_t right = scratch.next[left];
        if (symbols[left] == noSymbol || right == noSymbol) {
            continue;
        }
        const MergeTable::Merge *merge = table.find(symbols[left], symbols[right]);
        if (merge == nullptr || merge->id != top.id) {
            continue;   // one of the two has been merged since
        }
        symbols[left] = top.id;
        symbols[right] = noSymbol;
        scratch.next[left] = scratch.next[right];
        if (scratch.next[left] != noSymbol) {
            scratch.previous[scratch.next[left]] = left;
            push(left, scratch.next[left]);
        }
        if (scratch.previous[left] != noSymbol) {
            push(scratch.previous[left], left);
        }
    }
    std::erase(symbols, noSymbol);
}

}  // namespace

void MergeTable::reserve(std::size_t merges)
{
    const std::size_t slots = std::bit_ceil(std::max<std::size_t>(64, merges + merges / 2));
    if (slots > m_slots.size()) {
        rehash(slots);
    }
}

void MergeTable::insert(std::uint32_t left, std::uint32_t right, Merge merge, bool replace)
{
    reserve(m_size + 1);
    Slot &slot = m_slots[slotOf(keyOf(left, right))];
    if (slot.key == freeKey) {
        slot.key = keyOf(left, right);
        slot.merge = merge;
        ++m_size;
    } else if (replace) {
        slot.merge = merge;
    }
}

void MergeTable::rehash(std::size_t slots)
{
    std::vector<Slot> old(slots);
    old.swap(m_slots);
    for (const Slot &slot : old) {
        if (slot.key != freeKey) {
            m_slots[slotOf(slot.key)] = slot;
        }
    }
}

void mergeSymbols(std::vector<std::uint32_t> &symbols, const MergeTable &table, MergeScratch &scratch)
{
    if (symbols.size() < 2) {
        return;
    }
    if (symbols.size() <= scanLimit) {
        mergeByScan(symbols, table, scratch);
    } else {
        mergeByHeap(symbols, table, scratch);
    }
}

}  // namespace stillroom::text
