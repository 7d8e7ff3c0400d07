// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/curvefile.h"

#include "error.h"
#include "experiment/jsontext.h"

#include <nlohmann/json.hpp>

namespace stillroom::selection {

nlohmann::json curveToJson(const StudentCurve &curve)
{
    nlohmann::json kl = nlohmann::json::array();
    for (const distillation::HeldOutKl &evaluation : curve.kl)
        kl.push_back(evaluation.klNats);
    nlohmann::json json = {{"kept", curve.kept}, {"tokens", curve.tokens}, {"kl_nats", std::move(kl)},
                           {"counted_tokens", curve.kl.empty() ? std::vector<std::int64_t>() : curve.kl.front().tokens}};
    if (curve.kept.size() < 2)
        json["layer"] = curve.kept.empty() ? -1 : curve.kept.front();
    return json;
}

StudentCurve curveFromJson(const nlohmann::json &json)
{
    StudentCurve curve;
    try {
        if (json.contains("kept"))
            curve.kept = experiment::wholeNumbers(json.at("kept"), "the layers of a KL curve in it");
        else if (const int layer = experiment::wholeNumber(json.at("layer"), "the layer of a KL curve in it"); layer >= 0)
            curve.kept = {layer};
        curve.tokens = json.at("tokens").get<std::vector<std::int64_t>>();
        const auto counted = json.at("counted_tokens").get<std::vector<std::int64_t>>();
        for (const nlohmann::json &evaluation : json.at("kl_nats"))
            curve.kl.push_back({evaluation.get<std::vector<double>>(), counted});
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, "a KL curve in it lacks kept, tokens, kl_nats or counted_tokens, or they are no numbers", error.what());
    }
    bool whole = curve.tokens.size() == curve.kl.size();
    for (const distillation::HeldOutKl &evaluation : curve.kl)
        whole = whole && evaluation.klNats.size() == evaluation.tokens.size();
    if (!whole)
        throw Error(ErrorCode::BadFile, "a KL curve in it has rows of unequal length");
    return curve;
}

}  // namespace stillroom::selection
