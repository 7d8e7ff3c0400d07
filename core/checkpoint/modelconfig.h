// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::checkpoint {

/// Rotary position embedding and its scaling, as Hugging Face's `rope_parameters` / `rope_scaling` define them.
struct Rope {
    enum class Kind { Default, Linear, Dynamic, Yarn, Llama3 };
    Kind kind = Kind::Default;
    double theta = 10000.0;
    double factor = 1.0;
    std::int64_t originalMaxPositions = 0;     ///< 0: not given, the config's max_position_embeddings
    double lowFreqFactor = 1.0, highFreqFactor = 4.0;             ///< llama3
    double betaFast = 32.0, betaSlow = 1.0;                       ///< yarn
    std::optional<double> attentionFactor, mscale, mscaleAllDim;  ///< yarn
    bool truncate = true;                                         ///< yarn
};

/// Which mixer stands in a layer, in a hybrid's config. Options are the mixer's own, as JSON text (kept so that no JSON header is needed here).
struct LayerMixer {
    std::string kind = "softmax";       ///< "softmax", "gdn", "gla", …
    std::string optionsJson = "{}";
};

/// Everything that decides a Transformer's arithmetic. Names follow Hugging Face's config.json.
struct ModelConfig {
    std::string modelType;              ///< the teacher's: "llama", "qwen2", "qwen3", "mistral"
    int numLayers = 0;                  ///< L
    int hiddenSize = 0;                 ///< D
    int intermediateSize = 0;           ///< MLP width
    int numHeads = 0;                   ///< H, query heads
    int numKvHeads = 0;                 ///< key/value heads; H % numKvHeads == 0
    int headDim = 0;                    ///< K; need not be D/H
    int vocabSize = 0;                  ///< V
    std::int64_t maxPositions = 0;      ///< context length
    double rmsNormEps = 1e-6;
    Rope rope;
    bool qkvBias = false, outputBias = false, mlpBias = false;
    bool qkNorm = false;                ///< per-head RMSNorm on q and k before RoPE (Qwen3)
    bool tiedHead = false;
    std::string hiddenAct = "silu";     ///< "silu", "gelu", "gelu_pytorch_tanh", "relu"
    std::vector<std::int64_t> slidingWindow;   ///< per layer, tokens incl. self; 0 = full attention
    std::optional<std::int64_t> bosId, padId;
    std::vector<std::int64_t> eosIds;
    std::vector<LayerMixer> layers;     ///< one per layer; all "softmax" for a teacher
    std::string teacherHash;            ///< of a hybrid: content hash of the teacher it came from; else empty

    [[nodiscard]] int groupSize() const { return numHeads / numKvHeads; }   ///< G
    [[nodiscard]] bool isHybrid() const;
    [[nodiscard]] std::int64_t numParameters() const;   ///< of the softmax teacher with this shape; tied head counted once
};

/// Reads config.json (old and new style, also "stillroom_hybrid").
/// \throws Error(BadFile) for a missing or out-of-range field; Error(Unsupported) naming a feature that is not understood (never ignored).
[[nodiscard]] ModelConfig parseConfig(const nlohmann::json &json, const std::string &where);
/// How many tokens the positions are made for: the context length, and what a linear, dynamic or yarn scaling makes of it.
[[nodiscard]] std::int64_t coveredPositions(const ModelConfig &config);
/// What to say of a sequence that is longer; empty where it is not.
[[nodiscard]] std::string contextWarning(const ModelConfig &config, std::int64_t numTokens);
/// The inverse, for folders that we write: an ordinary Hugging Face config for a teacher, "stillroom_hybrid" for a hybrid.
[[nodiscard]] nlohmann::json configToJson(const ModelConfig &config);

}  // namespace stillroom::checkpoint
