// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "experiment/spec.h"
#include "nn/tensorfile.h"
#include "procedures/packedbatches.h"
#include "procedures/recallbatches.h"
#include "procedures/trainedrecall.h"
#include "procedures/trainingdata.h"
#include "text/packedwriter.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

using namespace stillroom;
namespace fs = std::filesystem;

namespace {

struct TemporaryPlace {
    TemporaryPlace()
    {
        std::string pattern = (fs::temp_directory_path() / "stillroom-data-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path = pattern;
    }
    ~TemporaryPlace() { fs::remove_all(path); }
    TemporaryPlace(const TemporaryPlace &) = delete;
    TemporaryPlace &operator=(const TemporaryPlace &) = delete;
    fs::path path;
};

nlohmann::json dataOf(nlohmann::json data)
{
    return experiment::completeSpec({{"kind", "align"}, {"teacher", "demo"}, {"data", std::move(data)}}).at("data");
}

}  // namespace

TEST_CASE("packed batches: each pass reads every sequence once, in an order that the seed decides")
{
    const TemporaryPlace place;
    text::PackedWriter writer(place.path / "split.safetensors", 4);
    for (text::TokenId document = 0; document < 5; ++document)
        writer.append(std::vector<text::TokenId>{document * 10, document * 10 + 1, document * 10 + 2});
    writer.finish();
    const text::PackedTokens tokens(place.path / "split.safetensors");
    REQUIRE(tokens.numSequences() == 4);   // 15 tokens in fours, the last one padded
    CHECK(tokens.numTokens() == 15);
    procedures::PackedBatches batches(tokens, 2, 9, true, "hash"), again(tokens, 2, 9, true, "hash"), other(tokens, 2, 10, true, "hash");
    std::map<std::int64_t, int> firsts;
    for (std::int64_t step = 0; step < 2; ++step) {
        const distillation::Batch batch = batches.batch(step);
        CHECK(at::equal(batch.ids_BT, again.batch(step).ids_BT));
        for (std::int64_t row = 0; row < 2; ++row)
            ++firsts[batch.ids_BT[row][0].item<std::int64_t>()];
    }
    CHECK(firsts.size() == 4);
    bool differs = false;
    for (std::int64_t step = 0; step < 10; ++step)
        differs = differs || !at::equal(batches.batch(step).ids_BT, other.batch(step).ids_BT);
    CHECK(differs);
    const distillation::Batch joined = procedures::readSequences(tokens, {0, 3}, false);
    CHECK(joined.documents_BT.max().item<std::int64_t>() == 0);
    CHECK(joined.documents_BT[1][3].item<std::int64_t>() == -1);
}

TEST_CASE("recall batches are a function of seed and step, and never meet the held-out sequences")
{
    const nlohmann::json data = dataOf({{"source", "recall-task"}, {"sequence_length", 32}, {"recall", {{"pairs", 4}}}});
    procedures::DataRequest request;
    request.batchSequences = 8;
    request.seed = 5;
    request.vocabSize = 160;
    const procedures::TrainingData made = procedures::openData(data, {}, request), same = procedures::openData(data, {}, request);
    CHECK(at::equal(made.training->batch(7).ids_BT, same.training->batch(7).ids_BT));
    request.seed = 6;
    const procedures::TrainingData other = procedures::openData(data, {}, request);
    CHECK_FALSE(at::equal(made.training->batch(7).ids_BT, other.training->batch(7).ids_BT));
    CHECK(at::equal(made.heldOut.front().ids_BT, other.heldOut.front().ids_BT));
    for (const distillation::Batch &batch : made.heldOut)
        for (std::int64_t row = 0; row < batch.ids_BT.size(0); ++row)
            for (std::int64_t step = 0; step < 20; ++step)
                CHECK_FALSE((made.training->batch(step).ids_BT == batch.ids_BT[row]).all(1).any().item<bool>());
    request.vocabSize = 100;
    CHECK_THROWS_AS((void)procedures::openData(data, {}, request), Error);
}

TEST_CASE("a model is given the recall task that it was trained on, where its folder says which")
{
    const TemporaryPlace place;
    checkpoint::ModelFiles model;
    model.path = place.path;
    model.config.vocabSize = 1000;
    const nlohmann::json trained = {{"source", "recall-task"}, {"recall", {{"num_keys", 16}, {"num_values", 16}, {"num_fillers", 8}, {"chain_seed", 3}}}};
    const auto write = [&](const char *name, const std::string &content) { std::ofstream(place.path / name) << content; };
    const auto recallOf = [](const nlohmann::json &changes) {
        nlohmann::json recall = {{"num_keys", 16}, {"num_values", 16}, {"num_fillers", 8}, {"chain_seed", 3}, {"pairs", 3}};
        recall.update(changes);
        return dataOf({{"source", "recall-task"}, {"sequence_length", 24}, {"recall", recall}});
    };
    const nlohmann::json other = recallOf({{"num_values", 17}});
    CHECK_NOTHROW(procedures::checkData(other, model));                    // nothing is known of it
    for (const auto &[name, content] : std::map<std::string, std::string>{{"training.json", nlohmann::json{{"kind", "train-teacher"}, {"spec", {{"kind", "train-teacher"}, {"data", trained}}}}.dump()},
                                                                          {"spec.json", nlohmann::json{{"kind", "distill"}, {"data", trained}}.dump()}}) {
        CAPTURE(name);
        write(name.c_str(), content);
        CHECK_NOTHROW(procedures::checkData(recallOf(nlohmann::json::object()), model));
        CHECK_NOTHROW(procedures::checkData(recallOf({{"pairs", 5}, {"query_probability", 0.5}}), model));
        for (const auto &[field, value] : std::map<std::string, int>{{"num_keys", 15}, {"num_values", 17}, {"num_fillers", 9}, {"chain_seed", 1}}) {
            const nlohmann::json data = recallOf({{field, value}});
            CHECK_THROWS_WITH_AS(procedures::checkData(data, model), doctest::Contains(("data.recall." + field + " is " + std::to_string(value) + ", but the model was trained on").c_str()), Error);
            CHECK_THROWS_WITH_AS((void)procedures::openData(data, model, {1, 0, model.config.vocabSize, {}, {}}), doctest::Contains((name + "\" holds (num_keys 16").c_str()), Error);
        }
        for (const char *foreign : {"{", "[]", "{}", R"({"kind": "distill", "data": 1})", R"({"kind": "distill", "data": {"source": "text"}})", R"({"spec": {"kind": "train-teacher", "data": {"source": "recall-task"}}})"}) {
            write(name.c_str(), foreign);
            CHECK_NOTHROW(procedures::checkTrainedRecall(other, model));
        }
        fs::remove(place.path / name);
    }
}

TEST_CASE("token files: exact ids, a held-out part that is never trained on, ids outside the vocabulary refused")
{
    const TemporaryPlace place;
    const at::Tensor ids = at::arange(0, 60, at::TensorOptions(at::kLong)).reshape({10, 6});
    nn::writeTensors(place.path / "ids.safetensors", {{"input_ids", ids}});
    const nlohmann::json data = dataOf({{"source", "tokens"}, {"files", {(place.path / "ids.safetensors").string()}}, {"sequence_length", 3}, {"held_out_fraction", 0.2}, {"held_out_sequences", 4}});
    procedures::DataRequest request;
    request.batchSequences = 4;
    request.vocabSize = 60;
    const procedures::TrainingData made = procedures::openData(data, {}, request);
    std::int64_t heldOutRows = 0;
    for (const distillation::Batch &batch : made.heldOut)
        heldOutRows += batch.ids_BT.size(0);
    CHECK(heldOutRows == 4);
    for (std::int64_t step = 0; step < 8; ++step)
        CHECK(made.training->batch(step).ids_BT.max().item<std::int64_t>() < 48);
    CHECK(made.heldOut.front().ids_BT.min().item<std::int64_t>() == 48);
    request.vocabSize = 59;
    CHECK_THROWS_AS((void)procedures::openData(data, {}, request), Error);
}
