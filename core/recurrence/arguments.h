// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

#include "recurrence/kinds.h"
#include "recurrence/recurrence.h"

namespace stillroom::recurrence {

/// Sizes and variant of one call, read off its (checked) inputs.
struct Form {
    std::int64_t B = 0, T = 0, H = 0, K = 0, V = 0;
    std::int64_t C = 0, N = 0;  ///< chunk length (shortened for short sequences) and number of chunks
    DecayKind decay = DecayKind::None;
    Writing writing = Writing::Additive;
    Read read = Read::AfterWrite;
    c10::ScalarType type = c10::ScalarType::Float;         ///< of decay, state and triangular solve
    c10::ScalarType operandType = c10::ScalarType::Float;  ///< of what goes into matrix products; they add up in `type`
    [[nodiscard]] std::int64_t readers() const { return writing == Writing::Additive ? 1 : 2; }  ///< q, and a
    [[nodiscard]] std::int64_t writers() const { return writing == Writing::General ? 2 : 1; }   ///< k, and b
};

/// Checks every shape, type and device. \throws Error(Usage) naming the argument, what it is and what it must be.
[[nodiscard]] Form checkedForm(const Inputs &inputs, int chunkLength);

}  // namespace stillroom::recurrence
