// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/gates.h"

#include "distillation/trainingloop.h"
#include "error.h"
#include "selection/hybrid.h"
#include "temporaryfolder.h"
#include "tinystudents.h"

#include <c10/core/GradMode.h>
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

using namespace stillroom;

namespace {

struct GateSetting {
    nn::Transformer teacher = test::tinyTeacherOf(4);
    std::vector<distillation::AlignedLayer> mixers = test::tinyMixers(teacher);
    distillation::TensorBatchSource source{test::tinyBatch(teacher, 12, 18, 8), 3, 5};
};

selection::GateOptions shortGates(std::int64_t steps, selection::GateForm form = selection::GateForm::Clamp)
{
    selection::GateOptions options;
    options.form = form;
    options.linearisation = 1e-2;
    options.training.learningRate = 0.05;
    options.training.steps = steps;
    return options;
}

/// Largest |central difference - autograd| over the gradient's largest entry.
double gradientError(const at::Tensor &numbers, const std::function<at::Tensor(const at::Tensor &)> &loss)
{
    const at::Tensor leaf = numbers.clone().requires_grad_(true);
    loss(leaf).backward();
    const at::Tensor gradient = leaf.grad().flatten();
    const c10::NoGradGuard noGrad;
    double worst = 0.0;
    for (std::int64_t i = 0; i < numbers.numel(); ++i) {
        constexpr double h = 1e-6;
        at::Tensor up = numbers.clone(), down = numbers.clone();
        up.view(-1)[i] += h;
        down.view(-1)[i] -= h;
        worst = std::max(worst, std::abs((loss(up) - loss(down)).item<double>() / (2 * h) - gradient[i].item<double>()));
    }
    return worst / gradient.abs().max().item<double>();
}

}  // namespace

TEST_CASE("the error of hidden states against the definition in float64")
{
    const GateSetting made;
    const distillation::Batch batch = test::raggedBatch(made.teacher, 3, 18);
    const nn::Transformer student = selection::hybrid(made.teacher, made.mixers, {1});
    nn::ForwardOptions keep;
    keep.keepHiddenStates = true;
    nn::TokenPlaces places;
    places.documents_BT = batch.documents_BT;
    const c10::NoGradGuard noGrad;
    const nn::ForwardResult ours = student.forward(batch.ids_BT, places, at::kDouble, keep), theirs = made.teacher.forward(batch.ids_BT, places, at::kDouble, keep);
    for (const auto states : {selection::AlignedStates::Final, selection::AlignedStates::Every}) {
        const at::Tensor errors = selection::hiddenError_B(made.teacher, student, batch, {states, at::kDouble, false, {}});
        REQUIRE(errors.size(0) == 3);
        for (std::int64_t row = 0; row < 3; ++row) {
            double expected = 0.0;
            const std::size_t first = states == selection::AlignedStates::Final ? 4 : 1;
            for (std::size_t n = first; n <= 4; ++n) {
                double error = 0.0, size = 0.0;
                for (std::int64_t t = 0; t < 18; ++t) {
                    if (batch.documents_BT[row][t].item<std::int64_t>() < 0 || !batch.lossMask_BT[row][t].item<bool>())
                        continue;
                    error += (ours.hiddenStates_BTD[n][row][t] - theirs.hiddenStates_BTD[n][row][t]).square().sum().item<double>();
                    size += theirs.hiddenStates_BTD[n][row][t].square().sum().item<double>();
                }
                expected += error / size / static_cast<double>(5 - first);
            }
            CHECK(errors[row].item<double>() == doctest::Approx(expected).epsilon(1e-12));
            CHECK(expected > 1e-4);
        }
    }
}

TEST_CASE("with every gate at 1 the student is the teacher, with every gate at 0 the all-linear student, in every bit")
{
    const GateSetting made;
    const distillation::Batch batch = test::raggedBatch(made.teacher, 3, 18);
    const c10::NoGradGuard noGrad;
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kDouble})
        for (const auto states : {selection::AlignedStates::Final, selection::AlignedStates::Every}) {
            const selection::HiddenErrorOptions options{states, type, false, {}};
            const at::Tensor ones = at::ones({4}), zeros = at::zeros({4});
            const at::Tensor none = selection::hiddenError_B(made.teacher, selection::gatedStudent(made.teacher, made.mixers, ones), batch, options);
            CHECK(at::equal(none, at::zeros_like(none)));
            const at::Tensor linear = selection::hiddenError_B(made.teacher, selection::hybrid(made.teacher, made.mixers, {}), batch, options);
            CHECK(at::equal(selection::hiddenError_B(made.teacher, selection::gatedStudent(made.teacher, made.mixers, zeros), batch, options), linear));
            CHECK(linear.min().item<double>() > 0.0);
            // Gates of 0 and 1 are the hybrid that keeps the ones.
            const at::Tensor some = at::tensor({0.0F, 1.0F, 0.0F, 1.0F});
            CHECK(at::equal(selection::hiddenError_B(made.teacher, selection::gatedStudent(made.teacher, made.mixers, some), batch, options),
                            selection::hiddenError_B(made.teacher, selection::hybrid(made.teacher, made.mixers, {1, 3}), batch, options)));
        }
}

TEST_CASE("the gradient with respect to the gates is the loss's slope, in float64")
{
    const GateSetting made;
    const distillation::Batch batch = test::raggedBatch(made.teacher, 3, 18);
    const at::Tensor alpha_L = at::tensor({0.3, 0.8, 0.5, 0.15}, at::kDouble), logits_L2 = at::tensor({0.3, -0.2, 1.1, 0.4, -0.7, 0.1, 0.0, 0.9}, at::kDouble).view({4, 2});
    for (const auto states : {selection::AlignedStates::Final, selection::AlignedStates::Every})
        for (const bool checkpoint : {false, true})
            for (const auto form : {selection::GateForm::Clamp, selection::GateForm::Sigmoid, selection::GateForm::Softmax}) {
                const auto loss = [&](const at::Tensor &numbers) {
                    const at::Tensor gates = selection::gatesOf(form, numbers);
                    return selection::hiddenError_B(made.teacher, selection::gatedStudent(made.teacher, made.mixers, gates), batch, {states, at::kDouble, checkpoint, {}}).mean() + 0.1 * gates.mean();
                };
                CHECK(gradientError(form == selection::GateForm::Softmax ? logits_L2 : alpha_L, loss) < 1e-6);
            }
}

TEST_CASE("one step of training has the loss and the gradient of the whole batch, however it is cut")
{
    for (const bool checkpoint : {false, true})
        for (const std::int64_t micro : {0, 1, 2}) {
            GateSetting made;
            selection::GateOptions options = shortGates(4);
            options.training.microBatchSequences = micro;
            options.training.checkpointBlocks = checkpoint;
            options.training.computeType = at::kDouble;
            selection::GateTraining training(made.teacher, made.mixers, made.source, options);
            CHECK_FALSE(training.metrics().has_value());
            training.advance({});
            const distillation::Batch batch = made.source.batch(0);
            const at::Tensor gates = at::full({4}, 0.5, at::kDouble).requires_grad_(true);
            const at::Tensor error = selection::hiddenError_B(made.teacher, selection::gatedStudent(made.teacher, made.mixers, gates), batch, {selection::AlignedStates::Final, at::kDouble, false, {}}).mean();
            const at::Tensor loss = error + 1e-2 * gates.mean();
            loss.backward();
            CHECK(training.metrics()->hiddenError == doctest::Approx(error.item<double>()).epsilon(1e-12));
            CHECK(training.metrics()->loss == doctest::Approx(loss.item<double>()).epsilon(1e-12));
            CHECK(training.metrics()->gradientNorm == doctest::Approx(gates.grad().norm().item<double>()).epsilon(1e-10));
            CHECK(training.tokens() == 3 * 18);
            // AdamW's first step is the learning rate, against the gradient's sign.
            for (std::int64_t l = 0; l < 4; ++l)
                CHECK(training.gates()[static_cast<std::size_t>(l)] == doctest::Approx(0.5 - 0.05 * (gates.grad()[l].item<double>() > 0 ? 1.0 : -1.0)).epsilon(1e-5));
        }
}

TEST_CASE("a layer whose linear mixer is its softmax attention gets gate 0, the others keep theirs")
{
    for (const int same : {0, 2, 3})
        for (const auto states : {selection::AlignedStates::Final, selection::AlignedStates::Every}) {
            GateSetting made;
            made.mixers[static_cast<std::size_t>(same)].mixer = made.teacher.blocks[static_cast<std::size_t>(same)].mixer;
            selection::GateOptions options = shortGates(40);
            options.training.states = states;
            selection::GateTraining training(made.teacher, made.mixers, made.source, options);
            while (training.step() < training.totalSteps())
                training.advance({});
            const std::vector<double> gates = training.gates();
            for (int layer = 0; layer < 4; ++layer) {
                CAPTURE(layer);
                if (layer == same)
                    CHECK(gates[static_cast<std::size_t>(layer)] == 0.0);
                else
                    CHECK(gates[static_cast<std::size_t>(layer)] > 0.5);
            }
        }
}

TEST_CASE("gates that no sigmoid or softmax can reach are refused, and clamped ones stay in [0,1]")
{
    GateSetting made;
    for (const auto form : {selection::GateForm::Sigmoid, selection::GateForm::Softmax}) {
        selection::GateOptions options = shortGates(3, form);
        options.start = 0.25;
        const selection::GateTraining training(made.teacher, made.mixers, made.source, options);
        for (const double gate : training.gates())
            CHECK(gate == doctest::Approx(0.25).epsilon(1e-6));
        options.start = 1.0;
        CHECK_THROWS_AS(selection::GateTraining(made.teacher, made.mixers, made.source, options), Error);
    }
    selection::GateOptions options = shortGates(6);
    options.start = 1.0;
    options.training.learningRate = 5.0;
    selection::GateTraining training(made.teacher, made.mixers, made.source, options);
    while (training.step() < training.totalSteps()) {
        training.advance({});
        for (const double gate : training.gates()) {
            CHECK(gate >= 0.0);
            CHECK(gate <= 1.0);
        }
    }
    options.start = 1.5;
    CHECK_THROWS_AS(selection::GateTraining(made.teacher, made.mixers, made.source, options), Error);
    options = shortGates(6);
    options.linearisation = -1.0;
    CHECK_THROWS_AS(selection::GateTraining(made.teacher, made.mixers, made.source, options), Error);
    made.mixers.pop_back();
    CHECK_THROWS_AS(selection::GateTraining(made.teacher, made.mixers, made.source, shortGates(6)), Error);
    CHECK_THROWS_AS((void)selection::parseGateForm("hard"), Error);
}

TEST_CASE("training gates moves no weight and gives none a gradient")
{
    GateSetting made;
    std::vector<at::Tensor> before, after;
    made.teacher.requireGrad(true);   // as a caller might leave them
    const auto collect = [&](std::vector<at::Tensor> &into) {
        const auto add = [&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) {
            into.push_back(tensor.detach().clone());
            CHECK_FALSE(tensor.grad().defined());
        };
        made.teacher.visitParameters(add);
        for (const distillation::AlignedLayer &one : made.mixers)
            one.mixer->visitParameters(add);
    };
    collect(before);
    selection::GateTraining training(made.teacher, made.mixers, made.source, shortGates(3));
    while (training.step() < training.totalSteps())
        training.advance({});
    collect(after);
    REQUIRE(before.size() == after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
        CHECK(at::equal(before[i], after[i]));
    CHECK(training.state(true).weights.size() == 1);
}

TEST_CASE("a stopped gate training goes on bit for bit, and its end is kept")
{
    for (const auto form : {selection::GateForm::Clamp, selection::GateForm::Softmax}) {
        const auto loop = [](const TemporaryFolder &folder) {
            distillation::TrainingLoopOptions options;
            options.checkpointFolder = folder.path();
            options.key = "spec";
            return options;
        };
        GateSetting made;
        selection::GateOptions options = shortGates(7, form);
        options.training.schedule = {distillation::ScheduleKind::Cosine, 2, 0.1};
        selection::GateTraining whole(made.teacher, made.mixers, made.source, options);
        while (whole.step() < whole.totalSteps())
            whole.advance({});
        for (const std::int64_t stopAt : {1, 4, 6}) {
            const TemporaryFolder folder;
            std::stop_source stop;
            selection::GateTraining first(made.teacher, made.mixers, made.source, options);
            distillation::TrainingLoopOptions stopped = loop(folder);
            stopped.stop = stop.get_token();
            stopped.onStep = [&] {
                if (first.step() == stopAt)
                    stop.request_stop();
            };
            CHECK_THROWS_AS(distillation::runTraining(first, stopped), Error);
            selection::GateTraining second(made.teacher, made.mixers, made.source, options);
            distillation::runTraining(second, loop(folder));
            CHECK(second.gates() == whole.gates());
            CHECK(second.metrics()->loss == whole.metrics()->loss);
            CHECK(second.tokens() == whole.tokens());
            selection::GateTraining third(made.teacher, made.mixers, made.source, options);   // the final state is taken, nothing is run
            distillation::runTraining(third, loop(folder));
            CHECK(third.gates() == whole.gates());
        }
    }
}

TEST_CASE("a step that is stopped or not finite leaves the gates as they were")
{
    GateSetting made;
    selection::GateTraining training(made.teacher, made.mixers, made.source, shortGates(5));
    training.advance({});
    const std::vector<double> before = training.gates();
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(training.advance(stop.get_token()), Error);
    CHECK(training.gates() == before);
    CHECK(training.step() == 1);
    {
        const c10::NoGradGuard noGrad;
        made.mixers[2].mixer->visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor.fill_(std::nan("")); });
    }
    try {
        training.advance({});
        FAIL("not refused");
    } catch (const Error &error) {
        CHECK((error.code() == ErrorCode::NonFinite));
    }
    CHECK(training.gates() == before);
}
