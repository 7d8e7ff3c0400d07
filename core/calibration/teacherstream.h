// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/layerattention.h"
#include "distillation/batchsource.h"
#include "distillation/stageone.h"
#include "nn/residualstream.h"
#include "nn/transformer.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace stillroom::calibration {

/// What the teacher does with one sequence in one layer.
struct SequenceInLayer {
    at::Tensor x_1TD, target_1TD;       ///< normed input and output of its attention
    at::Tensor context_1THV;
    nn::TokenPlaces places;
    at::Tensor counted_N;               ///< indices of the tokens that are not padding

    [[nodiscard]] at::Tensor counted(const at::Tensor &values_1T) const;
};

/// The residual stream of every sequence, block after block, in a teacher of which nothing is changed. Layers are asked for in ascending order.
class TeacherStream final {
public:
    /// \throws Error(Usage) where no token counts
    TeacherStream(const nn::Transformer &teacher, const distillation::Batch &sequences, at::ScalarType computeType, std::stop_token stop);
    /// Runs on through one softmax layer, adding its attention to `sums`. \return all sequences in it
    [[nodiscard]] std::vector<SequenceInLayer> through(std::size_t layer, const nn::SoftmaxMixer &mixer, LayerAttentionSums &sums);
    [[nodiscard]] std::int64_t numSequences() const { return static_cast<std::int64_t>(m_sequences.size()); }
    [[nodiscard]] std::int64_t numTokens() const;

private:
    std::stop_token m_stop;
    std::vector<SequenceInLayer> m_sequences;      ///< places only
    std::vector<nn::ResidualStream> m_streams;
};

/// \throws Error(Usage) for a layer that the teacher does not have, or that is no softmax attention
[[nodiscard]] const nn::SoftmaxMixer &softmaxLayer(const nn::Transformer &teacher, int layer);
/// Ascending by layer. \throws Error(Usage) as softmaxLayer, and for a layer that is given twice
[[nodiscard]] std::vector<distillation::AlignedLayer> inOrder(const nn::Transformer &teacher, std::vector<distillation::AlignedLayer> students);

}  // namespace stillroom::calibration
