// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/decay.h"

#include <vector>

#include <ATen/ATen.h>

namespace stillroom::recurrence {
namespace {

at::Tensor stacked(const at::Tensor &first, const at::Tensor &second, std::int64_t count) {
    return count == 1 ? first : at::cat({first, second}, 1);
}

at::Tensor masked(const at::Tensor &weights, const at::Tensor &keep) {
    if (!weights.defined())
        return keep;
    return keep.defined() ? weights * keep : weights;
}

}  // namespace

LogDecay logDecay(const at::Tensor &g_LCD) {
    if (!g_LCD.defined())
        return {};
    const auto through_LCD = g_LCD.cumsum(1, at::kDouble);
    const auto zero_L1D = at::zeros_like(through_LCD.slice(1, 0, 1));
    return {through_LCD, at::cat({zero_L1D, through_LCD.slice(1, 0, -1)}, 1)};
}

BoundaryWeights boundaryWeights(const LogDecay &decay, const ChunkSegments &segments, const Form &form) {
    BoundaryWeights weights;
    if (decay.defined()) {
        const auto last_L1D = decay.through_LCD.slice(1, form.C - 1);
        weights.read_LRD = stacked(decay.ofReader(0, form), decay.before_LCD, form.readers()).exp().to(form.type);
        const auto write_LCD = (last_L1D - decay.through_LCD).exp().to(form.type);
        weights.write_LWD = stacked(write_LCD, write_LCD, form.writers());
        weights.carry_LD1 = last_L1D.exp().to(form.type).transpose(1, 2);
    }
    if (segments.defined()) {
        const auto seesStart = segments.seesStart_LC1.to(form.type), reachesEnd = segments.reachesEnd_LC1.to(form.type);
        weights.read_LRD = masked(weights.read_LRD, stacked(seesStart, seesStart, form.readers()));
        weights.write_LWD = masked(weights.write_LWD, stacked(reachesEnd, reachesEnd, form.writers()));
        weights.carry_LD1 = masked(weights.carry_LD1, segments.carried_L11.to(form.type));
    }
    return weights;
}

at::Tensor weighted(const at::Tensor &x, const at::Tensor &weights) { return weights.defined() ? x * weights : x; }

at::Tensor gradientOfDecay(const at::Tensor &throughGrad_LCD, const at::Tensor &beforeGrad_LCD) {
    return (throughGrad_LCD + beforeGrad_LCD).flip(1).cumsum(1).flip(1) - beforeGrad_LCD;
}

}  // namespace stillroom::recurrence
