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
