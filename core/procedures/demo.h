// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace stillroom::procedures {

/// One hybrid of the demo: who chose it, and which layers.
struct DemoSet {
    std::string name;              ///< "ga-s2", "uniform-start", "uniform-end", "random-1", …
    std::vector<int> keep;         ///< empty for ga-s2: chosen by the scores
};

/// Both uniform grids of 2 in 6 layers, and `numRandom` random pairs (without the two grids) drawn from the seed.
[[nodiscard]] std::vector<DemoSet> demoSets(std::uint64_t seed, int numRandom);

/// The demo of one seed as a pipeline: stage 1 and GA-S2 scores of the demo teacher, then a hybrid of K = 2 for each set, measured on held-out sequences.
/// Its tasks are "score" and the sets' names. Every constant was measured (README, "The demo").
[[nodiscard]] nlohmann::json demoPipeline(std::uint64_t seed, int numRandom);

}  // namespace stillroom::procedures
