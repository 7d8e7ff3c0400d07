// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/budget.h"

#include "error.h"
#include "experiment/score.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace stillroom::analysis {
namespace {

void checkBudget(const Budget &budget)
{
    if (!(budget.limit >= 0.0) || !std::isfinite(budget.limit) || budget.context < 0)
        throw Error(ErrorCode::Usage, "A budget is a number of bytes or percent from 0 up, at a context of 0 tokens or more; here it is " + std::to_string(budget.limit) + " at " +
                                          std::to_string(budget.context) + " tokens.");
}

bool allows(const LayerCosts &costs, int keep, const Budget &budget)
{
    if (budget.kind == Budget::Kind::Percent)
        return keep <= experiment::keepFromPercent(budget.limit, costs.numLayers);
    return spending(costs, keep, budget) <= budget.limit;
}

}  // namespace

double spending(const LayerCosts &costs, int keep, const Budget &budget)
{
    const HybridCost cost = hybridCost(costs, keep);
    const double cacheBytes = static_cast<double>(cost.cacheBytesPerToken) * static_cast<double>(budget.context);
    switch (budget.kind) {
    case Budget::Kind::Percent: return 100.0 * keep / costs.numLayers;
    case Budget::Kind::KvBytes: return cacheBytes;
    case Budget::Kind::StateBytes: return cacheBytes + static_cast<double>(cost.stateBytes);
    case Budget::Kind::DecodeBytes: break;
    }
    return cost.decodeBytes(budget.context);
}

std::optional<int> largestKeep(const LayerCosts &costs, const std::vector<Budget> &budgets)
{
    std::for_each(budgets.begin(), budgets.end(), checkBudget);
    for (int keep = costs.numLayers; keep >= 0; --keep)
        if (std::all_of(budgets.begin(), budgets.end(), [&](const Budget &budget) { return allows(costs, keep, budget); }))
            return keep;
    return std::nullopt;
}

}  // namespace stillroom::analysis
