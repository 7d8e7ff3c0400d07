// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/zeroshot.h"

#include "error.h"
#include "selection/hybrid.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <numeric>

namespace stillroom::selection {
namespace {

std::vector<int> chosenLayers(const ZeroShotOptions &options, std::size_t numLayers)
{
    if (!options.layers.empty())
        return experiment::validLayerSet(options.layers, static_cast<int>(numLayers));
    std::vector<int> all(numLayers);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace

ZeroShotScores scoreZeroShot(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned,
                             const distillation::HeldOutSet &heldOut, const ZeroShotOptions &options)
{
    const c10::NoGradGuard noGradients;
    const nn::Transformer linear = hybrid(teacher, aligned, {});
    const std::size_t numLayers = linear.blocks.size();
    ZeroShotScores scores;
    scores.layers = chosenLayers(options, numLayers);
    scores.keptAlone.resize(scores.layers.size());
    nn::ForwardOptions forward;
    forward.stop = options.stop;
    for (std::size_t index = 0; index < heldOut.numBatches(); ++index) {
        const nn::TokenPlaces places = heldOut.places(index);
        distillation::StudentsOnBatch together(heldOut, index);
        at::Tensor prefix_BTD = linear.embed(heldOut.batch(index).ids_BT.to(linear.device()), options.computeType);   // of the all-linear student, up to `layer`
        scores.blockEvaluations = static_cast<std::int64_t>(numLayers);
        for (std::size_t layer = 0; layer < numLayers; ++layer) {
            if (const auto scored = std::find(scores.layers.begin(), scores.layers.end(), static_cast<int>(layer)); scored != scores.layers.end()) {
                at::Tensor h_BTD = teacher.runBlocks(prefix_BTD, places, layer, layer + 1, forward);
                h_BTD = linear.runBlocks(h_BTD, places, layer + 1, numLayers, forward);
                together.add(scores.keptAlone[static_cast<std::size_t>(scored - scores.layers.begin())], linear.normFinal(h_BTD), linear.head_VD);
                scores.blockEvaluations += static_cast<std::int64_t>(numLayers - layer);
            }
            prefix_BTD = linear.runBlocks(prefix_BTD, places, layer, layer + 1, forward);
        }
        together.add(scores.allLinear, linear.normFinal(prefix_BTD), linear.head_VD);
        together.finish();
        scores.headEvaluations = together.headEvaluations();
        if (options.onBatch)
            options.onBatch(scores);
        if (options.progress)
            options.progress(static_cast<std::int64_t>(index) + 1, static_cast<std::int64_t>(heldOut.numBatches()));
    }
    return scores;
}

}  // namespace stillroom::selection
