// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/tokenmixer.h"

#include <ATen/core/Tensor.h>

#include <memory>

namespace stillroom::selection {

/// One layer with both operators: y = α · softmax(x) + (1 - α) · linear(x), mixed in fp32 (fp64 for fp64) and cast back to the type of x.
/// α = 1 gives softmax(x) and α = 0 linear(x) in every bit. For whole sequences in training only: it is never decoded with or written to a file.
class GatedMixer final : public nn::TokenMixer {
public:
    /// \param alpha  scalar; its gradient is what gates are trained with.
    GatedMixer(std::shared_ptr<nn::TokenMixer> softmax, std::shared_ptr<nn::TokenMixer> linear, at::Tensor alpha);

    [[nodiscard]] std::string_view kind() const override { return "gated"; }
    [[nodiscard]] std::string optionsJson() const override { return "{}"; }
    /// \throws Error(Unsupported) for a state.
    [[nodiscard]] at::Tensor forward(const at::Tensor &x_BTD, const nn::TokenPlaces &places, nn::LayerState *state) const override;
    /// \throws Error(Unsupported)
    [[nodiscard]] std::unique_ptr<nn::LayerState> initialState(std::int64_t batch, std::int64_t maxTokens, at::ScalarType computeType) const override;
    [[nodiscard]] std::int64_t stateBytes(std::int64_t batch, std::int64_t tokens, at::ScalarType computeType) const override;
    [[nodiscard]] double flopsPerToken(std::int64_t contextTokens) const override;
    /// \throws Error(Unsupported)
    [[nodiscard]] at::Tensor matrix(const at::Tensor &x_BTD, const nn::TokenPlaces &places) const override;
    [[nodiscard]] bool carries(nn::TeacherFeature feature) const override;
    /// "gate", "softmax.NAME", "linear.NAME".
    void visitParameters(const nn::ParameterVisitor &visit) override;
    [[nodiscard]] std::shared_ptr<nn::TokenMixer> clone() const override;

private:
    std::shared_ptr<nn::TokenMixer> m_softmax, m_linear;
    at::Tensor m_alpha;
};

}  // namespace stillroom::selection
