// SPDX-License-Identifier: GPL-3.0-or-later
// The chunked form exists twice: whole-tensor operations for every device, and a kernel for the CPU. Both against each other.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <ATen/Parallel.h>

#include "recurrence/headscan.h"
#include "recurrence/kernel/headcall.h"
#include "recurrence/reference.h"
#include "recurrence/tensorscan.h"

using namespace stillroom::recurrence;
using namespace stillroom::recurrence::testing;

namespace {

void checkBothForms(Inputs inputs, int chunkLength, double tolerance) {
    const auto form = checkedForm(inputs, chunkLength);
    const auto tensors = tensorForward(inputs, form, {}), kernel = headForward(inputs, form, true, {});
    CHECK(relativeError(tensors.o_BTHV, kernel.o_BTHV) <= tolerance);
    CHECK(relativeError(tensors.finalState_BHKV, kernel.finalState_BHKV) <= tolerance);
    CHECK(relativeError(tensors.starts_NPKV, kernel.starts_NPKV) <= tolerance);
    const auto oGrad = randn(inputs.v_BTHV.sizes(), 91).to(inputs.v_BTHV.scalar_type());
    const auto stateGrad = randn(kernel.finalState_BHKV.sizes(), 92).to(kernel.finalState_BHKV.scalar_type());
    auto fromTensors = tensorBackward(inputs, form, tensors.starts_NPKV, oGrad, stateGrad, {});
    auto fromKernel = headBackward(inputs, form, kernel.starts_NPKV, oGrad, stateGrad, {});
    const auto pairs = {std::pair{&Gradients::q_BTHK, "q"}, {&Gradients::k_BTHK, "k"}, {&Gradients::v_BTHV, "v"}, {&Gradients::g, "g"},
                        {&Gradients::a_BTHK, "a"},          {&Gradients::b_BTHK, "b"}, {&Gradients::initialState_BHKV, "initialState"}};
    for (const auto &[member, name] : pairs) {
        CAPTURE(name);
        REQUIRE((fromTensors.*member).defined() == (fromKernel.*member).defined());
        if ((fromKernel.*member).defined())
            CHECK(relativeError(fromTensors.*member, fromKernel.*member) <= tolerance);
    }
}

}  // namespace

TEST_CASE("the tensor form equals the CPU kernel, outputs, states and gradients, with and without documents") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        for (const int chunkLength : {16, 64}) {
            CAPTURE(chunkLength);
            auto inputs = randomInputs(variant, {.B = 2, .T = 150, .H = 2, .K = 7, .V = 5}, 93);
            checkBothForms(inputs, chunkLength, 1e-10);
            inputs.documents_BT = at::tensor({-1, 0, 0, 2, 2, -1, 2, 3, 1, -1}, at::kLong).repeat_interleave(15).expand({2, 150}).contiguous();
            checkBothForms(inputs, chunkLength, 1e-10);
        }
    }
}

TEST_CASE("the tensor form in fp32 stays within 1e-5 of the kernel in fp64, at strong and at no decay") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        for (const double scale : {1.0, 100.0}) {
            const auto inputs = randomInputs(variant, {.B = 1, .T = 130, .H = 2, .K = 16, .V = 16}, 94, at::kFloat, scale);
            const auto wide = converted(inputs, at::kDouble);
            const auto tensors = tensorForward(inputs, checkedForm(inputs, 64), {});
            CHECK(relativeError(tensors.o_BTHV, headForward(wide, checkedForm(wide, 64), false, {}).o_BTHV) <= 1e-5);
        }
    }
}

TEST_CASE("widths that fill no vector, one vector or several are all right") {
    for (const auto &variant : allVariants()) {
        CAPTURE(variant.name());
        for (const auto &[K, V] : {std::pair{1, 1}, {3, 17}, {16, 8}, {33, 65}, {64, 64}, {100, 48}, {128, 130}}) {
            CAPTURE(K);
            CAPTURE(V);
            checkBothForms(randomInputs(variant, {.B = 1, .T = 70, .H = 1, .K = K, .V = V}, 95), 64, 1e-10);
        }
    }
}

TEST_CASE("the instruction set is the one that was asked for, where the processor has it") {
    const char *asked = std::getenv("STILLROOM_INSTRUCTION_SET");
    const std::string chosen = headKernels().instructionSet;
    MESSAGE("instruction set: " << chosen);
    if (asked && *asked)
        CHECK((chosen == asked || chosen == "baseline" || (chosen == "avx2" && std::string(asked) == "avx512")));
    else
        CHECK((chosen == "baseline" || chosen == "avx2" || chosen == "avx512"));
}

TEST_CASE("the number of threads changes no bit") {
    const int before = at::get_num_threads();
    const auto inputs = randomInputs({Writing::Tied, DecayKind::Channel, Read::AfterWrite}, {.B = 3, .T = 100, .H = 3}, 96, at::kFloat);
    std::vector<std::vector<at::Tensor>> results;
    for (const int threads : {1, 2}) {
        at::set_num_threads(threads);
        auto leaves = withGradients(inputs);
        const auto outputs = chunked(leaves);
        results.push_back(gradientsOf(leaves, outputs, 97));
        results.back().push_back(outputs.o_BTHV.detach());
    }
    at::set_num_threads(before);
    for (std::size_t i = 0; i < results[0].size(); ++i)
        CHECK(at::equal(results[0][i], results[1][i]));
}
