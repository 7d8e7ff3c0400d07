// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace stillroom::experiment {

/// Held-out KL of one student while it trained, as stages store it.
struct StudentKl {
    LayerSet kept;                                   ///< its softmax layers, ascending; empty: the all-linear student
    std::vector<std::int64_t> tokens_E;              ///< training tokens at each evaluation
    std::vector<std::int64_t> countedTokens_S;       ///< that each sequence's KL is a mean over; empty while nothing was evaluated
    std::vector<std::vector<double>> klNats_ES;      ///< nats per token, by evaluation and sequence
};

/// {"kept": [...], "layer": of a student that keeps one layer, -1 of one that keeps none, "tokens": [...], "kl_nats": [[per sequence] per evaluation], "counted_tokens": [per sequence]}: float64 values in shortest round-trip form.
[[nodiscard]] nlohmann::json studentKlToJson(const StudentKl &student);
/// Without `kept` it is what `layer` says. \throws Error(BadFile) that says what is wrong; where it stood and what to do is known to who reads the file
[[nodiscard]] StudentKl studentKlFromJson(const nlohmann::json &json);

}  // namespace stillroom::experiment
