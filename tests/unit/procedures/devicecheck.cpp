// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/devicecheck.h"

#include "error.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <new>

namespace devicecheck_tests {

using namespace stillroom;
using procedures::DeviceCheck;

TEST_CASE("every device of this machine passes, and says its name")
{
    const auto checks = procedures::checkDevices();
    REQUIRE(checks.size() == 1 + (at::hasCUDA() ? static_cast<std::size_t>(at::getNumGPUs()) : 0));
    CHECK(checks[0].device == "cpu");
    for (const DeviceCheck &check : checks) {
        CAPTURE(check.device);
        CHECK(check.problem == "");
        CHECK_FALSE(check.name.empty());
        CHECK(check.computeCapability.empty() == (check.device == "cpu"));
        CHECK((check.outputError > 0.0 && check.outputError < 3e-5));          // float32: near, and not the reference itself
        CHECK((check.gradientError > 0.0 && check.gradientError < 3e-5));
        CHECK(procedures::toJson(check).at("passed") == true);
    }
}

TEST_CASE("a wrong output, a wrong gradient behind a right output, and a failure are told apart")
{
    const auto tried = [](const procedures::Recurrence &recurrence) { return procedures::checkDevice("cpu", recurrence); };
    const DeviceCheck output = tried([](const recurrence::Inputs &inputs) {
        auto made = recurrence::chunked(inputs);
        made.o_BTHV = made.o_BTHV * 1.001;
        return made;
    });
    CHECK(output.problem.find("its outputs are off") == 0);
    CHECK(procedures::toJson(output).at("passed") == false);
    const DeviceCheck gradient = tried([](recurrence::Inputs inputs) {       // write strengths teach nothing
        inputs.k_BTHK = inputs.k_BTHK.detach();
        return recurrence::chunked(inputs);
    });
    CHECK(gradient.problem.find("its gradients are off") == 0);
    CHECK(gradient.outputError < 3e-5);
    const DeviceCheck nan = tried([](const recurrence::Inputs &inputs) {
        auto made = recurrence::chunked(inputs);
        made.finalState_BHKV = made.finalState_BHKV / 0.0;
        return made;
    });
    CHECK(nan.problem.find("its outputs are off") == 0);
    const DeviceCheck failed = tried([](const recurrence::Inputs &) -> recurrence::Outputs { throw Error(ErrorCode::Failed, "no kernel for this card"); });
    CHECK(failed.problem == "no kernel for this card");
    const auto full = tried([](const recurrence::Inputs &) -> recurrence::Outputs { throw std::bad_alloc(); });      // nothing is wrong with a card that others fill
    CHECK(full.problem.empty());
    CHECK(full.untested.find("too little free memory") != std::string::npos);
    CHECK(procedures::toJson(full).at("passed") == false);
    const auto torn = tried([](const recurrence::Inputs &) -> recurrence::Outputs { TORCH_CHECK(false, "no such kernel"); });
    CHECK(torn.problem.find("no such kernel") != std::string::npos);
    CHECK(torn.problem.find("frame #") == std::string::npos);      // nobody reads LibTorch's backtrace
    CHECK(procedures::checkDevice("cuda:99", [](const recurrence::Inputs &inputs) { return recurrence::chunked(inputs); }).problem.find("There is no device") == 0);
}

}  // namespace devicecheck_tests
