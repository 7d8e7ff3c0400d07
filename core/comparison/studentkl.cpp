// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/studentkl.h"

#include "error.h"
#include "experiment/jsontext.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::comparison {

StudentKl studentKl(const nlohmann::json &json)
{
    StudentKl student;
    try {
        if (json.contains("kept"))
            student.kept = experiment::wholeNumbers(json.at("kept"), "the layers of a KL curve in it");
        else if (const int layer = experiment::wholeNumber(json.at("layer"), "the layer of a KL curve in it"); layer >= 0)
            student.kept = {layer};
        student.countedTokens_S = json.at("counted_tokens").get<std::vector<std::int64_t>>();
        student.klNats_ES = json.at("kl_nats").get<std::vector<std::vector<double>>>();
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, "a KL curve in it lacks kept, kl_nats or counted_tokens, or they are no numbers", error.what());
    }
    if (std::any_of(student.klNats_ES.begin(), student.klNats_ES.end(), [&](const std::vector<double> &kl_S) { return kl_S.size() != student.countedTokens_S.size(); }))
        throw Error(ErrorCode::BadFile, "a KL curve in it has rows of unequal length");
    return student;
}

}  // namespace stillroom::comparison
