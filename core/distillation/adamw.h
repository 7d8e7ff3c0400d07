// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/tokenmixer.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace stillroom::distillation {

using NamedTensor = std::pair<std::string, at::Tensor>;
/// Gives the stored tensor of a name, or an undefined one where there is none.
using TensorLookup = std::function<at::Tensor(const std::string &name)>;

/// One parameter that trains: a leaf with requires_grad, dense, fp32 or fp64.
struct TrainedParameter {
    std::string name;
    at::Tensor tensor;
    nn::ParameterTraits traits;    ///< without weightDecay (norms, A_log, dt_bias) it is never decayed
};

/// Parameters that share a learning rate.
struct ParameterGroup {
    std::string name;              ///< "mixers", "rest", "layer.7"
    double learningRate = 1e-3;    ///< base, before the schedule's factor
    double weightDecay = 0.01;     ///< decoupled; for parameters whose traits allow it
    std::vector<TrainedParameter> parameters;
};

struct AdamWOptions {
    double beta1 = 0.9;
    double beta2 = 0.95;
    double epsilon = 1e-8;
};

/// AdamW (Loshchilov and Hutter 2019, algorithm 2) with PyTorch's order of operations, through at::_fused_adamw_ on CPU and CUDA:
///     w ← w (1 - η λ);  m ← β₁ m + (1-β₁) g;  v ← β₂ v + (1-β₂) g²;  w ← w - η / (1-β₁ᵗ) · m / (√v / √(1-β₂ᵗ) + ε)
/// Moments have the parameter's type (fp32 masters). Each parameter counts its own updates t, so that one which got no gradient is left as it is.
/// Updates are elementwise: grouping and order change no bit.
class AdamW final {
public:
    /// \throws Error(Usage) for a doubled name, a parameter that is no dense floating leaf, or options out of range.
    AdamW(std::vector<ParameterGroup> groups, AdamWOptions options);

    /// One update from the parameters' gradients; η of a group = its learningRate × factor. Parameters without a gradient are left alone.
    void step(double learningRateFactor);
    /// Drops all gradients (their memory too).
    void zeroGradients();

    [[nodiscard]] const std::vector<ParameterGroup> &groups() const { return m_groups; }
    /// The defined gradients of one group.
    [[nodiscard]] std::vector<at::Tensor> gradients(std::size_t group) const;
    /// Those of all groups, in their order.
    [[nodiscard]] std::vector<at::Tensor> gradients() const;
    /// Moments and counts, "exp_avg.NAME", "exp_avg_sq.NAME", "step.NAME": the same handles, for a checkpoint.
    [[nodiscard]] std::vector<NamedTensor> state() const;
    /// Takes the state back, bit for bit. \throws Error(BadFile) for a tensor that is missing or has another shape.
    void restore(const TensorLookup &stored);
    [[nodiscard]] std::int64_t stateBytes() const;

private:
    struct Moments {
        at::Tensor first, second;   ///< like the parameter
        at::Tensor count;           ///< fp32 scalar on the parameter's device, as the fused kernel wants it
    };
    void updatePart(const ParameterGroup &group, const std::vector<Moments> &moments, bool decayed, double learningRateFactor);

    std::vector<ParameterGroup> m_groups;
    std::vector<std::vector<Moments>> m_moments;   ///< by group and parameter
    AdamWOptions m_options;
};

}  // namespace stillroom::distillation
