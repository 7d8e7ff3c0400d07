// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/shortconv.h"

#include <ATen/ATen.h>

#include <tuple>

namespace stillroom::mixers {

namespace {

/// Legend as in the header; S = P + T inputs with the history in front.
/// Where the s-th valid input before a token stands, and whether it is of the token's document.
struct Lookback {
    Lookback(const at::Tensor &documents_BT, std::int64_t historyLength)
    {
        const auto valid_BT = documents_BT.ge(0);
        // The history belongs to the document that the row begins with; a row of padding only keeps it under any name.
        const auto firstValid_B1 = std::get<1>(valid_BT.to(at::kLong).max(1, true));
        const auto first_B1 = documents_BT.gather(1, firstValid_B1).clamp_min(0);
        documents_BS = at::cat({first_B1.expand({-1, historyLength}), documents_BT}, 1);
        const auto padding_BS = documents_BS.lt(0);
        rank_BS = padding_BS.logical_not().cumsum(1) - 1;
        order_BS = std::get<1>(padding_BS.to(at::kByte).sort(/*stable=*/true, 1, /*descending=*/false));
    }

    /// Index of the input `steps` valid tokens before those of the given ranks and documents, and where there is one.
    std::pair<at::Tensor, at::Tensor> source(const at::Tensor &rank_BX, const at::Tensor &documents_BX, std::int64_t steps) const
    {
        const auto source_BX = order_BS.gather(1, (rank_BX - steps).clamp_min(0));
        const auto there_BX = rank_BX.ge(steps).logical_and(documents_BS.gather(1, source_BX).eq(documents_BX));
        return {source_BX, there_BX};
    }

    at::Tensor documents_BS, rank_BS, order_BS;
};

at::Tensor pick(const at::Tensor &inputs_BSC, const std::pair<at::Tensor, at::Tensor> &source)
{
    const auto &[index_BX, there_BX] = source;
    const auto rowStart_B1 = at::arange(inputs_BSC.size(0), index_BX.options()).unsqueeze(1) * inputs_BSC.size(1);
    const auto picked = inputs_BSC.flatten(0, 1).index_select(0, (index_BX + rowStart_B1).flatten());
    const auto picked_BXC = picked.view({index_BX.size(0), index_BX.size(1), inputs_BSC.size(2)});
    return picked_BXC.masked_fill(there_BX.logical_not().unsqueeze(2), 0);
}

}  // namespace

ShortConvolution shortConvolution(const at::Tensor &x_BTC, const at::Tensor &weight_C1W, const at::Tensor &history_BPC, const at::Tensor &documents_BT)
{
    const std::int64_t T = x_BTC.size(1), W = weight_C1W.size(2), P = W - 1;
    const auto type = x_BTC.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const auto before_BPC = history_BPC.defined() ? history_BPC.to(x_BTC.scalar_type()) : at::zeros({x_BTC.size(0), P, x_BTC.size(2)}, x_BTC.options());
    const auto inputs_BSC = at::cat({before_BPC, x_BTC}, 1);
    const auto taps_CW = weight_C1W.squeeze(1).to(type);
    at::Tensor y_BTC;
    const auto add = [&](std::int64_t tap, const at::Tensor &input_BTC) {
        const auto term_BTC = input_BTC.to(type) * taps_CW.select(1, tap);
        y_BTC = y_BTC.defined() ? y_BTC + term_BTC : term_BTC;
    };
    if (!documents_BT.defined()) {
        for (std::int64_t tap = 0; tap < W; ++tap)
            add(tap, inputs_BSC.narrow(1, tap, T));
        return {y_BTC, inputs_BSC.narrow(1, T, P)};
    }
    const Lookback lookback(documents_BT, P);
    const auto rank_BT = lookback.rank_BS.narrow(1, P, T);
    for (std::int64_t tap = 0; tap < W; ++tap)
        add(tap, pick(inputs_BSC, lookback.source(rank_BT, documents_BT, P - tap)));
    const auto lastRank_B1 = lookback.rank_BS.narrow(1, P + T - 1, 1);
    const auto lastDocument_B1 = lookback.documents_BS.gather(1, lookback.order_BS.gather(1, lastRank_B1.clamp_min(0)));
    std::vector<at::Tensor> history;
    for (std::int64_t steps = P - 1; steps >= 0; --steps)
        history.push_back(pick(inputs_BSC, lookback.source(lastRank_B1, lastDocument_B1, steps)));
    return {y_BTC, history.empty() ? inputs_BSC.narrow(1, 0, 0) : at::cat(history, 1)};
}

}  // namespace stillroom::mixers
