// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "selection/hiddenstatetraining.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stillroom::selection {

/// How the trained numbers θ make the gates α ∈ [0,1]^L. All start where every α is the same.
enum class GateForm {
    Clamp,     ///< α = θ, projected onto [0,1] after every update: a gate can end at exactly 0 or 1, and come back
    Sigmoid,   ///< α = 1 / (1 + e^-θ)
    Softmax,   ///< DASH (arXiv 2605.20936): two logits a layer, one an operator, α the softmax weight of softmax attention
};
/// "clamp" | "sigmoid" | "softmax". \throws Error(Usage)
[[nodiscard]] GateForm parseGateForm(const std::string &text);

/// α_L of the trained numbers, differentiable. \param numbers  [L], for Softmax [L,2].
[[nodiscard]] at::Tensor gatesOf(GateForm form, const at::Tensor &numbers);

struct GateOptions {
    GateForm form = GateForm::Clamp;
    double start = 0.5;              ///< every layer's α before the first step; in [0,1], for Sigmoid and Softmax inside (0,1)
    double linearisation = 0.1;      ///< λ of λ · mean α, the pull towards linear layers
    HiddenStateTrainingOptions training;
};

/// The student in which every layer has both operators and mixes them by its gate. Handles. \param alpha_L  may require gradients.
/// \throws Error(Usage) unless every layer has an aligned mixer and a gate.
[[nodiscard]] nn::Transformer gatedStudent(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const at::Tensor &alpha_L);

/// FlashMorph (arXiv 2606.30562): finds the layers that are to stay softmax by training one gate a layer and nothing else,
///     min over α of  mean over sequences of e(α) + λ · mean α,      e: hiddenError_B of gatedStudent
/// A gate falls to 0 where the linear layer does as well, and stays up where hidden states would drift from the teacher's. S = the K largest α.
/// Backward reaches L numbers: no weight gets a gradient, an optimizer state or a copy.
class GateTraining final : public HiddenStateTraining {
public:
    /// \param source  must outlive the stage. \throws Error(Usage)
    GateTraining(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, distillation::BatchSource &source, GateOptions options);

    /// α by layer, as the last step left them.
    [[nodiscard]] std::vector<double> gates() const;

private:
    [[nodiscard]] nn::Transformer student(std::int64_t step) const override;
    [[nodiscard]] at::Tensor penalty() const override;
    void afterUpdate() override;

    std::vector<distillation::AlignedLayer> m_mixers;   ///< frozen
    GateOptions m_options;
    at::Tensor m_numbers;                               ///< θ
};

}  // namespace stillroom::selection
