// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/distinction.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace distinction_tests {

using namespace stillroom::experiment;
using nlohmann::json;

namespace {

Sibling sibling(const json &settings, std::int64_t seed)
{
    return {settings.dump(), seed};
}

/// "path=value path=value" of each.
std::vector<std::string> told(const std::vector<Sibling> &siblings)
{
    std::vector<std::string> all;
    for (const auto &values : distinctions(siblings)) {
        std::string text;
        for (const SpecValue &one : values)
            text += (text.empty() ? "" : " ") + one.path + "=" + one.json;
        all.push_back(text);
    }
    return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("repeats are told apart by their seed")
{
    const json settings = {{"steps", 10}};
    CHECK(told({sibling(settings, 1), sibling(settings, 3)}) == Texts{"seed=1", "seed=3"});
    CHECK(told({sibling(settings, 1), sibling(settings, 1)}) == Texts{"", ""});
    CHECK(told({sibling(settings, 1)}) == Texts{""});
    CHECK(told({}).empty());
    CHECK(told({{settings.dump(), std::nullopt}, sibling(settings, 1)}) == Texts{"seed=", "seed=1"});
}

TEST_CASE("whichever field differs tells experiments apart, also one within another")
{
    CHECK(told({sibling({{"stage1", {{"steps", 10}}}, {"name", "a"}}, 1), sibling({{"stage1", {{"steps", 20}}}, {"notes", "b"}}, 1)}) == Texts{"stage1.steps=10", "stage1.steps=20"});
    CHECK(told({sibling({{"teacher", "demo"}}, 1), sibling({{"teacher", "demo"}, {"rank", 4}}, 1)}) == Texts{"rank=", "rank=4"});
    CHECK(told({{"no spec", 1}, sibling({{"rank", 4}}, 1)}) == Texts{"rank=", "rank=4"});
}

TEST_CASE("a part that is switched off tells nothing apart, one that is on is told by its fields")
{
    const json without = {{"kind", "score"}, {"steps", 10}};
    json off = without, on = without;
    off["early_stop"] = {{"enabled", false}, {"window", 3}, {"keep", json::array()}};
    on["early_stop"] = {{"enabled", true}, {"rule", "race"}};
    CHECK(told({sibling(without, 1), sibling(off, 2)}) == Texts{"seed=1", "seed=2"});
    CHECK(told({sibling(off, 1), sibling(on, 1)}) == Texts{"early_stop.enabled=", "early_stop.enabled=true"});
    const auto piped = [](const json &spec) { return json{{"kind", "pipeline"}, {"stages", {{{"task", "a"}, {"spec", spec}}}}}; };
    CHECK(told({sibling(piped(without), 1), sibling(piped(off), 2)}) == Texts{"seed=1", "seed=2"});
}

TEST_CASE("the seed is said only of those that other fields leave alike")
{
    const auto with = [](int steps, std::int64_t seed) { return sibling({{"steps", steps}}, seed); };
    CHECK(told({with(10, 1), with(20, 2)}) == Texts{"steps=10", "steps=20"});
    CHECK(told({with(10, 1), with(10, 2), with(20, 1)}) == Texts{"steps=10 seed=1", "steps=10 seed=2", "steps=20 seed=1"});
}

TEST_CASE("no more fields are said than tell them apart")
{
    const auto with = [](int steps, double rate, int rank) { return sibling({{"steps", steps}, {"learning_rate", rate}, {"rank", rank}}, 1); };
    CHECK(told({with(1, 0.5, 4), with(2, 0.5, 8), with(3, 0.25, 8)}) == Texts{"steps=1", "steps=2", "steps=3"});
    CHECK(told({with(1, 0.5, 4), with(1, 0.25, 4), with(2, 0.5, 4), with(2, 0.25, 4)}) == Texts{"learning_rate=0.5 steps=1", "learning_rate=0.25 steps=1", "learning_rate=0.5 steps=2", "learning_rate=0.25 steps=2"});
}

}  // namespace distinction_tests
