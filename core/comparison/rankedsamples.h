// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/layersamples.h"
#include "store/scorings.h"

#include <filesystem>
#include <optional>
#include <string>

namespace stillroom::comparison {

/// What a scoring measured of every layer on every held-out sequence, where its means rank the layers as the scoring does: what intervals of ranks and the tie
/// band at a K are judged by. Empty where its stage kept no such values, for fewer than two sequences, and for a ranking of another kind.
/// \param artifact  of its stage, relative to the workspace
[[nodiscard]] std::optional<analysis::LayerSamples> rankedSamples(const std::filesystem::path &workspace, const std::string &artifact, const experiment::Ranking &ranking);

}  // namespace stillroom::comparison
