// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "selection/gas2.h"

#include <nlohmann/json_fwd.hpp>

namespace stillroom::selection {

/// {"layer", "tokens": [...], "kl_nats": [[per sequence] per evaluation], "counted_tokens": [per sequence]}: float64 values in shortest round-trip form.
[[nodiscard]] nlohmann::json curveToJson(const LayerCurve &curve);
/// \throws Error(BadFile)
[[nodiscard]] LayerCurve curveFromJson(const nlohmann::json &json);

}  // namespace stillroom::selection
