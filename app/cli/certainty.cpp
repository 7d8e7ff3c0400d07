// SPDX-License-Identifier: GPL-3.0-or-later
#include "certainty.h"

#include "analysis/bootstrapranks.h"
#include "analysis/margin.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "formatted.h"
#include "keptalone.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <optional>

namespace stillroom::cli {
namespace {

constexpr std::size_t maximumCurvesBytes = std::size_t{256} << 20U;
constexpr double settledGap = 2.0;       // SE

/// Lists by layer as samples; nothing where a layer is missing.
std::optional<analysis::LayerSamples> wholeSamples(std::vector<std::vector<double>> values_LS, bool higherIsBetter)
{
    if (values_LS.empty() || std::any_of(values_LS.begin(), values_LS.end(), [](const std::vector<double> &values) { return values.empty(); }))
        return std::nullopt;
    return analysis::LayerSamples(std::move(values_LS), higherIsBetter);
}

/// KL by layer, at the last evaluation that all have: what stages kept that did not keep samples.
std::optional<analysis::LayerSamples> samplesOfCurves(const nlohmann::json &curves, int numLayers)
{
    return wholeSamples(keptAloneKl(curves, numLayers).kl_LS, false);
}

std::optional<analysis::LayerSamples> samplesOfScores(const nlohmann::json &samples, int numLayers)
{
    std::vector<std::vector<double>> values_LS(static_cast<std::size_t>(numLayers));
    for (const nlohmann::json &one : samples.at("layers"))
        if (const int layer = experiment::wholeNumber(one.at("layer"), "The layer of a sample"); layer >= 0 && layer < numLayers)
            values_LS[static_cast<std::size_t>(layer)] = one.at("values").get<std::vector<double>>();
    return wholeSamples(std::move(values_LS), samples.at("higher_is_better").get<bool>());
}

std::optional<analysis::LayerSamples> lastSamples(const std::filesystem::path &file, int numLayers)
{
    const std::string what = "The curves \"" + file.string() + "\"";
    const nlohmann::json json = experiment::parseJson(experiment::readTextFile(file.string(), maximumCurvesBytes, what), what);
    if (!json.is_object() || !json.contains("curves") || !json.at("curves").is_array())
        throw Error(ErrorCode::BadFile, what + " hold no list of curves: score again");
    try {
        if (json.contains("samples"))
            return samplesOfScores(json.at("samples"), numLayers);
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, what + " hold samples that cannot be read: score again", error.what());
    }
    return samplesOfCurves(json.at("curves"), numLayers);
}

}  // namespace

nlohmann::json certainty(const std::filesystem::path &curvesFile, const experiment::Ranking &ranking, int keep, const std::string &unit)
{
    const auto numLayers = static_cast<int>(ranking.size());
    const auto samples = [&] {
        try {
            return lastSamples(curvesFile, numLayers);
        } catch (const Error &error) {       // what was stored, not what was asked for, is wrong
            throw Error(ErrorCode::BadFile, "The curves \"" + curvesFile.string() + "\" cannot be used: " + error.what());
        }
    }();
    if (!samples || samples->numSequences() < 2 || keep < 1 || keep >= numLayers || samples->ranking() != ranking)
        return nullptr;
    const analysis::BoundaryMargin margin = analysis::boundaryMargin(*samples, ranking, keep);
    const analysis::BootstrapRanks ranks(*samples);
    nlohmann::json chances = nlohmann::json::array();
    for (int layer = 0; layer < numLayers; ++layer)
        chances.push_back(ranks.chanceOfTop(layer, keep));
    nlohmann::json boundary = {{"last_kept", margin.lastKept}, {"first_dropped", margin.firstDropped}, {"difference", margin.difference.mean}, {"se", margin.difference.se}, {"unit", unit},
                               {"in_se", margin.inStandardErrors}};
    if (unit == "nats/token") {
        boundary["nats"] = margin.difference.mean;
        boundary["se_nats"] = margin.difference.se;
    }
    return {{"margin", std::move(boundary)}, {"tie_band", analysis::tieBand(*samples, ranking, keep)}, {"chance_of_top", chances}, {"chance_of_set", ranks.chanceOfSet(experiment::topLayers(ranking, keep))},
            {"settled", margin.inStandardErrors >= settledGap}};
}

void printCertainty(const nlohmann::json &certainty)
{
    const nlohmann::json &margin = certainty.at("margin");
    std::cout << formatted("layer %d over layer %d: %.4g ± %.2g ", margin.at("last_kept").get<int>(), margin.at("first_dropped").get<int>(), margin.at("difference").get<double>(), margin.at("se").get<double>())
              << margin.at("unit").get<std::string>() << formatted(" (SE), %.1f SE", margin.at("in_se").get<double>())
              << formatted("; other held-out sequences choose the same set in %.0f %% of draws\n", 100.0 * certainty.at("chance_of_set").get<double>());
    if (!certainty.at("tie_band").empty())
        std::cout << "not to be told from the other side of the boundary: layers " << certainty.at("tie_band").dump() << '\n';
    if (!certainty.at("settled").get<bool>())
        std::cout << "not settled: the boundary is narrower than 2 SE\n";
}

}  // namespace stillroom::cli
