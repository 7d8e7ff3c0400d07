// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/zeroshot.h"

#include "error.h"
#include "selection/hybrid.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

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
        std::vector<at::Tensor> inputs_BTD{linear.embed(heldOut.batch(index).ids_BT.to(linear.device()), options.computeType)};
        for (std::size_t layer = 0; layer < numLayers; ++layer)
            inputs_BTD.push_back(linear.runBlocks(inputs_BTD.back(), places, layer, layer + 1, forward));
        heldOut.append(scores.allLinear, index, linear.normFinal(inputs_BTD.back()), linear.head_VD);
        scores.blockEvaluations = static_cast<std::int64_t>(numLayers);
        for (std::size_t i = 0; i < scores.layers.size(); ++i) {
            const auto layer = static_cast<std::size_t>(scores.layers[i]);
            at::Tensor h_BTD = teacher.runBlocks(inputs_BTD[layer], places, layer, layer + 1, forward);
            h_BTD = linear.runBlocks(h_BTD, places, layer + 1, numLayers, forward);
            heldOut.append(scores.keptAlone[i], index, linear.normFinal(h_BTD), linear.head_VD);
            scores.blockEvaluations += static_cast<std::int64_t>(numLayers - layer);
        }
        if (options.onBatch)
            options.onBatch(scores);
        if (options.progress)
            options.progress(static_cast<std::int64_t>(index) + 1, static_cast<std::int64_t>(heldOut.numBatches()));
    }
    return scores;
}

}  // namespace stillroom::selection
