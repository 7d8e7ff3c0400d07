// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/spec.h"

/// Filling in a JSON object by a table of fields: what completeSpec is made of.
namespace stillroom::experiment {

/// \param path  where `object` stands, e.g. "data." or "stages[2].spec."; empty for the spec itself.
/// \param alsoAllowed  names that the caller reads itself, left as they are.
/// Fields of type Spec are left as they are.  \throws Error(Usage)
[[nodiscard]] nlohmann::json completeFields(const nlohmann::json &object, const std::vector<Field> &fields, const std::string &path,
                                            const std::vector<std::string> &alsoAllowed = {});

/// A distill spec's {"keep": {"keep": […], "mixer": …, "options": …}}, as `select` writes it, as the fields keep and mixer; any other spec as it is. \throws Error(Usage)
[[nodiscard]] nlohmann::json unpackSelection(nlohmann::json spec);

/// A value as it stands in messages: compact, at most 60 bytes.
[[nodiscard]] std::string shown(const nlohmann::json &value);

}  // namespace stillroom::experiment
