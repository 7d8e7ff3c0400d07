// SPDX-License-Identifier: GPL-3.0-or-later
// The room on a GPU: same numbers as on the CPU. Skipped visibly where there is none.
#include "calibration/phaseone.h"
#include "calibration/phasetwo.h"
#include "calibration/repeatedbatch.h"
#include "calibration/taylorerror.h"
#include "distillation/golden.h"
#include "distillation/tinystudents.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <doctest/doctest.h>

namespace calibration_cuda_tests {

using namespace stillroom;
using namespace stillroom::calibration;
namespace tiny = stillroom::distillation::test;

TEST_CASE("on CUDA statistics, both phases and the Taylor errors follow the CPU")
{
    if (!at::hasCUDA()) {
        MESSAGE("skipped: this machine has no CUDA device");
        return;
    }
    const nn::Transformer teacher = tiny::tinyTeacher();
    nn::Transformer onCard = nn::deepCopy(teacher);
    onCard.moveTo(at::Device(at::kCUDA));
    const auto students = tiny::linearLayers(teacher, {1, 2});
    auto cardStudents = tiny::linearLayers(teacher, {1, 2});
    for (distillation::AlignedLayer &student : cardStudents)
        student.mixer->visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.to(at::kCUDA); });
    const distillation::Batch sequences = tiny::raggedBatch(4, 24);
    const PhaseOneResult a = calibratePhaseOne(teacher, students, sequences, {}, at::kFloat), b = calibratePhaseOne(onCard, cardStudents, sequences, {}, at::kFloat);
    for (std::size_t i = 0; i < 2; ++i) {
        std::vector<at::Tensor> fromCard;
        for (const at::Tensor &parameter : tiny::parametersOf(*b.layers[i].mixer))
            fromCard.push_back(parameter.cpu());
        CHECK(tiny::largestRelative(fromCard, tiny::parametersOf(*a.layers[i].mixer)) <= 1e-3);
        for (std::size_t head = 0; head < 4; ++head)
            CHECK(b.reports[i].attention.heads[head].meanDistanceTokens.value == doctest::Approx(a.reports[i].attention.heads[head].meanDistanceTokens.value).epsilon(1e-4));
    }
    const auto alignedLoss = [&](const nn::Transformer &model, const std::vector<distillation::AlignedLayer> &layers) {
        RepeatedBatch source(sequences, "four sequences");
        PhaseTwoOptions options;
        options.steps = 5;
        distillation::StageOne stage(model, layers, source, stageOneOptions(options, layers, at::kFloat));
        while (stage.step() < stage.totalSteps())
            stage.advance({});
        return stage.metrics()[0].bestLoss;
    };
    CHECK(alignedLoss(onCard, b.layers) == doctest::Approx(alignedLoss(teacher, a.layers)).epsilon(1e-3));
    const at::Tensor x = tiny::normal({1, 20, 32}, 3);
    const auto errorOf = [&](const nn::Transformer &model) {
        LayerTaylorSums sums;
        sums.add(dynamic_cast<const nn::SoftmaxMixer &>(*model.blocks[1].mixer), x.to(model.device()), nn::placesFromMask(at::zeros({1, 20}, at::TensorOptions(at::kLong).device(model.device()))));
        return sums.result()[0].errorOfOrder[1];
    };
    CHECK(errorOf(onCard) == doctest::Approx(errorOf(teacher)).epsilon(1e-3));
}

}  // namespace calibration_cuda_tests
