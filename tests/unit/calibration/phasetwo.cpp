// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/phasetwo.h"
#include "calibration/repeatedbatch.h"
#include "distillation/tinystudents.h"
#include "mixers/registry.h"
#include "error.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

namespace phasetwo_tests {

using namespace stillroom;
using namespace stillroom::calibration;
namespace tiny = stillroom::distillation::test;
using distillation::StageOne;
using distillation::StageOneMetrics;

namespace {

void runToEnd(StageOne &stage)
{
    while (stage.step() < stage.totalSteps())
        stage.advance({});
}

/// The loss of the weights as they are: what the first step of another stage measures.
double measuredLoss(const nn::Transformer &teacher, const distillation::AlignedLayer &layer, RepeatedBatch &source, const PhaseTwoOptions &options)
{
    StageOne stage(teacher, {layer}, source, stageOneOptions(options, {layer}, at::kFloat));
    stage.advance({});
    return stage.metrics()[0].loss;
}

at::Tensor parameterOf(nn::TokenMixer &mixer, const std::string &wanted)
{
    at::Tensor found;
    mixer.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        if (name == wanted)
            found = tensor.detach().clone();
    });
    return found;
}

}  // namespace

TEST_CASE("Phase 2 ends with the weights whose loss it reports as best, for every mixer")
{
    const nn::Transformer teacher = tiny::tinyTeacher();
    for (const std::string &kind : mixers::kinds()) {
        CAPTURE(kind);
        const auto naive = tiny::linearLayers(teacher, {0, 2}, kind);
        RepeatedBatch source(tiny::raggedBatch(4, 16), "four sequences");
        PhaseTwoOptions options;
        options.steps = 25;
        options.copiedLearningRate = options.newLearningRate = 0.05;   // too fast, so that the last loss is not the best
        options.patienceSteps = 0;
        StageOne stage(teacher, naive, source, stageOneOptions(options, naive, at::kFloat));
        runToEnd(stage);
        for (std::size_t i = 0; i < 2; ++i) {
            const StageOneMetrics &metrics = stage.metrics()[i];
            CHECK(metrics.bestLoss <= metrics.loss);
            CHECK(measuredLoss(teacher, stage.layers()[i], source, options) == metrics.bestLoss);
            CHECK(metrics.bestRelativeMse == doctest::Approx(metrics.bestLoss).epsilon(1e-5));   // our loss is the relative error
        }
    }
}

TEST_CASE("the published recipe freezes output and norm, trains at two rates, and keeps the snapshot one update late")
{
    const nn::Transformer teacher = tiny::tinyTeacher();
    const auto naive = tiny::linearLayers(teacher, {1});
    RepeatedBatch source(tiny::raggedBatch(4, 16), "four sequences");
    PhaseTwoOptions options = PhaseTwoOptions::published();
    options.steps = 1;
    options.weightDecay = 0.0;
    StageOne stage(teacher, naive, source, stageOneOptions(options, naive, at::kFloat));
    runToEnd(stage);
    const auto moved = [&](const std::string &name) { return (parameterOf(*stage.layers()[0].mixer, name) - parameterOf(*naive[0].mixer, name)).abs().max().item<double>(); };
    CHECK(moved("o_proj.weight") == 0.0);
    CHECK(moved("o_norm.weight") == 0.0);
    // AdamW's first update moves by the rate, whatever the gradient. It is there because the snapshot was taken after it.
    for (const char *name : {"q_proj.weight", "k_proj.weight", "v_proj.weight"})
        CHECK(moved(name) == doctest::Approx(1e-4).epsilon(0.02));
    for (const char *name : {"a_proj.weight", "b_proj.weight", "g_proj.weight", "A_log", "dt_bias"})
        CHECK(moved(name) == doctest::Approx(1e-3).epsilon(0.02));
    CHECK(measuredLoss(teacher, stage.layers()[0], source, options) != stage.metrics()[0].bestLoss);
    CHECK((stageOneOptions(options, naive, at::kFloat).loss == distillation::OutputLoss::MeanSquare));
}

TEST_CASE("Phase 2 refuses what is not linear, and a repeated batch gives the same in every step")
{
    const nn::Transformer teacher = tiny::tinyTeacher();
    CHECK_THROWS_AS((void)stageOneOptions({}, {{1, teacher.blocks[1].mixer}}, at::kFloat), Error);
    RepeatedBatch source(tiny::raggedBatch(2, 8), "two");
    CHECK(at::equal(source.batch(0).ids_BT, source.batch(299).ids_BT));
    CHECK_THROWS_AS((void)source.batch(-1), Error);
    CHECK(source.description() == "two");
}

}  // namespace phasetwo_tests
