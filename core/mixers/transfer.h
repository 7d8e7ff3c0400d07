// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mixers/registry.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

/// What a linear mixer takes over from the teacher's softmax attention.
namespace stillroom::mixers {

/// The weights of one softmax layer; what the teacher lacks is undefined. Legend: H query heads, J key/value heads, K head dim, D width.
struct TeacherAttention {
    at::Tensor q_HKxD, k_JKxD, v_JKxD, o_DxHK;
    at::Tensor qBias_HK, kBias_JK, vBias_JK, oBias_D;
    at::Tensor qNorm_K, kNorm_K;
    std::int64_t heads = 0, kvHeads = 0, headDim = 0;
};

/// \throws Error(Usage) if there is no such layer, or it is no softmax layer any more.
[[nodiscard]] TeacherAttention teacherAttention(const nn::Transformer &teacher, int layer);

/// The rows of `heads` heads, [heads·d, …], widened to `toHeads` (a multiple). Expand::Head: new head n is old head ⌊n·heads/toHeads⌋, whole.
/// Expand::Row: every row repeated in place, which scrambles the heads. A bias [heads·d] likewise.
[[nodiscard]] at::Tensor widenRows(const at::Tensor &rows, std::int64_t heads, std::int64_t toHeads, Expand expand);

/// The columns of an output projection [D, heads·d] for `toHeads` heads of which each group repeats one: each gets an equal share,
/// so that the sum over heads is what it was.
[[nodiscard]] at::Tensor shareColumns(const at::Tensor &columns, std::int64_t heads, std::int64_t toHeads);

}  // namespace stillroom::mixers
