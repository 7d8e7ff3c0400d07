// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/chanceoverlap.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace stillroom::analysis {
namespace {

double logChoose(int n, int k)
{
    return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
}

}  // namespace

// The law is the same for (a, b) and (b, a): in one order it is so to the last bit.
ChanceOverlap::ChanceOverlap(int a, int b, int numLayers) : m_sizeA(std::min(a, b)), m_sizeB(std::max(a, b)), m_least(std::max(0, a + b - numLayers))
{
    if (a < 0 || b < 0 || a > numLayers || b > numLayers)
        throw Error(ErrorCode::Usage, "set sizes " + std::to_string(a) + " and " + std::to_string(b) + " must lie between 0 and " + std::to_string(numLayers));
    for (int m = m_least; m <= m_sizeA; ++m)
        m_probability.push_back(std::exp(logChoose(m_sizeA, m) + logChoose(numLayers - m_sizeA, m_sizeB - m) - logChoose(numLayers, m_sizeB)));
}

double ChanceOverlap::probability(int shared) const
{
    const int at = shared - m_least;
    return at < 0 || at >= static_cast<int>(m_probability.size()) ? 0.0 : m_probability[static_cast<std::size_t>(at)];
}

double ChanceOverlap::atLeast(int shared) const
{
    if (shared <= m_least)
        return 1.0;
    double sum = 0.0;
    for (int m = m_sizeA; m >= shared; --m)      // small terms first
        sum += probability(m);
    return std::min(sum, 1.0);
}

double ChanceOverlap::atMost(int shared) const
{
    if (shared >= m_sizeA)
        return 1.0;
    double sum = 0.0;
    for (int m = m_least; m <= shared; ++m)
        sum += probability(m);
    return std::min(sum, 1.0);
}

double ChanceOverlap::jaccardOf(int shared) const
{
    return m_sizeA + m_sizeB == 0 ? 1.0 : static_cast<double>(shared) / (m_sizeA + m_sizeB - shared);
}

double ChanceOverlap::meanJaccard() const
{
    double mean = 0.0;
    for (int m = m_least; m <= m_sizeA; ++m)
        mean += probability(m) * jaccardOf(m);
    return mean;
}

double ChanceOverlap::jaccardQuantile(double probability) const
{
    if (!(probability > 0.0 && probability < 1.0))
        throw Error(ErrorCode::Usage, "A quantile needs a probability between 0 and 1, not " + std::to_string(probability) + ".");
    int shared = m_least;
    // A sum that is the probability itself but for rounding has reached it.
    for (double sum = this->probability(shared); shared < m_sizeA && sum < probability - 1e-12;)
        sum += this->probability(++shared);
    return jaccardOf(shared);
}

bool isBeyondChance(double pValue)
{
    constexpr double rounding = 1e-9;
    return pValue < chanceLevel - rounding;
}

}  // namespace stillroom::analysis
