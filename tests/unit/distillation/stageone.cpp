// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/allocationmeter.h"
#include "distillation/stageone.h"
#include "error.h"
#include "golden.h"
#include "mixers/registry.h"
#include "tinystudents.h"

#include <ATen/core/grad_mode.h>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

namespace stageone_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

constexpr OutputLoss allLosses[] = {OutputLoss::RelativeMse, OutputLoss::Rms, OutputLoss::Squared, OutputLoss::MeanSquare, OutputLoss::RmsScaled};

StageOneOptions shortRun(std::int64_t steps = 4)
{
    StageOneOptions options;
    options.steps = steps;
    options.clipNorm = 0.05;   // always bites
    return options;
}

void advance(StageOne &stage, std::int64_t steps, std::stop_token stop = {})
{
    for (std::int64_t step = 0; step < steps; ++step)
        stage.advance(stop);
}

std::vector<at::Tensor> trained(const StageOne &stage)
{
    std::vector<at::Tensor> all;
    for (const AlignedLayer &layer : stage.layers())
        for (const at::Tensor &tensor : test::parametersOf(*layer.mixer))
            all.push_back(tensor);
    return all;
}

/// With an epsilon that dwarfs the gradients, AdamW's first update is -rate / epsilon × gradient: it shows the gradient that reached it.
StageOneOptions gradientShowing(double clipNorm)
{
    StageOneOptions options = shortRun(1);
    options.adamw.epsilon = 1e6;
    options.learningRate = 1e6;
    options.weightDecay = 0.0;
    options.schedule.kind = ScheduleKind::Constant;
    options.clipNorm = clipNorm;
    options.computeType = at::kDouble;
    return options;
}

double updateNorm(const std::vector<at::Tensor> &before, const std::vector<at::Tensor> &after)
{
    double squares = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i)
        squares += (after[i] - before[i]).square().sum().item<double>();
    return std::sqrt(squares);
}

}  // namespace

TEST_CASE("a layer aligned alone has the bits it has in the joint run")
{
    const nn::Transformer teacher = test::tinyTeacher();
    for (const std::int64_t micro : {0, 3}) {
        StageOneOptions options = shortRun();
        options.microBatchSequences = micro;
        TensorBatchSource source = test::shuffledSource();
        StageOne joint(teacher, test::linearLayers(teacher, {0, 1, 2, 3}), source, options);
        advance(joint, 4);
        for (const int layer : {0, 1, 2, 3}) {
            StageOne alone(teacher, test::linearLayers(teacher, {layer}), source, options);
            advance(alone, 4);
            const auto index = static_cast<std::size_t>(layer);
            CHECK(test::sameBits(test::parametersOf(*alone.layers()[0].mixer), test::parametersOf(*joint.layers()[index].mixer)));
            CHECK(alone.metrics()[0].loss == joint.metrics()[index].loss);
            CHECK(alone.metrics()[0].gradientNorm == joint.metrics()[index].gradientNorm);
        }
        StageOne reordered(teacher, test::linearLayers(teacher, {3, 1}), source, options);
        advance(reordered, 4);
        CHECK(test::sameBits(test::parametersOf(*reordered.layers()[1].mixer), test::parametersOf(*joint.layers()[3].mixer)));
    }
}

TEST_CASE("training touches neither the teacher nor the mixers that came in")
{
    const nn::Transformer teacher = test::tinyTeacher();
    const std::vector<at::Tensor> before = test::parametersOf(teacher);
    const std::vector<AlignedLayer> students = test::linearLayers(teacher, {1});
    const std::vector<at::Tensor> given = test::parametersOf(*students[0].mixer);
    TensorBatchSource source = test::shuffledSource();
    StageOne stage(teacher, students, source, shortRun());
    advance(stage, 2);
    CHECK(test::sameBits(test::parametersOf(teacher), before));
    CHECK(test::sameBits(test::parametersOf(*students[0].mixer), given));
    CHECK_FALSE(test::sameBits(test::parametersOf(*stage.layers()[0].mixer), given));
    CHECK_FALSE(teacher.embedding_VD.grad().defined());
}

TEST_CASE("every mixer learns a fixed batch, with every form of the loss")
{
    const nn::Transformer teacher = test::tinyTeacher();
    for (const std::string &kind : mixers::kinds()) {
        for (const OutputLoss loss : allLosses) {
            CAPTURE(kind);
            CAPTURE(outputLossName(loss));
            test::FixedSource source(test::raggedBatch(4, 12));
            StageOneOptions options = shortRun(30);
            options.loss = loss;
            options.learningRate = 1e-2;
            options.clipNorm = 1.0;
            StageOne stage(teacher, test::linearLayers(teacher, {0, 2}, kind), source, options);
            advance(stage, 1);
            const std::vector<StageOneMetrics> first = stage.metrics();
            advance(stage, 29);
            for (std::size_t i = 0; i < 2; ++i) {
                CHECK(stage.metrics()[i].loss < 0.8 * first[i].loss);
                CHECK(stage.metrics()[i].bestLoss <= stage.metrics()[i].loss);
                CHECK(stage.metrics()[i].cosine > first[i].cosine);
            }
        }
    }
}

TEST_CASE("an identical copy of the teacher's mixer has loss 0 and is left as it is")
{
    const nn::Transformer teacher = test::tinyTeacher();
    test::FixedSource source(test::raggedBatch(4, 12));
    for (const OutputLoss loss : allLosses) {
        StageOneOptions options = shortRun();
        options.loss = loss;
        options.weightDecay = 0.0;
        StageOne stage(teacher, {{2, teacher.blocks[2].mixer}}, source, options);
        advance(stage, 2);
        CHECK(stage.metrics()[0].loss == 0.0);
        CHECK(stage.metrics()[0].gradientNorm == 0.0);
        CHECK(stage.metrics()[0].cosine == doctest::Approx(1.0));
        CHECK(test::sameBits(trained(stage), test::parametersOf(*teacher.blocks[2].mixer)));
    }
}

TEST_CASE("metrics are those of a plain forward pass")
{
    const nn::Transformer teacher = test::tinyTeacher(at::kDouble);
    const std::vector<AlignedLayer> students = test::linearLayers(teacher, {2});
    const Batch batch = test::raggedBatch(5, 12);
    test::FixedSource source(batch);
    StageOneOptions options = shortRun();
    options.computeType = at::kDouble;
    StageOne stage(teacher, students, source, options);
    advance(stage, 1);

    const at::NoGradGuard noGrad;
    nn::ForwardOptions keep;
    keep.keepMixerInputs = keep.keepMixerOutputs = true;
    const nn::ForwardResult result = teacher.forward(batch.ids_BT, {{}, batch.documents_BT, nullptr}, at::kDouble, keep);
    nn::TokenPlaces places = nn::placesFromMask(batch.ids_BT);
    places.documents_BT = batch.documents_BT;
    const at::Tensor y = students[0].mixer->forward(result.mixerInputs_BTD[2], places, nullptr), target = result.mixerOutputs_BTD[2];
    const at::Tensor keepTokens = countedTokens(batch);
    const at::Tensor error = (y - target).index({keepTokens}), kept = target.index({keepTokens});
    CHECK(stage.metrics()[0].relativeMse == doctest::Approx((error.square().sum() / kept.square().sum()).item<double>()).epsilon(1e-12));
    CHECK(stage.metrics()[0].loss == doctest::Approx(stage.metrics()[0].relativeMse).epsilon(1e-12));
    CHECK(stage.metrics()[0].cosine == doctest::Approx(at::cosine_similarity(y.index({keepTokens}), kept, -1).mean().item<double>()).epsilon(1e-9));
    CHECK(stage.tokens() == keepTokens.sum().item<std::int64_t>());
}

TEST_CASE("micro-batches accumulate exactly, with ragged masks and every form of the loss")
{
    const nn::Transformer teacher = test::tinyTeacher(at::kDouble);
    for (const OutputLoss loss : allLosses) {
        std::vector<at::Tensor> results[2];
        for (const std::int64_t micro : {0, 1}) {
            StageOneOptions options = shortRun();
            options.loss = loss;
            options.computeType = at::kDouble;
            options.microBatchSequences = micro;
            TensorBatchSource source = test::shuffledSource(8);
            StageOne stage(teacher, test::linearLayers(teacher, {0, 3}), source, options);
            advance(stage, 3);
            results[micro] = trained(stage);
        }
        CHECK(test::largestRelative(results[1], results[0]) <= 1e-10);
    }
}

TEST_CASE("each layer's gradient is clipped by itself, or all of them together when asked")
{
    const nn::Transformer teacher = test::tinyTeacher(at::kDouble);
    test::FixedSource source(test::raggedBatch(4, 12));
    for (const bool global : {false, true}) {
        StageOneOptions options = gradientShowing(0.01);
        options.globalClip = global;
        const std::vector<AlignedLayer> students = test::linearLayers(teacher, {0, 3});
        StageOne stage(teacher, students, source, options);
        advance(stage, 1);
        double squares = 0.0;
        for (std::size_t i = 0; i < 2; ++i) {
            const double norm = updateNorm(test::parametersOf(*students[i].mixer), test::parametersOf(*stage.layers()[i].mixer));
            squares += norm * norm;
            if (!global)
                CHECK(norm == doctest::Approx(0.01).epsilon(1e-3));
            CHECK(stage.metrics()[i].gradientNorm > 0.01);
        }
        if (global)
            CHECK(std::sqrt(squares) == doctest::Approx(0.01).epsilon(1e-3));
    }
}

TEST_CASE("only one layer's graph is alive at a time")
{
    const nn::Transformer teacher = test::tinyTeacher();
    test::FixedSource source(test::raggedBatch(16, 64));
    const auto peak = [&](const std::vector<int> &layers) {
        StageOne stage(teacher, test::linearLayers(teacher, layers), source, shortRun());
        return measureAllocations([&] { advance(stage, 1); })->peakBytes();
    };
    std::int64_t gradientBytes = 0;
    for (const at::Tensor &tensor : test::parametersOf(*test::linearLayers(teacher, {0})[0].mixer))
        gradientBytes += static_cast<std::int64_t>(tensor.nbytes());
    const std::int64_t one = peak({0});
    CHECK(peak({0, 1, 2, 3}) <= one + 4 * gradientBytes + one / 20);
    CHECK(one > 20 * gradientBytes);
}

TEST_CASE("a layer that is not finite stops the step before any weight changes")
{
    const nn::Transformer teacher = test::tinyTeacher();
    test::FixedSource source(test::raggedBatch(4, 12));
    const std::vector<AlignedLayer> students = test::linearLayers(teacher, {1, 2});
    StageOne stage(teacher, students, source, shortRun());
    advance(stage, 1);
    const std::vector<at::Tensor> before = test::parametersOf(*stage.layers()[0].mixer);
    stage.layers()[1].mixer->visitParameters([](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        if (name == "o_proj.weight")
            tensor.detach()[0][0] = std::numeric_limits<float>::infinity();
    });
    try {
        stage.advance({});
        FAIL("not stopped");
    } catch (const Error &error) {
        CHECK((error.code() == ErrorCode::NonFinite));
        CHECK(std::string(error.what()).find("layer 2") != std::string::npos);
        CHECK(std::string(error.what()).find("in step 1, first the weight layers.2.o_proj.weight;") != std::string::npos);
    }
    REQUIRE(stage.nonFinite());
    REQUIRE_FALSE(stage.nonFinite()->empty());
    CHECK(stage.nonFinite()->front().first == "weight.layers.2.o_proj.weight");
    CHECK(stage.step() == 1);
    CHECK(test::sameBits(test::parametersOf(*stage.layers()[0].mixer), before));
}

TEST_CASE("a stopped step leaves weights and counters as they were")
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    StageOne stage(teacher, test::linearLayers(teacher, {1, 2}), source, shortRun()), undisturbed(teacher, test::linearLayers(teacher, {1, 2}), source, shortRun());
    advance(stage, 1);
    std::stop_source stop;
    stop.request_stop();
    try {
        stage.advance(stop.get_token());
        FAIL("not stopped");
    } catch (const Error &error) {
        CHECK((error.code() == ErrorCode::Cancelled));
    }
    CHECK(stage.step() == 1);
    advance(stage, 3);
    advance(undisturbed, 4);
    CHECK(test::sameBits(trained(stage), trained(undisturbed)));
}

TEST_CASE("stage 1 goes on from its state bit for bit")
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    StageOne whole(teacher, test::linearLayers(teacher, {0, 2}), source, shortRun(6)), first(teacher, test::linearLayers(teacher, {0, 2}), source, shortRun(6)),
        second(teacher, test::linearLayers(teacher, {0, 2}), source, shortRun(6));
    advance(whole, 6);
    advance(first, 2);
    second.restore(first.state(true));
    CHECK(second.step() == 2);
    CHECK(second.metrics()[1].loss == first.metrics()[1].loss);
    advance(second, 4);
    CHECK(test::sameBits(trained(second), trained(whole)));
    CHECK(second.metrics()[0].bestLoss == whole.metrics()[0].bestLoss);
    CHECK(second.tokens() == whole.tokens());

    TrainingState other = first.state(true);
    other.weights.pop_back();
    CHECK_THROWS_AS(second.restore(other), Error);
    CHECK_THROWS_AS(second.restore(first.state(false)), Error);   // moments are missing in mid-run
    CHECK_NOTHROW(second.restore(whole.state(false)));
}

TEST_CASE("stage 1 refuses what it cannot align")
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    const std::vector<AlignedLayer> one = test::linearLayers(teacher, {1});
    CHECK_THROWS_AS(StageOne(teacher, {}, source, shortRun()), Error);
    CHECK_THROWS_AS(StageOne(teacher, {{4, one[0].mixer}}, source, shortRun()), Error);
    CHECK_THROWS_AS(StageOne(teacher, {one[0], one[0]}, source, shortRun()), Error);
    CHECK_THROWS_AS(StageOne(teacher, one, source, shortRun(0)), Error);
    Batch silent = test::raggedBatch(2, 6);
    silent.lossMask_BT.fill_(false);
    test::FixedSource nothing(silent);
    StageOne stage(teacher, one, nothing, shortRun());
    CHECK_THROWS_AS(stage.advance({}), Error);
}

namespace {

/// Two rates, a frozen output projection, the best snapshot: what calibration asks of stage 1.
StageOneOptions grouped(std::int64_t steps)
{
    StageOneOptions options = shortRun(steps);
    options.learningRateOf = [](int, const std::string &parameter) { return parameter == "o_proj.weight" || parameter == "o_norm.weight" ? 0.0 : parameter == "q_proj.weight" ? 0.02 : 0.1; };
    options.schedule.kind = ScheduleKind::Constant;
    options.clipNorm = 1.0;
    options.restoreBest = true;
    options.fixedBatch = true;
    return options;
}

at::Tensor parameterOf(const AlignedLayer &layer, const std::string &wanted)
{
    at::Tensor found;
    layer.mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        if (name == wanted)
            found = tensor.detach().clone();
    });
    return found;
}

}  // namespace

TEST_CASE("parameters without a learning rate stay bit for bit, the others move at their own")
{
    const nn::Transformer teacher = test::tinyTeacher();
    test::FixedSource source(test::raggedBatch(4, 12));
    StageOneOptions options = grouped(1);
    options.restoreBest = false;
    options.weightDecay = 0.0;
    const std::vector<AlignedLayer> students = test::linearLayers(teacher, {1});
    StageOne stage(teacher, students, source, options);
    advance(stage, 1);
    const auto moved = [&](const std::string &name) { return (parameterOf(stage.layers()[0], name) - parameterOf(students[0], name)).abs().max().item<double>(); };
    CHECK(moved("o_proj.weight") == 0.0);
    CHECK(moved("o_norm.weight") == 0.0);
    CHECK(moved("q_proj.weight") == doctest::Approx(0.02).epsilon(0.01));   // AdamW's first update is the rate
    CHECK(moved("k_proj.weight") == doctest::Approx(0.1).epsilon(0.01));
    options.learningRateOf = [](int, const std::string &) { return 0.0; };
    CHECK_THROWS_AS(StageOne(teacher, students, source, options), Error);
}

TEST_CASE("decay reaches A_log only where it is asked to")
{
    const nn::Transformer teacher = test::tinyTeacher();
    test::FixedSource source(test::raggedBatch(4, 12));
    const auto decayRate = [&](bool all) {
        StageOneOptions options = shortRun(1);
        options.schedule.kind = ScheduleKind::Constant;
        options.weightDecay = 1e3;    // rate × decay = 1: what is decayed becomes 0 before the update
        options.decayAll = all;
        StageOne stage(teacher, test::linearLayers(teacher, {1}), source, options);
        advance(stage, 1);
        return parameterOf(stage.layers()[0], "A_log").abs().max().item<double>();
    };
    CHECK(decayRate(true) <= 1.01e-3);
    CHECK(decayRate(false) > 0.1);
}

TEST_CASE("at the end a layer has the weights of its lowest loss, and the loss it reports for them")
{
    const nn::Transformer teacher = test::tinyTeacher();
    test::FixedSource source(test::raggedBatch(4, 12));
    StageOneOptions restless = grouped(20);
    restless.learningRateOf = [](int, const std::string &) { return 0.3; };   // so fast that the last loss is not the lowest
    StageOne stage(teacher, test::linearLayers(teacher, {0, 2}), source, restless);
    std::vector<double> lowest(2, std::numeric_limits<double>::infinity());
    for (std::int64_t step = 0; step < 20; ++step) {
        advance(stage, 1);
        for (std::size_t i = 0; i < 2; ++i)
            lowest[i] = std::min(lowest[i], stage.metrics()[i].loss);
    }
    StageOne again(teacher, stage.layers(), source, grouped(1));
    advance(again, 1);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(stage.metrics()[i].bestLoss == lowest[i]);
        CHECK(again.metrics()[i].loss == lowest[i]);
        CHECK(again.metrics()[i].cosine == stage.metrics()[i].bestCosine);
        CHECK(stage.metrics()[i].bestStep < 20);
    }
    CHECK((stage.metrics()[0].loss > lowest[0] || stage.metrics()[1].loss > lowest[1]));   // or the test shows nothing
}

TEST_CASE("a teacher that ran once gives the bits of one that runs in every step")
{
    const nn::Transformer teacher = test::tinyTeacher();
    for (const std::int64_t micro : {0, 3}) {
        test::FixedSource source(test::raggedBatch(4, 12));
        StageOneOptions fixed = grouped(5), every = fixed;
        fixed.microBatchSequences = every.microBatchSequences = micro;
        every.fixedBatch = false;
        StageOne once(teacher, test::linearLayers(teacher, {0, 2}), source, fixed), always(teacher, test::linearLayers(teacher, {0, 2}), source, every);
        advance(once, 5);
        advance(always, 5);
        CHECK(test::sameBits(trained(once), trained(always)));
        CHECK(once.tokens() == always.tokens());
    }
}

TEST_CASE("a layer without patience left stops, alone as in the joint run, and so does the stage with its last layer")
{
    const nn::Transformer teacher = test::tinyTeacher();
    test::FixedSource source(test::raggedBatch(4, 12));
    StageOneOptions options = grouped(200);
    options.patienceSteps = 3;
    StageOne joint(teacher, test::linearLayers(teacher, {0, 2}), source, options);
    while (joint.step() < joint.totalSteps())
        joint.advance({});
    CHECK(joint.step() < 200);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(joint.metrics()[i].stopped);
        StageOne alone(teacher, test::linearLayers(teacher, {joint.layers()[i].layer}), source, options);
        while (alone.step() < alone.totalSteps())
            alone.advance({});
        CHECK(test::sameBits(test::parametersOf(*alone.layers()[0].mixer), test::parametersOf(*joint.layers()[i].mixer)));
        CHECK(alone.metrics()[0].bestLoss == joint.metrics()[i].bestLoss);
    }
    StageOne restored(teacher, test::linearLayers(teacher, {0, 2}), source, options);
    restored.restore(joint.state(false));   // the state of an early end is a final one
    CHECK(restored.step() == restored.totalSteps());
    CHECK(test::sameBits(trained(restored), trained(joint)));
}

TEST_CASE("groups, snapshots and patience go on from a state bit for bit")
{
    const nn::Transformer teacher = test::tinyTeacher();
    test::FixedSource source(test::raggedBatch(4, 12));
    StageOneOptions options = grouped(30);
    options.patienceSteps = 4;
    const auto stage = [&] { return StageOne(teacher, test::linearLayers(teacher, {0, 1, 2}), source, options); };
    StageOne whole = stage();
    while (whole.step() < whole.totalSteps())
        whole.advance({});
    for (const std::int64_t at : {1, 5, 9}) {
        StageOne first = stage(), second = stage();
        while (first.step() < std::min(at, first.totalSteps()))
            first.advance({});
        second.restore(first.state(true));
        while (second.step() < second.totalSteps())
            second.advance({});
        CHECK(test::sameBits(trained(second), trained(whole)));
        CHECK(second.step() == whole.step());
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(second.metrics()[i].bestLoss == whole.metrics()[i].bestLoss);
            CHECK(second.metrics()[i].bestStep == whole.metrics()[i].bestStep);
        }
        TrainingState damaged = first.state(true);
        damaged.weights.pop_back();   // a best weight
        CHECK_THROWS_AS(second.restore(damaged), Error);
    }
}

}  // namespace stageone_tests
