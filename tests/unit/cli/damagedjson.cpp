// SPDX-License-Identifier: GPL-3.0-or-later
#include "damagedjson.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

void collect(const json &value, const json::json_pointer &place, std::vector<json::json_pointer> &found)
{
    found.push_back(place);
    if (value.is_object()) {
        for (const auto &[name, child] : value.items())
            collect(child, place / name, found);
    } else if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i)
            collect(value[i], place / i, found);
    }
}

std::string repeated(const std::string &text, std::size_t times)
{
    std::string all;
    all.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i)
        all += text;
    return all;
}

const std::vector<std::string> otherTypes{"null", "true", "0", "-1", "1.5", "\"\"", "\"x\"", "\"16\"", "\"a\\nb\\u0000\"", "[]", "[1]", "[null]", "{}", "{\"a\":1}", "[[[]]]", "{\"type\":\"Sequence\"}"};

bool anything(const json &) { return true; }

/// Lists and texts of another length, or the whole file beyond what is read.
std::string otherJsonLength(const json &document, Draw &draw)
{
    const auto size = draw.oneOf(std::vector<std::size_t>{0, 1, 2, 100, 5'000, 200'000});
    switch (draw.below(8)) {
    case 0: return document.dump() + std::string(17'000'000, ' ');
    case 1: return withReplaced(document, [](const json &value) { return value.is_string(); }, '"' + std::string(std::size_t{1} << (10 + draw.below(14)), 'x') + '"', draw);
    case 2:
    case 3: return withReplaced(document, [](const json &value) { return value.is_string(); }, '"' + std::string(size, 'y') + '"', draw);
    default: {
        const auto part = draw.oneOf(std::vector<std::string>{"0", "1", "\"x\"", "[]", "{}", "null"});
        return withReplaced(document, [](const json &value) { return value.is_array() || value.is_object(); }, "[" + (size > 0 ? repeated(part + ",", size - 1) + part : "") + "]", draw);
    }
    }
}

/// Members that lack, that stand twice, or that nobody knows, up to hundreds of thousands.
std::string otherJsonCount(json document, Draw &draw)
{
    const auto choice = draw.below(3);
    if (choice == 0 && document.size() > 1) {
        auto member = document.begin();
        std::advance(member, static_cast<std::ptrdiff_t>(draw.below(document.size())));
        document.erase(member);
        return document.dump();
    }
    std::string text = document.dump();
    if (choice == 1) {
        const auto end = text.find(':');
        return text.insert(1, text.substr(1, end - 1) + ":" + draw.oneOf(otherTypes) + ",");
    }
    std::string members;
    const auto numMembers = draw.oneOf(std::vector<std::size_t>{1, 10, 1'000, 100'000, 300'000});
    for (std::size_t i = 0; i < numMembers; ++i)
        members += "\"member" + std::to_string(i) + "\":1,";
    return text.insert(1, members);
}

}  // namespace

const std::vector<std::string> &strangeNumbers()
{
    static const std::vector<std::string> numbers{"-1",   "0",    "1",          "7",          "2.5",                 "1e3",                 "-0.0",                 "1e308",                "-1e308", "1e309", "1e-400",
                                                  "1e999", "NaN", "Infinity",   "-Infinity",  "65536",               "2147483647",          "2147483648",           "4294967295",           "4294967296", "1000000000000",
                                                  "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "99999999999999999999999999999999", "00", "+1", "0x10", ""};
    return numbers;
}

std::string nested(Draw &draw)
{
    const auto depth = draw.oneOf(std::vector<std::size_t>{2, 10, 62, 63, 64, 65, 1'000, 100'000, 1'000'000});
    const bool objects = draw.below(2) == 0, closed = draw.below(2) == 0;
    return repeated(objects ? "{\"x\":" : "[", depth) + "1" + (closed ? std::string(depth, objects ? '}' : ']') : "");
}

std::string withReplaced(const json &document, const std::function<bool(const json &)> &wanted, const std::string &text, Draw &draw)
{
    const std::string mark = "a place that is replaced";
    std::vector<json::json_pointer> places;
    collect(document, json::json_pointer(""), places);
    std::erase_if(places, [&](const auto &place) { return !wanted(document.at(place)); });
    REQUIRE_FALSE(places.empty());
    json marked = document;
    marked[draw.oneOf(places)] = mark;
    std::string all = marked.dump();
    return all.replace(all.find('"' + mark + '"'), mark.size() + 2, text);
}

Kinds damagedJson(std::function<json(Draw &)> whole)
{
    return {
        {"truncations", true, [whole](Draw &draw) { const auto text = whole(draw).dump(1); return text.substr(0, draw.below(text.size() - 1)); }},
        {"header flips", false, [whole](Draw &draw) { auto text = whole(draw).dump(1); flipBits(text, std::min<std::size_t>(text.size(), 300), draw); return text; }},
        {"lengths", false, [whole](Draw &draw) { return otherJsonLength(whole(draw), draw); }},
        {"counts", false, [whole](Draw &draw) { return otherJsonCount(whole(draw), draw); }},
        {"types", false, [whole](Draw &draw) { return withReplaced(whole(draw), anything, draw.oneOf(otherTypes), draw); }},
        {"nesting", false, [whole](Draw &draw) { return withReplaced(whole(draw), anything, nested(draw), draw); }},
        {"numbers out of range", false, [whole](Draw &draw) { return withReplaced(whole(draw), [](const json &value) { return value.is_number(); }, draw.oneOf(strangeNumbers()), draw); }},
    };
}
