// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "recurrence/arguments.h"
#include "recurrence/documents.h"

namespace stillroom::recurrence {

/// [B,T,H,D] (or [B,T,H], then D = 1) to chunk-heads [L = N·B·H, C, D], chunk-major, in `type`; padding and the tail of the last chunk are zero.
[[nodiscard]] at::Tensor toChunks(const at::Tensor &x_BTHD, const Segments &segments, const Form &form, c10::ScalarType type);

/// The way back: drops the tail, zeroes padding, casts to the type and shape of `like`.
[[nodiscard]] at::Tensor fromChunks(const at::Tensor &x_LCD, const Segments &segments, const Form &form, const at::Tensor &like);

}  // namespace stillroom::recurrence
