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

/// Writes them to FOLDER/nonfinite-step-STEP.safetensors and returns that path. \throws Error(Io)
std::filesystem::path writeNonFiniteValues(const std::filesystem::path &folder, std::int64_t step, const std::vector<NamedTensor> &tensors);
/// Takes such files out of a folder.
void removeNonFiniteValues(const std::filesystem::path &folder);

}  // namespace stillroom::distillation
