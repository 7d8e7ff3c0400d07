// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/smart.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace stillroom::choices {
namespace {

int mostSensitive(const std::vector<double> &sensitivity_L, int first, int count)
{
    const auto begin = sensitivity_L.begin() + first;
    return first + static_cast<int>(std::max_element(begin, begin + count) - begin);   // of equal ones the first
}

/// Fills the steps between two ends. best(i, j): the largest sum over picks i … K-1 when j of the first i steps were long ones.
class Between final {
public:
    Between(const std::vector<double> &sensitivity_L, int first, int last, int keep)
        : m_sensitivity(sensitivity_L), m_first(first), m_keep(keep), m_short((last - first) / (keep - 1)), m_numLong((last - first) % (keep - 1)),
          m_best(static_cast<std::size_t>(keep) * static_cast<std::size_t>(m_numLong + 2), -std::numeric_limits<double>::infinity())
    {
        for (int i = keep - 1; i >= 0; --i)
            for (int j = std::max(0, m_numLong - (keep - 1 - i)); j <= std::min(i, m_numLong); ++j)
                best(i, j) = m_sensitivity[static_cast<std::size_t>(layer(i, j))] + (i == keep - 1 ? 0.0 : std::max(best(i + 1, j), best(i + 1, j + 1)));
    }

    [[nodiscard]] experiment::LayerSet layers()
    {
        experiment::LayerSet chosen;
        for (int i = 0, j = 0; i < m_keep; ++i) {
            chosen.push_back(layer(i, j));
            if (i + 1 < m_keep && best(i + 1, j + 1) > best(i + 1, j))
                ++j;
        }
        return chosen;
    }

private:
    [[nodiscard]] int layer(int i, int j) const { return m_first + i * m_short + j; }
    double &best(int i, int j) { return m_best[static_cast<std::size_t>(i) * static_cast<std::size_t>(m_numLong + 2) + static_cast<std::size_t>(j)]; }

    const std::vector<double> &m_sensitivity;
    int m_first, m_keep, m_short, m_numLong;
    std::vector<double> m_best;
};

}  // namespace

experiment::LayerSet smartSet(const std::vector<double> &sensitivity_L, int keep)
{
    const auto numLayers = static_cast<int>(sensitivity_L.size());
    if (keep < 0 || keep > numLayers)
        throw Error(ErrorCode::Usage, "K is " + std::to_string(keep) + " but must be from 0 to " + std::to_string(numLayers) + ".");
    const auto notFinite = std::find_if_not(sensitivity_L.begin(), sensitivity_L.end(), [](double s) { return std::isfinite(s); });
    if (notFinite != sensitivity_L.end())
        throw Error(ErrorCode::Usage, "The sensitivity of layer " + std::to_string(notFinite - sensitivity_L.begin()) + " is not finite, so SMART cannot choose.");
    if (keep == 0)
        return {};
    if (keep == 1)
        return {mostSensitive(sensitivity_L, 0, numLayers)};
    const int window = numLayers / keep;
    const int first = mostSensitive(sensitivity_L, 0, window);
    const int last = mostSensitive(sensitivity_L, numLayers - window, window);
    return Between(sensitivity_L, first, last, keep).layers();
}

std::vector<double> smartSensitivities(const std::vector<experiment::LayerScore> &scores, int numLayers)
{
    experiment::checkNumLayers(numLayers);
    std::vector<double> sensitivity_L(static_cast<std::size_t>(numLayers), std::numeric_limits<double>::quiet_NaN());
    for (const experiment::LayerScore &score : scores)
        if (score.layer >= 0 && score.layer < numLayers && score.klNats && !score.higherIsBetter)
            sensitivity_L[static_cast<std::size_t>(score.layer)] = -*score.klNats;
    const bool whole = std::all_of(sensitivity_L.begin(), sensitivity_L.end(), [](double s) { return std::isfinite(s); });
    return whole ? sensitivity_L : std::vector<double>();
}

bool allowedBySmart(const experiment::LayerSet &set, int numLayers)
{
    const auto keep = static_cast<int>(set.size());
    if (keep < 2)
        return true;
    const int window = numLayers / keep, distance = set.back() - set.front(), shortest = distance / (keep - 1), longest = (distance + keep - 2) / (keep - 1);
    if (set.front() >= window || set.back() < numLayers - window)
        return false;
    for (std::size_t i = 1; i < set.size(); ++i)
        if (const int step = set[i] - set[i - 1]; step != shortest && step != longest)
            return false;
    return true;      // steps of two neighbouring lengths with this sum: the number of long ones follows
}

}  // namespace stillroom::choices
