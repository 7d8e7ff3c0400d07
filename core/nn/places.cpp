// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/places.h"

#include "error.h"
#include "nn/sharedtables.h"
#include "nn/transformer.h"

#include <ATen/ATen.h>

namespace stillroom::nn {

at::Tensor positionsInDocuments(const at::Tensor &documents_BT)
{
    const std::int64_t numTokens = documents_BT.size(1);
    const at::Tensor index_T = at::arange(numTokens, documents_BT.options());
    at::Tensor start_BT = at::zeros_like(documents_BT);
    if (numTokens > 1) {
        const at::Tensor changed = documents_BT.narrow(1, 1, numTokens - 1).ne(documents_BT.narrow(1, 0, numTokens - 1));
        start_BT.narrow(1, 1, numTokens - 1).copy_(changed * index_T.narrow(0, 1, numTokens - 1));
    }
    return index_T - std::get<0>(start_BT.cummax(1));
}

TokenPlaces completePlaces(TokenPlaces places, std::int64_t batch, std::int64_t numTokens, at::Device device, const DecodeState *state)
{
    const std::vector<std::int64_t> shape = {batch, numTokens};
    const auto toDevice = [device](at::Tensor &tensor) {
        if (tensor.defined()) {
            tensor = tensor.to(device, at::kLong);
        }
    };
    toDevice(places.positions_BT);
    toDevice(places.documents_BT);
    for (const at::Tensor *given : {&places.positions_BT, &places.documents_BT}) {
        if (given->defined() && given->sizes() != at::IntArrayRef(shape)) {
            throw Error(ErrorCode::Usage, "Positions and documents of a batch must have one entry per token, [" + std::to_string(batch) + "," + std::to_string(numTokens) + "].");
        }
    }
    const bool begun = state && state->validTokens_B.defined();
    if (begun && !places.documents_BT.defined() && state->documents_B.defined()) {
        places.documents_BT = state->documents_B.unsqueeze(1).expand(shape);
    }
    if (!places.positions_BT.defined()) {
        if (begun) {
            places.positions_BT = state->validTokens_B.unsqueeze(1) + at::arange(numTokens, state->validTokens_B.options());
        } else if (places.documents_BT.defined()) {
            places.positions_BT = positionsInDocuments(places.documents_BT);
        } else {
            places.positions_BT = at::arange(numTokens, at::TensorOptions(at::kLong).device(device)).unsqueeze(0).expand(shape);
        }
    }
    places.shared = std::make_shared<SharedTables>();
    return places;
}

void rememberPlaces(DecodeState &state, const TokenPlaces &places)
{
    const at::Tensor next_BT = places.positions_BT + 1;
    if (!places.documents_BT.defined()) {
        state.validTokens_B = next_BT.select(1, next_BT.size(1) - 1).contiguous();
        return;
    }
    const at::Tensor index_T = at::arange(next_BT.size(1), next_BT.options());
    const at::Tensor last_B1 = at::where(places.documents_BT.ge(0), index_T, index_T.new_full({}, -1)).amax(1, true);
    const at::Tensor anyValid_B = last_B1.ge(0).squeeze(1), at_B1 = last_B1.clamp_min(0);
    const at::Tensor before_B = state.validTokens_B.defined() ? state.validTokens_B : next_BT.new_zeros({next_BT.size(0)});
    const at::Tensor beforeDocument_B = state.documents_B.defined() ? state.documents_B : next_BT.new_zeros({next_BT.size(0)});
    state.validTokens_B = at::where(anyValid_B, next_BT.gather(1, at_B1).squeeze(1), before_B);
    state.documents_B = at::where(anyValid_B, places.documents_BT.gather(1, at_B1).squeeze(1), beforeDocument_B);
}

TokenPlaces placesFromMask(const at::Tensor &ids_BT, const at::Tensor &attentionMask_BT)
{
    TokenPlaces places;
    if (attentionMask_BT.defined()) {
        const at::Tensor valid_BT = attentionMask_BT.to(ids_BT.device()).ne(0);
        if (!valid_BT.all().item<bool>()) {
            places.documents_BT = valid_BT.to(at::kLong).sub_(1);   // 0 valid, -1 padding
            places.positions_BT = valid_BT.cumsum(1).sub_(1).clamp_min_(0);
        }
    }
    return completePlaces(places, ids_BT.size(0), ids_BT.size(1), ids_BT.device(), nullptr);
}

}  // namespace stillroom::nn
