// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/scorelist.h"

#include "error.h"
#include "experiment/jsontext.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace stillroom::experiment {
namespace {

using nlohmann::json;

bool holds(const json &score, const char *field)
{
    return score.contains(field) && !score.at(field).is_null();
}

LayerScore scoreFromJson(const json &one)
{
    LayerScore score;
    score.layer = wholeNumber(one.at("layer"), "The layer of a score");
    score.score = one.at(holds(one, "score") ? "score" : "kl_nats").get<double>();
    score.higherIsBetter = one.value("higher_is_better", false);
    score.unit = one.value("unit", score.unit);
    if (holds(one, "kl_nats"))
        score.klNats = one.at("kl_nats").get<double>();
    score.numSequences = one.value("n", std::int64_t{0});
    const char *error = holds(one, "se_nats") ? "se_nats" : "se";
    score.se = holds(one, error) && score.numSequences > 1 ? one.at(error).get<double>() : std::numeric_limits<double>::quiet_NaN();
    return score;
}

}  // namespace

std::vector<LayerScore> scoresFromJson(const json &list, const std::string &what)
{
    try {
        std::vector<LayerScore> scores;
        for (const json &one : list)
            scores.push_back(scoreFromJson(one));
        return scores;
    } catch (const json::exception &error) {
        throw Error(ErrorCode::BadFile, what + " cannot be read: each needs a layer and kl_nats or score, both numbers; score again", error.what());
    }
}

}  // namespace stillroom::experiment
