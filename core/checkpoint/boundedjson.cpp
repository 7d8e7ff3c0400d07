// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/boundedjson.h"

#include "checkpoint/mappedfile.h"
#include "error.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <vector>

namespace stillroom::checkpoint {

namespace {

[[noreturn]] void refuse(const std::string &where, const std::string &why, std::string detail = {}) {
    throw Error(ErrorCode::BadFile, where + " " + why + ".", std::move(detail));
}

// One pass over the bytes, no allocation: counts what the parser would build. It need not know JSON's grammar, only never count too little.
void checkLimits(std::string_view text, const std::string &where, const JsonLimits &limits) {
    std::size_t depth = 0, values = 1, tokenBytes = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (++tokenBytes > limits.maxStringBytes)
            refuse(where, "holds a string of more than " + std::to_string(limits.maxStringBytes) + " bytes");
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
            refuse(where, "is nested deeper than " + std::to_string(limits.maxDepth) + " levels");
        if (c == ']' || c == '}')
            depth -= depth > 0 ? 1 : 0;
        if (values > limits.maxValues)
            refuse(where, "holds more than " + std::to_string(limits.maxValues) + " JSON values");
    }
}

}  // namespace

nlohmann::json parseBoundedJson(std::string_view text, const std::string &where, const JsonLimits &limits) {
    using Json = nlohmann::json;
    if (text.size() > limits.maxBytes)
        refuse(where, "has " + std::to_string(text.size()) + " bytes of JSON, more than the " + std::to_string(limits.maxBytes) + " that are read");
    checkLimits(text, where, limits);
    std::vector<std::unordered_set<std::string>> keys;   // one set per open object
    std::optional<std::string> duplicate;
    const auto watch = [&](int, Json::parse_event_t event, Json &value) {
        if (event == Json::parse_event_t::object_start)
            keys.emplace_back();
        else if (event == Json::parse_event_t::object_end)
            keys.pop_back();
        else if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second && !duplicate)
            duplicate = value.get<std::string>();
        return true;
    };
    Json json;
    try {
        json = Json::parse(text.begin(), text.end(), watch);
    } catch (const Json::exception &problem) {
        refuse(where, "is not valid JSON", problem.what());
    }
    if (duplicate)
        refuse(where, "names \"" + duplicate->substr(0, 200) + "\" twice in one object");
    return json;
}

nlohmann::json readJsonFile(const std::filesystem::path &file, const JsonLimits &limits) {
    const MappedFile map(file);
    const auto bytes = map.bytes();
    return parseBoundedJson({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, file.string(), limits);
}

}  // namespace stillroom::checkpoint
