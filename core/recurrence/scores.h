// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

#include <ATen/core/Tensor.h>

#include "recurrence/arguments.h"
#include "recurrence/decay.h"
#include "recurrence/documents.h"

namespace stillroom::recurrence {

/// How strongly reader row r (of q, then of a) sees writer row i (of k, then of b) of its own chunk:
///     score[r,i] = sum_d reader_rd writer_id exp(rho_rd - G_id),   rho = G or X of the row,
/// for i < r (and i = r for q read after the write), within one document, else 0. Legend: R = readers()·C, W = writers()·C.
/// Per-channel decays of any size are exact: pivots between 16-row blocks keep every exponent <= 0.
[[nodiscard]] at::Tensor scores(const at::Tensor &readers_LRK, const at::Tensor &writers_LWK, const LogDecay &decay,
                                const ChunkSegments &segments, const Form &form);

/// Gradients of readers and writers from the gradient of the scores (any values where the scores are masked).
/// Decays get theirs from reader·dReader and writer·dWriter: no product of its own.
[[nodiscard]] std::pair<at::Tensor, at::Tensor> scoresBackward(const at::Tensor &gradient_LRW, const at::Tensor &readers_LRK,
                                                               const at::Tensor &writers_LWK, const LogDecay &decay,
                                                               const ChunkSegments &segments, const Form &form);

}  // namespace stillroom::recurrence
