// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "recurrence/arguments.h"
#include "recurrence/documents.h"

namespace stillroom::recurrence {

/// Log decays summed from the chunk's first row, in fp64 so that their differences stay exact to fp32 after strong decays.
/// Legend: L = N·B·H chunk-heads, C rows, D = 1 (scalar decay) or K (per channel), R/W = stacked reader/writer rows.
/// Only differences that are <= 0 are ever exponentiated. Undefined members mean "no decay".
struct LogDecay {
    at::Tensor through_LCD;  ///< G: including the row itself
    at::Tensor before_LCD;   ///< X = G - g: up to the row before
    [[nodiscard]] bool defined() const { return through_LCD.defined(); }
    /// What a reader row has seen since the chunk began: q by `form.read`, a always before the row.
    [[nodiscard]] const at::Tensor &ofReader(std::int64_t reader, const Form &form) const {
        return reader == 0 && form.read == Read::AfterWrite ? through_LCD : before_LCD;
    }
};

/// From g in chunks [L,C,D]; undefined g gives an undefined result.
[[nodiscard]] LogDecay logDecay(const at::Tensor &g_LCD);

/// Weights between chunk rows and the states at the chunk's ends; undefined where all are 1.
struct BoundaryWeights {
    at::Tensor read_LRD;   ///< e^{G_r} (or e^{X_r}), 0 where the row is not of the incoming state's document
    at::Tensor write_LWD;  ///< e^{G_C - G_i}, 0 where the row is not of the outgoing state's document
    at::Tensor carry_LD1;  ///< e^{G_C}, 0 where a document ended inside the chunk
};

[[nodiscard]] BoundaryWeights boundaryWeights(const LogDecay &decay, const ChunkSegments &segments, const Form &form);

/// x * weights where weights are defined, else x.
[[nodiscard]] at::Tensor weighted(const at::Tensor &x, const at::Tensor &weights);

/// Gradient of g in chunks from the gradients of G and X: both are sums over the rows up to g's own.
[[nodiscard]] at::Tensor gradientOfDecay(const at::Tensor &throughGrad_LCD, const at::Tensor &beforeGrad_LCD);

}  // namespace stillroom::recurrence
