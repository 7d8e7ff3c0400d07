// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/difference.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace difference_tests {

using namespace stillroom::experiment;
using nlohmann::json;

namespace {

/// "path: before -> after" of every difference.
std::vector<std::string> lines(const json &before, const json &after)
{
    std::vector<std::string> all;
    for (const Difference &one : differences(before, after))
        all.push_back(one.path + ": " + one.before + " -> " + one.after);
    return all;
}

}  // namespace

TEST_CASE("specs differ field by field, down to the innermost")
{
    CHECK(lines({{"a", 1}, {"b", {{"c", true}}}}, {{"a", 1.0}, {"b", {{"c", true}}}}).empty());
    CHECK(lines({{"a", 1}, {"mixer", {{"kind", "gdn"}, {"options", {{"short_conv", true}}}}}}, {{"a", 2}, {"mixer", {{"kind", "gla"}, {"options", json::object()}}}})
          == std::vector<std::string>{"a: 1 -> 2", "mixer.kind: \"gdn\" -> \"gla\"", "mixer.options.short_conv: true -> "});
    CHECK(lines({{"a", 1}}, {{"a", 1}, {"mixer", {{"kind", "gdn"}, {"options", {{"short_conv", true}}}}}}) == std::vector<std::string>{"mixer.kind:  -> \"gdn\"", "mixer.options.short_conv:  -> true"});
    CHECK(lines({{"mixer", json::object()}}, json::object()) == std::vector<std::string>{"mixer: {} -> "});
    CHECK(lines({{"a", {{"b", 1}}}}, {{"a", 3}}) == std::vector<std::string>{"a: {\"b\":1} -> 3"});
    CHECK(lines(1, "x") == std::vector<std::string>{": 1 -> \"x\""});
}

TEST_CASE("lists of objects are gone into, other lists are one value")
{
    CHECK(lines({{"keep", {0, 3}}}, {{"keep", {0, 4}}}) == std::vector<std::string>{"keep: [0,3] -> [0,4]"});
    const json stages = {{{"task", "a"}, {"steps", 1}}, {{"task", "b"}, {"steps", 2}}};
    json other = stages;
    other[1]["steps"] = 5;
    other.push_back({{"task", "c"}});
    CHECK(lines({{"stages", stages}}, {{"stages", other}}) == std::vector<std::string>{"stages[1].steps: 2 -> 5", "stages[2].task:  -> \"c\""});
}

}  // namespace difference_tests
