// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/recurrentstate.h"

#include <ATen/ATen.h>

#include <tuple>

namespace stillroom::mixers {

std::unique_ptr<nn::LayerState> RecurrentState::clone() const
{
    auto copy = std::make_unique<RecurrentState>();
    copy->S_BHKV = S_BHKV.clone();
    if (history_BPC.defined())
        copy->history_BPC = history_BPC.clone();
    copy->lastDocument_B = lastDocument_B.clone();
    return copy;
}

std::int64_t RecurrentState::sizeBytes() const
{
    std::int64_t bytes = 0;
    for (const auto &[name, tensor] : tensors())
        bytes += static_cast<std::int64_t>(tensor.nbytes());
    return bytes;
}

std::vector<std::pair<std::string, at::Tensor>> RecurrentState::tensors() const
{
    std::vector<std::pair<std::string, at::Tensor>> named{{"S", S_BHKV}};
    if (history_BPC.defined())
        named.emplace_back("history", history_BPC);
    named.emplace_back("last_document", lastDocument_B);
    return named;
}

void RecurrentState::enter(const at::Tensor &documents_BT)
{
    if (!documents_BT.defined())
        return;
    const std::int64_t T = documents_BT.size(1);
    const auto valid_BT = documents_BT.ge(0);
    const auto anyValid_B = valid_BT.any(1);
    const auto at_B = [&](const at::Tensor &index_B1) { return documents_BT.gather(1, index_B1).squeeze(1); };
    const auto first_B = at_B(std::get<1>(valid_BT.to(at::kLong).max(1, true)));
    const auto last_B = at_B(T - 1 - std::get<1>(valid_BT.flip({1}).to(at::kLong).max(1, true)));
    const auto forget_B = anyValid_B.logical_and(lastDocument_B.ge(0)).logical_and(first_B.ne(lastDocument_B));
    S_BHKV.masked_fill_(forget_B.view({-1, 1, 1, 1}), 0);
    if (history_BPC.defined())
        history_BPC.masked_fill_(forget_B.view({-1, 1, 1}), 0);
    lastDocument_B.copy_(at::where(anyValid_B, last_B, lastDocument_B));
}

}  // namespace stillroom::mixers
