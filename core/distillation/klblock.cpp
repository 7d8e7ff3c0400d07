// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/klblock.h"

#include <ATen/ATen.h>

namespace stillroom::distillation {
namespace {

/// Cross-entropy at temperature 1; `weighted` gradient (softmax - onehot) · weight, added to gradient_RV where that is defined.
at::Tensor crossEntropyBlock(const at::Tensor &logProbabilities_RV, const at::Tensor &labels_R, double weight, at::Tensor gradient_RV)
{
    const at::Tensor labelled_R = labels_R.ge(0);
    const at::Tensor index_R1 = labels_R.clamp_min(0).unsqueeze(1);
    const at::Tensor nats_R = logProbabilities_RV.gather(1, index_R1).squeeze(1).neg();
    if (gradient_RV.defined()) {
        at::Tensor dz_RV = logProbabilities_RV.exp();
        dz_RV.scatter_add_(1, index_R1, at::full_like(index_R1, -1, dz_RV.options()));
        gradient_RV.add_(dz_RV.mul_(labelled_R.unsqueeze(1)), weight);
    }
    return at::where(labelled_R, nats_R, at::zeros({}, nats_R.options()));
}

}  // namespace

void teacherLogProbabilities(at::Tensor logits_RV, double temperature)
{
    if (temperature != 1.0)
        logits_RV.div_(temperature);
    logits_RV.copy_(at::log_softmax(logits_RV, 1));
}

BlockSums klBlock(const at::Tensor &teacherLogProbabilities_RV, at::Tensor logits_RV, const at::Tensor &labels_R, const TermWeights &weights, bool gradient)
{
    BlockSums sums;
    at::Tensor crossEntropyGradient_RV;
    if (weights.crossEntropy != 0.0) {
        if (gradient)
            crossEntropyGradient_RV = at::zeros_like(logits_RV);
        sums.crossEntropy_R = crossEntropyBlock(at::log_softmax(logits_RV, 1), labels_R, weights.crossEntropy, crossEntropyGradient_RV);
    }
    if (weights.temperature != 1.0)
        logits_RV.div_(weights.temperature);

    at::Tensor difference_RV = at::log_softmax(logits_RV, 1);               // log p_S, soon d
    const at::Tensor teacher_RV = teacherLogProbabilities_RV.exp();
    const at::Tensor student_RV = difference_RV.exp();
    at::sub_out(difference_RV, teacherLogProbabilities_RV, difference_RV);  // d = log p_T - log p_S
    at::sub_out(logits_RV, student_RV, teacher_RV);                         // p_S - p_T
    sums.kl_R = at::addcmul(logits_RV, teacher_RV, difference_RV).sum(1);
    const double tau = weights.temperature;
    if (weights.reverseKl != 0.0) {
        const at::Tensor weighted_RV = student_RV.mul(difference_RV).neg_();        // p_S (log p_S - log p_T)
        sums.reverseKl_R = at::sub(weighted_RV, logits_RV).sum(1);                  // + p_T - p_S
        if (gradient) {
            const at::Tensor exact_R1 = weighted_RV.sum(1, true);
            logits_RV.mul_(tau * weights.kl).add_(at::addcmul(weighted_RV, student_RV, exact_R1, -1), tau * weights.reverseKl);
        }
    } else if (gradient) {
        logits_RV.mul_(tau * weights.kl);
    }
    if (crossEntropyGradient_RV.defined())
        logits_RV.add_(crossEntropyGradient_RV);
    return sums;
}

}  // namespace stillroom::distillation
