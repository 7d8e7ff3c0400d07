// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/overflow.h"

#include <sstream>
#include <string>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "error.h"

namespace stillroom::recurrence {
namespace {

constexpr double normTolerance = 0.01;  // unit vectors rounded to bf16 are longer than 1 by less

bool finite(const at::Tensor &x) { return !x.defined() || x.isfinite().all().item<bool>(); }

bool inputsAreFinite(const Inputs &inputs) {
    for (const auto *x : {&inputs.q_BTHK, &inputs.k_BTHK, &inputs.v_BTHV, &inputs.g, &inputs.a_BTHK, &inputs.b_BTHK, &inputs.initialState_BHKV})
        if (!finite(*x))
            return false;
    return true;
}

double largestNorm(const at::Tensor &x_BTHK) { return x_BTHK.to(at::kDouble).norm(2, -1).max().item<double>(); }

/// Of a step's matrix I + b a^T: beyond 1 only where a vector is longer than 1.
std::string causes(const Inputs &inputs) {
    std::ostringstream text;
    if (inputs.a_BTHK.defined()) {
        const double erase = largestNorm(inputs.a_BTHK), write = largestNorm(inputs.b_BTHK.defined() ? inputs.b_BTHK : inputs.k_BTHK);
        if (erase > 1 + normTolerance || write > 2 * (1 + normTolerance))
            text << " Its keys have lost their L2 norm: the erase vectors a are up to " << erase << " long and what is written back up to " << write
                 << ", where unit keys give at most 1 and 2. Normalise the keys, k / sqrt(sum k^2 + eps), before they enter.";
    }
    if (inputs.g.defined() && inputs.g.max().item<double>() > 0)
        text << " Its log decay g is up to " << inputs.g.max().item<double>() << ", but must not be above 0.";
    return text.str();
}

}  // namespace

void refuseOverflow(const Inputs &inputs, const Outputs &outputs) {
    const at::NoGradGuard noGrad;
    const bool narrow = outputs.o_BTHV.element_size() < outputs.finalState_BHKV.element_size();
    const bool stateIsFinite = finite(outputs.finalState_BHKV);
    if (stateIsFinite && ((!narrow && !inputs.documents_BT.defined()) || finite(outputs.o_BTHV)))
        return;
    if (!inputsAreFinite(inputs))
        return;
    const std::string found = causes(inputs);
    const bool onlyNarrow = stateIsFinite && narrow;
    throw Error(ErrorCode::NonFinite, std::string(onlyNarrow ? "The recurrence's output is beyond what half precision holds." : "The recurrence's state has grown beyond all bounds.")
                                          + (found.empty() ? " Make its inputs smaller, or compute in float32." : found));
}

}  // namespace stillroom::recurrence
