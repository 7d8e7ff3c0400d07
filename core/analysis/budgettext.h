// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/budget.h"

#include <cstdint>
#include <string>

/// Budgets as people write them.
namespace stillroom::analysis {

/// "67108864", "64MiB", "1.5 GiB", "20MB" (powers of ten), "64M" (of 1024) → bytes. \throws Error(Usage)
[[nodiscard]] double bytesFrom(const std::string &text);
/// "32768", "32k" (of 1024) → tokens, from 1 to 10^12. \throws Error(Usage)
[[nodiscard]] std::int64_t tokensFrom(const std::string &text);

/// "64 MiB at 32k", "64MiB @ 32768": the KV cache of one sequence at a context length; "64 MiB" alone: at `context` tokens. \throws Error(Usage)
[[nodiscard]] Budget kvBudgetFrom(const std::string &text, std::int64_t context);
/// The way back of a context: "32k" for 32768, "1000" for 1000.
[[nodiscard]] std::string contextText(std::int64_t tokens);

}  // namespace stillroom::analysis
