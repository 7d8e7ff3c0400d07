// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace stillroom::comparison {

/// Held-out KL of one student, as a stage stores it: what selection::StudentCurve is, for those without a tensor library.
struct StudentKl {
    experiment::LayerSet kept;                       ///< its softmax layers, ascending; empty: the all-linear student
    std::vector<std::int64_t> countedTokens_S;       ///< that each sequence's KL is a mean over: students measured on the same sequences have the same
    std::vector<std::vector<double>> klNats_ES;      ///< nats per token, by evaluation and sequence
};

/// The format is selection::curveToJson's. \throws Error(BadFile) that says what is wrong; where it stood is known to who reads the file
[[nodiscard]] StudentKl studentKl(const nlohmann::json &json);

}  // namespace stillroom::comparison
