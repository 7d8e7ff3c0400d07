// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/intervals.h"
#include "experiment/score.h"

#include <vector>

namespace stillroom::analysis {

/// What was measured of every layer on the same held-out sequences: one value per layer and sequence, KL in nats per token unless said otherwise.
/// Being paired, two layers are compared sequence by sequence, so that how hard a sequence is for all of them drops out.
class LayerSamples final {
public:
    /// \param values_LS  one list per layer, the same sequences in the same order in each. \param higherIsBetter  false for KL.
    /// \throws Error(Usage) for no layer, no sequence, lists that differ in length, or a value that is not finite
    explicit LayerSamples(std::vector<std::vector<double>> values_LS, bool higherIsBetter = false);

    [[nodiscard]] int numLayers() const { return static_cast<int>(m_values.size()); }
    [[nodiscard]] int numSequences() const { return static_cast<int>(m_values.front().size()); }
    [[nodiscard]] bool higherIsBetter() const { return m_higherIsBetter; }

    /// By sequence. \throws Error(Usage) for a layer that is not there, as all below
    [[nodiscard]] const std::vector<double> &values(int layer) const;
    [[nodiscard]] double mean(int layer) const;
    /// Mean over sequences, each weighing the same, with SE and t-interval.
    [[nodiscard]] Interval interval(int layer, double level = 0.95) const;
    /// How much better `better` is than `worse`: the mean of their difference in the good direction, paired over sequences. Below 0 when it is not.
    [[nodiscard]] Interval advantage(int better, int worse, double level = 0.95) const;
    /// The same without the interval, which costs more than all the rest: for those who look at every pair.
    [[nodiscard]] Estimate difference(int better, int worse) const;
    /// By mean, best first, ties to the lower layer.
    [[nodiscard]] experiment::Ranking ranking() const;

private:
    std::vector<std::vector<double>> m_values;
    bool m_higherIsBetter;
};

}  // namespace stillroom::analysis
