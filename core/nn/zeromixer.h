// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/tokenmixer.h"

namespace stillroom::nn {

/// Says nothing: y = 0. In the place of a layer's attention it leaves the residual stream to the MLP: what ablation selectors call zeroing or bypassing attention.
class ZeroMixer final : public TokenMixer {
public:
    [[nodiscard]] std::string_view kind() const override { return "zero"; }
    [[nodiscard]] std::string optionsJson() const override { return "{}"; }
    [[nodiscard]] at::Tensor forward(const at::Tensor &x_BTD, const TokenPlaces &places, LayerState *state) const override;
    [[nodiscard]] std::unique_ptr<LayerState> initialState(std::int64_t batch, std::int64_t maxTokens, at::ScalarType computeType) const override;
    [[nodiscard]] std::int64_t stateBytes(std::int64_t, std::int64_t, at::ScalarType) const override { return 0; }
    [[nodiscard]] double flopsPerToken(std::int64_t) const override { return 0.0; }
    /// \throws Error(Unsupported): it has no heads
    [[nodiscard]] at::Tensor matrix(const at::Tensor &x_BTD, const TokenPlaces &places) const override;
    [[nodiscard]] bool carries(TeacherFeature) const override { return false; }
    void visitParameters(const ParameterVisitor &) override {}
    [[nodiscard]] std::shared_ptr<TokenMixer> clone() const override { return std::make_shared<ZeroMixer>(*this); }
};

}  // namespace stillroom::nn
