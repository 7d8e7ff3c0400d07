// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/jsontext.h"

#include "error.h"
#include "experiment/completion.h"
#include "strictjson.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

namespace stillroom::experiment {

namespace {

using nlohmann::json;

std::string position(std::string_view text, std::size_t byte)
{
    const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - lineStart + 1);
}

std::string sentenceOf(const JsonFault &fault, std::string_view text)
{
    switch (fault.kind) {
    case JsonFault::Kind::TooMany: return " holds more than " + std::to_string(maximumJsonValues) + " values; split it or write fewer.";
    case JsonFault::Kind::TooDeep: return " nests deeper than " + std::to_string(maximumJsonDepth) + " levels; write it flatter.";
    case JsonFault::Kind::NameTwice: return " holds the name " + shown(fault.name) + " twice in one object; delete one of them.";
    case JsonFault::Kind::Number: return " holds a value that cannot be read, such as a number out of range; correct it there.";
    case JsonFault::Kind::Syntax: break;
    }
    return " is not JSON: correct the error at " + position(text, fault.byte) + ".";
}

}  // namespace

json parseJson(std::string_view text, const std::string &what, ErrorCode code)
{
    auto parsed = strictJson(text, static_cast<std::size_t>(maximumJsonDepth), maximumJsonValues);
    if (const auto *fault = std::get_if<JsonFault>(&parsed))
        throw Error(code, what + sentenceOf(*fault, text), fault->detail);
    return std::get<json>(std::move(parsed));
}

int jsonDepth(const json &value)
{
    int depth = 0;
    std::vector<std::pair<const json *, int>> open{{&value, 0}};
    while (!open.empty()) {
        const auto [current, level] = open.back();
        open.pop_back();
        if (!current->is_structured())
            continue;
        depth = std::max(depth, level + 1);
        for (const json &child : *current)
            open.emplace_back(&child, level + 1);
    }
    return depth;
}

std::string readTextFile(const std::string &path, std::size_t maximumBytes, const std::string &what)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        throw Error(ErrorCode::BadFile, what + " cannot be opened: there is no such ordinary file; check the path.", error.message());
    const auto sizeBytes = std::filesystem::file_size(path, error);
    if (error || sizeBytes > maximumBytes)
        throw Error(ErrorCode::BadFile, what + " is larger than the allowed " + std::to_string(maximumBytes >> 20U) + " MB; give a smaller one.", error.message());
    std::ifstream stream(path, std::ios::binary);
    std::string text(static_cast<std::size_t>(sizeBytes), '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream)
        throw Error(ErrorCode::BadFile, what + " cannot be read; check its permissions.");
    return text;
}

int wholeNumber(const nlohmann::json &value, const std::string &what)
{
    const bool small = value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<int>::max())
                                                  : value.is_number_integer() && value.get<std::int64_t>() >= std::numeric_limits<int>::min() && value.get<std::int64_t>() <= std::numeric_limits<int>::max();
    if (!small)
        throw Error(ErrorCode::BadFile, what + " is " + compactJson(value).substr(0, 60) + " but must be a whole number.");
    return value.get<int>();
}

std::vector<int> wholeNumbers(const nlohmann::json &list, const std::string &what)
{
    if (!list.is_array())
        throw Error(ErrorCode::BadFile, what + " is " + compactJson(list).substr(0, 60) + " but must be a list of whole numbers.");
    std::vector<int> numbers;
    for (const nlohmann::json &value : list)
        numbers.push_back(wholeNumber(value, what + ": a number"));
    return numbers;
}

std::string textIn(const nlohmann::json &object, const char *field)
{
    return object.is_object() && object.contains(field) && object.at(field).is_string() ? object.at(field).get<std::string>() : std::string();
}

}  // namespace stillroom::experiment
