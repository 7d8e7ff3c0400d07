// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/bootstrapranks.h"

#include "error.h"
#include "randomstream.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace stillroom::analysis {
namespace {

/// Sums over the sequences of one draw, for all layers at once.
class ResampledSums final {
public:
    ResampledSums(const LayerSamples &samples, std::uint64_t seed) : m_numLayers(static_cast<std::size_t>(samples.numLayers())), m_seed(seed), m_times(static_cast<std::size_t>(samples.numSequences()))
    {
        // Sequence by sequence, so that the inner loop runs over layers and becomes vector instructions; good is small, as sorting wants it.
        const double sign = samples.higherIsBetter() ? -1.0 : 1.0;
        for (std::size_t s = 0; s < m_times.size(); ++s)
            for (std::size_t layer = 0; layer < m_numLayers; ++layer)
                m_values_SL.push_back(sign * samples.values(static_cast<int>(layer))[s]);
    }

    void draw(int index, std::vector<double> &sums_L)
    {
        RandomStream stream(seedFor(m_seed, "bootstrap over sequences", 0, index));
        std::fill(m_times.begin(), m_times.end(), 0);
        for (std::size_t i = 0; i < m_times.size(); ++i)
            ++m_times[stream.below(m_times.size())];
        std::fill(sums_L.begin(), sums_L.end(), 0.0);
        for (std::size_t s = 0; s < m_times.size(); ++s) {
            if (m_times[s] == 0)
                continue;
            const double times = m_times[s];
            const double *row = m_values_SL.data() + s * m_numLayers;
            for (std::size_t layer = 0; layer < m_numLayers; ++layer)
                sums_L[layer] += times * row[layer];
        }
    }

private:
    std::size_t m_numLayers;
    std::uint64_t m_seed;
    std::vector<int> m_times;
    std::vector<double> m_values_SL;
};

}  // namespace

BootstrapRanks::BootstrapRanks(const LayerSamples &samples, int numDraws, std::uint64_t seed) : m_numLayers(samples.numLayers()), m_numDraws(numDraws)
{
    if (samples.numSequences() < 2 || numDraws < 1 || m_numLayers > 65536)
        throw Error(ErrorCode::Usage, "The bootstrap needs at least two sequences and one draw (here " + std::to_string(samples.numSequences()) + " and " + std::to_string(numDraws) + ").");
    const auto layers = static_cast<std::size_t>(m_numLayers);
    m_order.resize(static_cast<std::size_t>(numDraws) * layers);
    m_within.resize(layers * layers);
    ResampledSums resampled(samples, seed);
    std::vector<double> sums_L(layers);
    for (int index = 0; index < numDraws; ++index) {
        resampled.draw(index, sums_L);
        const auto order = m_order.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(index) * layers);
        std::iota(order, order + m_numLayers, std::uint16_t{0});
        std::sort(order, order + m_numLayers, [&](std::uint16_t a, std::uint16_t b) { return sums_L[a] < sums_L[b] || (sums_L[a] == sums_L[b] && a < b); });
        for (std::size_t place = 0; place < layers; ++place)
            ++m_within[order[static_cast<std::ptrdiff_t>(place)] * layers + place];
    }
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const auto row = m_within.begin() + static_cast<std::ptrdiff_t>(layer * layers);
        std::partial_sum(row, row + m_numLayers, row);
    }
}

void BootstrapRanks::checkLayer(int layer) const
{
    if (layer < 0 || layer >= m_numLayers)
        throw Error(ErrorCode::Usage, "Layer " + std::to_string(layer) + " does not exist; there are layers 0 to " + std::to_string(m_numLayers - 1) + ".");
}

std::span<const std::uint16_t> BootstrapRanks::draw(int index) const
{
    if (index < 0 || index >= m_numDraws)
        throw Error(ErrorCode::Usage, "There are " + std::to_string(m_numDraws) + " draws, and no draw " + std::to_string(index) + ".");
    const auto layers = static_cast<std::size_t>(m_numLayers);
    return {m_order.data() + static_cast<std::size_t>(index) * layers, layers};
}

double BootstrapRanks::chanceOfTop(int layer, int keep) const
{
    checkLayer(layer);
    if (keep < 0 || keep > m_numLayers)
        throw Error(ErrorCode::Usage, "K is " + std::to_string(keep) + " but must be from 0 to " + std::to_string(m_numLayers) + ".");
    return keep == 0 ? 0.0 : m_within[static_cast<std::size_t>(layer) * static_cast<std::size_t>(m_numLayers) + static_cast<std::size_t>(keep) - 1] / static_cast<double>(m_numDraws);
}

std::vector<double> BootstrapRanks::placeShares(int layer) const
{
    checkLayer(layer);
    std::vector<double> shares;
    std::uint32_t before = 0;
    for (int place = 0; place < m_numLayers; ++place) {
        const std::uint32_t within = m_within[static_cast<std::size_t>(layer) * static_cast<std::size_t>(m_numLayers) + static_cast<std::size_t>(place)];
        shares.push_back(static_cast<double>(within - before) / m_numDraws);
        before = within;
    }
    return shares;
}

BootstrapRanks::RankInterval BootstrapRanks::rankInterval(int layer, double level) const
{
    if (!(level > 0.0 && level < 1.0))
        throw Error(ErrorCode::Usage, "An interval needs a level between 0 and 1, not " + std::to_string(level) + ".");
    const double tail = 0.5 * (1.0 - level);
    RankInterval interval;
    while (chanceOfTop(layer, interval.low) <= tail)
        ++interval.low;
    interval.high = interval.low;
    while (chanceOfTop(layer, interval.high) < 1.0 - tail - 1e-12)
        ++interval.high;
    return interval;
}

std::vector<int> BootstrapRanks::sharedCounts(const experiment::LayerSet &set) const
{
    std::vector<char> inside(static_cast<std::size_t>(m_numLayers), 0);
    for (const int layer : experiment::validLayerSet(set, m_numLayers))
        inside[static_cast<std::size_t>(layer)] = 1;
    std::vector<int> counts(set.size() + 1, 0);
    for (int index = 0; index < m_numDraws; ++index) {
        const auto order = draw(index);
        ++counts[static_cast<std::size_t>(std::count_if(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(set.size()), [&](std::uint16_t layer) { return inside[layer] != 0; }))];
    }
    return counts;
}

double BootstrapRanks::chanceOfSet(const experiment::LayerSet &set) const
{
    return static_cast<double>(sharedCounts(set).back()) / m_numDraws;
}

double BootstrapRanks::meanJaccard(const experiment::LayerSet &set) const
{
    const std::vector<int> counts = sharedCounts(set);
    const std::size_t size = set.size();
    double sum = 0.0;
    for (std::size_t shared = 0; shared <= size; ++shared)
        sum += counts[shared] * (size == 0 ? 1.0 : static_cast<double>(shared) / static_cast<double>(2 * size - shared));
    return sum / m_numDraws;
}

}  // namespace stillroom::analysis
