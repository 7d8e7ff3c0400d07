// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/teacherchoices.h"

#include "choices/randomsets.h"
#include "choices/smart.h"
#include "error.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace stillroom;
using namespace stillroom::comparison;
using experiment::LayerScore;
using experiment::LayerSet;
using store::Scoring;

namespace {

Scoring klScoring(const std::string &run, const std::vector<double> &kl)
{
    Scoring scoring{.run = run, .task = "score", .selector = "ga-s2", .mixer = "gdn", .seed = 3};
    for (std::size_t layer = 0; layer < kl.size(); ++layer)
        scoring.scores.push_back({.selector = "ga-s2", .mixer = "gdn", .layer = static_cast<int>(layer), .score = kl[layer], .klNats = kl[layer]});
    scoring.ranking = experiment::rank(kl, false);
    return scoring;
}

const Choice *named(const std::vector<Choice> &all, const std::string &name)
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const Choice &one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

constexpr TeacherShape sixLayers{6, 64};
const std::vector<double> kl{0.8, 0.9, 0.7, 0.6, 0.1, 0.95};

}  // namespace

TEST_CASE("a scoring stands with SMART of its KLs, then the grids and a random order")
{
    const auto all = teacherChoices({klScoring("aaaabbbb-1", kl)}, sixLayers, choices::PublishedSets::shipped());
    std::vector<std::string> names;
    for (const Choice &one : all)
        names.push_back(one.name);
    CHECK(names == std::vector<std::string>{"aaaabbbb/score/ga-s2/gdn", "smart of aaaabbbb/score/ga-s2/gdn", "uniform-start", "uniform-end", "uniform-rounded", "uniform-latter-half", "random"});
    CHECK(*all[0].rule->at(2) == LayerSet{3, 4});
    CHECK(all[0].seed == 3);
    std::vector<double> sensitivity_L;
    for (const double one : kl)
        sensitivity_L.push_back(0.97 - one);            // as the paper has it, KL(∅) - KL({l})
    for (int keep = 0; keep <= 6; ++keep) {
        CHECK(*all[1].rule->at(keep) == choices::smartSet(sensitivity_L, keep));
        CHECK(*all[6].rule->at(keep) == experiment::topLayers(choices::randomRanking(6, usualRandomSeed, 0), keep));
    }
}

TEST_CASE("all choices are those of each scoring, then those that no measurement changes")
{
    const std::vector<Scoring> scorings{klScoring("aaaabbbb-1", kl), klScoring("ccccdddd-2", {0.1, 0.2, 0.3}), klScoring("eeeeffff-3", {0.2, 0.1, 0.3, 0.6, 0.5, 0.4})};
    std::vector<Choice> parts;
    for (const Scoring &one : scorings)
        for (const Choice &choice : choicesOfScoring(one, sixLayers))
            parts.push_back(choice);
    CHECK(parts.size() == 4);      // the second is of another number of layers
    for (const Choice &choice : unmeasuredChoices(sixLayers, choices::PublishedSets::shipped()))
        parts.push_back(choice);
    CHECK(parts == teacherChoices(scorings, sixLayers, choices::PublishedSets::shipped()));
    CHECK_THROWS_AS((void)unmeasuredChoices({}, choices::PublishedSets::shipped()), Error);
}

TEST_CASE("a scoring that is still under way is there without an answer, and scores without KL make no SMART")
{
    Scoring underWay = klScoring("running1", kl);
    underWay.scores.pop_back();
    underWay.ranking.reset();
    Scoring residuals = klScoring("residual", kl);
    for (LayerScore &score : residuals.scores)
        score.klNats.reset();
    Scoring harm = klScoring("harmdone", kl);
    for (LayerScore &score : harm.scores)
        score.higherIsBetter = true;
    const auto all = teacherChoices({underWay, residuals, harm}, sixLayers, choices::PublishedSets::shipped());
    REQUIRE(all.size() == 8);
    CHECK(all[0].origin == Origin::Scoring);
    CHECK_FALSE(all[0].rule);
    CHECK(all[1].rule);
    CHECK(all[2].name == "harmdone/score/ga-s2/gdn");
    CHECK(all[3].origin == Origin::Uniform);
}

TEST_CASE("where a search found a set, that is the choice, and the ranking elsewhere")
{
    Scoring searched = klScoring("searched", kl);
    searched.sets = {{1, 2}, {0, 4, 5}};
    const choices::KeepRule rule = *teacherChoices({searched}, sixLayers, choices::PublishedSets::shipped()).front().rule;
    CHECK(*rule.at(1) == LayerSet{4});
    CHECK(*rule.at(2) == LayerSet{1, 2});
    CHECK(*rule.at(3) == LayerSet{0, 4, 5});
    CHECK(*rule.at(4) == LayerSet{0, 2, 3, 4});
    CHECK_FALSE(rule.ranking());
}

TEST_CASE("the all-linear student is no layer, and scorings of another number of layers are left out")
{
    Scoring scoring = klScoring("aaaabbbb-1", kl);
    scoring.scores.insert(scoring.scores.begin(), {.layer = -1, .score = 0.97, .klNats = 0.97});
    CHECK(named(teacherChoices({scoring}, sixLayers, choices::PublishedSets::shipped()), "smart of aaaabbbb/score/ga-s2/gdn"));
    for (const int numLayers : {5, 7})
        CHECK_FALSE(named(teacherChoices({scoring}, {numLayers, 64}, choices::PublishedSets::shipped()), "aaaabbbb/score/ga-s2/gdn"));
    scoring.ranking.reset();
    CHECK_FALSE(named(teacherChoices({scoring}, {5, 64}, choices::PublishedSets::shipped()), "aaaabbbb/score/ga-s2/gdn"));
    CHECK_THROWS_AS((void)teacherChoices({}, {0, 64}, choices::PublishedSets::shipped()), Error);
}

TEST_CASE("published sets of a teacher's shape come by probe and selector, at the K that were published")
{
    const choices::PublishedSets &table = choices::PublishedSets::shipped();
    const auto all = teacherChoices({}, {36, 2048}, table);
    std::set<std::string> names;
    for (const Choice &one : all)
        names.insert(one.name);
    CHECK(names.size() == all.size());
    const Choice *ranking = named(all, "published:qwen2.5-3b/gdn/ga-s2");
    REQUIRE(ranking);
    CHECK(*ranking->rule->at(9) == table.find("qwen2.5-3b/gdn/25/ga-s2").set());
    CHECK_FALSE(ranking->rule->at(36));
    const Choice *smart = named(all, "published:qwen2.5-3b/gdn/smart");
    REQUIRE(smart);
    CHECK(*smart->rule->at(9) == table.find("qwen2.5-3b/gdn/25/smart").set());
    CHECK_FALSE(smart->rule->at(8));
    std::size_t published = 0;
    for (const choices::PublishedSet &set : table.sets())
        if (set.teacher == "qwen2.5-3b") {
            ++published;
            const Choice *choice = named(all, "published:qwen2.5-3b/" + set.probe + "/" + set.selector);
            REQUIRE(choice);
            CHECK(*choice->rule->at(static_cast<int>(set.layers.size())) == set.set());
        }
    CHECK(published > 20);
    CHECK(teacherChoices({}, {36, 2049}, table).size() == 5);
}

TEST_CASE("a set by hand is the same at every K")
{
    const Choice choice = byHand({4, 0}, 6);
    for (const int keep : {0, 3, 6})
        CHECK(*choice.rule->at(keep) == LayerSet{0, 4});
    CHECK_THROWS_AS((void)byHand({6}, 6), Error);
}

TEST_CASE("a scoring is found by its name, and a wrong one is answered with the nearest")
{
    const std::vector<Scoring> all{klScoring("11111111-aaaa", kl), klScoring("22222222-bbbb", kl)};
    CHECK(scoringNamed(all, scoringName(all[1]), "x").run == "22222222-bbbb");
    CHECK_THROWS_WITH_AS(static_cast<void>(scoringNamed(all, "22222222/score/ga-s2/gd", "the figure f cannot be made")),
                         "the figure f cannot be made: there is no scoring 22222222/score/ga-s2/gd: did you mean 22222222/score/ga-s2/gdn?", Error);
    CHECK_THROWS_WITH_AS(static_cast<void>(scoringNamed({}, "a", "it")), "it: there is no scoring a: stillroom-cli compare --teacher lists them", Error);
}
