// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "error.h"
#include "experiment/score.h"
#include "folders.h"
#include "procedures/keptlayers.h"
#include "scoresource.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace stillroom::cli {

int select(const SelectCommand &command)
{
    const std::filesystem::path workspace = command.workspace.empty() ? defaultWorkspace() : command.workspace;
    const nlohmann::json scores = scoresFrom(command.scores, command.selector, workspace);
    const experiment::Ranking ranking = procedures::rankingOf(scores);
    const auto numLayers = static_cast<int>(ranking.size());
    if (!command.keep && !command.percent)
        throw Error(ErrorCode::Usage, "say how many layers to keep: -k K or --percent P");
    const int keep = command.keep ? *command.keep : experiment::keepFromPercent(*command.percent, numLayers);
    if (keep > numLayers)
        throw Error(ErrorCode::Usage, "-k is " + std::to_string(keep) + ", but the scores rank " + std::to_string(numLayers) + " layers");
    const experiment::LayerSet selected = experiment::topLayers(ranking, keep);
    if (command.json) {
        std::cout << nlohmann::json{{"selected", selected}, {"keep", keep}, {"percent", 100.0 * keep / numLayers}, {"num_layers", numLayers}, {"ranking", ranking}, {"scores", scores["scores"]}}.dump(1) << '\n';
        return 0;
    }
    std::cout << "keep " << keep << " of " << numLayers << " layers: " << nlohmann::json(selected).dump() << '\n' << "ranking: " << nlohmann::json(ranking).dump() << '\n';
    return 0;
}

}  // namespace stillroom::cli
