// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>

/// JSON of which a part would be lost or would cost too much is none: the parser under every reader of files.
namespace stillroom {

/// Why a text was not taken.
struct JsonFault {
    enum class Kind {
        Syntax,          ///< not JSON
        Number,          ///< a number beyond a double's range
        NameTwice,       ///< in one object: a plain parser lets the last win in silence
        TooDeep, TooMany
    };
    Kind kind = Kind::Syntax;
    std::string name;        ///< that stands twice, as the text has it
    std::size_t byte = 0;    ///< of a fault of syntax or of a number, from 1
    std::string detail;      ///< the parser's own words
};

/// \param maxDepth  of arrays and objects in each other. \param maxValues  names of members counted too, and arrays and objects twice: a bound on memory.
/// Takes time linear in the text, and stops at the first fault.
[[nodiscard]] std::variant<nlohmann::json, JsonFault> strictJson(std::string_view text, std::size_t maxDepth, std::size_t maxValues);

}  // namespace stillroom
