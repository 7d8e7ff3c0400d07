// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/scorings.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace stillroom::cli {

/// What stopping early saved, of the result of a score stage or what scoresFrom gives: "early stop at 262144 of 524288 tokens: 41 % of the tokens saved" (of the
/// training tokens of all students together; the tokens are those of a student that trained longest). Empty where the scoring did not stop early by its spec.
[[nodiscard]] std::string earlyStopText(const nlohmann::json &result);
/// The same of what the store knows of a scoring.
[[nodiscard]] std::string earlyStopText(const std::optional<store::EarlyStop> &saved);

}  // namespace stillroom::cli
