// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/tinymodel.h"
#include "procedures/measures.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace stillroom;

TEST_CASE("a measure says over how many sequences its error is")
{
    const c10::NoGradGuard noGradients;
    procedures::TrainingData data;
    data.recall.emplace(text::RecallMixOptions{.numKeys = 20, .numValues = 20, .numFillers = 16, .pairs = 5, .length = 14, .queryProbability = 0.3});      // short: some end before they ask for anything
    data.sequenceLength = 14;
    std::int64_t asking = 0;
    for (std::int64_t i = 0; i < 128; ++i) {
        const text::RecallSequence sequence = procedures::heldOutRecall(*data.recall, i);
        asking += std::count(sequence.targets.begin(), sequence.targets.end(), text::RecallTarget::Recall) > 0 ? 1 : 0;
    }
    REQUIRE(asking > 1);
    REQUIRE(asking < 128);
    checkpoint::ModelConfig config = test::tinyConfig();
    config.vocabSize = static_cast<int>(data.recall->vocabSize());
    const nn::Transformer model = test::tinyModel(config), teacher = test::tinyModel(config, 2);
    data.heldOut.push_back({.ids_BT = test::randomIds(5, 14, config.vocabSize)});
    procedures::MeasureRequest request;
    request.measures = {"recall", "hidden-cosine"};
    request.teacher = &teacher;
    const nlohmann::json measures = procedures::measure(model, data, request);
    CHECK(measures.at("recall_sequences") == asking);
    CHECK(measures.at("recall_se").is_number());
    CHECK(measures.at("hidden_cosine_sequences") == 5);
}
