// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/allocationmeter.h"
#include "error.h"
#include "nn/matrixproducts.h"
#include "selection/branches.h"
#include "selection/curvefile.h"
#include "selection/shortdistillation.h"
#include "selection/hybrid.h"
#include "selection/residual.h"
#include "setting.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <utility>

using namespace stillroom;
using test::randomBatch;
using test::Setting;
using test::setting;

namespace {

distillation::StageTwoOptions shortTraining()
{
    distillation::StageTwoOptions options;
    options.steps = 4;
    options.mixerLearningRate = 1e-3;
    options.restLearningRate = 1e-4;
    options.weightDecay = 0.0;
    options.evaluateAtTokens = {0, 2 * 2 * 20, 4 * 2 * 20};
    return options;
}

std::vector<selection::StudentCurve> train(const Setting &made, const distillation::HeldOutSet &heldOut, const std::vector<experiment::LayerSet> &kept)
{
    distillation::Batch pool = randomBatch(made.teacher, 16, 20, 100);
    distillation::TensorBatchSource source(pool, 2, 5);
    selection::ShortDistillation group(made.teacher, made.aligned, heldOut, source, {shortTraining(), kept, {}});
    while (group.step() < group.totalSteps())
        group.advance({});
    return group.curves();
}

}  // namespace

TEST_CASE("the hybrid that keeps every layer is the teacher: KL 0")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    const nn::Transformer all = selection::hybrid(made.teacher, {}, {0, 1, 2, 3});
    for (const double kl : heldOut.measure(all).klNats)
        CHECK(kl == 0.0);
    CHECK_THROWS_AS((void)selection::hybrid(made.teacher, {}, {0, 1, 2}), Error);
    CHECK_THROWS_AS((void)selection::hybrid(made.teacher, made.aligned, {4}), Error);
}

TEST_CASE("how students are grouped changes no bit of any curve")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    const auto together = train(made, heldOut, {{}, {0}, {1}, {2}, {3}, {0, 1, 3}});
    REQUIRE(together.size() == 6);
    for (const selection::StudentCurve &curve : together) {
        REQUIRE(curve.tokens.size() == 3);
        CHECK(curve.tokens.back() == 160);
        const auto alone = train(made, heldOut, {curve.kept});
        for (std::size_t evaluation = 0; evaluation < 3; ++evaluation)
            CHECK(alone.front().kl[evaluation].klNats == curve.kl[evaluation].klNats);
        CHECK(curve.kl.back().klNats != curve.kl.front().klNats);   // training moved the student
    }
    // Before any training the scores are the zero-shot ones.
    const nn::Transformer linear = selection::hybrid(made.teacher, made.aligned, {});
    CHECK(selection::scoreBranches(linear, made.teacher, heldOut, {}).branches[2] == together[3].kl.front().klNats);
}

TEST_CASE("a group's evaluation computes the teacher's logits once")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    distillation::TensorBatchSource source(randomBatch(made.teacher, 16, 20, 100), 2, 5);
    distillation::StageTwoOptions training = shortTraining();
    training.evaluateAtTokens = {0};
    selection::ShortDistillation group(made.teacher, made.aligned, heldOut, source, {training, {{}, {1}, {2}}, {}});
    const auto advance = [&] { return test::matrixProducts([&] { group.advance({}); }); };
    const std::int64_t evaluatedStep = advance(), step = advance();
    CHECK(group.curves().front().kl.size() == 1);
    const std::vector<nn::Transformer> students = {selection::hybrid(made.teacher, made.aligned, {}), selection::hybrid(made.teacher, made.aligned, {1}),
                                                   selection::hybrid(made.teacher, made.aligned, {2})};
    const std::int64_t together = test::matrixProducts([&] { (void)heldOut.measure(students); });
    const std::int64_t oneByOne = test::matrixProducts([&] {
        for (const nn::Transformer &student : students)
            (void)heldOut.measure(student);
    });
    CHECK(oneByOne - together == 2 * (3 - 1));   // 2 batches of one slice each
    CHECK(evaluatedStep - step == together);
}

TEST_CASE("a scoring group resumes bit for bit from its state")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    distillation::Batch pool = randomBatch(made.teacher, 16, 20, 100);
    distillation::TensorBatchSource source(pool, 2, 5);
    const auto whole = train(made, heldOut, {{0}, {1, 2}});
    selection::ShortDistillation first(made.teacher, made.aligned, heldOut, source, {shortTraining(), {{0}, {1, 2}}, {}});
    for (int i = 0; i < 3; ++i)
        first.advance({});
    distillation::TrainingState state = first.state(true);
    for (auto *list : {&state.weights, &state.optimizer})
        for (distillation::NamedTensor &one : *list)
            one.second = one.second.clone();
    selection::ShortDistillation second(made.teacher, made.aligned, heldOut, source, {shortTraining(), {{0}, {1, 2}}, {}});
    second.restore(state);
    CHECK(second.step() == 3);
    second.advance({});
    for (std::size_t i = 0; i < 2; ++i)
        CHECK(second.curves()[i].kl.back().klNats == whole[i].kl.back().klNats);
    // A finished group keeps its curves alone.
    selection::ShortDistillation third(made.teacher, made.aligned, heldOut, source, {shortTraining(), {{0}, {1, 2}}, {}});
    third.restore(second.state(false));
    CHECK(third.step() == third.totalSteps());
    CHECK(third.curves()[1].kl.back().klNats == whole[1].kl.back().klNats);
    // One of other students is not taken for it.
    selection::ShortDistillation others(made.teacher, made.aligned, heldOut, source, {shortTraining(), {{0}, {2}}, {}});
    CHECK_THROWS_WITH_AS(others.restore(second.state(false)), doctest::Contains("other students"), Error);
}

TEST_CASE("the last evaluation is at the end, also where padding keeps the tokens below what was planned")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    distillation::Batch pool = randomBatch(made.teacher, 16, 20, 100);
    pool.documents_BT = at::zeros_like(pool.ids_BT);
    pool.documents_BT.narrow(1, 15, 5).fill_(-1);
    distillation::TensorBatchSource source(pool, 2, 5);
    selection::ShortDistillation group(made.teacher, made.aligned, heldOut, source, {shortTraining(), {{1}}, {}});
    while (group.step() < group.totalSteps())
        group.advance({});
    CHECK(group.curves().front().tokens == std::vector<std::int64_t>{0, 90, 120});   // planned: 0, 80, 160; 30 a step count
}

TEST_CASE("a group ends where the caller says so")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    distillation::TensorBatchSource source(randomBatch(made.teacher, 16, 20, 100), 2, 5);
    selection::ShortDistillation group(made.teacher, made.aligned, heldOut, source,
                               {shortTraining(), {{1}}, [](const std::vector<selection::StudentCurve> &curves, bool) { return std::vector<std::size_t>(curves.front().kl.size() == 2 ? 1 : 0); }});
    while (group.step() < group.totalSteps())
        group.advance({});
    CHECK(group.endedEarly());
    CHECK(group.step() == 2);
    CHECK(group.curves().front().tokens.back() == 80);
}

TEST_CASE("a student that leaves costs no more, and the others' curves keep their bits, in a resumed group too")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    distillation::TensorBatchSource source(randomBatch(made.teacher, 16, 20, 100), 2, 5);
    const std::vector<experiment::LayerSet> sets{{}, {0}, {2}};
    const auto whole = train(made, heldOut, sets);
    selection::ShortDistillation::Options options{shortTraining(), sets, [](const std::vector<selection::StudentCurve> &curves, bool last) {
                                                      return !last && curves.front().kl.size() == 2 ? std::vector<std::size_t>{1} : std::vector<std::size_t>{};
                                                  }};
    selection::ShortDistillation group(made.teacher, made.aligned, heldOut, source, options), resumed(made.teacher, made.aligned, heldOut, source, options);
    while (group.training().size() == 3)
        group.advance({});
    CHECK(group.training() == std::vector<std::size_t>{0, 2});
    CHECK(group.metrics().size() == 2);
    resumed.restore(group.state(true));
    CHECK(resumed.training() == group.training());
    for (selection::ShortDistillation *one : {&group, &resumed}) {
        while (one->step() < one->totalSteps())
            one->advance({});
        CHECK_FALSE(one->endedEarly());
        CHECK(one->curves()[1].kl.size() == 2);
        CHECK(one->curves()[1].kl.back().klNats == whole[1].kl[1].klNats);
        CHECK(one->curves()[0].kl.back().klNats == whole[0].kl.back().klNats);
        CHECK(one->curves()[2].kl.back().klNats == whole[2].kl.back().klNats);
    }
    selection::ShortDistillation finished(made.teacher, made.aligned, heldOut, source, options);
    finished.restore(group.state(false));
    CHECK(finished.training() == group.training());
    CHECK(finished.curves()[1].kl.size() == 2);
}

TEST_CASE("an evaluation whose callback throws is made again")
{
    const Setting made = setting();
    const distillation::HeldOutSet heldOut(made.teacher, made.heldOut, {});
    distillation::TensorBatchSource source(randomBatch(made.teacher, 16, 20, 100), 2, 5);
    int calls = 0;
    selection::ShortDistillation group(made.teacher, made.aligned, heldOut, source, {shortTraining(), {{1}}, [&](const std::vector<selection::StudentCurve> &, bool) {
                                           if (++calls == 2)
                                               throw Error(ErrorCode::Io, "the disk is full");
                                           return std::vector<std::size_t>();
                                       }});
    CHECK_THROWS_AS(
        [&] {
            while (group.step() < group.totalSteps())
                group.advance({});
        }(),
        Error);
    CHECK(group.curves().front().kl.size() == 1);
    while (group.step() < group.totalSteps())
        group.advance({});
    CHECK(calls == 4);
    CHECK(group.curves().front().kl.back().klNats == train(made, heldOut, {{1}}).front().kl.back().klNats);
}

TEST_CASE("held-out residuals against a float64 sum, and 0 for a mixer that is the teacher's own")
{
    Setting made = setting("gla");
    made.aligned[2].mixer = made.teacher.blocks[2].mixer;
    const auto residuals = selection::heldOutResiduals(made.teacher, made.aligned, made.heldOut);
    CHECK(residuals[2].error == 0.0);
    const c10::NoGradGuard noGradients;
    nn::ForwardOptions options;
    options.keepMixerInputs = options.keepMixerOutputs = true;
    using distillation::OutputLoss;
    std::map<OutputLoss, std::vector<double>> values;
    for (const distillation::Batch &batch : made.heldOut) {
        const nn::ForwardResult result = made.teacher.forward(batch.ids_BT, {}, at::kFloat, options);
        const at::Tensor student = made.aligned[1].mixer->forward(result.mixerInputs_BTD[1], nn::placesFromMask(batch.ids_BT), nullptr).to(at::kDouble);
        const at::Tensor target = result.mixerOutputs_BTD[1].to(at::kDouble);
        for (std::int64_t row = 0; row < target.size(0); ++row) {
            double squares = 0.0, norms = 0.0, targetSquares = 0.0;
            const auto tokens = target.size(1), width = target.size(2);
            for (std::int64_t t = 0; t < tokens; ++t) {
                double ofToken = 0.0;
                for (std::int64_t d = 0; d < width; ++d) {
                    const double wanted = target[row][t][d].item<double>(), error = student[row][t][d].item<double>() - wanted;
                    ofToken += error * error;
                    targetSquares += wanted * wanted;
                }
                squares += ofToken;
                norms += std::sqrt(ofToken);
            }
            const auto n = static_cast<double>(tokens), channels = static_cast<double>(width);
            values[OutputLoss::RelativeMse].push_back(squares / targetSquares);
            values[OutputLoss::Rms].push_back(norms / std::sqrt(channels) / n);
            values[OutputLoss::Squared].push_back(squares / n);
            values[OutputLoss::MeanSquare].push_back(squares / n / channels);
            values[OutputLoss::RmsScaled].push_back(norms / std::sqrt(channels) / n / std::sqrt(targetSquares / (n * channels)));
        }
    }
    REQUIRE(values.size() == 5);
    for (const auto &[form, perSequence] : values) {
        CAPTURE(distillation::outputLossName(form));
        const selection::LayerResidual found = selection::heldOutResiduals(made.teacher, made.aligned, made.heldOut, {.form = form})[1];
        REQUIRE(found.perSequence.size() == perSequence.size());
        double mean = 0.0;
        for (std::size_t i = 0; i < perSequence.size(); ++i) {
            CHECK(found.perSequence[i] == doctest::Approx(perSequence[i]).epsilon(1e-5));
            mean += perSequence[i] / static_cast<double>(perSequence.size());
        }
        CHECK(found.error == doctest::Approx(mean).epsilon(1e-5));
        CHECK(found.numSequences == 6);
        CHECK(found.se > 0.0);
    }
    CHECK(residuals[1].error == selection::heldOutResiduals(made.teacher, made.aligned, made.heldOut, {.form = OutputLoss::RelativeMse})[1].error);
}

TEST_CASE("residuals hold a batch's states of one layer at a time, about as much as they say, and say how far they are")
{
    constexpr std::int64_t rows = 6, length = 96;
    const auto heldBy = [&](const Setting &made) {
        const std::vector<distillation::Batch> batches(2, randomBatch(made.teacher, rows, length, 1));
        return distillation::measureAllocations([&] { (void)selection::heldOutResiduals(made.teacher, made.aligned, batches); })->peakBytes();
    };
    const Setting made = setting("gla"), deep = setting("gla", 24);
    const auto held = static_cast<double>(heldBy(made));
    CHECK(static_cast<double>(heldBy(deep)) <= 1.02 * held);
    const auto said = static_cast<double>(selection::residualBytes(made.teacher, selection::hybrid(made.teacher, made.aligned, {}), at::kFloat, rows, length, false));
    CHECK(said >= held);
    CHECK(said <= 1.6 * held);

    std::vector<std::pair<std::int64_t, std::int64_t>> steps;
    (void)selection::heldOutResiduals(made.teacher, made.aligned, made.heldOut, {.progress = [&](std::int64_t done, std::int64_t of) { steps.emplace_back(done, of); }});
    CHECK(steps == std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 2}, {2, 2}});
}

TEST_CASE("a residual leaves out what is not counted")
{
    // One sequence, and the same behind padding: what stands there changes no form's value.
    const Setting made = setting("gla");
    const at::Tensor ids_BT = made.heldOut.front().ids_BT.slice(0, 0, 1);
    distillation::Batch plain{ids_BT, {}, {}}, padded = plain;
    padded.ids_BT = at::cat({ids_BT, ids_BT.slice(1, 0, 3)}, 1);
    padded.documents_BT = at::cat({at::zeros_like(ids_BT), at::full({1, 3}, -1, at::kLong)}, 1);
    for (const auto form : {distillation::OutputLoss::RelativeMse, distillation::OutputLoss::Rms, distillation::OutputLoss::Squared, distillation::OutputLoss::RmsScaled}) {
        CAPTURE(distillation::outputLossName(form));
        const auto once = selection::heldOutResiduals(made.teacher, made.aligned, {plain}, {.form = form}), again = selection::heldOutResiduals(made.teacher, made.aligned, {padded}, {.form = form});
        CHECK(again[1].error == doctest::Approx(once[1].error).epsilon(1e-5));
    }
}

TEST_CASE("curves survive their file, damaged ones are refused")
{
    const selection::StudentCurve curve{{3}, {0, 40}, {{{0.1, 1.0 / 3.0}, {20, 20}}, {{5e-324, 2.5}, {20, 20}}}};
    const nlohmann::json json = nlohmann::json::parse(selection::curveToJson(curve).dump());
    const selection::StudentCurve read = selection::curveFromJson(json);
    CHECK(read.kept == experiment::LayerSet{3});
    CHECK(json["layer"] == 3);
    CHECK(read.kl[0].klNats == curve.kl[0].klNats);
    CHECK(read.kl[1].klNats == curve.kl[1].klNats);
    nlohmann::json damaged = json;
    damaged["kl_nats"][1].push_back(1.0);
    CHECK_THROWS_AS((void)selection::curveFromJson(damaged), Error);
    damaged = json;
    damaged.erase("tokens");
    CHECK_THROWS_AS((void)selection::curveFromJson(damaged), Error);
    nlohmann::json older = json;           // written before students could keep several layers
    older.erase("kept");
    CHECK(selection::curveFromJson(older).kept == experiment::LayerSet{3});
    older["layer"] = -1;
    CHECK(selection::curveFromJson(older).kept.empty());
    CHECK_FALSE(selection::curveToJson({{0, 2}, {}, {}}).contains("layer"));
}
