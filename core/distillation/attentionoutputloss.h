// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

namespace stillroom::distillation {

/// What stage 1 minimises, per layer. y are mixer outputs after the output projection [B,T,D]; sums and means run over the n counted tokens t.
enum class OutputLoss {
    RelativeMse,   ///< Σ_t ‖y_T - y_S‖² / Σ_t ‖y_T‖²: our default; 1 for a layer that outputs zero
    Rms,           ///< mean_t ‖y_T - y_S‖₂ / √D: hybrid-distillation's published code
    Squared,       ///< mean_t ‖y_T - y_S‖²: arXiv 2512.20569, stage 1
    MeanSquare,    ///< mean_t ‖y_T - y_S‖² / D: Taylor-Calibrate's published alignment
    RmsScaled,     ///< Rms / √(Σ_t ‖y_T‖² / (n D)): Rms in units of the target's own RMS
};
/// "relative-mse" | "rms" | "squared" | "mean-square" | "rms-scaled". \throws Error(Usage)
[[nodiscard]] OutputLoss parseOutputLoss(const std::string &text);
[[nodiscard]] const char *outputLossName(OutputLoss loss);

/// Sums over counted tokens of one micro-batch, from which the loss of a whole accumulation window follows exactly: loss = numerator / denominator,
/// both summed over the window; the denominator has no gradient, so gradients are those of the numerator divided once at the end.
struct OutputLossSums {
    at::Tensor numerator;        ///< fp32 (fp64) scalar, differentiable in y_S: Σ_t ‖·‖² (RelativeMse, Squared) or Σ_t ‖·‖₂ / √D
    at::Tensor errorSquares;     ///< Σ ‖y_T - y_S‖², detached float64 scalar
    at::Tensor targetSquares;    ///< Σ ‖y_T‖², float64 scalar
    at::Tensor cosineSum;        ///< Σ_t cos(y_T, y_S), float64 scalar (0 for a zero vector)
};
/// \param counted_BT  bool on the outputs' device; undefined: all. Values at other tokens are never used, not even when they are NaN.
[[nodiscard]] OutputLossSums outputLossSums(OutputLoss loss, const at::Tensor &teacher_BTD, const at::Tensor &student_BTD, const at::Tensor &counted_BT);

/// The denominator for a window of `countedTokens` tokens whose targets' squares sum to `targetSquares`; `width` = D.
/// \throws Error(NonFinite) for a relative loss whose targets are all zero.
[[nodiscard]] double outputLossDenominator(OutputLoss loss, double targetSquares, std::int64_t countedTokens, std::int64_t width);

}  // namespace stillroom::distillation
