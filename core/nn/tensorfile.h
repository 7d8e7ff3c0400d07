// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/tensorsource.h"

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Between named arrays in files and tensors in memory.
namespace stillroom::nn {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// One tensor on the CPU: floating types (dequantised) as float32, float64 as float64, integers and booleans as int64. \throws Error(BadFile)
[[nodiscard]] at::Tensor readTensor(const checkpoint::TensorSource &source, const std::string &name);
/// Every tensor of a file with its type as stored where PyTorch has it (bf16 stays bf16): what checkpoints are read with.
[[nodiscard]] NamedTensors readTensorsAsStored(const std::filesystem::path &file);

/// Writes tensors (any device, made contiguous one by one) as one safetensors file, atomically. \throws Error(Io)
void writeTensors(const std::filesystem::path &file, const NamedTensors &tensors, const std::vector<std::pair<std::string, std::string>> &metadata = {});

}  // namespace stillroom::nn
