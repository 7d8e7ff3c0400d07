// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelconfig.h"

#include <ATen/core/Tensor.h>

namespace stillroom::nn {

/// cos and sin of every rotation of one call, scaled by the attention factor: [B,T,1,K/2] (B = 1 where all rows stand at the same positions).
struct RotaryTable {
    at::Tensor cos_BT1R, sin_BT1R;
};

/// Rotary position embedding over a whole head: pair (j, j + K/2) turns by position · inverse frequency j (Hugging Face's half-split order).
/// Scaling as transformers' modeling_rope_utils defines it: linear, dynamic NTK, YaRN (arXiv 2309.00071), Llama 3.
class RotaryEmbedding final {
public:
    /// \throws Error(Unsupported) for an odd head dimension or a scaling that is not finite for this shape.
    RotaryEmbedding(const checkpoint::Rope &rope, int headDim, std::int64_t maxPositions);

    /// \param positions_BT int64. \param computeType  what the table is cast to; made in fp32 (fp64 for fp64).
    /// Dynamic scaling looks at each row's own largest position, so that padding and other rows change nothing.
    [[nodiscard]] RotaryTable table(const at::Tensor &positions_BT, at::ScalarType computeType) const;

    /// [K/2] for positions inside the trained context, float or double.
    [[nodiscard]] at::Tensor inverseFrequencies(at::ScalarType type) const;
    /// Factor on cos and sin: 1 but for YaRN.
    [[nodiscard]] double attentionFactor() const { return m_attentionFactor; }

private:
    [[nodiscard]] at::Tensor angles(const at::Tensor &positions_BT, at::ScalarType type) const;

    checkpoint::Rope m_rope;
    int m_headDim;
    std::int64_t m_maxPositions;
    double m_attentionFactor = 1.0;
    at::Tensor m_float_R, m_double_R;
};

/// Turns each head of x_BTHK by the table's angles.
[[nodiscard]] at::Tensor rotate(const at::Tensor &x_BTHK, const RotaryTable &table);

}  // namespace stillroom::nn
