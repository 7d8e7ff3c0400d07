// SPDX-License-Identifier: GPL-3.0-or-later
#include "certainty.h"

#include "analysis/bootstrapranks.h"
#include "analysis/margin.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "formatted.h"
#include "selection/curvefile.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <limits>
#include <optional>

namespace stillroom::cli {
namespace {

constexpr std::size_t maximumCurvesBytes = std::size_t{256} << 20U;
constexpr double settledGap = 2.0;       // SE

/// By layer, at the last evaluation that all have; nothing where a layer is missing.
std::optional<analysis::LayerSamples> lastSamples(const std::filesystem::path &file, int numLayers)
{
    const std::string what = "The curves \"" + file.string() + "\"";
    const nlohmann::json json = experiment::parseJson(experiment::readTextFile(file.string(), maximumCurvesBytes, what), what);
    std::vector<selection::StudentCurve> curves(static_cast<std::size_t>(numLayers));
    std::size_t evaluations = std::numeric_limits<std::size_t>::max();
    if (!json.is_object() || !json.contains("curves") || !json.at("curves").is_array())
        throw Error(ErrorCode::BadFile, what + " hold no list of curves: score again");
    for (const nlohmann::json &one : json.at("curves")) {
        selection::StudentCurve curve = selection::curveFromJson(one);
        if (curve.kept.size() != 1 || curve.kept.front() < 0 || curve.kept.front() >= numLayers)
            continue;
        evaluations = std::min(evaluations, curve.kl.size());
        const auto layer = static_cast<std::size_t>(curve.kept.front());
        curves[layer] = std::move(curve);
    }
    std::vector<std::vector<double>> kl_LS;
    for (const selection::StudentCurve &curve : curves) {
        if (curve.kl.empty())
            return std::nullopt;
        kl_LS.push_back(curve.kl[evaluations - 1].klNats);
    }
    return analysis::LayerSamples(std::move(kl_LS));
}

}  // namespace

nlohmann::json certainty(const std::filesystem::path &curvesFile, const experiment::Ranking &ranking, int keep)
{
    const auto numLayers = static_cast<int>(ranking.size());
    const auto samples = lastSamples(curvesFile, numLayers);
    if (!samples || samples->numSequences() < 2 || keep < 1 || keep >= numLayers)
        return nullptr;
    const analysis::BoundaryMargin margin = analysis::boundaryMargin(*samples, ranking, keep);
    const analysis::BootstrapRanks ranks(*samples);
    nlohmann::json chances = nlohmann::json::array();
    for (int layer = 0; layer < numLayers; ++layer)
        chances.push_back(ranks.chanceOfTop(layer, keep));
    return {{"margin", {{"last_kept", margin.lastKept}, {"first_dropped", margin.firstDropped}, {"nats", margin.difference.mean}, {"se_nats", margin.difference.se}, {"in_se", margin.inStandardErrors}}},
            {"tie_band", analysis::tieBand(*samples, ranking, keep)}, {"chance_of_top", chances}, {"chance_of_set", ranks.chanceOfSet(experiment::topLayers(ranking, keep))},
            {"settled", margin.inStandardErrors >= settledGap}};
}

void printCertainty(const nlohmann::json &certainty)
{
    const nlohmann::json &margin = certainty.at("margin");
    std::cout << formatted("layer %d over layer %d: %.4g ± %.2g nats/token (SE), %.1f SE", margin.at("last_kept").get<int>(), margin.at("first_dropped").get<int>(), margin.at("nats").get<double>(),
                           margin.at("se_nats").get<double>(), margin.at("in_se").get<double>())
              << formatted("; other held-out sequences choose the same set in %.0f %% of draws\n", 100.0 * certainty.at("chance_of_set").get<double>());
    if (!certainty.at("tie_band").empty())
        std::cout << "not to be told from the other side of the boundary: layers " << certainty.at("tie_band").dump() << '\n';
    if (!certainty.at("settled").get<bool>())
        std::cout << "not settled: the boundary is narrower than 2 SE\n";
}

}  // namespace stillroom::cli
