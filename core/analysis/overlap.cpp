// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/overlap.h"

#include "analysis/chanceoverlap.h"
#include "analysis/layersets.h"
#include "error.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace stillroom::analysis {
namespace {

using experiment::LayerSet;

/// Chance depends on the sizes alone, and most pairs have the same ones.
class ChanceBySizes final {
public:
    explicit ChanceBySizes(int numLayers) : m_numLayers(numLayers) {}
    OverlapIndex operator()(const LayerSet &a, const LayerSet &b)
    {
        const int sizeA = static_cast<int>(a.size()), sizeB = static_cast<int>(b.size());
        const auto [found, isNew] = m_known.try_emplace({std::min(sizeA, sizeB), std::max(sizeA, sizeB)});
        Known &known = found->second;
        if (isNew) {
            const ChanceOverlap chance(sizeA, sizeB, m_numLayers);
            known.mean = chance.meanJaccard();
            for (int shared = 0; shared <= std::min(sizeA, sizeB); ++shared)
                known.atLeast.push_back(chance.atLeast(shared));
        }
        const int shared = numShared(a, b), all = sizeA + sizeB - shared;
        return {shared, all == 0 ? 1.0 : static_cast<double>(shared) / all, known.mean, known.atLeast[static_cast<std::size_t>(shared)]};
    }

private:
    struct Known {
        double mean = 0.0;
        std::vector<double> atLeast;       ///< by number of shared layers
    };
    int m_numLayers;
    std::map<std::pair<int, int>, Known> m_known;
};

}  // namespace

Overlap overlap(const LayerSet &a, const LayerSet &b)
{
    Overlap parts;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(parts.onlyA));
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(parts.both));
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(parts.onlyB));
    return parts;
}

OverlapMatrix::OverlapMatrix(const std::vector<std::optional<LayerSet>> &sets, int numLayers) : m_size(static_cast<int>(sets.size())), m_cells(sets.size() * sets.size())
{
    ChanceBySizes index(numLayers);
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (std::size_t j = i; j < sets.size(); ++j)
            if (sets[i] && sets[j])
                m_cells[i * sets.size() + j] = m_cells[j * sets.size() + i] = index(*sets[i], *sets[j]);
}

std::vector<AgreementPoint> agreementOfSets(const std::vector<std::optional<LayerSet>> &a_K, const std::vector<std::optional<LayerSet>> &b_K, double level)
{
    if (a_K.size() != b_K.size())
        throw Error(ErrorCode::Usage, "Two choices are compared K by K, so both need a set or none for each K from 0 to the number of layers.");
    if (!(level > 0.0 && level < 1.0))
        throw Error(ErrorCode::Usage, "An interval needs a level between 0 and 1, not " + std::to_string(level) + ".");
    const int numLayers = static_cast<int>(a_K.size()) - 1;
    std::vector<AgreementPoint> curve;
    for (int keep = 1; keep <= numLayers; ++keep) {
        const auto &a = a_K[static_cast<std::size_t>(keep)], &b = b_K[static_cast<std::size_t>(keep)];
        if (!a || !b)
            continue;
        const ChanceOverlap chance(static_cast<int>(a->size()), static_cast<int>(b->size()), numLayers);
        curve.push_back({keep, jaccard(*a, *b), chance.meanJaccard(), {chance.jaccardQuantile(0.5 * (1.0 - level)), chance.jaccardQuantile(0.5 * (1.0 + level))}, chance.atLeast(numShared(*a, *b)), {}});
    }
    return curve;
}

}  // namespace stillroom::analysis
