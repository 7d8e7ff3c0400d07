// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/writestrength.h"

#include "error.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cmath>

namespace stillroom::calibration {

namespace {

constexpr WriteInit allInits[] = {WriteInit::Weight, WriteInit::Data, WriteInit::Bias, WriteInit::Keep};

/// Row h ← row h · logit_h / √D / mean|row h|.
at::Tensor scaledRows(const at::Tensor &weight_HD, const at::Tensor &logit_H)
{
    const at::Tensor size_H = weight_HD.abs().mean(1).clamp_min(1e-8);
    return weight_HD * (logit_H / std::sqrt(static_cast<double>(weight_HD.size(1))) / size_H).unsqueeze(1);
}

/// The direction m for which x·m is nearest to 1 on all tokens, by ridge regression: the nearest thing to a bias that a projection without one has.
at::Tensor constantDirection(const at::Tensor &x_ND)
{
    constexpr double ridge = 0.1;   // of the mean eigenvalue: directions that few tokens use stay small
    const at::Tensor x = x_ND.scalar_type() == at::kDouble ? x_ND : x_ND.to(at::kFloat);
    const at::Tensor gram_DD = (at::matmul(x.t(), x) / static_cast<double>(x.size(0))).to(at::kDouble), mean_D = x.to(at::kDouble).mean(0);
    const at::Tensor scale = gram_DD.diagonal().mean() * ridge + 1e-30;
    const at::Tensor factor_DD = at::linalg_cholesky(gram_DD + at::eye(gram_DD.size(0), gram_DD.options()) * scale);
    const at::Tensor direction_D = at::cholesky_solve(mean_D.unsqueeze(1), factor_DD).squeeze(1);
    return direction_D / at::matmul(mean_D, direction_D).clamp_min(1e-30);
}

/// Rows + c · m; c by bisection, all heads at once, since β's mean grows with c where most tokens lie along m.
at::Tensor movedRows(const at::Tensor &weight_HD, const at::Tensor &bias_H, const at::Tensor &share_H, const at::Tensor &logit_H, const at::Tensor &x_ND)
{
    const at::Tensor wide_ND = x_ND.to(at::kDouble), direction_D = constantDirection(x_ND), along_N1 = at::matmul(wide_ND, direction_D).unsqueeze(1);
    at::Tensor logits_NH = at::matmul(wide_ND, weight_HD.t());
    if (bias_H.defined())
        logits_NH = logits_NH + bias_H;
    const auto meanAt = [&](const at::Tensor &move_H) { return at::sigmoid(logits_NH + along_N1 * move_H).mean(0); };
    constexpr double reach = 32.0;   // a typical token's logit moves so far
    constexpr int halvings = 50;
    at::Tensor low_H = at::full_like(share_H, -reach), high_H = at::full_like(share_H, reach);
    const at::Tensor reachable_H = (meanAt(low_H) < share_H).logical_and_(meanAt(high_H) > share_H);
    for (int i = 0; i < halvings; ++i) {
        const at::Tensor middle_H = (low_H + high_H) / 2.0, tooSmall_H = meanAt(middle_H) < share_H;
        low_H = at::where(tooSmall_H, middle_H, low_H);
        high_H = at::where(tooSmall_H, high_H, middle_H);
    }
    // Inputs without a common direction: the mean logit is matched instead of β's mean.
    const at::Tensor move_H = at::where(reachable_H, (low_H + high_H) / 2.0, logit_H - logits_NH.mean(0));
    return weight_HD + move_H.unsqueeze(1) * direction_D;
}

}  // namespace

const char *writeInitName(WriteInit init)
{
    switch (init) {
    case WriteInit::Weight:
        return "weight";
    case WriteInit::Data:
        return "data";
    case WriteInit::Bias:
        return "bias";
    case WriteInit::Keep:
        return "keep";
    }
    return "";
}

WriteInit parseWriteInit(const std::string &text)
{
    for (const WriteInit init : allInits)
        if (text == writeInitName(init))
            return init;
    throw Error(ErrorCode::Usage, "There is no way \"" + text + "\" to set a write gate; choose weight, data, bias or keep.");
}

void setWriteStrength(const mixers::WriteProjection &projection, const std::vector<double> &targets_H, WriteInit init, const at::Tensor &x_ND)
{
    const c10::NoGradGuard noGrad;
    if (init == WriteInit::Keep)
        return;
    for (const double target : targets_H)
        if (!(target > 0.0 && target < projection.range))
            throw Error(ErrorCode::Usage, "A write strength of " + std::to_string(target) + " cannot be reached: this mixer's lie between 0 and " + std::to_string(projection.range) + ".");
    const at::Tensor share_H = (at::tensor(targets_H, at::TensorOptions(at::kDouble)) / projection.range).to(projection.weight_HD.device());
    const at::Tensor logit_H = (share_H / (1.0 - share_H)).log();
    const at::Tensor weight_HD = projection.weight_HD.to(at::kDouble);
    const at::Tensor bias_H = projection.bias_H.defined() ? projection.bias_H.to(at::kDouble) : at::Tensor();
    switch (init) {
    case WriteInit::Weight:
        at::Tensor(projection.weight_HD).copy_(scaledRows(weight_HD, logit_H));
        break;
    case WriteInit::Data:
        at::Tensor(projection.weight_HD).copy_(movedRows(weight_HD, bias_H, share_H, logit_H, x_ND));
        break;
    case WriteInit::Bias:
        if (!bias_H.defined())
            throw Error(ErrorCode::Usage, "This mixer's write gate has no bias; set it by \"data\" or \"weight\".");
        at::Tensor(projection.bias_H).copy_(logit_H);
        break;
    case WriteInit::Keep:
        break;
    }
}

}  // namespace stillroom::calibration
