// SPDX-License-Identifier: GPL-3.0-or-later
#include "earlystopline.h"

#include "formatted.h"

#include <nlohmann/json.hpp>

namespace stillroom::cli {
namespace {

std::string tokensText(const nlohmann::json &note, const char *field)
{
    return note.contains(field) && note.at(field).is_number_integer() ? std::to_string(note.at(field).get<std::int64_t>()) : std::string();
}

}  // namespace

std::string earlyStopText(const nlohmann::json &result)
{
    const nlohmann::json notes = result.is_object() ? result.value("notes", nlohmann::json()) : nlohmann::json();
    const nlohmann::json note = notes.is_object() ? notes.value("early_stop", nlohmann::json()) : nlohmann::json();
    if (!note.is_object() || !note.contains("saved_fraction") || !note.at("saved_fraction").is_number())
        return {};
    if (!note.contains("stopped") || note.at("stopped") != true)
        return "early stop: nothing was sure before the end, no tokens saved";
    const std::string tokens = tokensText(note, "tokens"), planned = tokensText(note, "planned_tokens");      // older results do not say what was planned
    return "early stop" + (tokens.empty() ? "" : " at " + tokens + (planned.empty() ? "" : " of " + planned) + " tokens") +
           formatted(": %.0f %% of the tokens saved", 100.0 * note.at("saved_fraction").get<double>());
}

}  // namespace stillroom::cli
