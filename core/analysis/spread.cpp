// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/spread.h"

#include <algorithm>
#include <cmath>

namespace stillroom::analysis {

Interval spreadOf(const std::vector<double> &values, Spread spread)
{
    Interval made = tInterval(values);
    if (spread == Spread::Interval95)
        return made;
    if (spread == Spread::Range) {
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        made.low = *low;
        made.high = *high;
        return made;
    }
    const double reach = spread == Spread::StandardError ? made.se : made.se * std::sqrt(static_cast<double>(made.n));
    made.low = made.mean - reach;
    made.high = made.mean + reach;
    return made;
}

}  // namespace stillroom::analysis
