// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/boundedjson.h"

#include "checkpoint/mappedfile.h"
#include "error.h"
#include "shownname.h"
#include "strictjson.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

namespace stillroom::checkpoint {

namespace {

[[noreturn]] void refuseJson(const std::string &where, const std::string &why, std::string detail = {}) {
    throw Error(ErrorCode::BadFile, where + " " + why + "; replace the file by an undamaged copy.", std::move(detail));
}

// One pass over the bytes, no allocation: counts what the parser would build. It need not know JSON's grammar, only never count too little.
void checkLimits(std::string_view text, const std::string &where, const JsonLimits &limits) {
    std::size_t depth = 0, values = 1, tokenBytes = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\0')
            refuseJson(where, "is not valid JSON: it holds a zero byte");   // for the parser it would be the end
        if (++tokenBytes > limits.maxStringBytes)
            refuseJson(where, "holds a string of more than " + std::to_string(limits.maxStringBytes) + " bytes");
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
            continue;
        }
        if (std::string_view("[]{},:\" \t\r\n").find(c) != std::string_view::npos)
            tokenBytes = 0;
        inString = c == '"';
        values += c == '[' || c == '{' || c == ',' ? 1 : 0;
        if ((c == '[' || c == '{') && ++depth > limits.maxDepth)
            refuseJson(where, "is nested deeper than " + std::to_string(limits.maxDepth) + " levels");
        if (c == ']' || c == '}')
            depth -= depth > 0 ? 1 : 0;
        if (values > limits.maxValues)
            refuseJson(where, "holds more than " + std::to_string(limits.maxValues) + " JSON values");
    }
}

}  // namespace

nlohmann::json parseBoundedJson(std::string_view text, const std::string &where, const JsonLimits &limits) {
    if (text.size() > limits.maxBytes)
        refuseJson(where, "has " + std::to_string(text.size()) + " bytes of JSON, more than the " + std::to_string(limits.maxBytes) + " that are read");
    checkLimits(text, where, limits);
    auto parsed = strictJson(text, limits.maxDepth, limits.maxValues);
    if (const auto *fault = std::get_if<JsonFault>(&parsed))
        refuseJson(where, fault->kind == JsonFault::Kind::NameTwice ? "names \"" + shownName(fault->name) + "\" twice in one object" : "is not valid JSON", fault->detail);
    return std::get<nlohmann::json>(std::move(parsed));
}

nlohmann::json readJsonFile(const std::filesystem::path &file, const JsonLimits &limits) {
    const MappedFile map(file);
    const auto bytes = map.bytes();
    return parseBoundedJson({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, file.string(), limits);
}

}  // namespace stillroom::checkpoint
