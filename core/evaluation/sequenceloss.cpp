// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/sequenceloss.h"

#include "error.h"
#include "nn/linear.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

namespace stillroom::evaluation {
namespace {

constexpr std::int64_t labelsAtOnce = 256;

at::ScalarType logitType(at::ScalarType stateType) { return stateType == at::kDouble ? at::kDouble : at::kFloat; }

/// A number for each of some tokens from their logits and labels, both on the model's device.
using TokenMeasure = at::Tensor (*)(const at::Tensor &logits_NV, const at::Tensor &labels_N);

/// -log p(label)
at::Tensor tokenLosses(const at::Tensor &logits_NV, const at::Tensor &labels_N)
{
    return logits_NV.logsumexp(1) - logits_NV.gather(1, labels_N.unsqueeze(1)).squeeze(1);
}

/// 1 where another token is likelier than the label; not a number where a logit is none.
at::Tensor tokenErrors(const at::Tensor &logits_NV, const at::Tensor &labels_N)
{
    return logits_NV.argmax(1).ne(labels_N) + logits_NV.sum(1) * 0;
}

/// Σ over the labelled tokens of one sequence, float64.
double rowSum(TokenMeasure measure, const at::Tensor &hidden_TD, const at::Tensor &head_VD, const at::Tensor &labels_T)
{
    const at::Tensor labelled_N = labels_T.ge(0).nonzero().squeeze(1);
    double sum = 0.0;
    for (const at::Tensor &part_N : labelled_N.split(labelsAtOnce)) {
        const at::Tensor states_ND = hidden_TD.index_select(0, part_N.to(hidden_TD.device()));
        // The head widens the states: bfloat16 logits would tell losses apart to two digits only.
        const at::Tensor wide_NV = nn::linear(states_ND.to(logitType(states_ND.scalar_type())), head_VD);
        sum += measure(wide_NV, labels_T.index_select(0, part_N).to(hidden_TD.device())).to(at::kDouble).sum().item<double>();
    }
    return sum;
}

SequenceLosses measured(TokenMeasure measure, const at::Tensor &hidden_BTD, const at::Tensor &head_VD, const at::Tensor &labels_BT)
{
    const c10::NoGradGuard noGradients;
    if (labels_BT.dim() != 2 || hidden_BTD.dim() != 3 || labels_BT.sizes() != hidden_BTD.sizes().slice(0, 2))
        throw Error(ErrorCode::Usage, "there must be one label for each of the hidden states");
    if (labels_BT.max().item<std::int64_t>() >= head_VD.size(0))
        throw Error(ErrorCode::Usage, "a label is outside the vocabulary of " + std::to_string(head_VD.size(0)));
    SequenceLosses losses;
    for (std::int64_t row = 0; row < labels_BT.size(0); ++row) {
        const auto tokens = labels_BT[row].ge(0).sum().item<std::int64_t>();
        if (tokens == 0)
            throw Error(ErrorCode::Usage, "a sequence predicts no token: leave it out");
        const double nats = rowSum(measure, hidden_BTD[row], head_VD, labels_BT[row]) / static_cast<double>(tokens);
        if (!std::isfinite(nats))
            throw Error(ErrorCode::NonFinite, "the loss of sequence " + std::to_string(row) + " of a batch is not finite: try float32 as compute type");
        losses.nats.push_back(nats);
        losses.tokens.push_back(tokens);
    }
    return losses;
}

}  // namespace

std::int64_t sequenceLossBytes(std::int64_t labels, const at::Tensor &head_VD, at::ScalarType stateType)
{
    const at::ScalarType type = logitType(stateType);
    const auto element = static_cast<std::int64_t>(at::elementSize(type)), states = static_cast<std::int64_t>(at::elementSize(stateType));
    const std::int64_t rows = std::min(labels, labelsAtOnce), vocabulary = head_VD.size(0), width = head_VD.size(1);
    const std::int64_t cast = head_VD.scalar_type() == type ? 0 : head_VD.numel() * element;
    // The log-sum-exp makes a second tensor of the logits' size.
    return rows * (2 * vocabulary * element + width * (states + (type == stateType ? 0 : element))) + cast;
}

SequenceLosses sequenceLosses(const at::Tensor &hidden_BTD, const at::Tensor &head_VD, const at::Tensor &labels_BT)
{
    return nn::asStillroomError("Measuring the loss of sequences", [&] { return measured(tokenLosses, hidden_BTD, head_VD, labels_BT); });
}

std::vector<double> sequenceErrors(const at::Tensor &hidden_BTD, const at::Tensor &head_VD, const at::Tensor &labels_BT)
{
    return nn::asStillroomError("Measuring the errors of sequences", [&] { return measured(tokenErrors, hidden_BTD, head_VD, labels_BT).nats; });
}

}  // namespace stillroom::evaluation
