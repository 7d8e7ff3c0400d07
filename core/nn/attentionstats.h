// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"

namespace stillroom::nn {

/// Means over the valid tokens t (rows) of one head's probabilities A, accumulated in float64.
struct HeadAttention {
    double meanDistanceTokens = 0.0;   ///< Σ_s A_ts max(t − s, ½): the diagonal counts ½, nothing is clamped
    double entropyNats = 0.0;          ///< −Σ_s A_ts ln A_ts
    double sinkMass = 0.0;             ///< A_t0, the mass on the first token of t's document
};

struct LayerAttention {
    int layer = 0;
    std::vector<HeadAttention> heads;
};

/// Statistics of every softmax layer's attention over batches of text; linear layers have none.
/// One layer's probabilities exist at a time, a block of rows at a time: memory grows with the tokens, not with their square.
class AttentionStatistics final {
public:
    /// \param model  handles are kept.
    explicit AttentionStatistics(const Transformer &model);
    /// \param places  undefined members are filled in; padding (document −1) counts nowhere. \throws Error(Cancelled), as forward
    void add(const at::Tensor &ids_BT, TokenPlaces places, at::ScalarType computeType, const std::stop_token &stop = {});
    [[nodiscard]] std::int64_t numTokens() const { return m_numTokens; }
    /// Ascending by layer; all zero before the first token.
    [[nodiscard]] std::vector<LayerAttention> result() const;

private:
    Transformer m_model;
    std::vector<int> m_layers;
    std::vector<at::Tensor> m_sums_3H;   ///< per softmax layer, float64 on the CPU
    std::int64_t m_numTokens = 0;
};

}  // namespace stillroom::nn
