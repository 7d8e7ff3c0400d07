// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/residual.h"

#include "analysis/intervals.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>


namespace stillroom::selection {
namespace {

/// Σ over counted tokens and channels of x², per sequence: [B] float64.
at::Tensor squaresPerSequence(const at::Tensor &x_BTD, const at::Tensor &counted_BT)
{
    const at::Tensor squares_BT = x_BTD.to(at::kDouble).square().sum(-1);
    return squares_BT.masked_fill(counted_BT.logical_not(), 0.0).sum(1).cpu();
}

}  // namespace

std::vector<LayerResidual> heldOutResiduals(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned,
                                            const std::vector<distillation::Batch> &heldOut, at::ScalarType computeType, std::stop_token stop)
{
    const c10::NoGradGuard noGradients;
    std::vector<std::vector<double>> perSequence(aligned.size());
    nn::ForwardOptions options;
    options.keepMixerInputs = options.keepMixerOutputs = true;
    options.stop = stop;
    for (const distillation::Batch &batch : heldOut) {
        const at::Tensor ids_BT = batch.ids_BT.to(teacher.device());
        nn::TokenPlaces places = nn::placesFromMask(ids_BT);
        if (batch.documents_BT.defined())
            places.documents_BT = batch.documents_BT.to(teacher.device());
        const at::Tensor counted_BT = distillation::countedTokens(batch).to(teacher.device());
        const nn::ForwardResult result = teacher.forward(ids_BT, places, computeType, options);
        for (std::size_t i = 0; i < aligned.size(); ++i) {
            const auto layer = static_cast<std::size_t>(aligned[i].layer);
            const at::Tensor &target_BTD = result.mixerOutputs_BTD[layer];
            const at::Tensor error_BTD = aligned[i].mixer->forward(result.mixerInputs_BTD[layer], places, nullptr) - target_BTD;
            const at::Tensor ratio_B = squaresPerSequence(error_BTD, counted_BT) / squaresPerSequence(target_BTD, counted_BT);
            perSequence[i].insert(perSequence[i].end(), ratio_B.const_data_ptr<double>(), ratio_B.const_data_ptr<double>() + ratio_B.numel());
        }
    }
    std::vector<LayerResidual> residuals;
    for (std::size_t i = 0; i < aligned.size(); ++i) {
        const analysis::Estimate residual = analysis::estimate(perSequence[i]);
        residuals.push_back({aligned[i].layer, residual.mean, residual.se, residual.n});
    }
    return residuals;
}

}  // namespace stillroom::selection
