// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "selection/shortdistillation.h"

#include <nlohmann/json_fwd.hpp>

namespace stillroom::selection {

/// {"kept": [...], "layer": of a student that keeps one layer, -1 of one that keeps none, "tokens": [...], "kl_nats": [[per sequence] per evaluation], "counted_tokens": [per sequence]}: float64 values in shortest round-trip form.
[[nodiscard]] nlohmann::json curveToJson(const StudentCurve &curve);
/// Without `kept` it is what `layer` says. \throws Error(BadFile) that says what is wrong; where it stood and what to do is known to who reads the file
[[nodiscard]] StudentCurve curveFromJson(const nlohmann::json &json);

}  // namespace stillroom::selection
