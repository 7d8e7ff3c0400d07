// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/zeromixer.h"

#include "error.h"

#include <ATen/ATen.h>

namespace stillroom::nn {
namespace {

class NoState final : public LayerState {
public:
    [[nodiscard]] std::unique_ptr<LayerState> clone() const override { return std::make_unique<NoState>(); }
    [[nodiscard]] std::int64_t sizeBytes() const override { return 0; }
    [[nodiscard]] std::vector<std::pair<std::string, at::Tensor>> tensors() const override { return {}; }
};

}  // namespace

at::Tensor ZeroMixer::forward(const at::Tensor &x_BTD, const TokenPlaces &, LayerState *) const
{
    return at::zeros_like(x_BTD);
}

std::unique_ptr<LayerState> ZeroMixer::initialState(std::int64_t, std::int64_t, at::ScalarType) const
{
    return std::make_unique<NoState>();
}

at::Tensor ZeroMixer::matrix(const at::Tensor &, const TokenPlaces &) const
{
    throw Error(ErrorCode::Unsupported, "a layer whose attention is zeroed has no attention matrix");
}

}  // namespace stillroom::nn
