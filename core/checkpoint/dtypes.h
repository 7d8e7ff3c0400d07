// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/tensorsource.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Sizes of element types and shapes, safe against overflow.
namespace stillroom::checkpoint {

/// How a type lies in a file: `bytes` hold `elements` values (1 for plain types).
struct Block {
    std::int64_t elements = 1;
    std::int64_t bytes = 0;
};
[[nodiscard]] Block blockOf(DType dtype);
[[nodiscard]] bool isInteger(DType dtype);   ///< I64 … U8 and Bool

/// Product of the extents; nothing when one is negative or the product exceeds int64.
[[nodiscard]] std::optional<std::int64_t> countElements(const std::vector<std::int64_t> &shape);
/// Bytes of a tensor; nothing on overflow or when a row is not a whole number of blocks.
[[nodiscard]] std::optional<std::int64_t> sizeBytesOf(DType dtype, const std::vector<std::int64_t> &shape);
/// "[2, 3]", for messages.
[[nodiscard]] std::string shapeText(const std::vector<std::int64_t> &shape);

}  // namespace stillroom::checkpoint
