// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

namespace stillroom::cli {

/// What a finished run says, as a table for people.
void printResult(const nlohmann::json &result, std::ostream &out);

}  // namespace stillroom::cli
