// SPDX-License-Identifier: GPL-3.0-or-later
#include "certainty.h"

#include "analysis/bootstrapranks.h"
#include "analysis/margin.h"
#include "formatted.h"
#include "shownname.h"
#include "storedcurves.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace stillroom::cli {
namespace {

constexpr double settledGap = 2.0;       // SE

}  // namespace

nlohmann::json certainty(const std::filesystem::path &curvesFile, const experiment::Ranking &ranking, int keep, const std::string &unit)
{
    const auto numLayers = static_cast<int>(ranking.size());
    const auto samples = StoredCurves(curvesFile).samples(numLayers);
    if (!samples || samples->numSequences() < 2 || keep < 1 || keep >= numLayers || samples->ranking() != ranking)
        return nullptr;
    const analysis::BoundaryMargin margin = analysis::boundaryMargin(*samples, ranking, keep);
    const analysis::BootstrapRanks ranks(*samples);
    nlohmann::json chances = nlohmann::json::array();
    for (int layer = 0; layer < numLayers; ++layer)
        chances.push_back(ranks.chanceOfTop(layer, keep));
    nlohmann::json intervals = nlohmann::json::array();
    for (std::size_t place = 0; place < ranking.size(); ++place) {
        const analysis::BootstrapRanks::RankInterval interval = ranks.rankInterval(ranking[place]);
        intervals.push_back({{"layer", ranking[place]}, {"rank", place + 1}, {"low", interval.low}, {"high", interval.high}});
    }
    nlohmann::json boundary = {{"last_kept", margin.lastKept}, {"first_dropped", margin.firstDropped}, {"difference", margin.difference.mean}, {"se", margin.difference.se}, {"unit", unit},
                               {"in_se", margin.inStandardErrors}};
    if (unit == "nats/token") {
        boundary["nats"] = margin.difference.mean;
        boundary["se_nats"] = margin.difference.se;
    }
    return {{"margin", std::move(boundary)}, {"num_sequences", samples->numSequences()}, {"tie_band", analysis::tieBand(*samples, ranking, keep)}, {"chance_of_top", chances}, {"rank_intervals", intervals}, {"chance_of_set", ranks.chanceOfSet(experiment::topLayers(ranking, keep))},
            {"settled", margin.inStandardErrors >= settledGap}};
}

void printCertainty(const nlohmann::json &certainty)
{
    const nlohmann::json &margin = certainty.at("margin");
    std::cout << formatted("layer %d over layer %d: %.4g ± %.2g ", margin.at("last_kept").get<int>(), margin.at("first_dropped").get<int>(), margin.at("difference").get<double>(), margin.at("se").get<double>())
              << shownName(margin.at("unit").get<std::string>()) << formatted(" (SE), %.1f SE", margin.at("in_se").get<double>())
              << formatted("; other held-out sequences choose the same set in %.0f %% of draws\n", 100.0 * certainty.at("chance_of_set").get<double>());
    if (!certainty.at("tie_band").empty())
        std::cout << "may belong to the other side of the boundary (95 %, " << certainty.at("num_sequences").get<std::size_t>() << " held-out sequences): layers " << certainty.at("tie_band").dump() << '\n';
    std::cout << "ranks (95 % of draws):";
    for (const nlohmann::json &one : certainty.at("rank_intervals")) {
        const int low = one.at("low").get<int>(), high = one.at("high").get<int>();
        std::cout << formatted("%s layer %d ", one.at("rank") == 1 ? "" : ",", one.at("layer").get<int>()) << (low == high ? formatted("%d", low) : formatted("%d-%d", low, high));
    }
    std::cout << '\n';
    if (!certainty.at("settled").get<bool>())
        std::cout << "not settled: the boundary is narrower than 2 SE\n";
}

}  // namespace stillroom::cli
