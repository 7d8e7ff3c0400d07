// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/layersamples.h"

#include <cstdint>
#include <span>
#include <vector>

namespace stillroom::analysis {

/// Which layer would have stood where, had other sequences been held out: the bootstrap over sequences. Each draw takes S of the S sequences with
/// replacement, the same for every layer, and ranks by the means; layers that are equal in a draw go in order of their number.
/// All draws are made once, here; every question about a K is answered by counting, so that K can be dragged.
/// Draws of two objects with equal S, seed and number of draws take the same sequences: the two are paired.
class BootstrapRanks final {
public:
    /// Time ~ draws · L · (S + log L), memory ~ draws · L · 2 bytes + L² · 4 bytes.
    /// \throws Error(Usage) for fewer than two sequences, fewer than one draw, or more than 65536 layers
    explicit BootstrapRanks(const LayerSamples &samples, int numDraws = 2000, std::uint64_t seed = 0);

    [[nodiscard]] int numLayers() const { return m_numLayers; }
    [[nodiscard]] int numDraws() const { return m_numDraws; }
    /// The layers of one draw, best first.
    [[nodiscard]] std::span<const std::uint16_t> draw(int index) const;

    /// Share of draws with the layer among the best K, at once. \param keep  0 … L. \throws Error(Usage)
    [[nodiscard]] double chanceOfTop(int layer, int keep) const;
    /// By place (0: best): share of draws that put the layer there.
    [[nodiscard]] std::vector<double> placeShares(int layer) const;
    struct RankInterval {
        int low = 1, high = 1;            ///< ranks from 1, best to worst
    };
    /// From the first rank that more than (1-level)/2 of the draws reach or beat to the first that at least (1+level)/2 do.
    [[nodiscard]] RankInterval rankInterval(int layer, double level = 0.95) const;

    /// Share of draws whose best |set| layers are this set.
    [[nodiscard]] double chanceOfSet(const experiment::LayerSet &set) const;
    /// Mean over draws of the Jaccard index between the best |set| layers and this set: 1 where other sequences would choose the same.
    [[nodiscard]] double meanJaccard(const experiment::LayerSet &set) const;

private:
    /// By number of layers of `set` that a draw has among its best |set|: in how many draws.
    [[nodiscard]] std::vector<int> sharedCounts(const experiment::LayerSet &set) const;
    void checkLayer(int layer) const;

    int m_numLayers, m_numDraws;
    std::vector<std::uint16_t> m_order;          ///< [draw][place]
    std::vector<std::uint32_t> m_within;         ///< [layer][place]: draws with the layer at that place or better
};

}  // namespace stillroom::analysis
