// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/measuresets.h"

#include "nn/torcherror.h"
#include "selection/hybrid.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <numeric>

namespace stillroom::selection {
namespace {

using SetIndices = std::vector<std::size_t>;

/// Sets that agree so far, parted by what they have in `layer`: softmax first.
std::pair<SetIndices, SetIndices> partedAt(int layer, const std::vector<experiment::LayerSet> &sets, const SetIndices &group)
{
    std::pair<SetIndices, SetIndices> parts;
    for (const std::size_t index : group)
        (std::binary_search(sets[index].begin(), sets[index].end(), layer) ? parts.first : parts.second).push_back(index);
    return parts;
}

std::int64_t blocksFrom(int layer, int numLayers, const std::vector<experiment::LayerSet> &sets, const SetIndices &group)
{
    if (layer == numLayers || group.empty())
        return 0;
    const auto [softmax, linear] = partedAt(layer, sets, group);
    return (softmax.empty() ? 0 : 1) + (linear.empty() ? 0 : 1) + blocksFrom(layer + 1, numLayers, sets, softmax) + blocksFrom(layer + 1, numLayers, sets, linear);
}

SetIndices allOf(const std::vector<experiment::LayerSet> &sets)
{
    SetIndices all(sets.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

/// One walk through the tree on one batch.
class TreeOfSets {
public:
    TreeOfSets(const nn::Transformer &softmax, const nn::Transformer &linear, const std::vector<experiment::LayerSet> &sets, const nn::TokenPlaces &places, std::stop_token stop,
               std::function<void(std::size_t set, const at::Tensor &h_BTD)> leaf)
        : m_softmax(softmax), m_linear(linear), m_sets(sets), m_places(places), m_leaf(std::move(leaf))
    {
        m_forward.stop = std::move(stop);
    }

    void walk(const at::Tensor &h_BTD, std::size_t layer, const SetIndices &group) const
    {
        if (layer == m_softmax.blocks.size()) {
            for (const std::size_t index : group)
                m_leaf(index, h_BTD);
            return;
        }
        const auto [softmax, linear] = partedAt(static_cast<int>(layer), m_sets, group);
        if (!softmax.empty())
            walk(m_softmax.runBlocks(h_BTD, m_places, layer, layer + 1, m_forward), layer + 1, softmax);
        if (!linear.empty())
            walk(m_linear.runBlocks(h_BTD, m_places, layer, layer + 1, m_forward), layer + 1, linear);
    }

private:
    const nn::Transformer &m_softmax, &m_linear;
    const std::vector<experiment::LayerSet> &m_sets;
    const nn::TokenPlaces &m_places;
    nn::ForwardOptions m_forward;
    std::function<void(std::size_t, const at::Tensor &)> m_leaf;
};

/// The teacher with every linear mixer that some set needs; other layers stay softmax and are never asked.
nn::Transformer linearWhereNeeded(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const std::vector<experiment::LayerSet> &sets)
{
    experiment::LayerSet always;
    for (int layer = 0; layer < static_cast<int>(teacher.blocks.size()); ++layer)
        if (std::all_of(sets.begin(), sets.end(), [&](const experiment::LayerSet &set) { return std::binary_search(set.begin(), set.end(), layer); }))
            always.push_back(layer);
    return hybrid(teacher, aligned, always);
}

}  // namespace

std::int64_t sharedBlocks(const std::vector<experiment::LayerSet> &sets, int numLayers) { return blocksFrom(0, numLayers, sets, allOf(sets)); }

SetScores measureSets(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const std::vector<experiment::LayerSet> &given,
                      const distillation::HeldOutSet &heldOut, const MeasureSetsOptions &options)
{
    return nn::asStillroomError("Measuring layer sets", [&] {
        const at::NoGradGuard noGrad;
        const auto numLayers = static_cast<int>(teacher.blocks.size());
        std::vector<experiment::LayerSet> sets;
        for (const experiment::LayerSet &set : given)
            sets.push_back(experiment::validLayerSet(set, numLayers));
        const nn::Transformer linear = linearWhereNeeded(teacher, aligned, sets);
        SetScores scores;
        scores.perSequence.resize(sets.size());
        scores.blockEvaluations = sharedBlocks(sets, numLayers);
        std::vector<distillation::HeldOutKl> kl(sets.size());
        for (std::size_t index = 0; index < heldOut.numBatches(); ++index) {
            const nn::TokenPlaces places = heldOut.places(index);
            distillation::StudentsOnBatch together(heldOut, index);
            const auto leaf = [&](std::size_t set, const at::Tensor &h_BTD) {
                const at::Tensor hidden_BTD = teacher.normFinal(h_BTD);
                if (!options.measure)
                    together.add(kl[set], hidden_BTD, teacher.head_VD);
                else
                    for (const double value : options.measure(index, hidden_BTD, teacher.head_VD))
                        scores.perSequence[set].push_back(value);
            };
            const TreeOfSets tree(teacher, linear, sets, places, options.stop, leaf);
            tree.walk(teacher.embed(heldOut.batch(index).ids_BT, heldOut.options().computeType), 0, allOf(sets));
            together.finish();
            scores.headEvaluations = together.headEvaluations();
            if (options.progress)
                options.progress(static_cast<std::int64_t>(index) + 1, static_cast<std::int64_t>(heldOut.numBatches()));
        }
        if (!options.measure)
            for (std::size_t set = 0; set < sets.size(); ++set)
                scores.perSequence[set] = std::move(kl[set].klNats);
        return scores;
    });
}

}  // namespace stillroom::selection
