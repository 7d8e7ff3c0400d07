// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/keptlayers.h"

#include "checkpoint/boundedjson.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/scorelist.h"
#include "experiment/spec.h"
#include "folders.h"
#include "shownname.h"
#include "store/layout.h"
#include "store/runreference.h"
#include "store/stagecache.h"
#include "store/workspace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace stillroom::procedures {
namespace fs = std::filesystem;

namespace {

/// Where the scoring lies that a run or a stage of one ended with, named as `runs list` prints it. \throws Error(Usage) where none or several fit
fs::path scoringOfRun(const std::string &text, const fs::path &workspace)
{
    const store::Workspace opened(workspace);
    const store::RunReference found = store::findReference(opened, text);
    std::set<std::string> paths;
    for (const store::StoredArtifact &one : opened.artifacts(found.run.uuid, "score"))
        if (!found.isStage() || one.task == found.task)
            paths.insert(one.artifact.path);
    if (paths.empty())
        throw Error(ErrorCode::Usage, "the run \"" + shownName(text) + "\" has no finished scores: run it to its end with --resume, or name another run or the key of a score stage");
    if (paths.size() > 1)
        throw Error(ErrorCode::Usage, "the run \"" + shownName(text) + "\" holds " + std::to_string(paths.size()) + " scorings: name one as \"RUN > STAGE\"");
    return workspace / *paths.begin() / "scores.json";
}

nlohmann::json scoresInFile(const fs::path &file)
{
    store::requireUnchanged(file);
    return scoresIn(checkpoint::readJsonFile(file), file.string());
}

}  // namespace

nlohmann::json scoresIn(nlohmann::json read, const std::string &what)
{
    if (!read.is_object() || !read.contains("scores") || !read["scores"].is_array())
        throw Error(ErrorCode::BadFile, what + " holds no scores: give the output of score, or the key of a score stage");
    experiment::checkScores(read, what);
    return read;
}

nlohmann::json readScores(const std::string &scores, const fs::path &workspace)
{
    for (const fs::path &file : {fs::path(scores), workspace / "artifacts" / scores / "scores.json", fs::path(scores) / "scores.json"})
        if (isFileThere(file))
            return scoresInFile(file);
    if (isFileThere(store::databaseFile(workspace)))
        return scoresInFile(scoringOfRun(scores, workspace));
    throw Error(ErrorCode::BadFile, "there are no scores at \"" + shownName(scores) + "\": give the output of score, or the key of a score stage in this workspace");
}

experiment::Ranking rankingOf(const nlohmann::json &scores)
{
    if (!scores.contains("ranking"))
        return rankingByScores(scores);
    experiment::checkScores(scores);
    const experiment::Ranking ranking = experiment::wholeNumbers(scores.at("ranking"), "the ranking");
    if (const int numLayers = experiment::numLayersOf(scores); static_cast<int>(ranking.size()) != numLayers)
        throw Error(ErrorCode::BadFile, "the scores rank " + std::to_string(ranking.size()) + " of " + std::to_string(numLayers) + " layers: score all of them to choose by their ranking");
    return ranking;
}

experiment::Ranking rankingByScores(const nlohmann::json &scores)
{
    experiment::checkScores(scores);
    return experiment::rank(experiment::scoresFromJson(scores.at("scores")), experiment::numLayersOf(scores));
}

experiment::LayerSet keptBy(const nlohmann::json &scores, int keep)
{
    const experiment::Ranking ranking = rankingOf(scores);      // which checks the sets, too
    if (scores.contains("sets"))
        for (const nlohmann::json &set : scores.at("sets"))
            if (set.at("keep") == keep)
                return experiment::validLayerSet(experiment::wholeNumbers(set.at("layers"), "the layers of a set"), static_cast<int>(ranking.size()));
    return experiment::topLayers(ranking, keep);
}

experiment::LayerSet keptLayers(const nlohmann::json &spec, const StageRun &run, int numLayers)
{
    if (spec.contains("keep"))
        return experiment::validLayerSet(spec.at("keep").get<std::vector<int>>(), numLayers);
    const int keep = spec.contains("keep_count") ? spec.at("keep_count").get<int>() : experiment::keepFromPercent(spec.at("keep_percent").get<double>(), numLayers);
    if (keep > numLayers)
        throw Error(ErrorCode::Usage, "keep_count is " + std::to_string(keep) + ", but the teacher has " + std::to_string(numLayers) + " layers");
    if (keep == 0)
        return {};
    const nlohmann::json scores = readScores(spec.at("scores").get<std::string>(), run.workspace);
    if (const auto ranked = rankingOf(scores).size(); static_cast<int>(ranked) != numLayers)
        throw Error(ErrorCode::Usage, "the scores rank " + std::to_string(ranked) + " layers, but the teacher has " + std::to_string(numLayers));
    return keptBy(scores, keep);
}

}  // namespace stillroom::procedures
