// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/scorelist.h"

#include "error.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

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

TEST_CASE("a file of scores is about the layers of one model throughout")
{
    const json whole = json::parse(R"({"num_layers": 3, "scores": [{"layer": 0, "kl_nats": 0.5}, {"layer": 2, "kl_nats": 0.25}, {"layer": 1, "kl_nats": 1}], "ranking": [2, 0, 1],
                                       "sets": [{"keep": 2, "layers": [0, 1]}], "selected": [0, 2], "keep": 2})");
    CHECK_NOTHROW(experiment::checkScores(whole));
    json uncounted = whole;
    uncounted.erase("num_layers");
    CHECK(experiment::numLayersOf(uncounted) == 3);
    CHECK_NOTHROW(experiment::checkScores(uncounted));
    json some = whole;                     // a scoring of some layers ranks those, or none
    some["scores"].erase(2);
    some["ranking"] = {2, 0};
    CHECK_NOTHROW(experiment::checkScores(some));

    struct Damage {
        const char *field, *value, *said;
    };
    for (const Damage &damage : {
             Damage{"scores", "[]", "\"scores\" is empty"},
             Damage{"scores", R"([{"layer": 0, "kl_nats": 1}, {"layer": 1, "kl_nats": 1}, {"layer": 99, "kl_nats": 1}])", "\"scores\" names layer 99, but the layers are 0 to 2"},
             Damage{"scores", R"([{"layer": -1, "kl_nats": 1}])", "\"scores\" names layer -1"},
             Damage{"scores", R"([{"layer": 0, "kl_nats": 1}, {"layer": 1, "kl_nats": 1}, {"layer": 1, "kl_nats": 2}])", "\"scores\" names layer 1 twice"},
             Damage{"scores", R"([{"layer": 0, "kl_nats": 1}, {"layer": 1, "kl_nats": null}, {"layer": 2, "kl_nats": 1}])", "\"scores\" cannot be read"},
             Damage{"scores", R"([{"layer": 0, "score": 1, "kl_nats": 1}, {"layer": 1, "score": 1, "kl_nats": null}])", "\"scores\" has a kl_nats of layer 0, but none of layer 1"},
             Damage{"scores", R"([{"layer": 0, "score": 1}, {"layer": 1, "score": 1, "higher_is_better": true}])", "whether a higher score is better"},
             Damage{"scores", R"([{"layer": 0.5, "score": 1}])", "\"scores\": a layer is 0.5 but must be a whole number"},
             Damage{"ranking", "[2, 0]", "\"ranking\" leaves out layer 1, which has a score"},
             Damage{"ranking", "[]", "\"ranking\" leaves out layer 0"},
             Damage{"ranking", "[2, 0, 0]", "\"ranking\" names layer 0 twice"},
             Damage{"ranking", "[2, 0, 7]", "\"ranking\" names layer 7, but the layers are 0 to 2"},
             Damage{"ranking", "\"best\"", "\"ranking\" is \"best\""},
             Damage{"ranking", "null", "\"ranking\" is null"},
             Damage{"num_layers", "2", "\"scores\" names layer 2, but the layers are 0 to 1"},
             Damage{"num_layers", "5000", "\"num_layers\" is 5000"},
             Damage{"sets", R"([{"keep": 2, "layers": [1]}])", "\"sets\" has keep 2 beside the layers [1]"},
             Damage{"sets", R"([{"keep": 2}])", "\"sets\" has one without keep and layers"},
             Damage{"sets", R"([{"keep": 2, "layers": [1, 9]}])", "\"sets\" names layer 9"},
             Damage{"selected", "[0, 1, 77]", "\"selected\" names layer 77, but the layers are 0 to 2"},
             Damage{"keep", "[1, 1]", "\"keep\" names layer 1 twice"},
         }) {
        CAPTURE(damage.field);
        CAPTURE(damage.value);
        json damaged = whole;
        damaged[damage.field] = json::parse(damage.value);
        if (std::string(damage.field) == "scores")
            damaged.erase("ranking");
        try {
            experiment::checkScores(damaged, "\"mine.json\"");
            FAIL("accepted");
        } catch (const Error &error) {
            CHECK(error.code() == ErrorCode::BadFile);
            CHECK(std::string(error.what()).starts_with("\"mine.json\": "));
            CHECK(std::string(error.what()).find(damage.said) != std::string::npos);
        }
    }
    json unscored = some;
    unscored["ranking"] = {2, 1};
    CHECK_THROWS_WITH_AS(experiment::checkScores(unscored), doctest::Contains("leaves out layer 0"), Error);
    unscored["ranking"] = {0, 1, 2};
    CHECK_THROWS_WITH_AS(experiment::checkScores(unscored), doctest::Contains("names layer 1, which has no score"), Error);
}
