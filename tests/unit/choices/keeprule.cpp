// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/keeprule.h"
#include "choices/smart.h"
#include "error.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>

using namespace stillroom;
using namespace stillroom::choices;
using experiment::LayerSet;
using experiment::Ranking;

TEST_CASE("a ranking answers as far as it reaches")
{
    const KeepRule rule = KeepRule::ranked({4, 1, 3}, 6);
    CHECK(*rule.at(0) == LayerSet{});
    CHECK(*rule.at(2) == LayerSet{1, 4});
    CHECK(*rule.at(3) == LayerSet{1, 3, 4});
    CHECK_FALSE(rule.at(4));
    CHECK_FALSE(rule.at(-1));
    REQUIRE(rule.ranking() != nullptr);
    CHECK(*rule.ranking() == Ranking{4, 1, 3});
    CHECK_FALSE(rule.isFixed());
    CHECK_THROWS_AS((void)KeepRule::ranked({4, 4}, 6), Error);
    CHECK_THROWS_AS((void)KeepRule::ranked({6}, 6), Error);
}

TEST_CASE("grids and SMART answer what they do by themselves")
{
    const std::vector<double> sensitivity{0.3, 0.1, 0.9, 0.2, 0.8, 0.4, 0.5};
    const KeepRule smart = KeepRule::smart(sensitivity);
    for (int keep = 0; keep <= 7; ++keep) {
        CHECK(*smart.at(keep) == smartSet(sensitivity, keep));
        for (const Grid grid : {Grid::Start, Grid::End, Grid::Rounded})
            CHECK(*KeepRule::uniform(grid, 7).at(keep) == uniformGrid(grid, 7, keep));
    }
    const KeepRule latter = KeepRule::uniform(Grid::LatterHalf, 7);
    CHECK(*latter.at(4) == LayerSet{3, 4, 5, 6});
    CHECK_FALSE(latter.at(5));
    CHECK(latter.ranking() == nullptr);
    CHECK_THROWS_AS((void)KeepRule::uniform(Grid::Start, 0), Error);
    CHECK_THROWS_AS((void)KeepRule::smart({}), Error);
}

TEST_CASE("a fixed set is the same at every K, and answers for K = 0 … L are asked for at once")
{
    const KeepRule rule = KeepRule::fixed({5, 2}, 6);
    CHECK(rule.isFixed());
    CHECK(rule.all().size() == 7);
    for (const auto &answer : rule.all())
        CHECK(*answer == LayerSet{2, 5});
    CHECK_FALSE(rule.at(7));
    CHECK_THROWS_AS((void)KeepRule::fixed({6}, 6), Error);
}

TEST_CASE("published sets of one selector are one ranking where each goes on where the last stopped")
{
    const PublishedSets &table = PublishedSets::shipped();
    std::map<std::string, std::vector<PublishedSet>> bySelector;
    for (const PublishedSet &set : table.setsOf(*table.teacherOf(36, 2048)))
        bySelector[set.selector].push_back(set);
    const KeepRule gas2 = KeepRule::published(bySelector.at("ga-s2"));
    REQUIRE(gas2.ranking() != nullptr);
    CHECK(gas2.ranking()->size() == 18);
    CHECK(*gas2.at(3) == LayerSet{20, 32, 33});
    CHECK_FALSE(gas2.at(19));
    const KeepRule smart = KeepRule::published(bySelector.at("smart"));
    CHECK(smart.ranking() == nullptr);
    CHECK(*smart.at(9) == LayerSet{3, 7, 11, 15, 19, 23, 27, 31, 35});
    CHECK_FALSE(smart.at(8));
    const KeepRule postnas = KeepRule::published(bySelector.at("postnas"));
    CHECK(postnas.isFixed());
    CHECK(postnas.at(4)->size() == 10);
    CHECK_THROWS_AS((void)KeepRule::published({}), Error);
}

TEST_CASE("rules are equal where they were made of the same")
{
    CHECK(KeepRule::ranked({2, 0, 1}, 3) == KeepRule::ranked({2, 0, 1}, 3));
    CHECK(KeepRule::ranked({2, 0, 1}, 3) != KeepRule::ranked({2, 1, 0}, 3));
    CHECK(KeepRule::ranked({2, 0}, 3) != KeepRule::ranked({2, 0}, 4));
    CHECK(KeepRule::searched({{0}}, {2, 0, 1}, 3) != KeepRule::ranked({2, 0, 1}, 3));
    CHECK(KeepRule::smart({0.1, 0.2}) == KeepRule::smart({0.1, 0.2}));
    CHECK(KeepRule::smart({0.1, 0.2}) != KeepRule::smart({0.1, 0.3}));
    CHECK(KeepRule::fixed({0, 1}, 3) != KeepRule::uniform(Grid::Start, 3));
}

TEST_CASE("every published set is the answer at its own K")
{
    const PublishedSets &table = PublishedSets::shipped();
    std::map<std::pair<std::string, std::string>, std::vector<PublishedSet>> groups;
    for (const PublishedSet &set : table.sets())
        groups[{set.teacher, set.selector}].push_back(set);
    for (const auto &[name, sets] : groups) {
        const KeepRule rule = KeepRule::published(sets);
        CAPTURE(name.second);
        for (const PublishedSet &set : sets)
            CHECK(*rule.at(static_cast<int>(set.layers.size())) == set.set());
    }
}

TEST_CASE("rankings that contradict each other answer at their own K only")
{
    PublishedSet two, three;
    two.layers = {1, 0};
    three.layers = {4, 1, 2};
    two.ranked = three.ranked = true;
    two.numLayers = three.numLayers = 6;
    const KeepRule rule = KeepRule::published({two, three});
    CHECK(rule.ranking() == nullptr);
    CHECK(*rule.at(2) == LayerSet{0, 1});
    CHECK(*rule.at(3) == LayerSet{1, 2, 4});
    CHECK_FALSE(rule.at(1));
}

TEST_CASE("sets that were found go before the ranking that the search gives")
{
    const KeepRule rule = KeepRule::searched({{3, 1}}, {0, 1, 2, 3}, 4);
    CHECK(*rule.at(0) == LayerSet{});
    CHECK(*rule.at(1) == LayerSet{0});
    CHECK(*rule.at(2) == LayerSet{1, 3});
    CHECK(*rule.at(3) == LayerSet{0, 1, 2});
    CHECK_FALSE(rule.ranking());
    CHECK_FALSE(rule.at(5));
    CHECK(rule.foundSizes() == std::vector<int>{2});
    CHECK(KeepRule::searched({{1, 2, 3}, {}, {0}}, {0, 1, 2, 3}, 4).foundSizes() == std::vector<int>{0, 1, 3});
    CHECK(KeepRule::ranked({0, 1, 2, 3}, 4).foundSizes().empty());
    CHECK(KeepRule::fixed({0, 1}, 4).foundSizes().empty());
    CHECK_THROWS_AS((void)KeepRule::searched({{4}}, {0, 1, 2, 3}, 4), Error);
    CHECK_THROWS_AS((void)KeepRule::searched({}, {0, 0}, 4), Error);
}
