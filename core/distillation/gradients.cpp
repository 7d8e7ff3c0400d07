// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/gradients.h"

#include "error.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace stillroom::distillation {

at::Tensor gradientNorms(std::span<const GradientGroup> groups)
{
    const at::NoGradGuard noGrad;
    std::vector<at::Tensor> all;
    for (const GradientGroup &group : groups)
        all.insert(all.end(), group.gradients.begin(), group.gradients.end());
    if (all.empty())
        return at::zeros({static_cast<std::int64_t>(groups.size())}, at::kDouble);
    std::vector<at::Tensor> norms = at::_foreach_norm(all, 2);
    if (std::any_of(norms.begin(), norms.end(), [&](const at::Tensor &norm) { return norm.scalar_type() != norms.front().scalar_type(); }))
        for (at::Tensor &norm : norms)
            norm = norm.to(at::kDouble);
    const at::Tensor squares = at::stack(norms).to(at::kDouble).square();
    std::vector<at::Tensor> sums;
    std::int64_t first = 0;
    for (const GradientGroup &group : groups) {
        const auto count = static_cast<std::int64_t>(group.gradients.size());
        sums.push_back(squares.narrow(0, first, count).sum());
        first += count;
    }
    return at::stack(sums).sqrt();
}

std::vector<double> scaleAndClip(std::span<const GradientGroup> groups, std::span<const double> norms, std::span<const double> prescale, double maxNorm)
{
    if (norms.size() != groups.size() || (!prescale.empty() && prescale.size() != groups.size()))
        throw Error(ErrorCode::Usage, "Clipping needs one norm, and one scale or none, for each group of gradients.");
    const at::NoGradGuard noGrad;
    std::vector<double> scaledNorms;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const double before = prescale.empty() ? 1.0 : prescale[i];
        const double norm = norms[i] * before;
        const double factor = before * (maxNorm > 0.0 ? std::min(1.0, maxNorm / (norm + 1e-6)) : 1.0);
        if (factor != 1.0 && !groups[i].gradients.empty())
            at::_foreach_mul_(groups[i].gradients, factor);
        scaledNorms.push_back(norm);
    }
    return scaledNorms;
}

}  // namespace stillroom::distillation
