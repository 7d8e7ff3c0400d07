// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/keptalone.h"

#include "experiment/studentkl.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace stillroom::comparison {

bool KeptAloneKl::isWhole() const
{
    return !allLinear_S.empty() && std::none_of(kl_LS.begin(), kl_LS.end(), [](const std::vector<double> &kl_S) { return kl_S.empty(); });
}

KeptAloneKl keptAlone(const nlohmann::json &curves, int numLayers)
{
    std::vector<experiment::StudentKl> byLayer(static_cast<std::size_t>(numLayers));
    experiment::StudentKl allLinear;
    std::size_t evaluations = std::numeric_limits<std::size_t>::max();
    for (const nlohmann::json &one : curves) {
        experiment::StudentKl student = experiment::studentKlFromJson(one);
        const bool ofALayer = student.kept.size() == 1 && student.kept.front() >= 0 && student.kept.front() < numLayers;
        if ((!ofALayer && !student.kept.empty()) || student.klNats_ES.empty())
            continue;
        evaluations = std::min(evaluations, student.klNats_ES.size());
        (ofALayer ? byLayer[static_cast<std::size_t>(student.kept.front())] : allLinear) = std::move(student);
    }
    const auto last = [&](experiment::StudentKl &student) { return student.klNats_ES.empty() ? std::vector<double>() : std::move(student.klNats_ES[evaluations - 1]); };
    KeptAloneKl found;
    for (experiment::StudentKl &student : byLayer)
        found.kl_LS.push_back(last(student));
    found.allLinear_S = last(allLinear);
    return found;
}

}  // namespace stillroom::comparison
