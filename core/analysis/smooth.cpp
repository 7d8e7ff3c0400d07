// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/smooth.h"

#include "error.h"

#include <cmath>
#include <string>

namespace stillroom::analysis {

std::vector<double> smooth(const std::vector<double> &values, double weight)
{
    if (!(weight >= 0.0 && weight < 1.0))
        throw Error(ErrorCode::Usage, "The weight of the past is " + std::to_string(weight) + " but must be from 0 to below 1.");
    std::vector<double> out;
    out.reserve(values.size());
    double mean = 0.0, share = 0.0;        // share: 1 - w^t, the sum of the weights that `mean` holds
    for (const double value : values) {
        if (!std::isfinite(value)) {
            out.push_back(value);
            continue;
        }
        mean = weight * mean + (1.0 - weight) * value;
        share = weight * share + (1.0 - weight);
        out.push_back(mean / share);
    }
    return out;
}

}  // namespace stillroom::analysis
