// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace stillroom::procedures {

/// Exact token ids given instead of text.
struct TokenFile {
    at::Tensor ids_BT;     ///< int64
    at::Tensor mask_BT;    ///< int64, 1 valid and 0 padding; undefined when the file has none
    /// Each row without its padding.
    [[nodiscard]] std::vector<std::vector<std::int64_t>> rows() const;
    /// Tokens of the longest of them.
    [[nodiscard]] std::int64_t longestRow() const;
};

/// Reads input_ids [B,T] or [T] and, if there, attention_mask of the same shape from a safetensors file.
/// \throws Error(BadFile) naming what is wrong, also for an id outside the vocabulary.
[[nodiscard]] TokenFile readTokenFile(const std::filesystem::path &file, std::int64_t vocabSize);

}  // namespace stillroom::procedures
