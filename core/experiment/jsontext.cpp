// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/jsontext.h"

#include "error.h"
#include "experiment/completion.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
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

/// Refuses what nlohmann's parser would accept: a name twice (the last would win in silence) and bottomless nesting.
class Limits final {
public:
    explicit Limits(std::string what) : m_what(std::move(what)) {}

    bool operator()(int, json::parse_event_t event, json &value)
    {
        if (++m_numEvents > maximumJsonValues)
            throw Error(ErrorCode::BadFile, m_what + " holds more than " + std::to_string(maximumJsonValues) + " values; split it or write fewer.");
        switch (event) {
        case json::parse_event_t::object_start:
        case json::parse_event_t::array_start:
            m_names.emplace_back();
            if (m_names.size() > static_cast<std::size_t>(maximumJsonDepth))
                throw Error(ErrorCode::BadFile, m_what + " nests deeper than " + std::to_string(maximumJsonDepth) + " levels; write it flatter.");
            break;
        case json::parse_event_t::object_end:
        case json::parse_event_t::array_end:
            m_names.pop_back();
            break;
        case json::parse_event_t::key:
            if (const auto &name = value.get_ref<const std::string &>(); !m_names.back().insert(name).second)
                throw Error(ErrorCode::BadFile, m_what + " holds the name " + shown(name) + " twice in one object; delete one of them.");
            break;
        case json::parse_event_t::value:
            break;
        }
        return true;
    }

private:
    std::string m_what;
    std::size_t m_numEvents = 0;
    std::vector<std::set<std::string>> m_names;
};

}  // namespace

json parseJson(std::string_view text, const std::string &what)
{
    Limits limits(what);
    try {
        return json::parse(text.begin(), text.end(), std::ref(limits));
    } catch (const json::parse_error &error) {
        throw Error(ErrorCode::BadFile, what + " is not JSON: correct the error at " + position(text, error.byte) + ".", error.what());
    } catch (const json::exception &error) {
        throw Error(ErrorCode::BadFile, what + " holds a value that cannot be read, such as a number out of range; correct it there.", error.what());
    }
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

}  // namespace stillroom::experiment
