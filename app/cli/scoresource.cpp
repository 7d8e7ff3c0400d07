// SPDX-License-Identifier: GPL-3.0-or-later
#include "scoresource.h"

#include "error.h"
#include "folders.h"
#include "procedures/keptlayers.h"
#include "store/workspace.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::cli {
namespace fs = std::filesystem;

nlohmann::json scoresFrom(const std::string &source, const std::string &selector, const fs::path &workspace)
{
    const fs::path besideKey = workspace / "artifacts" / source / "curves.json";
    const bool isFile = isFileThere(source) || isFileThere(workspace / "artifacts" / source / "scores.json");
    if (isFile || !isThere(workspace)) {
        nlohmann::json scores = procedures::readScores(source, workspace);
        scores.erase("curves");
        if (isFileThere(besideKey))
            scores["curves"] = besideKey.string();
        return scores;
    }
    const store::Workspace opened(workspace);
    const store::Run run = opened.findRun(source);
    const auto last = opened.lastScores(run.uuid, selector);
    if (last.empty())
        throw Error(ErrorCode::Usage, "run " + source + " holds no scores" + (selector.empty() ? "" : " of the selector " + selector) + ": name a score run");
    nlohmann::json scores = nlohmann::json::array();
    int numLayers = 0;
    for (const experiment::LayerScore &one : last) {
        if (one.layer < 0)
            continue;
        numLayers = std::max(numLayers, one.layer + 1);
        scores.push_back({{"layer", one.layer}, {"score", one.score}, {"higher_is_better", one.higherIsBetter}, {"n", one.numSequences},
                          {"kl_nats", one.klNats ? nlohmann::json(*one.klNats) : nlohmann::json()}, {"se_nats", one.se}});
    }
    nlohmann::json result = {{"scores", scores}, {"num_layers", numLayers}, {"spec", nlohmann::json::parse(run.specJson)}, {"selector", last.front().selector}, {"mixer", last.front().mixer}};
    for (const store::StoredArtifact &one : opened.artifacts(run.uuid, "score"))
        if (const fs::path curves = workspace / one.artifact.path / "curves.json"; last.front().klNats && fs::is_regular_file(curves))
            result["curves"] = curves.string();
    return result;
}

}  // namespace stillroom::cli
