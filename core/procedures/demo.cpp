// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/demo.h"

#include "choices/uniform.h"
#include "seed.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::procedures {
namespace {

constexpr int demoLayers = 6, demoKept = 2;

nlohmann::json demoData(int heldOutSequences)
{
    return {{"source", "recall-task"}, {"sequence_length", 96}, {"held_out_sequences", heldOutSequences}};
}

nlohmann::json demoAlignment()
{
    return {{"steps", 150}, {"batch_sequences", 16}, {"learning_rate", 3e-3}, {"schedule", "cosine"}, {"weight_decay", 0}};
}

nlohmann::json trained(const char *kind, int steps, int batchSequences)
{
    return {{"kind", kind}, {"teacher", "demo"}, {"mixer", {{"kind", "gdn"}}}, {"alignment", demoAlignment()}, {"steps", steps}, {"batch_sequences", batchSequences},
            {"learning_rate_mixers", 1e-3}, {"learning_rate_rest", 1e-4}, {"weight_decay", 0}};
}

nlohmann::json finalSpec(const DemoSet &set)
{
    nlohmann::json spec = trained("distill", 40, 16);
    // The same stage 1 for scores and finals: it sees the data of the scores, so that its key is one.
    spec["data"] = demoData(64);
    spec["evaluations"] = 3;
    if (set.keep.empty()) {
        spec["keep_count"] = demoKept;
        spec["scores"] = "stage:score";
    } else {
        spec["keep"] = set.keep;
    }
    return spec;
}

}  // namespace

std::vector<DemoSet> demoSets(std::uint64_t seed, int numRandom)
{
    std::vector<DemoSet> sets{{"ga-s2", {}}};
    for (const choices::Grid grid : {choices::Grid::Start, choices::Grid::End})
        sets.push_back({choices::gridName(grid), choices::uniformGrid(grid, demoLayers, demoKept)});
    std::vector<std::vector<int>> pairs;
    for (int a = 0; a < demoLayers; ++a)
        for (int b = a + 1; b < demoLayers; ++b)
            if (std::vector<int> pair{a, b}; pair != sets[1].keep && pair != sets[2].keep)
                pairs.push_back(pair);
    std::sort(pairs.begin(), pairs.end(), [&](const std::vector<int> &x, const std::vector<int> &y) {
        const auto order = [&](const std::vector<int> &pair) { return seedFor(seed, "random pair", pair[0], pair[1]); };
        return order(x) < order(y);
    });
    for (int i = 0; i < numRandom && i < static_cast<int>(pairs.size()); ++i)
        sets.push_back({"random-" + std::to_string(i + 1), pairs[static_cast<std::size_t>(i)]});
    return sets;
}

nlohmann::json demoPipeline(std::uint64_t seed, int numRandom)
{
    nlohmann::json scoring = trained("score", 30, 16);
    scoring["data"] = demoData(64);
    scoring["evaluations"] = 3;
    nlohmann::json stages = nlohmann::json::array({{{"task", "score"}, {"spec", scoring}}});
    for (const DemoSet &set : demoSets(seed, numRandom))
        stages.push_back({{"task", set.name}, {"spec", finalSpec(set)}});
    return {{"kind", "pipeline"}, {"name", "demo, seed " + std::to_string(seed)}, {"seed", seed}, {"stages", stages}};
}

}  // namespace stillroom::procedures
