// SPDX-License-Identifier: GPL-3.0-or-later
// What the demo is built on, measured on the teacher that is shipped: its retrieval layer is 4, every score that looks for such a layer puts it first, and a
// short stage 2 restores recall where it is kept and nowhere else.
#include "reducedtests.h"
#include "workshop.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace retrievallayer_tests {

using nlohmann::json;
using stillroom::test::Workshop;

namespace {

constexpr int retrievalLayer = 4, numLayers = 6;

/// The demo's task and settings on smaller batches. All stages of one workshop share stage 1.
json demoSpec(const std::string &kind)
{
    return {{"kind", kind}, {"seed", 1}, {"device", "cpu"}, {"teacher", "demo"}, {"mixer", {{"kind", "gdn"}}},
            {"data", {{"source", "recall-task"}, {"sequence_length", 96}, {"held_out_sequences", 24}}},
            {"alignment", {{"steps", 80}, {"batch_sequences", 8}, {"learning_rate", 3e-3}, {"schedule", "cosine"}, {"weight_decay", 0}}}};
}

json trainedSpec(const std::string &kind)
{
    json spec = demoSpec(kind);
    spec.update({{"steps", 30}, {"batch_sequences", 6}, {"learning_rate_mixers", 1e-3}, {"learning_rate_rest", 1e-4}, {"weight_decay", 0}, {"evaluations", 1}});
    return spec;
}

}  // namespace

TEST_CASE("GA-S2 and the zero-shot GA and GR scores put the demo teacher's retrieval layer first, and a student that keeps it alone recalls after 30 steps")
{
    Workshop shop;
    for (const char *selector : {"zero-shot-ga", "zero-shot-gr", "ga-s2"}) {
        CAPTURE(selector);
        const bool trains = std::string(selector).ends_with("s2");
        json spec = trains ? trainedSpec("score") : demoSpec("score");
        spec["selector"] = selector;
        if (trains)
            spec["include_all_linear"] = false;
        const json result = shop.result(spec);
        REQUIRE(result.at("ranking").size() == numLayers);
        CHECK(result.at("ranking")[0] == retrievalLayer);
        const json &scores = result.at("scores");
        const double first = scores[retrievalLayer].at("kl_nats");
        for (const json &score : scores)
            if (score.at("layer") != retrievalLayer) {
                const double other = score.at("kl_nats"), ratio = score.at("higher_is_better").get<bool>() ? first / other : other / first;
                CHECK(ratio > 1.5);                   // no near tie
            }
    }
    std::vector<int> kept;
    for (std::size_t layer = 0, step = reducedStep(4); layer < numLayers; layer += step)
        kept.push_back(static_cast<int>(layer));
    for (const int layer : kept) {
        CAPTURE(layer);
        json spec = trainedSpec("distill");
        spec["keep"] = json::array({layer});
        const json measures = shop.result(spec).at("measures");
        CHECK(shop.said("reused"));                   // stage 1 is that of the scores
        if (layer == retrievalLayer)
            CHECK(measures.at("recall").get<double>() >= 0.95);
        else
            CHECK(measures.at("recall").get<double>() <= 0.7);
        CHECK(measures.at("filler_accuracy").get<double>() > 0.15);      // chance is 1 in 32: the student works
    }
}

}  // namespace retrievallayer_tests
