// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/rope.h"
#include "nn/tokenmixer.h"

// Shape legend beside the room's: G key/value heads (query head n reads key/value head ⌊n / (H/G)⌋).
namespace stillroom::nn {

/// What decides a softmax layer's arithmetic beside its weights and its RoPE.
struct SoftmaxOptions {
    int hiddenSize = 0;                 ///< D
    int numHeads = 0, numKvHeads = 0;   ///< H, G
    int headDim = 0;                    ///< K
    std::int64_t slidingWindow = 0;     ///< tokens a query sees, itself included; 0: all before it
    double normEps = 1e-6;              ///< of the q/k norms
    /// Of `layer` in `config`.
    [[nodiscard]] static SoftmaxOptions ofLayer(const checkpoint::ModelConfig &config, int layer);
};

/// Handles. Rows of q, k, v are whole heads one after another: row n·K + j is channel j of head n. Undefined where the model has none.
struct SoftmaxWeights {
    at::Tensor wq_HKD, wk_GKD, wv_GKD;   ///< [H·K,D], [G·K,D], [G·K,D]
    at::Tensor wo_DHK;                   ///< [D,H·K]
    at::Tensor bq_HK, bk_GK, bv_GK, bo_D;
    at::Tensor qNorm_K, kNorm_K;         ///< per-head RMSNorm on q and k before RoPE
};

/// Causal softmax attention with grouped queries, RoPE, optional biases, q/k norms and sliding window:
/// y = Wo · softmax(q kᵀ / √K) v.
class SoftmaxMixer final : public TokenMixer {
public:
    /// \param rope  null: no position embedding. \throws Error(Usage) naming a weight of the wrong shape.
    SoftmaxMixer(const SoftmaxOptions &options, SoftmaxWeights weights, std::shared_ptr<const RotaryEmbedding> rope);

    [[nodiscard]] const SoftmaxOptions &options() const { return m_options; }
    [[nodiscard]] const SoftmaxWeights &weights() const { return m_weights; }
    [[nodiscard]] const std::shared_ptr<const RotaryEmbedding> &rope() const { return m_rope; }

    struct Qkv {
        at::Tensor q_BHTK, k_BGTK, v_BGTK;
    };
    /// Projected, normed and rotated, in the type of x.
    [[nodiscard]] Qkv project(const at::Tensor &x_BTD, const TokenPlaces &places) const;

    [[nodiscard]] std::string_view kind() const override { return "softmax"; }
    [[nodiscard]] std::string optionsJson() const override { return "{}"; }
    /// A forward with a state keeps no graph through what is remembered.
    [[nodiscard]] at::Tensor forward(const at::Tensor &x_BTD, const TokenPlaces &places, LayerState *state) const override;
    [[nodiscard]] std::unique_ptr<LayerState> initialState(std::int64_t batch, std::int64_t maxTokens, at::ScalarType computeType) const override;
    [[nodiscard]] std::int64_t stateBytes(std::int64_t batch, std::int64_t tokens, at::ScalarType computeType) const override;
    [[nodiscard]] double flopsPerToken(std::int64_t contextTokens) const override;
    /// Probabilities in fp32 (fp64 for fp64); rows of padding attend to padding.
    [[nodiscard]] at::Tensor matrix(const at::Tensor &x_BTD, const TokenPlaces &places) const override;
    [[nodiscard]] bool carries(TeacherFeature) const override { return true; }
    void visitParameters(const ParameterVisitor &visit) override;
    [[nodiscard]] std::shared_ptr<TokenMixer> clone() const override { return std::make_shared<SoftmaxMixer>(*this); }

private:
    [[nodiscard]] at::Tensor attendWhole(const Qkv &qkv, const TokenPlaces &places) const;
    [[nodiscard]] at::Tensor attendCached(const Qkv &qkv, const TokenPlaces &places, LayerState &state) const;

    SoftmaxOptions m_options;
    SoftmaxWeights m_weights;
    std::shared_ptr<const RotaryEmbedding> m_rope;
};

/// [B,G,S,K] → [B,H,S,K]: each key/value head `groupSize` times in a row (whole heads).
[[nodiscard]] at::Tensor repeatHeads(const at::Tensor &x_BGSK, std::int64_t groupSize);

}  // namespace stillroom::nn
