// SPDX-License-Identifier: GPL-3.0-or-later
// The teacher that is shipped, as transformers and tokenizers see it (tests/golden/procedures/demoteacher.py).
#include "checkpoint/modelfiles.h"
#include "error.h"
#include "evaluation/recall.h"
#include "experiment/spec.h"
#include "folders.h"
#include "nn/tensorfile.h"
#include "nn/transformer.h"
#include "procedures/modelargument.h"
#include "procedures/teachertraining.h"
#include "procedures/trainingdata.h"
#include "testdata.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

using namespace stillroom;
namespace fs = std::filesystem;

namespace {

const std::string golden = stillroom::test::testData().string() + "/procedures/demoteacher";

nlohmann::json readJson(const fs::path &file)
{
    std::ifstream stream(file);
    REQUIRE(stream.good());
    return nlohmann::json::parse(stream);
}

fs::path teacherFolder() { return resourceFolder() / "demo" / "teacher"; }

}  // namespace

TEST_CASE("the demo teacher gives transformers' logits")
{
    const nn::Transformer teacher = nn::loadTransformer(procedures::openModelArgument("demo"), at::kCPU);
    const nn::NamedTensors stored = nn::readTensorsAsStored(golden + ".safetensors");
    at::Tensor ids_BT, expected_BTV;
    for (const auto &[name, tensor] : stored)
        (name == "logits" ? expected_BTV : ids_BT) = tensor;
    REQUIRE(ids_BT.sizes() == at::IntArrayRef({1, 72}));
    const at::Tensor logits_BTV = teacher.logits(teacher.forward(ids_BT, {}, at::kFloat).hidden_BTD);
    REQUIRE(logits_BTV.sizes() == expected_BTV.sizes());
    CHECK((logits_BTV - expected_BTV).abs().max().item<double>() <= 1e-4 * expected_BTV.abs().max().item<double>());
    CHECK(teacher.config.modelType == "qwen2");
}

TEST_CASE("the demo teacher's tokenizer gives the ids of tokenizers")
{
    const auto tokenizer = procedures::tokenizerOf(procedures::openModelArgument("demo"));
    std::size_t compared = 0;
    const nlohmann::json texts = readJson(golden + ".json");
    for (const nlohmann::json &text : texts.at("texts")) {
        CAPTURE(text.at("text").get<std::string>());
        CHECK(tokenizer->encode(text.at("text").get<std::string>()) == text.at("ids").get<std::vector<text::TokenId>>());
        ++compared;
    }
    CHECK(compared == 7);
    CHECK(tokenizer->decode(std::vector<text::TokenId>{0, 127, 159}) == "k00 v63 f31");
    CHECK(tokenizer->vocabSize() == 162);
}

TEST_CASE("the demo teacher recalls, and layer 4 is where it does")
{
    const nn::Transformer teacher = nn::loadTransformer(procedures::openModelArgument("demo"), at::kCPU);
    const nlohmann::json record = readJson(teacherFolder() / "training.json");
    const text::RecallMix task = procedures::recallTask(record.at("spec").at("data"));
    std::vector<text::RecallSequence> sequences;
    for (std::int64_t i = 1000; i < 1064; ++i)   // none that decided when its training ended
        sequences.push_back(procedures::heldOutRecall(task, i));
    const evaluation::RecallAccuracy accuracy = evaluation::recallAccuracy(teacher, sequences, at::kFloat);
    CHECK(accuracy.recall > 0.99);
    CHECK(accuracy.filler > 0.7);
    const std::vector<double> without = procedures::recallWithoutEachAttention(teacher, sequences, at::kFloat);
    REQUIRE(without.size() == 6);
    CHECK(without[4] < 0.1);
    for (const std::size_t other : {0U, 1U, 5U})
        CHECK(without[other] > 0.95);
}

TEST_CASE("the demo teacher's folder is small and says how it was made")
{
    const nlohmann::json record = readJson(teacherFolder() / "training.json");
    CHECK(record.at("spec") == experiment::completeSpec(record.at("spec")));
    CHECK(record.at("spec") == experiment::completeSpec({{"kind", "train-teacher"}, {"seed", record.at("spec").at("seed")}}));   // the defaults: one command makes it again
    CHECK(record.at("seed") == record.at("spec").at("seed").get<std::uint64_t>() + record.at("restarts").get<std::uint64_t>());
    CHECK(record.at("solved").get<bool>());
    std::uintmax_t bytes = 0;
    for (const auto &entry : fs::directory_iterator(teacherFolder()))
        bytes += entry.file_size();
    CHECK(bytes <= 1'000'000);
}
