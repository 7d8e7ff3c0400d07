// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/likeliest.h"

#include "error.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdint>

namespace stillroom::evaluation {
namespace {

constexpr std::int64_t sliceRows = 1024;

}  // namespace

at::Tensor likeliestNext(const nn::Transformer &model, const at::Tensor &ids_BT, const at::Tensor &positions_N, at::ScalarType computeType, const std::stop_token &stop)
{
    nn::ForwardOptions options;
    options.stop = stop;
    const at::Tensor hidden_BTD = model.forward(ids_BT.to(model.device()), {}, computeType, options).hidden_BTD;
    const at::Tensor asked_ND = hidden_BTD.flatten(0, 1).index_select(0, positions_N.to(model.device()));
    at::Tensor likeliest_N = at::empty({asked_ND.size(0)}, at::TensorOptions(at::kLong));      // whole from the beginning: see KlPerToken, whose heap grew with every slice
    for (std::int64_t first = 0; first < asked_ND.size(0); first += sliceRows) {
        const std::int64_t rows = std::min(sliceRows, asked_ND.size(0) - first);
        const at::Tensor logits_MV = model.logits(asked_ND.narrow(0, first, rows).unsqueeze(0)).squeeze(0);
        if (!logits_MV.isfinite().all().item<bool>())
            throw Error(ErrorCode::NonFinite, "the model's logits on the recall sequences are not finite: try float32 as compute type");
        likeliest_N.narrow(0, first, rows).copy_(logits_MV.argmax(1));
    }
    return likeliest_N;
}

std::int64_t likeliestBytes(const nn::Transformer &model, std::int64_t positions, at::ScalarType computeType)
{
    const auto element = static_cast<std::int64_t>(at::elementSize(computeType));
    const std::int64_t vocabulary = model.head_VD.size(0), width = model.head_VD.size(1);
    const std::int64_t cast = model.head_VD.scalar_type() == computeType ? 0 : model.head_VD.numel() * element;
    // Whether logits are finite is asked of their magnitudes, a second tensor of their size, with three answers of a byte each.
    return std::min(positions, sliceRows) * vocabulary * (2 * element + 3) + positions * width * element + cast;
}

}  // namespace stillroom::evaluation
