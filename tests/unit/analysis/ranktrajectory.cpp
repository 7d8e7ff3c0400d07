// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/ranktrajectory.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "randomstream.h"
#include "testdata.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <doctest/doctest.h>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

using namespace stillroom;
using namespace stillroom::analysis;
using experiment::LayerScore;
using experiment::LayerSet;
using experiment::Ranking;

namespace {

LayerScore scoreAfter(std::int64_t tokens, int layer, double kl)
{
    LayerScore score;
    score.layer = layer;
    score.score = kl;
    score.tokens = tokens;
    return score;
}

}  // namespace

TEST_CASE("every complete evaluation is ranked, by tokens, whatever the order of arrival")
{
    const RankTrajectory found = rankTrajectory({scoreAfter(200, 2, 0.1), scoreAfter(100, 0, 0.1), scoreAfter(100, 2, 0.3), scoreAfter(200, 0, 0.3), scoreAfter(100, 1, 0.2), scoreAfter(200, 1, 0.2), scoreAfter(200, -1, 0.0)}, 3);
    CHECK(found.tokens_E == std::vector<std::int64_t>{100, 200});
    CHECK(found.rankings_E == std::vector<Ranking>{{0, 1, 2}, {2, 1, 0}});
    CHECK(found.ranks_LE() == std::vector<std::vector<int>>{{1, 3}, {2, 2}, {3, 1}});
}

TEST_CASE("an evaluation that lacks a layer, or has one that diverged, is not ranked")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const RankTrajectory found = rankTrajectory({scoreAfter(100, 0, 0.1), scoreAfter(200, 0, 0.1), scoreAfter(200, 1, 0.2), scoreAfter(300, 0, 0.3), scoreAfter(300, 1, nan), scoreAfter(300, 7, 0.2)}, 2);
    CHECK(found.tokens_E == std::vector<std::int64_t>{200});
    CHECK(rankTrajectory({}, 4).rankings_E.empty());
    CHECK(rankTrajectory({}, 4).ranks_LE().empty());
    CHECK_THROWS_AS((void)rankTrajectory({}, 0), Error);
}

TEST_CASE("the direction is that of the scores, ties go to the lower layer, and the later of two scores counts")
{
    std::vector<LayerScore> residuals{scoreAfter(1, 0, 0.9), scoreAfter(1, 1, 0.2), scoreAfter(1, 2, 0.2), scoreAfter(1, 0, 0.1)};
    for (LayerScore &score : residuals)
        score.higherIsBetter = true;
    CHECK(rankTrajectory(residuals, 3).rankings_E.front() == Ranking{1, 2, 0});
}

TEST_CASE("a layer that left a race keeps its last place, and the others share the places between")
{
    // After 200 tokens layer 1 (second of four) and layer 3 (last) train no more; the others change places around them.
    const std::vector<LayerScore> race{scoreAfter(100, 0, 0.4), scoreAfter(100, 1, 0.2), scoreAfter(100, 2, 0.1), scoreAfter(100, 3, 0.9),
                                       scoreAfter(200, 0, 0.3), scoreAfter(200, 1, 0.2), scoreAfter(200, 2, 0.1), scoreAfter(200, 3, 0.9),
                                       scoreAfter(300, 0, 0.05), scoreAfter(300, 2, 0.1), scoreAfter(400, 0, 0.01)};
    const RankTrajectory found = rankTrajectory(race, 4, Missing::Left);
    CHECK(found.tokens_E == std::vector<std::int64_t>{100, 200, 300, 400});
    CHECK(found.rankings_E == std::vector<Ranking>{{2, 1, 0, 3}, {2, 1, 0, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}});
    CHECK(found.lastMeasured_L == std::vector<std::size_t>{3, 1, 2, 1});
    CHECK_FALSE(found.hasLeft(0));
    for (const int layer : {1, 2, 3})
        CHECK(found.hasLeft(layer));
    // The same list where layers are trained in groups: the rest is still to come.
    CHECK(rankTrajectory(race, 4).tokens_E == std::vector<std::int64_t>{100, 200});
}

TEST_CASE("a race's first evaluation needs every layer, and a layer that diverged has not left")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(rankTrajectory({scoreAfter(100, 0, 0.1), scoreAfter(200, 0, 0.1)}, 2, Missing::Left).tokens_E.empty());
    const RankTrajectory found = rankTrajectory({scoreAfter(100, 0, 0.1), scoreAfter(100, 1, 0.2), scoreAfter(200, 0, 0.1), scoreAfter(200, 1, nan), scoreAfter(300, 0, 0.3), scoreAfter(300, 1, 0.1)}, 2, Missing::Left);
    CHECK(found.tokens_E == std::vector<std::int64_t>{100, 300});
    CHECK_FALSE(found.hasLeft(1));
    // It has a later score, so that it only lacks this one.
    CHECK(rankTrajectory({scoreAfter(100, 0, 0.1), scoreAfter(100, 1, 0.2), scoreAfter(200, 0, 0.1), scoreAfter(300, 0, 0.3), scoreAfter(300, 1, 0.1)}, 2, Missing::Left).tokens_E == std::vector<std::int64_t>{100, 300});
}

TEST_CASE("places of a race with random departures are a permutation, and departed layers stand still")
{
    RandomStream random(3);
    constexpr int layers = 17, evaluations = 11;
    for (int repeat = 0; repeat < 20; ++repeat) {
        std::vector<int> lastOf;
        for (int layer = 0; layer < layers; ++layer)
            lastOf.push_back(layer == 0 ? evaluations - 1 : static_cast<int>(random.uniform() * evaluations));
        std::vector<LayerScore> race;
        for (int evaluation = 0; evaluation < evaluations; ++evaluation)
            for (int layer = 0; layer < layers; ++layer)
                if (evaluation <= lastOf[static_cast<std::size_t>(layer)])
                    race.push_back(scoreAfter(evaluation, layer, random.uniform()));
        const RankTrajectory found = rankTrajectory(race, layers, Missing::Left);
        REQUIRE(found.tokens_E.size() == evaluations);
        const auto ranks_LE = found.ranks_LE();
        for (std::size_t evaluation = 0; evaluation < evaluations; ++evaluation) {
            CHECK(experiment::validLayerSet(found.rankings_E[evaluation], layers).size() == layers);
            for (std::size_t layer = 0; layer < layers; ++layer)
                if (static_cast<int>(evaluation) > lastOf[layer])
                    CHECK(ranks_LE[layer][evaluation] == ranks_LE[layer][static_cast<std::size_t>(lastOf[layer])]);
        }
    }
}

TEST_CASE("a trajectory that grows score by score is the one that is made at once, and says from where on it changed")
{
    RandomStream random(11);
    constexpr int layers = 7, evaluations = 9;
    for (const Missing missing : {Missing::NotYet, Missing::Left})
        for (int repeat = 0; repeat < 20; ++repeat) {
            std::vector<LayerScore> scores;
            for (int evaluation = 0; evaluation < evaluations; ++evaluation)
                for (int layer = 0; layer < layers; ++layer)
                    if (layer < 3 || random.uniform() < 0.9)
                        scores.push_back(scoreAfter(evaluation, layer, random.uniform() < 0.02 ? std::numeric_limits<double>::quiet_NaN() : random.uniform()));
            for (int swaps = 0; swaps < 6; ++swaps)      // late, early, and said twice
                std::swap(scores[static_cast<std::size_t>(random.uniform() * static_cast<double>(scores.size()))], scores[static_cast<std::size_t>(random.uniform() * static_cast<double>(scores.size()))]);
            scores.push_back(scores[5]);
            scores.push_back(scoreAfter(2, 1, 0.5));
            GrowingTrajectory growing(layers, missing);
            RankTrajectory before;
            for (std::size_t done = 0; done < scores.size();) {
                const std::size_t batch = std::min(scores.size() - done, static_cast<std::size_t>(1 + random.uniform() * 4));
                const std::size_t first = growing.add(std::span(scores).subspan(done, batch));
                done += batch;
                const RankTrajectory whole = rankTrajectory({scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(done)}, layers, missing);
                const RankTrajectory &now = growing.trajectory();
                REQUIRE(now.tokens_E == whole.tokens_E);
                REQUIRE(now.rankings_E == whole.rankings_E);
                REQUIRE(now.lastMeasured_L == whole.lastMeasured_L);
                REQUIRE(first <= std::min(now.tokens_E.size(), before.tokens_E.size()));
                for (std::size_t kept = 0; kept < first; ++kept)
                    REQUIRE((now.tokens_E[kept] == before.tokens_E[kept] && now.rankings_E[kept] == before.rankings_E[kept]));
                before = now;
            }
        }
}

TEST_CASE("a score at new tokens leaves the evaluations before it as they were")
{
    GrowingTrajectory growing(2);
    CHECK(growing.add(std::vector{scoreAfter(1, 0, 0.1), scoreAfter(1, 1, 0.2)}) == 0);
    CHECK(growing.add(std::vector{scoreAfter(2, 0, 0.3), scoreAfter(2, 1, 0.2)}) == 1);
    CHECK(growing.add(std::vector{scoreAfter(2, 0, 0.3), scoreAfter(1, -1, 0.0)}) == 2);      // nothing new
    CHECK(growing.add(std::vector{scoreAfter(1, 1, 0.05)}) == 0);
    CHECK(growing.trajectory().rankings_E == std::vector<Ranking>{{1, 0}, {1, 0}});
    CHECK_THROWS_AS(GrowingTrajectory(0), Error);
}

TEST_CASE("crossings from an evaluation on are the end of all of them")
{
    const RankTrajectory trajectory{{1, 2, 3, 4}, {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 3, 1, 2}, {2, 3, 0, 1}}, {}};
    const std::vector<Crossing> all = crossings(trajectory, 2);
    for (std::size_t from = 0; from <= 5; ++from) {
        const std::vector<Crossing> end = crossings(trajectory, 2, from);
        REQUIRE(end.size() == (from < 4 ? 4 - from : 0));
        for (std::size_t i = 0; i < end.size(); ++i)
            CHECK((end[i].entered == all[from + i].entered && end[i].left == all[from + i].left));
    }
}

TEST_CASE("who entered and left the best K is what changed in the sets")
{
    const RankTrajectory trajectory{{1, 2, 3}, {{0, 1, 2, 3}, {0, 3, 1, 2}, {2, 3, 0, 1}}};
    const std::vector<Crossing> two = crossings(trajectory, 2);
    REQUIRE(two.size() == 3);
    CHECK(two[0].entered.empty());
    CHECK(two[1].entered == LayerSet{3});
    CHECK(two[1].left == LayerSet{1});
    CHECK(two[2].entered == LayerSet{2});
    CHECK(two[2].left == LayerSet{0});
    for (const int keep : {0, 4})
        for (const Crossing &none : crossings(trajectory, keep))
            CHECK((none.entered.empty() && none.left.empty()));
    CHECK_THROWS_AS((void)crossings(trajectory, 5), Error);
    CHECK_THROWS_AS((void)crossings(trajectory, -1), Error);
    CHECK(crossings({}, 3).empty());
}

TEST_CASE("following the crossings from the first set leads to the last, at every K")
{
    RandomStream random(7);
    std::vector<LayerScore> scores;
    for (int evaluation = 0; evaluation < 9; ++evaluation)
        for (int layer = 0; layer < 20; ++layer)
            scores.push_back(scoreAfter(evaluation, layer, random.uniform()));
    const RankTrajectory trajectory = rankTrajectory(scores, 20);
    REQUIRE(trajectory.rankings_E.size() == 9);
    for (int keep = 0; keep <= 20; ++keep) {
        LayerSet set = experiment::topLayers(trajectory.rankings_E.front(), keep);
        for (const Crossing &crossing : crossings(trajectory, keep)) {
            CHECK(crossing.entered.size() == crossing.left.size());
            for (const int layer : crossing.left)
                CHECK(std::erase(set, layer) == 1);
            set.insert(set.end(), crossing.entered.begin(), crossing.entered.end());
        }
        std::sort(set.begin(), set.end());
        CHECK(set == experiment::topLayers(trajectory.rankings_E.back(), keep));
    }
}

TEST_CASE("the measured curves of SmolLM2 give one rank a layer and evaluation")
{
    const auto json = experiment::parseJson(experiment::readTextFile((test::testData() / "selection/smollm2-gdn-curves.json").string(), std::size_t{16} << 20U, "The curves"), "The curves");
    std::vector<LayerScore> scores;
    for (const nlohmann::json &curve : json.at("curves"))
        for (std::size_t evaluation = 0; evaluation < curve.at("tokens").size(); ++evaluation) {
            const auto values = curve.at("kl_nats").at(evaluation).get<std::vector<double>>();
            double sum = 0.0;
            for (const double value : values)
                sum += value;
            scores.push_back(scoreAfter(curve.at("tokens").at(evaluation).get<std::int64_t>(), curve.at("layer").get<int>(), sum / static_cast<double>(values.size())));
        }
    const RankTrajectory trajectory = rankTrajectory(scores, 30);
    CHECK(trajectory.tokens_E.size() > 2);
    for (std::size_t evaluation = 0; evaluation < trajectory.tokens_E.size(); ++evaluation) {
        std::vector<int> places;
        for (const std::vector<int> &layer : trajectory.ranks_LE())
            places.push_back(layer[evaluation]);
        std::sort(places.begin(), places.end());
        for (int place = 0; place < 30; ++place)
            CHECK(places[static_cast<std::size_t>(place)] == place + 1);
    }
}
