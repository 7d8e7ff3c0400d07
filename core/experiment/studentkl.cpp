// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/studentkl.h"

#include "error.h"
#include "experiment/jsontext.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::experiment {

nlohmann::json studentKlToJson(const StudentKl &student)
{
    nlohmann::json json = {{"kept", student.kept}, {"tokens", student.tokens_E}, {"kl_nats", student.klNats_ES}, {"counted_tokens", student.countedTokens_S}};
    if (student.kept.size() < 2)
        json["layer"] = student.kept.empty() ? -1 : student.kept.front();
    return json;
}

StudentKl studentKlFromJson(const nlohmann::json &json)
{
    StudentKl student;
    try {
        if (json.contains("kept"))
            student.kept = wholeNumbers(json.at("kept"), "the layers of a KL curve in it");
        else if (const int layer = wholeNumber(json.at("layer"), "the layer of a KL curve in it"); layer >= 0)
            student.kept = {layer};
        student.tokens_E = json.at("tokens").get<std::vector<std::int64_t>>();
        student.countedTokens_S = json.at("counted_tokens").get<std::vector<std::int64_t>>();
        student.klNats_ES = json.at("kl_nats").get<std::vector<std::vector<double>>>();
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, "a KL curve in it lacks kept, tokens, kl_nats or counted_tokens, or they are no numbers", error.what());
    }
    const auto isWhole = [&](const std::vector<double> &kl_S) { return kl_S.size() == student.countedTokens_S.size(); };
    if (student.tokens_E.size() != student.klNats_ES.size() || !std::all_of(student.klNats_ES.begin(), student.klNats_ES.end(), isWhole))
        throw Error(ErrorCode::BadFile, "a KL curve in it has rows of unequal length");
    return student;
}

}  // namespace stillroom::experiment
