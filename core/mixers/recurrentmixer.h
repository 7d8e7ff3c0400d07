// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mixers/linearmixer.h"
#include "mixers/options.h"
#include "mixers/recurrentstate.h"
#include "nn/rope.h"
#include "recurrence/recurrence.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace stillroom::mixers {

/// Head counts and widths of a recurrent mixer. Query, key and value heads may differ: head n of the recurrence, of which there are
/// `heads()`, uses query head ⌊n·queryHeads/heads⌋, and keys, values, decays likewise (grouped keys and values, or grouped queries and keys).
struct HeadShape {
    std::int64_t width = 0;        ///< D
    std::int64_t queryHeads = 0, keyHeads = 0, valueHeads = 0;
    std::int64_t keyDim = 0;       ///< K, per head
    std::int64_t valueDim = 0;     ///< V, per head
    [[nodiscard]] std::int64_t heads() const;     ///< of the recurrence and of the output
    [[nodiscard]] std::int64_t states() const;    ///< distinct states among them
    [[nodiscard]] std::int64_t convChannels() const { return (queryHeads + keyHeads) * keyDim + valueHeads * valueDim; }
};

/// The options that every recurrent mixer has.
struct RecurrentOptions {
    HeadShape shape;
    bool outputGate = true;        ///< output_gate: norm(o) ∘ SiLU(g_proj x)
    bool gateBias = false;         ///< gate_bias: g_proj has a bias; gate weights start at 0 and the bias where SiLU is 1
    bool shortConv = false;        ///< short_conv: on q, k and v, before anything else
    std::int64_t convSize = 4;     ///< conv_size: W
    bool convIdentity = true;      ///< conv_init: "identity" (last tap 1) or "random" (± 1/√W)
    double normEps = 1e-6;         ///< norm_eps of the per-head norm
    Expand expand = Expand::Head;  ///< expand: "head" or "row"
    bool copyTeacher = true;       ///< init: "teacher" (q, k, v, o copied) or "random"
    bool carryBias = false;        ///< carry_bias: the biases of q, k, v, o that the teacher has
    bool teacherRope = false;      ///< rope: "teacher" rotates q and k as the teacher does, before any activation
    bool teacherQkNorm = false;    ///< qk_norm: "teacher" keeps its per-head RMSNorm on q and k
    std::string json;              ///< all options of the mixer, completed

    /// Reads all but `shape`, which the mixer's own options decide; checks that the teacher's weights fit into it.
    void read(OptionReader &reader, const HeadShape &headShape, const checkpoint::ModelConfig &teacher);
};

/// Projections → (short convolution, q/k norm, RoPE) → recurrence → per-head RMSNorm → gate → output projection.
/// A mixer derives from it and says in `fill` how its streams drive the recurrence.
///
/// Shape legend: B batch, T tokens, D width, H heads of the recurrence, K key channels, V value channels.
class RecurrentMixer : public LinearMixer {
public:
    [[nodiscard]] std::string optionsJson() const final { return m_options.json; }
    [[nodiscard]] at::Tensor forward(const at::Tensor &x_BTD, const nn::TokenPlaces &places, nn::LayerState *state) const final;
    [[nodiscard]] std::unique_ptr<nn::LayerState> initialState(std::int64_t batch, std::int64_t maxTokens, at::ScalarType computeType) const final;
    [[nodiscard]] std::int64_t stateBytes(std::int64_t batch, std::int64_t tokens, at::ScalarType computeType) const final;
    [[nodiscard]] double flopsPerToken(std::int64_t contextTokens) const final;
    /// M of o = M v before norm and gate: comparable with softmax probabilities, but signed and not normalised.
    [[nodiscard]] at::Tensor matrix(const at::Tensor &x_BTD, const nn::TokenPlaces &places) const final;
    [[nodiscard]] bool carries(nn::TeacherFeature feature) const final;
    void visitParameters(const nn::ParameterVisitor &visit) final;
    void initialise(const TeacherAttention &teacher, int layer, std::uint64_t seed) final;
    /// Decay and write strength are for the mixer to say.
    [[nodiscard]] bool has(Quantity quantity) const override;
    [[nodiscard]] ParameterRole role(std::string_view parameter) const final;
    [[nodiscard]] std::int64_t numHeads() const final { return m_options.shape.heads(); }
    [[nodiscard]] std::int64_t numStates() const final { return m_options.shape.valueHeads; }
    [[nodiscard]] Trace trace(const at::Tensor &x_BTD, const nn::TokenPlaces &places) const final;
    [[nodiscard]] at::Tensor outputOf(const at::Tensor &context_BTHV, const at::Tensor &x_BTD) const final;
    [[nodiscard]] WriteProjection writeProjection() override { return {}; }
    /// \throws Error(Unsupported) unless the mixer has a decay and says how to set it.
    void setDecay(const at::Tensor &rate_H) override;
    void scaleValues(const at::Tensor &scale_H) final;
    void setGateFromValues(double factor) final;
    void scaleGate(double factor) final;

protected:
    /// q, k, v as they leave convolution, q/k norm and RoPE, with their own head counts: [B,T,h,K] and [B,T,h,V]. In the type of x,
    /// or in fp32 after a convolution (the activation that follows is then rounded once).
    struct Streams {
        at::Tensor q_BThK, k_BThK, v_BThV;
    };
    enum class Rule { Additive, Delta };

    RecurrentMixer(RecurrentOptions options, std::string normName, Rule rule, const checkpoint::ModelConfig &config, at::Device device);
    RecurrentMixer(const RecurrentMixer &) = default;

    /// Sets q, k, v, g, a, b of `inputs`, all with H heads: q scaled, keys normalised, decay in fp32 (fp64 for fp64 x).
    virtual void fill(recurrence::Inputs &inputs, const Streams &streams, const at::Tensor &x_BTD) const = 0;
    /// β [B,T,value heads] in fp32 (fp64); undefined for a mixer without it.
    [[nodiscard]] virtual at::Tensor writeStrength(const at::Tensor & /*x_BTD*/) const { return {}; }
    /// The mixer's own parameters.
    virtual void visitOwnParameters(const nn::ParameterVisitor &visit) = 0;
    virtual void initialiseOwn(int layer, std::uint64_t seed) = 0;

    [[nodiscard]] const HeadShape &shape() const { return m_options.shape; }
    [[nodiscard]] const RecurrentOptions &common() const { return m_options; }
    /// [B,T,h,…] with each head repeated so that there are H.
    [[nodiscard]] at::Tensor toAllHeads(const at::Tensor &perHead) const;

private:
    [[nodiscard]] Streams streams(const at::Tensor &x_BTD, const nn::TokenPlaces &places, RecurrentState *state) const;
    [[nodiscard]] recurrence::Inputs inputs(const at::Tensor &x_BTD, const nn::TokenPlaces &places, RecurrentState *state) const;
    [[nodiscard]] at::Tensor recur(recurrence::Inputs inputs, RecurrentState *state) const;
    [[nodiscard]] at::Tensor output(const at::Tensor &o_BTHV, const at::Tensor &x_BTD) const;
    void copyProjections(const TeacherAttention &teacher, int layer, std::uint64_t seed);

    RecurrentOptions m_options;
    std::string m_normName;
    Rule m_rule;
    std::shared_ptr<const nn::RotaryEmbedding> m_rope;        // null unless rope is "teacher"
    double m_qkNormEps;
    at::Tensor m_q, m_k, m_v, m_o, m_gate;                    // [out,in]
    at::Tensor m_qBias, m_kBias, m_vBias, m_oBias, m_gateBias;
    at::Tensor m_qConv, m_kConv, m_vConv;                     // [channels,1,W]
    at::Tensor m_qNorm_K, m_kNorm_K, m_norm_V;
};

}  // namespace stillroom::mixers
