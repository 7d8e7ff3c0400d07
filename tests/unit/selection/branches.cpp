// SPDX-License-Identifier: GPL-3.0-or-later
// Students that differ from a model in one layer: shared prefixes against one forward per student, and transformers' numbers.
#include "checkpoint/modelfiles.h"
#include "distillation/allocationmeter.h"
#include "distillation/trainingmemory.h"
#include "error.h"
#include "folders.h"
#include "nn/matrixproducts.h"
#include "nn/tensorfile.h"
#include "nn/tinymodel.h"
#include "selection/branches.h"
#include "selection/hybrid.h"
#include "setting.h"
#include "testdata.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <utility>

using namespace stillroom;
using selection::HeldOutMeasure;
using test::Setting;
using test::setting;

namespace {

constexpr HeldOutMeasure allMeasures[] = {HeldOutMeasure::Kl, HeldOutMeasure::Loss, HeldOutMeasure::HiddenError};

double mean(const std::vector<double> &values)
{
    double sum = 0.0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

/// The teacher with one block of another model.
nn::Transformer branch(const nn::Transformer &base, const nn::Transformer &other, std::size_t layer)
{
    nn::Transformer student = base;
    student.blocks[layer] = other.blocks[layer];
    return student;
}

distillation::Batch batchOf(const at::Tensor &ids_BT)
{
    distillation::Batch batch;
    batch.ids_BT = ids_BT;
    return batch;
}

}  // namespace

TEST_CASE("students off one pass of the base equal one forward per student in every bit, whatever is measured")
{
    Setting made = setting();
    made.heldOut[1].documents_BT = at::zeros_like(made.heldOut[1].ids_BT);
    made.heldOut[1].documents_BT.narrow(1, 8, 12).fill_(1);
    made.heldOut[1].documents_BT[2].narrow(0, 15, 5).fill_(-1);
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    const nn::Transformer linear = selection::hybrid(made.teacher, made.aligned, {}), silent = selection::withoutAttention(made.teacher);
    const nn::Transformer *const pairs[][2] = {{&linear, &made.teacher}, {&made.teacher, &linear}, {&made.teacher, &silent}};
    for (const auto &[base, other] : pairs)
        for (const HeldOutMeasure measure : allMeasures) {
            selection::BranchOptions options;
            options.measure = measure;
            const bool fromTeacher = base == &made.teacher;
            options.base = fromTeacher ? selection::BranchBase::Teacher : selection::BranchBase::Measured;
            const selection::BranchScores shared = selection::scoreBranches(*base, *other, heldOut, options);
            REQUIRE(shared.branches.size() == 4);
            CHECK(shared.base == selection::measureHeldOut(*base, heldOut, measure));
            for (std::size_t layer = 0; layer < 4; ++layer) {
                CHECK(shared.branches[layer] == selection::measureHeldOut(branch(*base, *other, layer), heldOut, measure));
                CHECK(shared.branches[layer].size() == 6);
            }
            CHECK(shared.tokens.back() == (measure == HeldOutMeasure::Loss ? 13 : 15));
            CHECK(shared.blockEvaluations == (fromTeacher ? 3 : 4) + 4 + 3 + 2 + 1);
        }
}

TEST_CASE("a student that is the teacher has KL 0, hidden error 0 and the teacher's loss")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    for (const HeldOutMeasure measure : allMeasures) {
        selection::BranchOptions options;
        options.measure = measure;
        options.base = selection::BranchBase::Teacher;
        const selection::BranchScores same = selection::scoreBranches(made.teacher, made.teacher, heldOut, options);
        for (const std::vector<double> &values : same.branches)
            CHECK(values == same.base);
    }
}

TEST_CASE("KL of students is HeldOutSet's own")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    const nn::Transformer linear = selection::hybrid(made.teacher, made.aligned, {});
    const selection::BranchScores ga = selection::scoreBranches(linear, made.teacher, heldOut, {});
    CHECK(ga.base == heldOut.measure(linear).klNats);
    for (int layer = 0; layer < 4; ++layer)
        CHECK(ga.branches[static_cast<std::size_t>(layer)] == heldOut.measure(selection::hybrid(made.teacher, made.aligned, {layer})).klNats);
    selection::BranchOptions options;
    options.base = selection::BranchBase::Teacher;
    const selection::BranchScores gr = selection::scoreBranches(made.teacher, linear, heldOut, options);
    for (int layer = 0; layer < 4; ++layer) {
        experiment::LayerSet others;
        for (int other = 0; other < 4; ++other)
            if (other != layer)
                others.push_back(other);
        CHECK(gr.branches[static_cast<std::size_t>(layer)] == heldOut.measure(selection::hybrid(made.teacher, made.aligned, others)).klNats);
    }
}

TEST_CASE("the teacher's logits are computed once for all students that wait together, and the bits are the same however few may wait")
{
    const Setting made = setting();
    const nn::Transformer linear = selection::hybrid(made.teacher, made.aligned, {});
    const std::int64_t oneStudent = 3 * 20 * made.teacher.config.hiddenSize * 4;
    // 2 batches of one slice each: the products of the blocks, and those of the heads that are counted.
    const auto scoredWith = [&](std::int64_t waitingBytes) {
        distillation::HeldOutOptions options;
        options.waitingBytes = waitingBytes;
        const distillation::HeldOutSet set(made.teacher, made.heldOut, options);
        selection::BranchScores scores;
        const std::int64_t products = test::matrixProducts([&] { scores = selection::scoreBranches(linear, made.teacher, set, {}); });
        return std::pair(scores, products - 2 * scores.headEvaluations);
    };
    const auto [shared, blockProducts] = scoredWith(5 * oneStudent);
    CHECK(shared.headEvaluations == 5 + 1);
    CHECK(blockProducts > 0);
    const std::vector<std::pair<std::int64_t, std::int64_t>> limits = {{0, 5 + 5}, {2 * oneStudent, 5 + 3}, {5 * oneStudent - 1, 5 + 2}, {std::int64_t{1} << 40, 5 + 1}};
    for (const auto &limit : limits) {
        CAPTURE(limit.first);
        const auto [scores, products] = scoredWith(limit.first);
        CHECK(scores.headEvaluations == limit.second);
        CHECK(products == blockProducts);      // so the heads' products differ by what was said
        CHECK(scores.base == shared.base);
        CHECK(scores.branches == shared.branches);
    }
}

TEST_CASE("scores of some layers are those of all, and the work is theirs alone")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    const nn::Transformer linear = selection::hybrid(made.teacher, made.aligned, {});
    for (const bool fromTeacher : {false, true}) {
        const nn::Transformer &base = fromTeacher ? made.teacher : linear, &other = fromTeacher ? linear : made.teacher;
        selection::BranchOptions options;
        options.base = fromTeacher ? selection::BranchBase::Teacher : selection::BranchBase::Measured;
        const selection::BranchScores all = selection::scoreBranches(base, other, heldOut, options);
        options.layers = {2, 1};
        const selection::BranchScores some = selection::scoreBranches(base, other, heldOut, options);
        CHECK(some.layers == std::vector<int>{1, 2});
        CHECK(some.branches[0] == all.branches[1]);
        CHECK(some.branches[1] == all.branches[2]);
        CHECK(some.base == all.base);
        CHECK(some.blockEvaluations == (fromTeacher ? 2 : 4) + 3 + 2);
        CHECK(some.headEvaluations == (fromTeacher ? 2 : 3) + 1);
    }
    selection::BranchOptions unmeasured;
    unmeasured.layers = {2, 1};
    unmeasured.base = selection::BranchBase::Unmeasured;
    const selection::BranchScores branchesOnly = selection::scoreBranches(linear, made.teacher, heldOut, unmeasured);
    CHECK(branchesOnly.base.empty());
    CHECK(branchesOnly.blockEvaluations == 2 + 3 + 2);
    CHECK(branchesOnly.branches[0] == selection::measureHeldOut(branch(linear, made.teacher, 1), heldOut, HeldOutMeasure::Kl));
    selection::BranchOptions wrong;
    wrong.layers = {4};
    CHECK_THROWS_AS((void)selection::scoreBranches(linear, made.teacher, heldOut, wrong), Error);
}

TEST_CASE("the blocks that are said to be computed are those that are")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    const at::Tensor h_BTD = made.teacher.embed(made.heldOut.front().ids_BT, at::kFloat);
    const std::int64_t ofOneBlock = test::matrixProducts([&] { (void)made.teacher.runBlocks(h_BTD, heldOut.places(0), 0, 1); });
    REQUIRE(ofOneBlock > 0);
    selection::BranchOptions options;
    options.measure = HeldOutMeasure::HiddenError;      // multiplies no head
    for (const selection::BranchBase base : {selection::BranchBase::Measured, selection::BranchBase::Teacher, selection::BranchBase::Unmeasured})
        for (const std::vector<int> &layers : {std::vector<int>{}, std::vector<int>{0}, std::vector<int>{1, 2}}) {
            options.base = base;
            options.layers = layers;
            selection::BranchScores scores;
            const std::int64_t products = test::matrixProducts([&] { scores = selection::scoreBranches(made.teacher, made.teacher, heldOut, options); });
            CHECK(products == 2 * scores.blockEvaluations * ofOneBlock);      // 2 batches
        }
}

TEST_CASE("zeroed attention gives transformers' loss, KL and hidden error")
{
    std::ifstream stream(test::testData() / "selection/ablation.json");
    REQUIRE(stream.good());
    const nlohmann::json golden = nlohmann::json::parse(stream);
    for (const auto &[name, expected] : golden.items()) {
        CAPTURE(name);
        const nn::Transformer teacher = nn::loadTransformer(checkpoint::openModel(test::testData() / "nn/models" / name), at::kCPU);
        const auto ids = expected.at("input_ids").get<std::vector<std::int64_t>>();
        const distillation::HeldOutSet heldOut(teacher, {batchOf(at::tensor(ids, at::TensorOptions(at::kLong)).unsqueeze(0))}, {});
        selection::BranchOptions options;
        options.base = selection::BranchBase::Teacher;
        const nn::Transformer silent = selection::withoutAttention(teacher);
        for (const auto &[measure, field] : {std::pair(HeldOutMeasure::Loss, "ablation_nll"), std::pair(HeldOutMeasure::Kl, "ablation_kl"), std::pair(HeldOutMeasure::HiddenError, "ablation_mse")}) {
            CAPTURE(field);
            options.measure = measure;
            const selection::BranchScores scores = selection::scoreBranches(teacher, silent, heldOut, options);
            REQUIRE(scores.branches.size() == expected.at(field).size());
            for (std::size_t layer = 0; layer < scores.branches.size(); ++layer)
                CHECK(mean(scores.branches[layer]) == doctest::Approx(expected.at(field)[layer].get<double>()).epsilon(2e-5));
            if (measure == HeldOutMeasure::Loss)
                CHECK(mean(scores.base) == doctest::Approx(expected.at("nll").get<double>()).epsilon(1e-6));
        }
    }
}

TEST_CASE("zeroed attention of SmolLM2-135M gives transformers' loss and KL")
{
    const char *given = std::getenv("STILLROOM_SMOLLM2");
    const std::filesystem::path model = given ? std::filesystem::path(given) : cacheFolder() / "models/SmolLM2-135M-Instruct.Q4_1.gguf";
    const std::filesystem::path goldenFile = test::sharedData() / "golden/smollm2_135m/golden.safetensors";
    for (const std::filesystem::path &file : {model, goldenFile})
        if (!std::filesystem::exists(file)) {
            MESSAGE("skipped: " << file.string() << " is not there");
            return;
        }
    const auto golden = checkpoint::openSafetensors(goldenFile);
    const nn::Transformer teacher = nn::loadTransformer(checkpoint::openModel(model), at::kCPU);
    const distillation::HeldOutSet heldOut(teacher, {batchOf(nn::readTensor(*golden, "input_ids"))}, {});
    const nn::Transformer silent = selection::withoutAttention(teacher);
    selection::BranchOptions options;
    options.base = selection::BranchBase::Teacher;
    for (const auto &[measure, field] : {std::pair(HeldOutMeasure::Loss, "ablation_nll"), std::pair(HeldOutMeasure::Kl, "ablation_kl")}) {
        options.measure = measure;
        const selection::BranchScores scores = selection::scoreBranches(teacher, silent, heldOut, options);
        const at::Tensor expected_L = nn::readTensor(*golden, field);
        REQUIRE(expected_L.numel() == 30);
        for (std::int64_t layer = 0; layer < 30; ++layer) {
            CAPTURE(layer);
            const auto expected = expected_L[layer].item<double>();
            CHECK(std::abs(mean(scores.branches[static_cast<std::size_t>(layer)]) - expected) <= 2e-5 * std::max(1.0, expected));      // ten times the golden values' own rounding
        }
    }
}

TEST_CASE("branches hold what their measure says beside the pass, whatever is measured")
{
    checkpoint::ModelConfig config = test::tinyConfig();
    config.vocabSize = 2000;
    const nn::Transformer teacher = test::tinyModel(config), silent = selection::withoutAttention(teacher);
    const std::int64_t rows = 4, length = 64, hidden = rows * length * config.hiddenSize * 4;
    const distillation::HeldOutSet heldOut(teacher, {test::randomBatch(teacher, rows, length, 0)}, {});
    for (const HeldOutMeasure measure : allMeasures) {
        CAPTURE(static_cast<int>(measure));
        selection::BranchOptions options;
        options.measure = measure;
        options.base = selection::BranchBase::Teacher;
        const auto held = static_cast<double>(distillation::measureAllocations([&] { (void)selection::scoreBranches(teacher, silent, heldOut, options); })->peakBytes());
        const std::int64_t measured = selection::measureBytes(teacher, measure, heldOut.options(), rows, length, config.numLayers);
        const std::int64_t waiting = measure == HeldOutMeasure::Kl ? config.numLayers * hidden : 0;
        const auto said = static_cast<double>(hidden + std::max(waiting + distillation::forwardBytes(teacher, at::kFloat, rows, length, false), 2 * hidden + measured));
        CHECK(said >= 0.8 * held);
        CHECK(said <= 1.4 * held);
    }
}
