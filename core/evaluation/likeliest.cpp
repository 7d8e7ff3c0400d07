// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/likeliest.h"

#include "error.h"

#include <ATen/ATen.h>

#include <vector>

namespace stillroom::evaluation {

at::Tensor likeliestNext(const nn::Transformer &model, const at::Tensor &ids_BT, const at::Tensor &positions_N, at::ScalarType computeType, const std::stop_token &stop)
{
    constexpr std::int64_t sliceRows = 1024;
    nn::ForwardOptions options;
    options.stop = stop;
    const at::Tensor hidden_BTD = model.forward(ids_BT.to(model.device()), {}, computeType, options).hidden_BTD;
    const at::Tensor asked_ND = hidden_BTD.flatten(0, 1).index_select(0, positions_N.to(model.device()));
    std::vector<at::Tensor> slices;
    for (const at::Tensor &slice_MD : asked_ND.split(sliceRows)) {
        const at::Tensor logits_MV = model.logits(slice_MD.unsqueeze(0)).squeeze(0);
        if (!logits_MV.isfinite().all().item<bool>())
            throw Error(ErrorCode::NonFinite, "the model's logits on the recall sequences are not finite: try float32 as compute type");
        slices.push_back(logits_MV.argmax(1).cpu());
    }
    return at::cat(slices);
}

}  // namespace stillroom::evaluation
