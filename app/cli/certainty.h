// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

/// How sure a choice of K layers is, from what a score stage keeps of every layer and held-out sequence.
namespace stillroom::cli {

/// {"margin": {"last_kept", "first_dropped", "difference", "se", "unit", "in_se", of KL also "nats", "se_nats"}, "tie_band": […], "chance_of_top": [by layer],
/// "rank_intervals": [{"layer", "rank", "low", "high": 95 % of bootstrap draws over the held-out sequences}, best first],
/// "chance_of_set", "settled"}, at the last evaluation that all layers have; null where there is no boundary, where not every ranked layer was sampled, or where
/// the ranking is not the order of what was sampled.
/// \param curvesFile  curves.json of a score stage. \param unit  of the scores. \throws Error(BadFile)
[[nodiscard]] nlohmann::json certainty(const std::filesystem::path &curvesFile, const experiment::Ranking &ranking, int keep, const std::string &unit);
void printCertainty(const nlohmann::json &certainty);

}  // namespace stillroom::cli
