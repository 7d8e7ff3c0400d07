// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/intervals.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace stillroom::analysis {
namespace {

/// The continued fraction of DLMF 8.17.22 by Lentz's method; converges fast for x < (a + 1) / (a + b + 2).
double betaFraction(double x, double a, double b)
{
    constexpr double tiny = 1e-300;
    const auto guarded = [](double value) { return std::abs(value) < tiny ? tiny : value; };
    double c = 1.0, d = 1.0 / guarded(1.0 - (a + b) * x / (a + 1.0)), fraction = d;
    for (int m = 1; m < 10000; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0));
        double change = 1.0;
        for (const double coefficient : {even, odd}) {
            d = 1.0 / guarded(1.0 + coefficient * d);
            c = guarded(1.0 + coefficient / c);
            change = c * d;
            fraction *= change;
        }
        if (std::abs(change - 1.0) < 1e-16)
            break;
    }
    return fraction;
}

double studentCdf(double t, double degrees)
{
    const double tail = 0.5 * incompleteBeta(degrees / (degrees + t * t), 0.5 * degrees, 0.5);
    return t > 0.0 ? 1.0 - tail : tail;
}

}  // namespace

double incompleteBeta(double x, double a, double b)
{
    if (x <= 0.0)
        return 0.0;
    if (x >= 1.0)
        return 1.0;
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    if (x < (a + 1.0) / (a + b + 2.0))
        return front * betaFraction(x, a, b) / a;
    return 1.0 - front * betaFraction(1.0 - x, b, a) / b;
}

double studentQuantile(double probability, double degrees)
{
    if (!(probability > 0.0 && probability < 1.0) || !(degrees > 0.0))
        throw Error(ErrorCode::Usage, "Student's t needs a probability between 0 and 1 and at least one degree of freedom");
    if (probability < 0.5)
        return -studentQuantile(1.0 - probability, degrees);
    double low = 0.0, high = 1.0;
    while (studentCdf(high, degrees) < probability && high < 1e300)
        high *= 2.0;
    for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
        const double middle = 0.5 * (low + high);
        (studentCdf(middle, degrees) < probability ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

Estimate estimate(const std::vector<double> &values)
{
    if (values.empty())
        throw Error(ErrorCode::Usage, "a mean needs at least one value");
    Estimate found;
    found.n = static_cast<std::int64_t>(values.size());
    const auto n = static_cast<double>(values.size());
    for (const double value : values)
        found.mean += value / n;
    if (values.size() == 1) {
        found.se = std::numeric_limits<double>::quiet_NaN();
        return found;
    }
    double squares = 0.0;
    for (const double value : values)
        squares += (value - found.mean) * (value - found.mean);
    found.se = std::sqrt(squares / (n - 1.0) / n);
    return found;
}

Estimate pairedEstimate(const std::vector<double> &a, const std::vector<double> &b)
{
    if (a.size() != b.size())
        throw Error(ErrorCode::Usage, "paired values must be as many on both sides, not " + std::to_string(a.size()) + " and " + std::to_string(b.size()));
    std::vector<double> differences(a.size());
    std::transform(a.begin(), a.end(), b.begin(), differences.begin(), std::minus<>());
    return estimate(differences);
}

Interval tIntervalOf(const Estimate &found, double level)
{
    if (!(level > 0.0 && level < 1.0))
        throw Error(ErrorCode::Usage, "an interval needs a level between 0 and 1");
    Interval interval{found.mean, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), found.se, found.n};
    if (found.n > 1) {
        const double reach = intervalReach(found.se, found.n, level);
        interval.low = found.mean - reach;
        interval.high = found.mean + reach;
    }
    return interval;
}

double intervalReach(double se, std::int64_t n, double level)
{
    return n > 1 ? studentQuantile(0.5 * (1.0 + level), static_cast<double>(n) - 1.0) * se : std::numeric_limits<double>::quiet_NaN();
}

Interval tInterval(const std::vector<double> &values, double level)
{
    return tIntervalOf(estimate(values), level);
}

Interval pairedInterval(const std::vector<double> &a, const std::vector<double> &b, double level)
{
    return tIntervalOf(pairedEstimate(a, b), level);
}

}  // namespace stillroom::analysis
