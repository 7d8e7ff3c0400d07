// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/halo.h"
#include "error.h"
#include "experiment/score.h"
#include "testdata.h"

#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace stillroom;
using namespace stillroom::choices;
using doctest::Approx;

TEST_CASE("HALO's score by hand, without a cap and with it")
{
    // best recall 0.8, best common sense 0.6
    const std::vector<double> recall{0.8, 0.4, 0.7, 0.5}, commonsense{0.5, 0.6, 0.6, 0.55};
    const auto paper = haloScores(recall, commonsense);
    CHECK(paper[0] == 0.0);
    CHECK(paper[1] == Approx(0.4 / 1e-6));
    CHECK(paper[2] == Approx(0.1 / 1e-6));
    CHECK(paper[3] == Approx(0.3 / (0.05 + 1e-6)));
    const auto code = haloScores(recall, commonsense, haloOfCode);
    CHECK(code[1] == 50.0);
    CHECK(code[2] == 50.0);          // four times less recall lost than by layer 1, and yet equal: the cap's tie
    CHECK(code[3] == Approx(6.0));
    CHECK(experiment::rank(code, true) == experiment::Ranking{1, 2, 3, 0});
    CHECK(experiment::rank(haloScores({0.8, 0.7, 0.4}, {0.6, 0.6, 0.6}, haloOfCode), true) == experiment::Ranking{1, 2, 0});     // a tie goes to the lower layer
    CHECK(experiment::rank(haloScores({0.8, 0.7, 0.4}, {0.6, 0.6, 0.6}), true) == experiment::Ranking{2, 1, 0});                // without the cap there is none
}

TEST_CASE("measured recall and common sense of three teachers give the published layers")
{
    std::ifstream stream(stillroom::test::testData() / "choices/halo.json");
    REQUIRE(stream);
    const nlohmann::json golden = nlohmann::json::parse(stream);
    const std::vector<experiment::Ranking> published{{3, 8, 2, 9, 21, 25, 6}, {0, 7, 1, 33, 24, 15, 34, 22, 14}, {10, 6, 7, 24, 33, 2, 4, 1, 34}};
    REQUIRE(golden.at("teachers").size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const nlohmann::json &teacher = golden.at("teachers")[i];
        const auto recall = teacher.at("recall").get<std::vector<double>>(), commonsense = teacher.at("commonsense").get<std::vector<double>>();
        for (const auto &[name, formula] : {std::pair{"paper", haloOfPaper}, std::pair{"code", haloOfCode}}) {
            const auto scores = haloScores(recall, commonsense, formula);
            REQUIRE(scores.size() == teacher.at(name).size());
            for (std::size_t layer = 0; layer < scores.size(); ++layer)
                CHECK(scores[layer] == Approx(teacher.at(name)[layer].get<double>()).epsilon(1e-12));
            const auto ranking = experiment::rank(scores, true);
            CHECK(ranking == teacher.at(std::string(name) + "_ranking").get<experiment::Ranking>());
            CHECK(experiment::Ranking(ranking.begin(), ranking.begin() + static_cast<std::ptrdiff_t>(ranking.size() / 4)) == published[i]);
        }
    }
}

TEST_CASE("HALO refuses what has no score")
{
    CHECK_THROWS_AS((void)haloScores({}, {}), Error);
    CHECK_THROWS_AS((void)haloScores({0.1, 0.2}, {0.1}), Error);
    CHECK_THROWS_AS((void)haloScores({0.1, std::nan("")}, {0.1, 0.2}), Error);
    CHECK_THROWS_AS((void)haloScores({0.1, 0.2}, {0.1, INFINITY}), Error);
    CHECK_THROWS_AS((void)haloScores({0.1}, {0.1}, {0.0, {}}), Error);
}
