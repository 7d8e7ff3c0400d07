// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

/// How sure a choice of K layers is, from the KL of every layer and held-out sequence that a score stage keeps.
namespace stillroom::cli {

/// {"margin": {"last_kept", "first_dropped", "nats", "se_nats", "in_se"}, "tie_band": […], "chance_of_top": [by layer], "chance_of_set", "settled"}, at the last
/// evaluation that all layers have; null where there is no boundary, or curves do not hold every ranked layer.
/// \param curvesFile  curves.json of a score stage. \throws Error(BadFile)
[[nodiscard]] nlohmann::json certainty(const std::filesystem::path &curvesFile, const experiment::Ranking &ranking, int keep);
void printCertainty(const nlohmann::json &certainty);

}  // namespace stillroom::cli
