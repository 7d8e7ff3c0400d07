// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/trainingloop.h"
#include "distillation/stageone.h"
#include "distillation/stagetwo.h"
#include "error.h"
#include "golden.h"
#include "temporaryfolder.h"
#include "tinystudents.h"

#include "distillation/nonfinite.h"
#include "nn/tensorfile.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace trainingloop_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

constexpr std::int64_t totalSteps = 11;

/// A stage 2 on a tiny hybrid, and what its loop said.
struct Run {
    nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    StageTwo stage;
    std::vector<std::int64_t> saved, stepsSeen;
    std::vector<double> losses;

    Run() : stage(teacher, {{"s", test::hybridOf(teacher, test::linearLayers(teacher, {0, 2}))}}, source, options()) {}

    static StageTwoOptions options()
    {
        StageTwoOptions options;
        options.steps = totalSteps;
        options.schedule = {ScheduleKind::Cosine, 3, 0.1};
        options.refuseHopelessStart = false;
        return options;
    }
    /// A checkpoint every third step: the clock ticks with the steps.
    TrainingLoopOptions loop(const std::filesystem::path &folder)
    {
        TrainingLoopOptions loop;
        loop.checkpointFolder = folder;
        loop.key = "spec";
        loop.checkpointSeconds = 3.0;
        loop.clockSeconds = [this] { return static_cast<double>(stage.step()); };
        loop.onStep = [this] {
            stepsSeen.push_back(stage.step());
            if (!stage.metrics().empty())
                losses.push_back(stage.metrics()[0].loss);
        };
        loop.onCheckpoint = [this](std::int64_t step, std::int64_t, const std::filesystem::path &) { saved.push_back(step); };
        return loop;
    }
    [[nodiscard]] std::vector<at::Tensor> weights() const { return test::parametersOf(stage.students()[0].model); }
};

}  // namespace

TEST_CASE("checkpoints come at their interval and the end drops the optimizer's state")
{
    const test::TemporaryFolder temporary;
    Run run;
    runTraining(run.stage, run.loop(temporary.path()));
    CHECK(run.saved == std::vector<std::int64_t>{3, 6, 9, 11});
    CHECK(run.stepsSeen.front() == 0);
    CHECK(run.stepsSeen.back() == totalSteps);
    CHECK(CheckpointFolder(temporary.path()).newest("spec")->optimizer.empty());

    // Again: the final state is taken, nothing is run.
    Run again;
    runTraining(again.stage, again.loop(temporary.path()));
    CHECK(again.stepsSeen == std::vector<std::int64_t>{totalSteps});
    CHECK(again.saved.empty());
    CHECK(test::sameBits(again.weights(), run.weights()));
    CHECK(again.stage.metrics()[0].klNats == run.stage.metrics()[0].klNats);
}

TEST_CASE("a stopped run writes its last step and goes on bit for bit")
{
    Run whole;
    runTraining(whole.stage, whole.loop({}));
    for (const std::int64_t stopAt : {1, 2, 3, 7, 10}) {
        CAPTURE(stopAt);
        const test::TemporaryFolder temporary;
        Run first;
        std::stop_source stop;
        TrainingLoopOptions options = first.loop(temporary.path());
        options.stop = stop.get_token();
        options.onStep = [&] {
            if (first.stage.step() == stopAt)
                stop.request_stop();
        };
        try {
            runTraining(first.stage, options);
            FAIL("not stopped");
        } catch (const Error &error) {
            CHECK((error.code() == ErrorCode::Cancelled));
        }
        CHECK(first.saved.back() == stopAt);
        CHECK(std::count(first.saved.begin(), first.saved.end(), stopAt) == 1);   // not twice where the interval had just written it

        Run second;
        runTraining(second.stage, second.loop(temporary.path()));
        CHECK(second.stepsSeen.front() == stopAt);
        CHECK(test::sameBits(second.weights(), whole.weights()));
        CHECK(std::equal(second.losses.rbegin(), second.losses.rend() - 1, whole.losses.rbegin()));
    }
}

TEST_CASE("a run that fails keeps its last good step")
{
    const test::TemporaryFolder temporary;
    Run run;
    TrainingLoopOptions options = run.loop(temporary.path());
    options.onStep = [&] {
        if (run.stage.step() == 4)
            throw Error(ErrorCode::NonFinite, "as if");
    };
    CHECK_THROWS_WITH_AS(runTraining(run.stage, options), "as if It was in step 4; the weights of the last good step are kept.", Error);
    CHECK(CheckpointFolder(temporary.path()).steps() == std::vector<std::int64_t>{3, 4});
}

TEST_CASE("what was not finite is left beside the checkpoints, and the error says where; starting afresh takes it away")
{
    const test::TemporaryFolder temporary;
    Run run;
    TrainingLoopOptions options = run.loop(temporary.path());
    at::Tensor broken;
    options.onStep = [&] {
        if (run.stage.step() != 4)
            return;
        broken = run.stage.students()[0].model.blocks[1].postNorm_D.detach();
        broken[3] = std::numeric_limits<float>::infinity();
    };
    const std::filesystem::path file = temporary.path() / "nonfinite-step-4.safetensors";
    CHECK_THROWS_WITH_AS(runTraining(run.stage, options), doctest::Contains(("first the weight s/model.layers.1.post_attention_layernorm.weight; the weights of the last good step are kept."
                                                                             " Lower the learning rate, or compute in float32. What was not finite is in " + file.string()).c_str()),
                         Error);
    const auto left = nn::readTensorsAsStored(file);
    const auto found = std::find_if(left.begin(), left.end(), [](const auto &one) { return one.first == "weight.s/model.layers.1.post_attention_layernorm.weight"; });
    REQUIRE(found != left.end());
    CHECK(at::equal(found->second, broken));
    CHECK(left.size() > 1);          // its gradients, too
    CHECK_FALSE(CheckpointFolder(temporary.path()).steps().empty());

    const test::TemporaryFolder elsewhere;
    std::filesystem::copy_file(file, elsewhere.path() / "nonfinite-step-4.safetensors");      // of a try that the next one goes on from, to its end
    Run resumed;
    runTraining(resumed.stage, resumed.loop(elsewhere.path()));
    CHECK_FALSE(std::filesystem::exists(elsewhere.path() / "nonfinite-step-4.safetensors"));

    Run again;
    options = again.loop(temporary.path());
    options.resume = false;
    runTraining(again.stage, options);
    CHECK_FALSE(std::filesystem::exists(file));
    CHECK_FALSE(again.stage.nonFinite());
}

TEST_CASE("of what was not finite the first tensors are written that fit, the others are named")
{
    const test::TemporaryFolder temporary;
    const std::vector<NamedTensor> tensors{{"weight.a", at::full({4}, std::numeric_limits<float>::infinity())}, {"grad.large", at::full({100}, std::nanf(""))}, {"grad.b", at::full({4}, std::nanf(""))}};
    const std::filesystem::path file = writeNonFiniteValues(temporary.path(), 7, tensors, 40);
    const auto written = nn::readTensorsAsStored(file);
    REQUIRE(written.size() == 2);
    CHECK(std::none_of(written.begin(), written.end(), [](const auto &one) { return one.first == "grad.large"; }));
    std::ifstream stream(file, std::ios::binary);
    CHECK(std::string(std::istreambuf_iterator<char>(stream), {}).find(R"("left_out":"grad.large")") != std::string::npos);
}

TEST_CASE("starting afresh clears what was there; another spec's checkpoints are refused")
{
    const test::TemporaryFolder temporary;
    Run first;
    runTraining(first.stage, first.loop(temporary.path()));
    Run other;
    TrainingLoopOptions options = other.loop(temporary.path());
    options.key = "another spec";
    CHECK_THROWS_AS(runTraining(other.stage, options), Error);
    options.resume = false;
    runTraining(other.stage, options);
    CHECK(other.stepsSeen.front() == 0);
    CHECK(other.stepsSeen.back() == totalSteps);
    CHECK(test::sameBits(other.weights(), first.weights()));
}

TEST_CASE("stage 1 resumes through the same loop")
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    StageOneOptions options;
    options.steps = 6;
    const auto fresh = [&] { return StageOne(teacher, test::linearLayers(teacher, {1, 3}), source, options); };
    StageOne whole = fresh(), first = fresh(), second = fresh();
    runTraining(whole, {});
    const test::TemporaryFolder temporary;
    TrainingLoopOptions loop;
    loop.checkpointFolder = temporary.path();
    std::stop_source stop;
    loop.stop = stop.get_token();
    loop.onStep = [&] {
        if (first.step() == 4)
            stop.request_stop();
    };
    CHECK_THROWS_AS(runTraining(first, loop), Error);
    loop.stop = {};
    loop.onStep = {};
    runTraining(second, loop);
    for (std::size_t i = 0; i < 2; ++i)
        CHECK(test::sameBits(test::parametersOf(*second.layers()[i].mixer), test::parametersOf(*whole.layers()[i].mixer)));
}

}  // namespace trainingloop_tests
