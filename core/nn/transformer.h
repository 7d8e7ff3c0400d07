// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelfiles.h"
#include "nn/tokenmixer.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace stillroom::nn {

/// Gated MLP: down(act(gate x) ∘ up x). Biases are undefined where the model has none.
struct Mlp {
    at::Tensor gate_FD, up_FD, down_DF;
    at::Tensor gateBias_F, upBias_F, downBias_D;
};

/// h += mixer(norm1 h);  h += mlp(norm2 h).  The block points to its mixer: scoring layer l swaps a pointer.
struct Block {
    at::Tensor inputNorm_D, postNorm_D;
    std::shared_ptr<TokenMixer> mixer;
    Mlp mlp;
};

/// One LayerState per block and how many tokens they hold.
struct DecodeState {
    std::vector<std::unique_ptr<LayerState>> layers;
    at::Tensor validTokens_B;          ///< int64: RoPE position of the next token per row
    at::Tensor documents_B;            ///< int64: the document that each row's next tokens belong to; undefined: no documents or padding so far
    [[nodiscard]] DecodeState clone() const;
    [[nodiscard]] std::int64_t sizeBytes() const;
};

struct ForwardOptions {
    bool keepHiddenStates = false;     ///< N = 0 … L-1: input of layer N; the last: after the final norm
    bool keepMixerInputs = false;      ///< normed input of each mixer
    bool keepMixerOutputs = false;     ///< after the output projection
    bool checkpointBlocks = false;     ///< recompute each block in backward instead of keeping its activations
    std::stop_token stop;              ///< read at every layer; Error(Cancelled)
    DecodeState *state = nullptr;      ///< decode: T tokens after the remembered ones
};

struct ForwardResult {
    at::Tensor hidden_BTD;                       ///< after the final norm, in the compute type
    std::vector<at::Tensor> hiddenStates_BTD;    ///< L + 1 when kept
    std::vector<at::Tensor> mixerInputs_BTD, mixerOutputs_BTD;   ///< L each when kept
};

/// A value: copying it copies handles, so L students that differ in one mixer share everything else.
class Transformer final {
public:
    checkpoint::ModelConfig config;
    at::Tensor embedding_VD;
    std::vector<Block> blocks;
    at::Tensor finalNorm_D;
    at::Tensor head_VD;                          ///< the same handle as embedding_VD when tied

    /// \param ids_BT int64. \param places  undefined members are filled in (positions 0 … T-1, one document).
    /// \param computeType  float32, bfloat16 or float64: the residual stream's type.
    [[nodiscard]] ForwardResult forward(const at::Tensor &ids_BT, TokenPlaces places, at::ScalarType computeType, const ForwardOptions &options = {}) const;
    [[nodiscard]] at::Tensor embed(const at::Tensor &ids_BT, at::ScalarType computeType) const;
    /// Blocks first … last-1 on a residual stream: what prefix sharing is made of.
    [[nodiscard]] at::Tensor runBlocks(at::Tensor h_BTD, const TokenPlaces &places, std::size_t first, std::size_t last, const ForwardOptions &options = {}, ForwardResult *kept = nullptr) const;
    [[nodiscard]] at::Tensor normFinal(const at::Tensor &h_BTD) const;
    [[nodiscard]] at::Tensor logits(const at::Tensor &hidden_BTD) const;   ///< [B,T,V] in the compute type

    [[nodiscard]] DecodeState initialState(std::int64_t batch, std::int64_t maxTokens, at::ScalarType computeType) const;

    /// Every parameter once, by its name in the checkpoint ("model.layers.3.self_attn.q_proj.weight", "model.layers.3.mixer.A_log");
    /// a tied head is not visited.
    void visitParameters(const ParameterVisitor &visit);
    void requireGrad(bool on);
    void moveTo(at::Device device);
    [[nodiscard]] at::Device device() const { return embedding_VD.device(); }
};

/// A Transformer whose tensors are its own (mixers cloned too): what training starts from.
[[nodiscard]] Transformer deepCopy(const Transformer &model);

/// Makes the linear mixer of a hybrid's layer from its files; handed in by the room `mixers`, so that nn need not know it.
using MixerLoader = std::function<std::shared_ptr<TokenMixer>(const checkpoint::LayerMixer &mixer, const checkpoint::ModelConfig &config, int layer,
                                                              const checkpoint::TensorSource &tensors, at::Device device)>;

/// Loads a model as fp32. Peak memory above the fp32 weights: one tensor. \throws Error(BadFile | Unsupported | OutOfMemory)
[[nodiscard]] Transformer loadTransformer(const checkpoint::ModelFiles &files, at::Device device, const MixerLoader &linearMixer = {});

/// Writes a folder that loads wherever a MODEL is taken: config.json, model.safetensors (fp32), and the tokenizer files in or beside `tokenizerFrom`
/// when given (of a .gguf: its vocabulary as tokenizer.gguf). \throws Error(Io)
void saveTransformer(Transformer &model, const std::filesystem::path &folder, const std::filesystem::path &tokenizerFrom = {});

/// `places` with every member defined, for [B,T] ids: from an attention mask (1 valid, 0 padding; undefined: all valid).
[[nodiscard]] TokenPlaces placesFromMask(const at::Tensor &ids_BT, const at::Tensor &attentionMask_BT = {});

/// "auto" | "cpu" | "cuda" | "cuda:N". \throws Error(Usage) naming what there is.
[[nodiscard]] at::Device parseDevice(const std::string &text);
/// "float32" | "bfloat16" | "float64". \throws Error(Usage)
[[nodiscard]] at::ScalarType parseComputeType(const std::string &text);

}  // namespace stillroom::nn
