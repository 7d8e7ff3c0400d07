// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/costs.h"
#include "checkpoint/modelconfig.h"

#include <string>

namespace stillroom::procedures {

/// What one softmax and one linear layer of this teacher take: weights and cache in bf16, recurrent states in fp32.
/// \param mixerKind  with its default options. \throws Error(Usage) for a kind that is not there
[[nodiscard]] analysis::LayerCosts layerCosts(const checkpoint::ModelConfig &teacher, const std::string &mixerKind);

}  // namespace stillroom::procedures
