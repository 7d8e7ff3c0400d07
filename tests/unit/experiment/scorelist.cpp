// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/scorelist.h"

#include "error.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace stillroom;
using nlohmann::json;

TEST_CASE("scores are read as score and select print them")
{
    const auto scores = experiment::scoresFromJson(json::parse(R"([{"layer": 1, "score": 0.5, "kl_nats": 0.25, "se_nats": 0.125, "n": 64, "unit": "nats/token"},
                                                                   {"layer": 0, "kl_nats": 0.75}, {"layer": 2, "score": 3, "kl_nats": null, "se": 0.5, "n": 3, "unit": "gate", "higher_is_better": true}])"));
    REQUIRE(scores.size() == 3);
    CHECK(scores[0].score == 0.5);
    CHECK(scores[0].klNats == 0.25);
    CHECK(scores[0].se == 0.125);
    CHECK_FALSE(scores[0].higherIsBetter);
    CHECK(scores[1].score == 0.75);
    CHECK(std::isnan(scores[1].se));
    CHECK_FALSE(scores[2].klNats);
    CHECK(scores[2].se == 0.5);
    CHECK(scores[2].unit == "gate");
    CHECK(scores[2].higherIsBetter);
}

TEST_CASE("an error over one sequence is not known, whatever a file says")
{
    CHECK(std::isnan(experiment::scoresFromJson(json::parse(R"([{"layer": 0, "score": 1, "se": 0, "n": 1}])"))[0].se));
}

TEST_CASE("what are no scores is refused")
{
    for (const char *list : {R"([1])", R"([{"layer": 0}])", R"([{"layer": 0.5, "score": 1}])", R"([{"score": 1}])", R"([{"layer": 0, "score": "1"}])", R"([{"layer": 0, "score": 1, "n": "x"}])", R"([null])"}) {
        CAPTURE(list);
        try {
            (void)experiment::scoresFromJson(json::parse(list));
            FAIL("accepted");
        } catch (const Error &error) {
            CHECK(error.code() == ErrorCode::BadFile);
        }
    }
}
