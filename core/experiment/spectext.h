// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/spec.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

/// A spec as a person writes it: its text, what is wrong with it and where, and what of it says no more than the defaults do.
namespace stillroom::experiment {

struct SpecFault {
    std::string message;             ///< one sentence
    std::string field;               ///< "alignment.data.files", "stages[1].spec.steps"; empty: of no single field
    int line = 1;                    ///< of the text, from 1: where the field stands, or the object that it is missing in
};

struct SpecReading {
    nlohmann::json given;            ///< what the text holds, a selection in `keep` unpacked; null where it is not JSON
    nlohmann::json completed;        ///< null where anything is wrong
    std::optional<SpecFault> fault;  ///< the first
    bool fits = false;               ///< every name is a field and every value one that it takes, even if some are missing or do not go together: a form can show it
};

/// Reads what is being written. Never throws.
[[nodiscard]] SpecReading readSpecText(std::string_view text);
/// Where in the text the field stands that a message of this room's errors names.
[[nodiscard]] SpecFault faultIn(std::string_view text, const std::string &message);
/// Why this field does not take this value, in the words of completeSpec; empty: it does. \param path  where the field stands, with its dot: "data."
[[nodiscard]] std::string refusalOf(const Field &field, const std::string &path, const nlohmann::json &value);

/// The spec without what stands there by itself. Completes to the same. What is no valid spec keeps whatever might matter.
[[nodiscard]] nlohmann::json withoutDefaults(const nlohmann::json &spec);
/// For people: fields in the order of the schema, two spaces of indent, short lists on one line.
[[nodiscard]] std::string specText(const nlohmann::json &spec);

}  // namespace stillroom::experiment
