// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/costs.h"

#include <cstdint>
#include <optional>
#include <vector>

/// How many softmax layers a budget allows.
namespace stillroom::analysis {

struct Budget {
    enum class Kind {
        Percent,        ///< of the layers, rounded half up
        KvBytes,        ///< KV cache of one sequence at `context` tokens: K · kvBytesPerToken · context
        StateBytes,     ///< all that decoding keeps for one sequence: that cache and the recurrent states of the L-K linear layers
        DecodeBytes,    ///< read and written to decode one token after `context` tokens, batch 1: weights, cache, states twice (HybridCost::decodeBytes)
    };
    Kind kind = Kind::Percent;
    double limit = 100.0;            ///< percent or bytes
    std::int64_t context = 0;        ///< tokens; not looked at for Percent
};

/// What a hybrid that keeps `keep` layers takes of a budget, in its unit. \throws Error(Usage) for keep outside 0 … L
[[nodiscard]] double spending(const LayerCosts &costs, int keep, const Budget &budget);

/// The largest K within all budgets; empty when no K is. A state can be larger than the cache it replaces (below costs' break-even length), so a smaller K
/// need not take less: every K is looked at. \throws Error(Usage) for a limit below 0 or not finite, a percentage above 100, or a context below 0
[[nodiscard]] std::optional<int> largestKeep(const LayerCosts &costs, const std::vector<Budget> &budgets);

}  // namespace stillroom::analysis
