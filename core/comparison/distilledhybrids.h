// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace stillroom::comparison {

/// A hybrid that was distilled, and its KL on each held-out sequence.
struct DistilledHybrid {
    std::string key;                                 ///< of its stage
    std::int64_t tokens = 0;                         ///< it was trained on
    experiment::LayerSet kept;
    std::vector<double> klNats_S;                    ///< nats per token, at its end
    std::vector<std::int64_t> countedTokens_S;       ///< that each of them is a mean over
};

/// What could not be read, and why.
using LeftOut = std::function<void(const std::filesystem::path &folder, const std::string &why)>;

/// Finished hybrids of a teacher and a probe in a workspace whose layers are the best K of `ranking`, by key; those that were never trained say what a start is
/// worth, and are none. What is damaged is told and left out: the others are still worth their curve.
[[nodiscard]] std::vector<DistilledHybrid> distilledHybrids(const std::filesystem::path &workspace, const std::string &teacherHash, const std::string &mixer, const experiment::Ranking &ranking,
                                                            const LeftOut &leftOut = {});

/// Those trained on equally many tokens and measured on the same sequences, of which there are hybrids of the most sizes: one of each size, by ascending K.
[[nodiscard]] std::vector<DistilledHybrid> comparable(const std::vector<DistilledHybrid> &hybrids);

}  // namespace stillroom::comparison
