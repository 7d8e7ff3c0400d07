// SPDX-License-Identifier: GPL-3.0-or-later
// One ranking out of several: over seeds, probes or selectors.
#include "analysis/consensus.h"
#include "commands.h"
#include "error.h"
#include "folders.h"
#include "formatted.h"
#include "scoresource.h"
#include "setsource.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <map>
#include <string>

namespace stillroom::cli {
namespace {

std::vector<experiment::Ranking> rankingsOf(const ConsensusCommand &command)
{
    SetOptions options;
    options.workspace = workspaceOr(command.workspace);
    std::vector<experiment::Ranking> rankings;
    std::map<std::string, std::string> named;          // what stands for a scoring, by what tells it from others
    for (const std::string &text : command.rankings) {
        const NamedSet set = readSet(text, options);
        const std::string key = !set.key.empty() ? set.key : isFileThere(text) ? keyOfFile(text) : text;
        if (const auto [before, isNew] = named.emplace(key, text); !isNew)
            throw Error(ErrorCode::Usage, text + " is the same scoring as " + before->second + ": a consensus counts each once, so name scorings of other seeds, probes or selectors");
        if (!set.ranking || static_cast<int>(set.ranking->size()) != set.numLayers)
            throw Error(ErrorCode::Usage, text + " ranks not all layers of a model: a consensus needs whole rankings, such as score runs");
        if (!rankings.empty() && rankings.front().size() != set.ranking->size())
            throw Error(ErrorCode::Usage, text + " ranks " + counted(static_cast<std::int64_t>(set.ranking->size()), "layer") + ", but " + command.rankings.front() + " " + std::to_string(rankings.front().size()) +
                                              ": all must be of one model");
        rankings.push_back(*set.ranking);
    }
    return rankings;
}

}  // namespace

int consensus(const ConsensusCommand &command)
{
    const std::vector<experiment::Ranking> rankings = rankingsOf(command);
    const analysis::MeanPlaces places = analysis::meanPlaces(rankings);
    nlohmann::json result = {{"kind", "consensus"}, {"of", command.rankings}, {"num_layers", places.place_L.size()}, {"ranking", places.ranking}, {"scores", nlohmann::json::array()},
                             {"pairs_against", analysis::pairsAgainst(places.ranking, rankings)}, {"concordance", analysis::concordance(rankings)}};
    for (std::size_t layer = 0; layer < places.place_L.size(); ++layer)
        result["scores"].push_back({{"layer", layer}, {"score", places.place_L[layer].mean}, {"unit", "mean rank"}, {"higher_is_better", false}, {"se", places.place_L[layer].se}, {"n", places.place_L[layer].n}});
    if (const auto kemeny = analysis::kemenyRanking(rankings)) {
        result["kemeny"] = *kemeny;
        result["kemeny_pairs_against"] = analysis::pairsAgainst(*kemeny, rankings);
    }
    if (command.json) {
        std::cout << documentText(result) << '\n';
        return 0;
    }
    std::cout << "by mean rank: " << result["ranking"].dump() << "\nlayer  mean rank ± SE\n";
    for (const int layer : places.ranking) {
        const analysis::Interval &place = places.place_L[static_cast<std::size_t>(layer)];
        std::cout << formatted("%5d  %9.2f ± ", layer, place.mean) << numberText(place.se, 2) << '\n';
    }
    if (result.contains("kemeny"))
        std::cout << (result["kemeny"] == result["ranking"] ? "Kemeny's order is the same\n" : "Kemeny's order, with the fewest pairs against it: " + result["kemeny"].dump() + '\n');
    else
        std::cout << "Kemeny's order is out of reach: too many layers beat each other in circles\n";
    std::cout << formatted("Kendall's W %.3f over %zu rankings (1: all agree, about %.2f: chance)\n", result["concordance"].get<double>(), rankings.size(), 1.0 / static_cast<double>(rankings.size()));
    return 0;
}

}  // namespace stillroom::cli
