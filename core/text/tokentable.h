// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stillroom::text {

/// Spellings ⇄ ids of a vocabulary, held compactly: one blob of bytes, one flat hash table. A repeated spelling keeps its last id, as JSON objects do.
class TokenTable {
public:
    /// Highest id accepted, so that a hostile file cannot ask for gigabytes; the largest published vocabularies hold about 260 000 tokens.
    static constexpr std::uint64_t idLimit = 4'194'304;

    /// \throws Error(BadFile) for an id that is not below idLimit, or spellings that together pass 4 GiB.
    void add(std::string_view spelling, std::uint64_t id);
    /// Makes spelling() work. \throws Error(BadFile) when two spellings share an id.
    void finish();

    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view spelling) const noexcept;
    /// Empty for an id that no token has.
    [[nodiscard]] std::string_view spelling(std::uint32_t id) const noexcept;
    [[nodiscard]] bool has(std::uint32_t id) const noexcept { return id < m_byId.size() && m_byId[id] != 0; }
    [[nodiscard]] std::size_t size() const noexcept { return m_entries.size(); }
    /// Highest id + 1; 0 when empty.
    [[nodiscard]] std::uint32_t idEnd() const noexcept { return static_cast<std::uint32_t>(m_byId.size()); }

private:
    struct Entry {
        std::uint32_t offset;
        std::uint32_t sizeBytes;
        std::uint32_t id;
    };
    [[nodiscard]] std::string_view textOf(const Entry &entry) const noexcept { return {m_bytes.data() + entry.offset, entry.sizeBytes}; }
    [[nodiscard]] std::size_t slotOf(std::string_view spelling) const noexcept;
    void grow();

    std::string m_bytes;
    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_slots;   // index into m_entries + 1, 0: free; the size is a power of two
    std::vector<std::uint32_t> m_byId;    // index into m_entries + 1, 0: no such id
};

}  // namespace stillroom::text
