// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/layersamples.h"

#include "error.h"

#include <cmath>
#include <string>

namespace stillroom::analysis {

LayerSamples::LayerSamples(std::vector<std::vector<double>> values_LS, bool higherIsBetter) : m_values(std::move(values_LS)), m_higherIsBetter(higherIsBetter)
{
    if (m_values.empty() || m_values.front().empty())
        throw Error(ErrorCode::Usage, "Statistics of layers need at least one layer and one sequence.");
    for (std::size_t layer = 0; layer < m_values.size(); ++layer) {
        if (m_values[layer].size() != m_values.front().size())
            throw Error(ErrorCode::Usage, "Layer " + std::to_string(layer) + " was measured on " + std::to_string(m_values[layer].size()) + " sequences and layer 0 on " +
                                              std::to_string(m_values.front().size()) + ": only layers measured on the same sequences can be compared.");
        for (const double value : m_values[layer])
            if (!std::isfinite(value))
                throw Error(ErrorCode::Usage, "Layer " + std::to_string(layer) + " has a value that is not finite, so it cannot be compared.");
    }
}

const std::vector<double> &LayerSamples::values(int layer) const
{
    if (layer < 0 || layer >= numLayers())
        throw Error(ErrorCode::Usage, "Layer " + std::to_string(layer) + " does not exist; there are values of layers 0 to " + std::to_string(numLayers() - 1) + ".");
    return m_values[static_cast<std::size_t>(layer)];
}

double LayerSamples::mean(int layer) const
{
    double sum = 0.0;
    for (const double value : values(layer))
        sum += value;
    return sum / numSequences();
}

Interval LayerSamples::interval(int layer, double level) const
{
    return tInterval(values(layer), level);
}

Interval LayerSamples::advantage(int better, int worse, double level) const
{
    return tIntervalOf(difference(better, worse), level);
}

Estimate LayerSamples::difference(int better, int worse) const
{
    return m_higherIsBetter ? pairedEstimate(values(better), values(worse)) : pairedEstimate(values(worse), values(better));
}

experiment::Ranking LayerSamples::ranking() const
{
    std::vector<double> means;
    for (int layer = 0; layer < numLayers(); ++layer)
        means.push_back(mean(layer));
    return experiment::rank(means, m_higherIsBetter);
}

}  // namespace stillroom::analysis
