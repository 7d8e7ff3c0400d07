// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/adamw.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace stillroom::distillation {

/// What a step that had to be stopped leaves to look at.
struct NonFiniteValues {
    std::string first;                    ///< "the weight NAME" or "the gradient of NAME", in the order of the parameters, weights first; "the loss alone" where all of them are finite
    std::vector<NamedTensor> tensors;     ///< "weight.NAME", "grad.NAME": handles of all that hold a NaN or an infinity
};

/// Looks through the trained parameters and their gradients. Slow (one transfer each): for a step that failed.
[[nodiscard]] NonFiniteValues nonFiniteValues(const AdamW &optimizer);

/// At most so many bytes of them are written: a large model's gradients are gigabytes when all of them are NaN, and the first ones tell where it began.
inline constexpr std::int64_t nonFiniteBytes = 256LL << 20;
/// Writes them, in their order, to FOLDER/nonfinite-step-STEP.safetensors and returns that path. Those that do not fit into `maximumBytes` any more are named
/// in the file's metadata, "left_out", one a line. \throws Error(Io | OutOfMemory)
std::filesystem::path writeNonFiniteValues(const std::filesystem::path &folder, std::int64_t step, const std::vector<NamedTensor> &tensors, std::int64_t maximumBytes = nonFiniteBytes);
/// Takes such files out of a folder.
void removeNonFiniteValues(const std::filesystem::path &folder);

}  // namespace stillroom::distillation
