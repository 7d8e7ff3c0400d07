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

namespace {

/// The ranking and the sets that the selector itself gave, where the stage in `folder` is about these scores.
void addOwnChoice(nlohmann::json &scores, const fs::path &folder)
{
    if (!isFileThere(folder / "scores.json"))
        return;
    const nlohmann::json stage = procedures::readScores(folder.string(), {});
    for (const char *field : {"selector", "mixer", "num_layers"})
        if (!stage.contains(field) || stage.at(field) != scores.at(field))
            return;
    for (const char *field : {"ranking", "sets"})
        if (stage.contains(field))
            scores[field] = stage.at(field);
}

}  // namespace

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
    for (const store::StoredArtifact &one : opened.artifacts(run.uuid, "score")) {
        const fs::path folder = workspace / one.artifact.path;
        if (last.front().klNats && fs::is_regular_file(folder / "curves.json"))
            result["curves"] = (folder / "curves.json").string();
        addOwnChoice(result, folder);
    }
    return result;
}

}  // namespace stillroom::cli
