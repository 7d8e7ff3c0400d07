// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/halo.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace stillroom::choices {
namespace {

/// \throws Error(Usage) naming the first value that is not finite
double largest(const std::vector<double> &values_L, const char *what)
{
    for (std::size_t layer = 0; layer < values_L.size(); ++layer)
        if (!std::isfinite(values_L[layer]))
            throw Error(ErrorCode::Usage, "The " + std::string(what) + " without layer " + std::to_string(layer) + " is not finite, so HALO cannot score.");
    return *std::max_element(values_L.begin(), values_L.end());
}

}  // namespace

std::vector<double> haloScores(const std::vector<double> &recall_L, const std::vector<double> &commonsense_L, const HaloFormula &formula)
{
    if (recall_L.empty() || recall_L.size() != commonsense_L.size())
        throw Error(ErrorCode::Usage, "HALO needs recall and common sense for the same layers, not for " + std::to_string(recall_L.size()) + " and " + std::to_string(commonsense_L.size()) + ".");
    if (!(formula.epsilon > 0.0) || !std::isfinite(formula.epsilon))
        throw Error(ErrorCode::Usage, "HALO's epsilon must be above 0: without it the best layer of all divides by zero.");
    const double bestRecall = largest(recall_L, "recall"), bestCommonsense = largest(commonsense_L, "common sense");
    std::vector<double> scores;
    for (std::size_t layer = 0; layer < recall_L.size(); ++layer) {
        const double score = (bestRecall - recall_L[layer]) / (bestCommonsense - commonsense_L[layer] + formula.epsilon);
        scores.push_back(formula.cap ? std::min(*formula.cap, score) : score);
    }
    return scores;
}

}  // namespace stillroom::choices
