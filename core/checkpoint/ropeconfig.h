// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/configfields.h"
#include "checkpoint/modelconfig.h"

namespace stillroom::checkpoint {

/// Reads `rope_theta`, `rope_scaling` and `rope_parameters` as transformers 5 merges them: a `rope_scaling` that is not empty replaces
/// `rope_parameters`; a `rope_theta` inside wins over the one outside; 10000 when there is none.
/// \throws Error(BadFile | Unsupported)
[[nodiscard]] Rope parseRope(ConfigFields &config, std::int64_t maxPositions);

/// Adds `rope_theta` and, for a scaled rope, `rope_scaling` (transformers 4) and the same as `rope_parameters` (transformers 5).
void addRope(nlohmann::json &config, const Rope &rope);

}  // namespace stillroom::checkpoint
