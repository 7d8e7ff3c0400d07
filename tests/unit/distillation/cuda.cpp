// SPDX-License-Identifier: GPL-3.0-or-later
// The room on a GPU: same numbers as on the CPU, within what the compute type resolves. Skipped visibly where there is none.
#include "distillation/adamw.h"
#include "distillation/allocationmeter.h"
#include "distillation/heldoutkl.h"
#include "distillation/klhead.h"
#include "distillation/stageone.h"
#include "distillation/stagetwo.h"
#include "golden.h"
#include "tinystudents.h"

#include <cmath>
#include <doctest/doctest.h>

#include <ATen/Context.h>

namespace cuda_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

bool skipped()
{
    if (at::hasCUDA())
        return false;
    MESSAGE("skipped: this machine has no CUDA device");
    return true;
}

at::Tensor onDevice(const at::Tensor &tensor, at::ScalarType type) { return tensor.detach().to(at::kCUDA, type).requires_grad_(tensor.requires_grad()); }

std::vector<AlignedLayer> moved(std::vector<AlignedLayer> layers)
{
    for (AlignedLayer &layer : layers)
        layer.mixer->visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.to(at::kCUDA); });
    return layers;
}

nn::Transformer moved(nn::Transformer model)
{
    model.moveTo(at::Device(at::kCUDA));
    return model;
}

}  // namespace

TEST_CASE("on CUDA the KL head agrees with float64, in float32 and bfloat16, over several slices")
{
    if (skipped())
        return;
    const std::int64_t tokens = 700, vocabulary = 1999, width = 64;
    const Head teacher{test::normal({tokens, width}, 1), test::normal({vocabulary, width}, 2) * 0.3};
    const Head student{test::normal({tokens, width}, 3).requires_grad_(), (test::normal({vocabulary, width}, 4) * 0.3).requires_grad_()};
    const at::Tensor counted_N = test::normal({tokens}, 5).gt(-0.5), labels_N = test::normal({tokens}, 6).abs().mul(100).to(at::kLong);
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
        KlHeadOptions options;
        options.temperature = 1.3;
        options.crossEntropyWeight = 0.2;
        options.reverseKlWeight = 0.1;
        Head exactTeacher{teacher.hidden_ND.to(type).to(at::kDouble), teacher.weight_VD.to(type).to(at::kDouble)};
        Head exact{student.hidden_ND.detach().to(type).to(at::kDouble).requires_grad_(), student.weight_VD.detach().to(type).to(at::kDouble).requires_grad_()};
        const HeadLoss expected = klHead(exactTeacher, {&exact, 1}, counted_N, labels_N, options)[0];
        expected.loss.backward();

        const Head onGpuTeacher{onDevice(teacher.hidden_ND, type), onDevice(teacher.weight_VD, at::kFloat)};
        const Head onGpu{onDevice(student.hidden_ND, type), onDevice(student.weight_VD, at::kFloat)};
        KlHeadBytes least = klHeadBytes(onGpuTeacher, onGpu, options);
        least.sliceTokens = 150;
        options.budgetBytes = least.total();
        // cuBLAS takes its workspace at the first matmul of a process and stream and keeps it: 32 MiB on Hopper, more than this small budget. It is no part
        // of what a call allocates, so a call before the measured one has it made.
        (void)klHead(onGpuTeacher, {&onGpu, 1}, counted_N, labels_N, options);
        const auto meter = measureAllocations([&] {
            const HeadLoss loss = klHead(onGpuTeacher, {&onGpu, 1}, counted_N, labels_N, options)[0];
            loss.loss.backward();
            const double tolerance = type == at::kFloat ? 1e-5 : 1e-2;
            CHECK(loss.loss.item<double>() == doctest::Approx(expected.loss.item<double>()).epsilon(type == at::kFloat ? 1e-6 : 1e-4));
            CHECK(test::relativeDifference(onGpu.hidden_ND.grad().cpu(), exact.hidden_ND.grad()) <= tolerance);
            CHECK(test::relativeDifference(onGpu.weight_VD.grad().cpu(), exact.weight_VD.grad()) <= tolerance);
        });
        CHECK(static_cast<double>(meter->peakBytes()) <= 1.05 * static_cast<double>(options.budgetBytes));
    }
}

TEST_CASE("on CUDA AdamW takes the CPU's steps")
{
    if (skipped())
        return;
    at::Tensor host = test::normal({501}, 1).requires_grad_(), card = onDevice(host, at::kFloat);
    const auto optimizerOf = [](const at::Tensor &tensor) { return AdamW({{"all", 1e-2, 0.1, {{"w", tensor, {true, false}}}}}, {}); };
    AdamW onHost = optimizerOf(host), onCard = optimizerOf(card);
    for (std::uint64_t step = 0; step < 10; ++step) {
        host.mutable_grad() = test::normal({501}, 100 + step);
        card.mutable_grad() = host.grad().to(at::kCUDA);
        onHost.step(1.0);
        onCard.step(1.0);
    }
    CHECK(test::largestDifference(card.cpu(), host) <= 1e-6);
}

TEST_CASE("on CUDA stages 1 and 2 and the held-out KL follow the CPU")
{
    if (skipped())
        return;
    const nn::Transformer teacher = test::tinyTeacher(), cardTeacher = moved(teacher);
    TensorBatchSource source = test::shuffledSource();
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
        const double tolerance = type == at::kFloat ? 1e-3 : 5e-2;
        StageOneOptions one;
        one.steps = 5;
        StageOne host(teacher, test::linearLayers(teacher, {0, 2}), source, one);
        one.computeType = type;
        StageOne card(cardTeacher, moved(test::linearLayers(teacher, {0, 2})), source, one);
        StageTwoOptions two;
        two.steps = 5;
        two.refuseHopelessStart = false;
        two.checkpointBlocks = true;
        StageTwo hostTwo(teacher, {{"s", test::hybridOf(teacher, test::linearLayers(teacher, {0, 2}))}}, source, two);
        two.computeType = type;
        StageTwo cardTwo(cardTeacher, {{"s", test::hybridOf(cardTeacher, moved(test::linearLayers(teacher, {0, 2})))}}, source, two);
        for (int step = 0; step < 5; ++step) {
            host.advance({});
            card.advance({});
            hostTwo.advance({});
            cardTwo.advance({});
            CHECK(card.metrics()[1].loss == doctest::Approx(host.metrics()[1].loss).epsilon(tolerance));
            CHECK(cardTwo.metrics()[0].klNats == doctest::Approx(hostTwo.metrics()[0].klNats).epsilon(tolerance));
        }
        const std::vector<Batch> batches = {test::raggedBatch(3, 12)};
        HeldOutOptions heldOut;
        const double expected = HeldOutSet(teacher, batches, heldOut).measure(hostTwo.students()[0].model).mean();
        heldOut.computeType = type;
        CHECK(HeldOutSet(cardTeacher, batches, heldOut).measure(cardTwo.students()[0].model).mean() == doctest::Approx(expected).epsilon(2 * tolerance));
    }
}

}  // namespace cuda_tests
