// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "nn/softmaxmixer.h"
#include "nn/transformer.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace stillroom::calibration {

/// How far a softmax head is from the linear attention that its Taylor expansion around zero scores gives: weights e^s ≈ 1 + s (order 1) or 1 + s + s²/2 (order 2),
/// s = q·k / √d with RoPE in q and k, y ≈ Σ w v / Σ w. The states of such a recurrence are never formed; sums run over keys instead.
struct HeadTaylor {
    double errorOfOrder[2] = {0.0, 0.0};  ///< Σ_t ‖y_t − ŷ_t‖² / Σ_t ‖y_t‖² for orders 1 and 2; 0 … ∞
    double cosineOfOrder[2] = {0.0, 0.0}; ///< Σ y·ŷ / √(Σ y² Σ ŷ²)
    double gamma = 1.0;                   ///< γ, γ² = 1 + μ₃ / (2 μ₂): order 2 folded into order 1. μ: moments of the scores less their row's mean; γ² below 0 counts as 0
    double scoreRms = 0.0;                ///< √μ₂: the expansion wants it well below 1
    double clampedShare = 0.0;            ///< of rows whose order-1 denominator fell below 1e-6 per key and was raised to it
};

struct TaylorOptions {
    bool centred = false;                 ///< expand around each row's mean score, which softmax does not feel, rather than around zero as published
};

/// Sums of one layer over sequences, as LayerAttentionSums.
class LayerTaylorSums final {
public:
    explicit LayerTaylorSums(TaylorOptions options = {}) : m_options(options) {}
    /// \param x_1TD  normed layer input; \param places  complete, [1,T]. A sliding window counts as it does in the layer. \throws Error(Cancelled)
    void add(const nn::SoftmaxMixer &mixer, const at::Tensor &x_1TD, const nn::TokenPlaces &places, const std::stop_token &stop = {});
    [[nodiscard]] std::vector<HeadTaylor> result() const;

private:
    TaylorOptions m_options;
    at::Tensor m_sums_QH;
};

struct LayerTaylor {
    int layer = 0;
    std::vector<HeadTaylor> heads;
};

/// Of every softmax layer of the teacher, which runs sequence by sequence and layer by layer; ascending by layer.
/// \param onSequence  called with how many sequences are done; may be empty. \throws Error(Cancelled)
[[nodiscard]] std::vector<LayerTaylor> taylorErrors(const nn::Transformer &teacher, const distillation::Batch &sequences, at::ScalarType computeType,
                                                    const std::function<void(std::int64_t done)> &onSequence = {}, const std::stop_token &stop = {}, TaylorOptions options = {});

}  // namespace stillroom::calibration
