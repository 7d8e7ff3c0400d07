// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/supernet.h"

#include "distillation/trainingloop.h"
#include "error.h"
#include "selection/hybrid.h"
#include "temporaryfolder.h"
#include "tinystudents.h"

#include <c10/core/GradMode.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace stillroom;

namespace {

struct SupernetSetting {
    nn::Transformer teacher = test::tinyTeacherOf(4);
    std::vector<distillation::AlignedLayer> mixers = test::tinyMixers(teacher);
    distillation::TensorBatchSource source{test::tinyBatch(teacher, 12, 18, 8), 3, 5};
};

selection::SupernetOptions shortSupernet(std::int64_t steps)
{
    selection::SupernetOptions options;
    options.largestKeep = 3;
    options.seed = 4;
    options.training.learningRate = 3e-3;
    options.training.steps = steps;
    return options;
}

std::vector<at::Tensor> weightsOf(const std::vector<distillation::AlignedLayer> &mixers, int layer = -1)
{
    std::vector<at::Tensor> weights;
    for (const distillation::AlignedLayer &one : mixers)
        if (layer < 0 || one.layer == layer)
            one.mixer->visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { weights.push_back(tensor.detach().clone()); });
    return weights;
}

bool equalWeights(const std::vector<at::Tensor> &a, const std::vector<at::Tensor> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const at::Tensor &x, const at::Tensor &y) { return at::equal(x, y); });
}

}  // namespace

TEST_CASE("sets of the supernet: every size as likely, and every layer within a size")
{
    selection::SupernetOptions options;
    options.largestKeep = 3;
    options.seed = 9;
    constexpr int steps = 24000;
    std::map<std::size_t, int> sizes;
    std::map<experiment::LayerSet, int> pairs;
    for (int step = 0; step < steps; ++step) {
        const experiment::LayerSet set = selection::supernetSet(options, 5, step);
        CHECK(std::is_sorted(set.begin(), set.end()));
        CHECK(std::adjacent_find(set.begin(), set.end()) == set.end());
        ++sizes[set.size()];
        if (set.size() == 2)
            ++pairs[set];
        if (step < 50)
            CHECK(set == selection::supernetSet(options, 5, step));   // a pure function of the step
    }
    REQUIRE(sizes.size() == 4);
    for (const auto &[size, count] : sizes)
        CHECK(std::abs(count - steps / 4) < 5.0 * std::sqrt(steps * 0.25 * 0.75));
    REQUIRE(pairs.size() == 10);
    for (const auto &[pair, count] : pairs)
        CHECK(std::abs(count - sizes[2] / 10.0) < 5.0 * std::sqrt(sizes[2] * 0.09));

    options.law = selection::SamplingLaw::Bernoulli;
    options.keepProbability = 0.3;
    std::vector<int> kept(5, 0);
    for (int step = 0; step < steps; ++step)
        for (const int layer : selection::supernetSet(options, 5, step))
            ++kept[static_cast<std::size_t>(layer)];
    for (const int count : kept)
        CHECK(std::abs(count - 0.3 * steps) < 5.0 * std::sqrt(steps * 0.21));
    options.keepProbability = 1.5;
    CHECK_THROWS_AS((void)selection::supernetSet(options, 5, 0), Error);
    options = {};
    options.largestKeep = 6;
    CHECK_THROWS_AS((void)selection::supernetSet(options, 5, 0), Error);
}

TEST_CASE("a step of the supernet trains the linear mixers outside its set and nothing else")
{
    SupernetSetting made;
    const auto given = weightsOf(made.mixers);
    std::vector<at::Tensor> teacherBefore;
    made.teacher.visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { teacherBefore.push_back(tensor.clone()); });
    const selection::SupernetOptions options = shortSupernet(8);
    selection::SupernetTraining training(made.teacher, made.mixers, made.source, options);
    int trained = 0, left = 0;
    for (std::int64_t step = 0; step < 8; ++step) {
        const experiment::LayerSet set = selection::supernetSet(options, 4, step);
        std::vector<std::vector<at::Tensor>> before;
        for (int layer = 0; layer < 4; ++layer)
            before.push_back(weightsOf(training.layers(), layer));
        training.advance({});
        for (int layer = 0; layer < 4; ++layer) {
            const bool softmax = std::binary_search(set.begin(), set.end(), layer);
            CHECK(equalWeights(before[static_cast<std::size_t>(layer)], weightsOf(training.layers(), layer)) == softmax);
            ++(softmax ? left : trained);
        }
    }
    CHECK(trained > 4);
    CHECK(left > 4);
    CHECK(equalWeights(given, weightsOf(made.mixers)));   // the mixers that came in are copied
    std::size_t index = 0;
    made.teacher.visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { CHECK(at::equal(tensor, teacherBefore[index++])); });
}

TEST_CASE("the supernet brings students of any set closer to the teacher")
{
    SupernetSetting made;
    selection::SupernetTraining training(made.teacher, made.mixers, made.source, shortSupernet(60));
    while (training.step() < training.totalSteps())
        training.advance({});
    const distillation::Batch batch = test::tinyBatch(made.teacher, 12, 18, 8);
    const c10::NoGradGuard noGrad;
    for (const experiment::LayerSet &set : {experiment::LayerSet{}, experiment::LayerSet{1}, experiment::LayerSet{0, 3}}) {
        const auto error = [&](const std::vector<distillation::AlignedLayer> &mixers) {
            return selection::hiddenError_B(made.teacher, selection::hybrid(made.teacher, mixers, set), batch, {}).mean().item<double>();
        };
        CHECK(error(training.layers()) < 0.8 * error(made.mixers));
    }
}

TEST_CASE("a stopped supernet goes on bit for bit")
{
    SupernetSetting made;
    selection::SupernetTraining whole(made.teacher, made.mixers, made.source, shortSupernet(7));
    while (whole.step() < whole.totalSteps())
        whole.advance({});
    for (const std::int64_t stopAt : {1, 5}) {
        const TemporaryFolder folder;
        std::stop_source stop;
        selection::SupernetTraining first(made.teacher, made.mixers, made.source, shortSupernet(7));
        distillation::TrainingLoopOptions options;
        options.checkpointFolder = folder.path();
        options.key = "spec";
        options.stop = stop.get_token();
        options.onStep = [&] {
            if (first.step() == stopAt)
                stop.request_stop();
        };
        CHECK_THROWS_AS(distillation::runTraining(first, options), Error);
        selection::SupernetTraining second(made.teacher, made.mixers, made.source, shortSupernet(7));
        options.stop = {};
        options.onStep = {};
        distillation::runTraining(second, options);
        CHECK(equalWeights(weightsOf(second.layers()), weightsOf(whole.layers())));
        CHECK(second.metrics()->loss == whole.metrics()->loss);
    }
}
