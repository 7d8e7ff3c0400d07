// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace stillroom::text {

/// Ids of recent short words. Direct-mapped, so it is bounded (1 MiB) and a newcomer takes the place of what stood there.
class WordCache {
public:
    static constexpr std::size_t wordBytes = 23;
    static constexpr std::size_t idCount = 9;

    /// Appends the ids of `word`; false when it is not there.
    bool lookUp(std::string_view word, std::vector<std::uint32_t> &out) const
    {
        if (word.size() > wordBytes || m_entries.empty()) {
            return false;
        }
        const Entry &entry = m_entries[slotOf(word)];
        if (entry.sizeBytes != word.size() || std::memcmp(entry.word.data(), word.data(), word.size()) != 0) {
            return false;
        }
        out.insert(out.end(), entry.ids.begin(), entry.ids.begin() + entry.count);
        return true;
    }
    void remember(std::string_view word, std::span<const std::uint32_t> ids)
    {
        if (word.empty() || word.size() > wordBytes || ids.size() > idCount) {
            return;
        }
        if (m_entries.empty()) {
            m_entries.resize(entryCount);
        }
        Entry &entry = m_entries[slotOf(word)];
        std::memcpy(entry.word.data(), word.data(), word.size());
        entry.sizeBytes = static_cast<std::uint8_t>(word.size());
        entry.count = static_cast<std::uint8_t>(ids.size());
        std::copy(ids.begin(), ids.end(), entry.ids.begin());
    }

private:
    static constexpr std::size_t entryCount = 16384;
    struct Entry {
        std::array<std::uint32_t, idCount> ids{};
        std::array<char, wordBytes> word{};
        std::uint8_t count = 0;
        std::uint8_t sizeBytes = 0;   // 0: free
    };
    static std::size_t slotOf(std::string_view word) noexcept
    {
        std::uint64_t hash = word.size() * 0x9E3779B97F4A7C15ULL;
        std::size_t i = 0;
        for (; i + 8 <= word.size(); i += 8) {
            std::uint64_t part = 0;
            std::memcpy(&part, word.data() + i, 8);
            hash = (hash ^ part) * 0xD6E8FEB86659FD93ULL;
            hash ^= hash >> 32U;
        }
        std::uint64_t part = 0;
        std::memcpy(&part, word.data() + i, word.size() - i);
        hash = (hash ^ part) * 0xD6E8FEB86659FD93ULL;
        return (hash ^ (hash >> 32U)) & (entryCount - 1);
    }

    std::vector<Entry> m_entries;
};

}  // namespace stillroom::text
