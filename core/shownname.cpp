// SPDX-License-Identifier: GPL-3.0-or-later
#include "shownname.h"

#include <cstdint>

namespace stillroom {
namespace {

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 1;
    bool whole = false;           ///< valid UTF-8: neither cut short nor longer than it need be, no surrogate
};

Character characterAt(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i])); };
    if (byte(0) < 0x80U)
        return {byte(0), 1, true};
    const std::size_t bytes = byte(0) >= 0xF0U ? 4 : byte(0) >= 0xE0U ? 3 : 2;
    if (byte(0) < 0xC2U || byte(0) > 0xF4U || at + bytes > text.size())
        return {};
    std::uint32_t code = byte(0) & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U)
            return {};
        code = code << 6U | (byte(i) & 0x3FU);
    }
    const bool tooLong = (bytes == 3 && code < 0x800U) || (bytes == 4 && code < 0x10000U);
    return tooLong || code > 0x10FFFFU || (code >= 0xD800U && code < 0xE000U) ? Character{} : Character{code, bytes, true};
}

bool isPlain(std::uint32_t code)
{
    const bool control = code < 0x20U || (code >= 0x7FU && code < 0xA0U);
    const bool line = code == 0x2028U || code == 0x2029U;
    const bool direction = code == 0x061CU || code == 0x200EU || code == 0x200FU || (code >= 0x202AU && code <= 0x202EU) || (code >= 0x2066U && code <= 0x2069U);
    return !control && !line && !direction;
}

std::string shown(std::string_view text, bool inLines, std::size_t longest)
{
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        const Character character = characterAt(text, at);
        const bool stays = character.whole && (isPlain(character.code) || (inLines && (text[at] == '\n' || text[at] == '\t')));
        const std::string_view piece = stays ? text.substr(at, character.bytes) : "?";
        if (made.size() + piece.size() > longest)
            return made + "…";
        made += piece;
        at += character.bytes;
    }
    return made;
}

}  // namespace

std::string shownLine(std::string_view text)
{
    return shown(text, false, std::string_view::npos);
}

std::string shownText(std::string_view text)
{
    return shown(text, true, std::string_view::npos);
}

std::string shownName(std::string_view name)
{
    constexpr std::size_t longest = 160;
    return shown(name, false, longest);
}

}  // namespace stillroom
