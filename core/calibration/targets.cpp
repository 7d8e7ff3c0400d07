// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/targets.h"

#include "calibration/layerattention.h"
#include "error.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace stillroom::calibration {

double decayTarget(double meanDistanceTokens, const DecayTargetOptions &options)
{
    if (!(options.leastRate > 0.0 && options.leastRate <= options.mostRate))
        throw Error(ErrorCode::Usage, "The least and the most decay per token are " + std::to_string(options.leastRate) + " and " + std::to_string(options.mostRate) + "; give 0 < least ≤ most.");
    if (!(options.longestDistanceTokens >= 0.0))
        throw Error(ErrorCode::Usage, "The longest look-back is " + std::to_string(options.longestDistanceTokens) + " tokens; give 0 (no cap) or more.");
    if (!std::isfinite(meanDistanceTokens))
        throw Error(ErrorCode::NonFinite, "A head's mean look-back is not finite; check the teacher's weights.");
    double distance = std::max(meanDistanceTokens, 0.5);
    if (options.longestDistanceTokens > 0.0)
        distance = std::min(distance, std::max(options.longestDistanceTokens, 0.5));
    const double rate = (options.rule == DecayRule::HalfLife ? std::numbers::ln2 : 1.0) / distance;
    return std::clamp(rate, options.leastRate, options.mostRate);
}

double halfLifeTokens(double rate)
{
    return std::numbers::ln2 / rate;
}

std::vector<double> writeTargets(const std::vector<double> &entropies_H, const WriteTargetOptions &options)
{
    if (!(options.least > 0.0 && options.least <= options.most && options.most < 1.0))
        throw Error(ErrorCode::Usage, "The write strengths aimed at are " + std::to_string(options.least) + " to " + std::to_string(options.most) + "; give 0 < least ≤ most < 1.");
    if (!(options.leastSpreadNats > 0.0))
        throw Error(ErrorCode::Usage, "The spread of entropies that fills the range of write strengths must be above 0 nats.");
    std::vector<double> targets = concentrations(entropies_H, options.leastSpreadNats);
    for (double &value : targets)
        value = options.least + (options.most - options.least) * value;
    return targets;
}

std::vector<double> byState(const std::vector<double> &values_H, std::size_t states)
{
    const std::size_t heads = values_H.size();
    if (heads == 0 || states == 0 || (heads % states != 0 && states % heads != 0))
        throw Error(ErrorCode::Usage, "The mixer has " + std::to_string(states) + " heads with a state for the teacher's " + std::to_string(heads) + " query heads; one must be a multiple of the other.");
    std::vector<double> result(states, 0.0);
    if (states >= heads) {
        for (std::size_t state = 0; state < states; ++state)
            result[state] = values_H[state * heads / states];
        return result;
    }
    const std::size_t sharing = heads / states;
    for (std::size_t head = 0; head < heads; ++head)
        result[head / sharing] += values_H[head] / static_cast<double>(sharing);
    return result;
}

}  // namespace stillroom::calibration
