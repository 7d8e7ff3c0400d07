// SPDX-License-Identifier: GPL-3.0-or-later
#include "earlystopline.h"

#include "formatted.h"

#include <nlohmann/json.hpp>

namespace stillroom::cli {

std::string earlyStopText(const nlohmann::json &result)
{
    return earlyStopText(store::earlyStopOf(result));
}

std::string earlyStopText(const std::optional<store::EarlyStop> &saved)
{
    if (!saved)
        return {};
    if (!saved->stopped)
        return "early stop: nothing was sure before the end, no tokens saved";
    const std::string planned = saved->plannedTokens > 0 ? " of " + std::to_string(saved->plannedTokens) : "";      // older results do not say what was planned
    const std::string at = saved->tokens > 0 ? " at " + std::to_string(saved->tokens) + planned + " tokens" : "";
    return "early stop" + at + formatted(": %.0f %% of the tokens saved", 100.0 * saved->savedFraction);
}

}  // namespace stillroom::cli
