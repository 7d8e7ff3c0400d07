// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/curvefile.h"

#include "experiment/studentkl.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace stillroom::selection {

nlohmann::json curveToJson(const StudentCurve &curve)
{
    experiment::StudentKl stored{curve.kept, curve.tokens, curve.kl.empty() ? std::vector<std::int64_t>() : curve.kl.front().tokens, {}};
    for (const distillation::HeldOutKl &evaluation : curve.kl)
        stored.klNats_ES.push_back(evaluation.klNats);
    return experiment::studentKlToJson(stored);
}

StudentCurve curveFromJson(const nlohmann::json &json)
{
    experiment::StudentKl stored = experiment::studentKlFromJson(json);
    StudentCurve curve{std::move(stored.kept), std::move(stored.tokens_E), {}};
    for (std::vector<double> &klNats : stored.klNats_ES)
        curve.kl.push_back({std::move(klNats), stored.countedTokens_S});
    return curve;
}

}  // namespace stillroom::selection
