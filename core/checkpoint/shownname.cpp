// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/shownname.h"

namespace stillroom::checkpoint {

std::string shownName(std::string_view name) {
    constexpr std::size_t longest = 160;
    std::size_t end = name.size();
    if (end > longest)
        for (end = longest; end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U; --end) {}   // not inside a UTF-8 character
    std::string shown(name.substr(0, end));
    for (auto &c : shown)
        if (static_cast<unsigned char>(c) < 32 || c == 127)
            c = '?';
    return end < name.size() ? shown + "…" : shown;
}

}  // namespace stillroom::checkpoint
