// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/budget.h"
#include "commands.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

/// What a choice of K costs on the model it is for.
namespace stillroom::cli {

/// --kv-bytes, --state-bytes, --decode-bytes at --context, and --percent. \throws Error(Usage) for one that needs --context and has none
[[nodiscard]] std::vector<analysis::Budget> budgetsFrom(const SelectCommand &command);

struct KnownCosts {
    std::optional<analysis::LayerCosts> costs;
    std::string unopened;             ///< why the run's own teacher cannot be opened; empty where it can, or where there is none
};

/// Of --teacher with --mixer, else of the run's own teacher and mixer (`runSpec`, may be null); without costs where neither is known.
/// \throws Error(BadFile | Usage) for a teacher that was named and cannot be opened
[[nodiscard]] KnownCosts costsFor(const SelectCommand &command, const nlohmann::json &runSpec, const std::filesystem::path &workspace);

/// {"added_parameters", "cache_bytes_per_token", "state_bytes", …, "decode_bytes": [{"context", "bytes", "teacher_bytes"}]}
[[nodiscard]] nlohmann::json costJson(const analysis::LayerCosts &costs, int keep, std::int64_t context);
void printCosts(const nlohmann::json &costs);

}  // namespace stillroom::cli
