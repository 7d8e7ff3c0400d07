// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/layerattention.h"
#include "nn/transformer.h"

namespace stillroom::calibration {

/// Statistics of every softmax layer's attention over batches of text; linear layers have none. The teacher runs sequence by sequence and layer by layer, so
/// that memory grows neither with the number of sequences nor with that of layers, and the result does not depend on which sequences came together.
class AttentionStatistics final {
public:
    /// \param model  handles are kept. \throws Error(Usage) for options out of range.
    explicit AttentionStatistics(const nn::Transformer &model, AttentionOptions options = {});
    /// Every row of ids is a sequence. \param places  undefined members are filled in; padding (document −1) counts nowhere.
    /// \throws Error(Cancelled), as forward: the sequences that were done stay counted, the one that was under way is not.
    void add(const at::Tensor &ids_BT, const nn::TokenPlaces &places, at::ScalarType computeType, const std::stop_token &stop = {});
    [[nodiscard]] std::int64_t numTokens() const { return m_numTokens; }
    [[nodiscard]] std::int64_t numSequences() const { return m_numSequences; }
    /// Ascending by layer; without heads before the first token.
    [[nodiscard]] std::vector<LayerAttention> result() const;

private:
    void addSequence(const at::Tensor &ids_1T, const nn::TokenPlaces &places, at::ScalarType computeType, const std::stop_token &stop);

    nn::Transformer m_model;
    std::vector<LayerAttentionSums> m_sums;   ///< of each softmax layer, ascending
    std::int64_t m_numTokens = 0, m_numSequences = 0;
};

}  // namespace stillroom::calibration
