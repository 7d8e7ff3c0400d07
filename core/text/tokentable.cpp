// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokentable.h"

#include "error.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace stillroom::text {

void TokenTable::add(std::string_view spelling, std::uint64_t id)
{
    if (id >= idLimit) {
        throw Error(ErrorCode::BadFile, "The tokenizer gives a token the id " + std::to_string(id) + ", but ids must be below "
                                            + std::to_string(idLimit) + "; use the model's own tokenizer file.");
    }
    if (spelling.size() > std::numeric_limits<std::uint32_t>::max() - m_bytes.size()) {
        throw Error(ErrorCode::BadFile, "The tokenizer's tokens take more than 4 GiB together; use the model's own tokenizer file.");
    }
    if ((m_entries.size() + 1) * 3 > m_slots.size() * 2) {
        grow();
    }
    const std::size_t slot = slotOf(spelling);
    if (m_slots[slot] != 0) {
        m_entries[m_slots[slot] - 1].id = static_cast<std::uint32_t>(id);
        return;
    }
    m_entries.push_back({static_cast<std::uint32_t>(m_bytes.size()), static_cast<std::uint32_t>(spelling.size()), static_cast<std::uint32_t>(id)});
    m_bytes.append(spelling);
    m_slots[slot] = static_cast<std::uint32_t>(m_entries.size());
}

void TokenTable::finish()
{
    std::uint32_t end = 0;
    for (const Entry &entry : m_entries) {
        end = std::max(end, entry.id + 1);
    }
    m_byId.assign(end, 0);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        std::uint32_t &index = m_byId[m_entries[i].id];
        if (index != 0) {
            throw Error(ErrorCode::BadFile, "The tokenizer gives the id " + std::to_string(m_entries[i].id) + " to two tokens; use the model's own tokenizer file.");
        }
        index = static_cast<std::uint32_t>(i + 1);
    }
}

std::optional<std::uint32_t> TokenTable::find(std::string_view spelling) const noexcept
{
    if (m_slots.empty()) {
        return std::nullopt;
    }
    const std::uint32_t index = m_slots[slotOf(spelling)];
    return index == 0 ? std::nullopt : std::optional(m_entries[index - 1].id);
}

std::string_view TokenTable::spelling(std::uint32_t id) const noexcept
{
    return has(id) ? textOf(m_entries[m_byId[id] - 1]) : std::string_view{};
}

std::size_t TokenTable::slotOf(std::string_view spelling) const noexcept
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = std::hash<std::string_view>{}(spelling) & mask;
    while (m_slots[slot] != 0 && textOf(m_entries[m_slots[slot] - 1]) != spelling) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

void TokenTable::grow()
{
    const std::size_t size = std::max<std::size_t>(64, m_slots.size() * 2);
    m_slots.assign(size, 0);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        m_slots[slotOf(textOf(m_entries[i]))] = static_cast<std::uint32_t>(i + 1);
    }
}

}  // namespace stillroom::text
