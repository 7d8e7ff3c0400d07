// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"
#include "procedures/stagerun.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace stillroom::procedures {

/// The softmax layers that a distill spec keeps: its `keep`, or the best of its `scores` by keep_count or keep_percent.
/// \throws Error(Usage) for K > L, a layer out of range, or scores that rank another number of layers.
[[nodiscard]] experiment::LayerSet keptLayers(const nlohmann::json &spec, const StageRun &run, int numLayers);

/// The result of a score stage: an artifact's key, a JSON file with {"scores": …}, or a run that ended with one scoring (or a stage of a run), named as `runs list` prints it.
/// \throws Error(BadFile), Error(Usage) where no run or several fit
[[nodiscard]] nlohmann::json readScores(const std::string &scores, const std::filesystem::path &workspace);

/// What a text of scores holds, as readScores takes it from a file. \param what  names the text in messages. \throws Error(BadFile) where it holds none, or what checkScores refuses
[[nodiscard]] nlohmann::json scoresIn(nlohmann::json read, const std::string &what);

/// The ranking that scores stand for: their own `ranking`, else made from `scores`. \throws Error(BadFile | Usage) as checkScores and rank
[[nodiscard]] experiment::Ranking rankingOf(const nlohmann::json &scores);
/// By the numbers alone: every layer has one, and it is finite. \throws Error(BadFile | Usage)
[[nodiscard]] experiment::Ranking rankingByScores(const nlohmann::json &scores);

/// The layers that scores say to keep: their own set of `keep` layers where they measured sets, else the first of the ranking. \throws Error(BadFile | Usage)
[[nodiscard]] experiment::LayerSet keptBy(const nlohmann::json &scores, int keep);

}  // namespace stillroom::procedures
