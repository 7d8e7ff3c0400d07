// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/devicecheck.h"

#include "error.h"
#include "nn/linear.h"
#include "nn/seed.h"
#include "nn/torcherror.h"
#include "nn/transformer.h"
#include "procedures/computerdescription.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <limits>

namespace stillroom::procedures {
namespace {

// B batch, T tokens, H heads, K key channels, V value channels.
constexpr std::int64_t checkedTokens = 70, checkedHeads = 2, checkedKeys = 16, checkedValues = 8;     // more than one chunk, and one that is not full
constexpr double checkedTolerance = 1e-4;          // float32 is within 1e-5 of float64 here

/// Leaves that a gradient is asked of.
struct DeltaLeaves {
    at::Tensor q_BTHK, khat_BTHK, v_BTHV, g_BTH, beta_BTH;
    [[nodiscard]] std::array<at::Tensor, 5> all() const { return {q_BTHK, khat_BTHK, v_BTHV, g_BTH, beta_BTH}; }
};

DeltaLeaves drawLeaves()
{
    const auto draw = [](at::IntArrayRef shape, int index) { return at::randn(shape, nn::generatorFor(1, "device-check", 0, index), at::TensorOptions(at::kDouble)); };
    DeltaLeaves leaves;
    leaves.q_BTHK = draw({1, checkedTokens, checkedHeads, checkedKeys}, 0);
    leaves.khat_BTHK = nn::l2Norm(draw({1, checkedTokens, checkedHeads, checkedKeys}, 1));
    leaves.v_BTHV = draw({1, checkedTokens, checkedHeads, checkedValues}, 2);
    leaves.g_BTH = -draw({1, checkedTokens, checkedHeads}, 3).abs();
    leaves.beta_BTH = draw({1, checkedTokens, checkedHeads}, 4).sigmoid();
    return leaves;
}

DeltaLeaves leavesOn(const DeltaLeaves &leaves, at::Device device, at::ScalarType type)
{
    const auto moved = [&](const at::Tensor &x) { return x.detach().to(device, type).clone().requires_grad_(true); };
    return {moved(leaves.q_BTHK), moved(leaves.khat_BTHK), moved(leaves.v_BTHV), moved(leaves.g_BTH), moved(leaves.beta_BTH)};
}

/// S <- e^g S;  S <- S + k (beta (v - S^T k))^T;  o = S^T q: the definition, token by token.
recurrence::Outputs deltaLoop(const DeltaLeaves &x)
{
    at::Tensor state_BHKV = at::zeros({1, checkedHeads, checkedKeys, checkedValues}, x.v_BTHV.options());
    std::vector<at::Tensor> outputs;
    for (std::int64_t t = 0; t < checkedTokens; ++t) {
        const auto column = [&](const at::Tensor &v_BTHK) { return v_BTHK.select(1, t).unsqueeze(3); };
        const at::Tensor k_BHK1 = column(x.khat_BTHK), beta_BH11 = x.beta_BTH.select(1, t).unsqueeze(2).unsqueeze(3);
        state_BHKV = state_BHKV * x.g_BTH.select(1, t).exp().unsqueeze(2).unsqueeze(3);
        const at::Tensor error_BH1V = x.v_BTHV.select(1, t).unsqueeze(2) - (k_BHK1 * state_BHKV).sum(2, true);
        state_BHKV = state_BHKV + k_BHK1 * (beta_BH11 * error_BH1V);
        outputs.push_back((column(x.q_BTHK) * state_BHKV).sum(2));
    }
    return {at::stack(outputs, 1), state_BHKV};
}

recurrence::Inputs inputsOf(const DeltaLeaves &x)
{
    recurrence::Inputs inputs;
    inputs.q_BTHK = x.q_BTHK;
    inputs.k_BTHK = x.khat_BTHK * x.beta_BTH.unsqueeze(3);
    inputs.v_BTHV = x.v_BTHV;
    inputs.g = x.g_BTH;
    inputs.a_BTHK = -x.khat_BTHK * x.g_BTH.exp().unsqueeze(3);
    return inputs;
}

/// Gradients into the leaves, of sums with fixed weights.
void backward(const recurrence::Outputs &outputs)
{
    const auto weighed = [](const at::Tensor &x, int index) {
        return (x * at::randn(x.sizes(), nn::generatorFor(1, "device-check-weights", 0, index), at::TensorOptions(at::kDouble)).to(x.device(), x.scalar_type())).sum();
    };
    (weighed(outputs.o_BTHV, 0) + weighed(outputs.finalState_BHKV, 1)).backward();
}

double errorOf(const at::Tensor &computed, const at::Tensor &exact)
{
    if (!computed.defined())
        return std::numeric_limits<double>::infinity();
    const double error = ((computed.detach().to(at::kCPU, at::kDouble) - exact.detach()).abs().max() / exact.detach().abs().max()).item<double>();
    return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

void compareWithLoop(DeviceCheck &check, const Recurrence &recurrence)
{
    const at::AutoGradMode gradOn(true);
    const DeltaLeaves drawn = drawLeaves(), exact = leavesOn(drawn, at::kCPU, at::kDouble), tried = leavesOn(drawn, nn::parseDevice(check.device), at::kFloat);
    const recurrence::Outputs expected = deltaLoop(exact), computed = recurrence(inputsOf(tried));
    backward(expected);
    backward(computed);
    check.outputError = std::max(errorOf(computed.o_BTHV, expected.o_BTHV), errorOf(computed.finalState_BHKV, expected.finalState_BHKV));
    const auto gradients = tried.all(), exactGradients = exact.all();
    for (std::size_t i = 0; i < gradients.size(); ++i)
        check.gradientError = std::max(check.gradientError, errorOf(gradients[i].grad(), exactGradients[i].grad()));
}

/// The driver's own words: LibTorch's headers have them only where it was built for CUDA.
void askDriver(DeviceCheck &check, int index)
{
    void *driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);      // never closed: LibTorch holds it, too
    if (!driver)
        return;
    const auto init = reinterpret_cast<int (*)(unsigned)>(::dlsym(driver, "cuInit"));
    const auto get = reinterpret_cast<int (*)(int *, int)>(::dlsym(driver, "cuDeviceGet"));
    const auto name = reinterpret_cast<int (*)(char *, int, int)>(::dlsym(driver, "cuDeviceGetName"));
    const auto attribute = reinterpret_cast<int (*)(int *, int, int)>(::dlsym(driver, "cuDeviceGetAttribute"));
    constexpr int majorOfCapability = 75, minorOfCapability = 76;          // CUdevice_attribute
    int device = 0, major = 0, minor = 0;
    std::array<char, 256> text{};
    if (!init || !get || !name || !attribute || init(0) != 0 || get(&device, index) != 0)
        return;
    if (name(text.data(), static_cast<int>(text.size()) - 1, device) == 0)
        check.name = text.data();
    if (attribute(&major, majorOfCapability, device) == 0 && attribute(&minor, minorOfCapability, device) == 0)
        check.computeCapability = std::to_string(major) + '.' + std::to_string(minor);
}

}  // namespace

DeviceCheck checkDevice(const std::string &device, const Recurrence &recurrence)
{
    DeviceCheck check;
    check.device = device;
    if (device == "cpu")
        check.name = processorName();
    else if (device.starts_with("cuda:"))
        askDriver(check, std::atoi(device.c_str() + 5));
    try {
        nn::asStillroomError("The computation", [&] { compareWithLoop(check, recurrence); });
        const double worst = std::max(check.outputError, check.gradientError);
        if (!(worst <= checkedTolerance))
            check.problem = std::string("its ") + (check.outputError > checkedTolerance ? "outputs" : "gradients") + " are off by a share of " + std::to_string(worst) + ", where float32 allows " +
                            std::to_string(checkedTolerance) + ": do not trust what it computes; try another driver or version of LibTorch, or another device";
    } catch (const Error &error) {
        if (error.code() == ErrorCode::OutOfMemory)
            check.untested = "it has too little free memory, which other work may hold";
        else
            check.problem = error.what();
    } catch (const std::exception &error) {
        check.problem = error.what();
    }
    return check;
}

std::vector<DeviceCheck> checkDevices()
{
    const Recurrence recurrence = [](const recurrence::Inputs &inputs) { return recurrence::chunked(inputs); };
    std::vector<DeviceCheck> checks{checkDevice("cpu", recurrence)};
    const auto numCuda = at::hasCUDA() ? static_cast<int>(at::getNumGPUs()) : 0;
    for (int index = 0; index < numCuda; ++index)
        checks.push_back(checkDevice("cuda:" + std::to_string(index), recurrence));
    return checks;
}

nlohmann::json toJson(const DeviceCheck &check)
{
    nlohmann::json json = {{"device", check.device}, {"name", check.name}, {"passed", check.problem.empty() && check.untested.empty()}, {"output_error", check.outputError}, {"gradient_error", check.gradientError}};
    if (!check.computeCapability.empty())
        json["compute_capability"] = check.computeCapability;
    if (!check.problem.empty())
        json["problem"] = check.problem;
    if (!check.untested.empty())
        json["untested"] = check.untested;
    return json;
}

}  // namespace stillroom::procedures
