// SPDX-License-Identifier: GPL-3.0-or-later
#include "keptalone.h"

#include "selection/curvefile.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace stillroom::cli {

KeptAloneKl keptAloneKl(const nlohmann::json &curves, int numLayers)
{
    std::vector<selection::StudentCurve> byLayer(static_cast<std::size_t>(numLayers));
    selection::StudentCurve allLinear;
    std::size_t evaluations = std::numeric_limits<std::size_t>::max();
    for (const nlohmann::json &one : curves) {
        selection::StudentCurve curve = selection::curveFromJson(one);
        const bool ofALayer = curve.kept.size() == 1 && curve.kept.front() >= 0 && curve.kept.front() < numLayers;
        if ((!ofALayer && !curve.kept.empty()) || curve.kl.empty())
            continue;
        evaluations = std::min(evaluations, curve.kl.size());
        (ofALayer ? byLayer[static_cast<std::size_t>(curve.kept.front())] : allLinear) = std::move(curve);
    }
    const auto last = [&](const selection::StudentCurve &curve) { return curve.kl.empty() ? std::vector<double>() : curve.kl[evaluations - 1].klNats; };
    KeptAloneKl found;
    for (const selection::StudentCurve &curve : byLayer)
        found.kl_LS.push_back(last(curve));
    found.allLinear_S = last(allLinear);
    return found;
}

}  // namespace stillroom::cli
