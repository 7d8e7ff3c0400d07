// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "selection/shortdistillation.h"

#include <nlohmann/json_fwd.hpp>

namespace stillroom::selection {

/// As experiment::studentKlToJson writes it.
[[nodiscard]] nlohmann::json curveToJson(const StudentCurve &curve);
/// \throws as experiment::studentKlFromJson
[[nodiscard]] StudentCurve curveFromJson(const nlohmann::json &json);

}  // namespace stillroom::selection
