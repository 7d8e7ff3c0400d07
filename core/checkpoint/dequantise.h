// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/tensorsource.h"

#include <cstddef>
#include <span>

namespace stillroom::checkpoint {

/// float16 bits → float32, exact (subnormals, infinities and NaN included), whatever the processor's denormal mode.
[[nodiscard]] float halfToFloat(std::uint16_t half) noexcept;

/// Converts whole blocks of `dtype` into float32, in the layouts and with the roundings of ggml's `dequantize_row_*`
/// (github.com/ggml-org/ggml, ggml-quants.c; the Python package `gguf` computes the same bits).
/// \param source  out.size() / block elements blocks, at any alignment. F64 is rounded to nearest.
/// \pre `dtype` is a floating or quantised type and the sizes agree.
void toFloat32(DType dtype, std::span<const std::byte> source, std::span<float> out);

}  // namespace stillroom::checkpoint
