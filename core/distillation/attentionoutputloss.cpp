// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/attentionoutputloss.h"

#include "error.h"

#include <cmath>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace stillroom::distillation {
namespace {

constexpr OutputLoss allLosses[] = {OutputLoss::RelativeMse, OutputLoss::Rms, OutputLoss::Squared, OutputLoss::MeanSquare, OutputLoss::RmsScaled};

}  // namespace

const char *outputLossName(OutputLoss loss)
{
    switch (loss) {
    case OutputLoss::RelativeMse:
        return "relative-mse";
    case OutputLoss::Rms:
        return "rms";
    case OutputLoss::Squared:
        return "squared";
    case OutputLoss::MeanSquare:
        return "mean-square";
    case OutputLoss::RmsScaled:
        return "rms-scaled";
    }
    return "";
}

OutputLoss parseOutputLoss(const std::string &text)
{
    for (const OutputLoss loss : allLosses)
        if (text == outputLossName(loss))
            return loss;
    throw Error(ErrorCode::Usage, "There is no stage-1 loss \"" + text + "\"; choose relative-mse, rms, squared, mean-square or rms-scaled.");
}

OutputLossSums outputLossSums(OutputLoss loss, const at::Tensor &teacher_BTD, const at::Tensor &student_BTD, const at::Tensor &counted_BT)
{
    const at::ScalarType type = student_BTD.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    at::Tensor target = teacher_BTD.detach().to(type);
    at::Tensor output = student_BTD.to(type);
    if (counted_BT.defined()) {
        // where, not a product: what stands at other tokens may be NaN, and must not reach the gradient either.
        const at::Tensor keep = counted_BT.unsqueeze(-1);
        const at::Tensor zero = at::zeros({}, target.options());
        target = at::where(keep, target, zero);
        output = at::where(keep, output, zero);
    }
    const at::Tensor error = target - output;
    OutputLossSums sums;
    const bool perTokenNorm = loss == OutputLoss::Rms || loss == OutputLoss::RmsScaled;
    if (perTokenNorm)
        sums.numerator = at::linalg_vector_norm(error, 2, -1).sum() / std::sqrt(static_cast<double>(error.size(-1)));
    else
        sums.numerator = error.square().sum();

    const at::NoGradGuard noGrad;
    const at::Tensor outputSquares_BT = output.square().sum(-1), targetSquares_BT = target.square().sum(-1);
    sums.errorSquares = error.square().sum(-1).sum(at::kDouble);
    sums.targetSquares = targetSquares_BT.sum(at::kDouble);
    const at::Tensor lengths_BT = outputSquares_BT.sqrt() * targetSquares_BT.sqrt();
    const at::Tensor dots_BT = (output * target).sum(-1);
    sums.cosineSum = at::where(lengths_BT.gt(0), dots_BT / lengths_BT, at::zeros({}, dots_BT.options())).sum(at::kDouble);
    return sums;
}

double outputLossDenominator(OutputLoss loss, double targetSquares, std::int64_t countedTokens, std::int64_t width)
{
    const bool relative = loss == OutputLoss::RelativeMse || loss == OutputLoss::RmsScaled;
    if (relative && !(targetSquares > 0.0))
        throw Error(ErrorCode::NonFinite, "A layer's teacher output is zero or not finite on every counted token, so a relative loss is not defined; use the loss \"rms\" or leave the layer out.");
    const auto tokens = static_cast<double>(countedTokens);
    switch (loss) {
    case OutputLoss::RelativeMse:
        return targetSquares;
    case OutputLoss::Rms:
    case OutputLoss::Squared:
        return tokens;
    case OutputLoss::MeanSquare:
        return tokens * static_cast<double>(width);
    case OutputLoss::RmsScaled:
        return tokens * std::sqrt(targetSquares / (tokens * static_cast<double>(width)));
    }
    return tokens;
}

}  // namespace stillroom::distillation
