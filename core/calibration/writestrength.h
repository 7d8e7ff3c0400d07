// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mixers/linearmixer.h"

#include <string>
#include <vector>

namespace stillroom::calibration {

/// How a write gate β = range · σ(W x + b) is brought to its targets.
enum class WriteInit {
    Weight,   ///< as published: each row of W scaled to a mean magnitude of |logit β*| / √D. Without a bias this sets only how far β spreads: its mean stays near ½ (trap 5)
    Data,     ///< each row moved along the direction that acts most like a bias, until β's mean over the calibration tokens is β*
    Bias,     ///< b = logit β*, W as it is: without W β would be β*; for mixers that have one (gdn's write_bias)
    Keep,     ///< as it was drawn
};
/// "weight" | "data" | "bias" | "keep". \throws Error(Usage)
[[nodiscard]] WriteInit parseWriteInit(const std::string &text);
[[nodiscard]] const char *writeInitName(WriteInit init);

/// Sets the projection. \param targets_H  β*, one for each row, in (0, range). \param x_ND  normed layer inputs of the tokens that count (Data only).
/// \throws Error(Usage) for Bias where the mixer has none, or a target out of range.
void setWriteStrength(const mixers::WriteProjection &projection, const std::vector<double> &targets_H, WriteInit init, const at::Tensor &x_ND);

}  // namespace stillroom::calibration
