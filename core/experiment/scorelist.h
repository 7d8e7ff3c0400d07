// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace stillroom::experiment {

/// The list `scores` of what `score` and `select` print: [{"layer", "score" or "kl_nats", "higher_is_better"?, "kl_nats"?, "se" or "se_nats"?, "n"?, "unit"?}, …].
/// Without `score` it is kl_nats; without an error, or with one over less than two sequences, se is NaN.
/// \param what  names the list in messages, e.g. "the scores". \throws Error(BadFile) in one sentence for anything else
[[nodiscard]] std::vector<LayerScore> scoresFromJson(const nlohmann::json &list, const std::string &what = "the scores");

}  // namespace stillroom::experiment
