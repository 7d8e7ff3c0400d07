// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace stillroom::experiment {

/// Where two specs, results or other documents differ.
struct Difference {
    std::string path;            ///< "mixer.options.short_conv", "stages[1].spec.steps"; empty: the documents as wholes
    std::string before, after;   ///< compact JSON; empty where that document has no such field
};

/// Every field that is not equal, in the order of names: objects are gone into, also one that only one of them has, and lists of objects element by element; other lists are compared as wholes.
/// Numbers are equal by value (1 and 1.0).
[[nodiscard]] std::vector<Difference> differences(const nlohmann::json &before, const nlohmann::json &after);

}  // namespace stillroom::experiment
