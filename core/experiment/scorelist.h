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

/// The layers that a field of a file lists, in the list's order: each one of `numLayers`, none twice. \param what  names the file in messages. \throws Error(BadFile) naming it and the field
[[nodiscard]] std::vector<int> layersIn(const nlohmann::json &list, int numLayers, const std::string &what, const std::string &field);

/// L of what holds a list `scores`: its `num_layers`, else the number of its scores. \throws Error(BadFile) where that is no number of layers
[[nodiscard]] int numLayersOf(const nlohmann::json &scored, const std::string &what = "the scores");

/// That what `score`, `select` or `consensus` printed, or somebody wrote by hand, is about L layers (numLayersOf) throughout. Every layer is one of them. `scores` is not empty and holds none twice; all of
/// them have a KL or none has, and they agree on whether higher is better. `ranking`, where there is one, names every layer of `scores` once. Each of `sets` has as many layers as it says to keep.
/// \param what  names it in messages. \throws Error(BadFile) in one sentence that names it and the field
void checkScores(const nlohmann::json &scored, const std::string &what = "the scores");

}  // namespace stillroom::experiment
