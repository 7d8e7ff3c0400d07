// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// What a hybrid costs, by formula (spec kl-selection §1.5, evaluation §5.1).
namespace stillroom::analysis {

/// The shape that costs depend on, and what one layer of each kind takes.
struct LayerCosts {
    int numLayers = 0;
    std::int64_t kvBytesPerToken = 0;          ///< of one softmax layer: 2 · kvHeads · headDim · bytes of an element
    std::int64_t softmaxParameters = 0;        ///< of one softmax mixer
    std::int64_t linearParameters = 0;         ///< of one linear mixer
    std::int64_t stateBytes = 0;               ///< of one linear layer, for one sequence, whatever its length
    std::int64_t weightBytes = 0;              ///< of the teacher, in the type it decodes with
    std::int64_t weightBytesPerParameter = 2;
};

/// What of a teacher's shape costs depend on.
struct ModelShape {
    int numLayers = 0;                         ///< L
    std::int64_t hiddenSize = 0;               ///< D
    std::int64_t numHeads = 0, numKvHeads = 0, headDim = 0;
    bool qkvBias = false, outputBias = false, qkNorm = false;
    std::int64_t numParameters = 0;            ///< of the whole teacher
};
/// What one linear mixer takes, as the room that defines it says.
struct MixerShape {
    std::int64_t numParameters = 0;
    std::int64_t numHeads = 0, keyDim = 0, valueDim = 0;   ///< of the recurrent state [H, K, V]
};

/// Parameters of one softmax mixer: 2·D·H·K + 2·D·kvHeads·K, and its biases (q, k, v; o) and norms (one weight of size K each for q and k).
[[nodiscard]] std::int64_t softmaxParameters(const ModelShape &shape);
/// Cache 2·kvHeads·K·bytes a token (bf16: 2 bytes), state H·K·V·bytes (fp32: 4), weights in the cache's type.
[[nodiscard]] LayerCosts layerCosts(const ModelShape &shape, const MixerShape &mixer, int bytesPerCacheElement = 2, int bytesPerStateElement = 4);

/// A hybrid that keeps `keep` softmax layers, beside its teacher.
struct HybridCost {
    std::int64_t addedParameters = 0;          ///< against the teacher; may be negative
    std::int64_t teacherCacheBytesPerToken = 0, cacheBytesPerToken = 0;
    std::int64_t stateBytes = 0;
    double breakEvenTokens = 0.0;              ///< context above which the hybrid's cache and state are smaller than the teacher's cache: stateBytes of a layer / kvBytesPerToken; 0 when nothing is linear
    /// Bytes read (and of the state: read and written) to decode one token after `context` tokens, batch 1.
    [[nodiscard]] double decodeBytes(std::int64_t context) const;
    [[nodiscard]] double teacherDecodeBytes(std::int64_t context) const;
    std::int64_t weightBytes = 0, teacherWeightBytes = 0;
};

/// \throws Error(Usage) for keep outside 0 … numLayers.
[[nodiscard]] HybridCost hybridCost(const LayerCosts &costs, int keep);

}  // namespace stillroom::analysis
