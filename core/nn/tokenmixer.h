// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The Transformer. Shape legend of this room:
/// B batch, T tokens of this call, S tokens in the cache, D model width, H query heads, K head dim, V vocabulary or value channels.
namespace stillroom::nn {

class SharedTables;   // sharedtables.h

/// Where each token of a batch stands.
struct TokenPlaces {
    at::Tensor positions_BT;   ///< int64, RoPE position (with left padding: counted from the first valid token)
    at::Tensor documents_BT;   ///< int64: tokens with different ids never attend to each other, -1 is padding. Undefined: one document, no padding
    std::shared_ptr<SharedTables> shared;   ///< masks and rotary tables that the layers of one forward make once; may be null
};

/// How the optimizer and the files treat a parameter.
struct ParameterTraits {
    bool weightDecay = true;   ///< false for norms, A_log, dt_bias, decay biases
    bool keepFp32 = false;     ///< stored and exported in fp32 whatever the rest is
};
/// Called once per parameter; may replace the handle (cloning, loading, moving to a device).
using ParameterVisitor = std::function<void(const std::string &name, at::Tensor &tensor, ParameterTraits traits)>;

/// What one layer remembers while decoding: a KV cache, a recurrent state, or a window.
class LayerState {
public:
    virtual ~LayerState() = default;
    [[nodiscard]] virtual std::unique_ptr<LayerState> clone() const = 0;
    [[nodiscard]] virtual std::int64_t sizeBytes() const = 0;
    /// Named tensors that hold it, for saving and comparing.
    [[nodiscard]] virtual std::vector<std::pair<std::string, at::Tensor>> tensors() const = 0;
};

/// What a teacher may have that a mixer may or may not carry over.
enum class TeacherFeature { QkvBias, OutputBias, QkNorm, Rope, RopeScaling, SlidingWindow, GroupedQuery, WideHeads };

/// One layer's token mixer: softmax attention or a linear one. Weights are fp32 masters; the type of x decides the compute type
/// (weights are cast explicitly; norms, decays, softmax and states stay in fp32).
class TokenMixer {
public:
    virtual ~TokenMixer() = default;
    [[nodiscard]] virtual std::string_view kind() const = 0;         ///< "softmax", "gdn", "gla", …
    [[nodiscard]] virtual std::string optionsJson() const = 0;       ///< what a hybrid's config.json holds beside the kind
    /// \param x_BTD  normed layer input. \param state  null: a whole sequence from an empty state; else T tokens after the remembered ones (updated in place).
    /// \return [B,T,D] in the type of x, after the output projection; rows of padding are arbitrary but finite.
    [[nodiscard]] virtual at::Tensor forward(const at::Tensor &x_BTD, const TokenPlaces &places, LayerState *state) const = 0;
    [[nodiscard]] virtual std::unique_ptr<LayerState> initialState(std::int64_t batch, std::int64_t maxTokens, at::ScalarType computeType) const = 0;
    [[nodiscard]] virtual std::int64_t stateBytes(std::int64_t batch, std::int64_t tokens, at::ScalarType computeType) const = 0;
    [[nodiscard]] virtual double flopsPerToken(std::int64_t contextTokens) const = 0;   ///< forward, multiply-add = 2
    /// The causal map over tokens, [B,H,T,T]: softmax probabilities, or M of a linear mixer. \throws Error(Unsupported) where undefined.
    [[nodiscard]] virtual at::Tensor matrix(const at::Tensor &x_BTD, const TokenPlaces &places) const = 0;
    [[nodiscard]] virtual bool carries(TeacherFeature feature) const = 0;
    /// Names are relative to the layer's prefix: "q_proj.weight", "A_log", …
    virtual void visitParameters(const ParameterVisitor &visit) = 0;
    /// Numbers in all of them.
    [[nodiscard]] std::int64_t numParameters()
    {
        std::int64_t count = 0;
        visitParameters([&count](const std::string &, at::Tensor &tensor, ParameterTraits) { count += tensor.numel(); });
        return count;
    }
    /// A copy whose tensors are the same handles (cheap); `deepCopy` in transformer.h makes them own memory.
    [[nodiscard]] virtual std::shared_ptr<TokenMixer> clone() const = 0;
};

}  // namespace stillroom::nn
