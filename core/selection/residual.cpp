// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/residual.h"

#include "analysis/intervals.h"
#include "distillation/batchplaces.h"
#include "distillation/trainingmemory.h"
#include "nn/residualstream.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace stillroom::selection {
namespace {

using distillation::OutputLoss;

/// Σ_t ‖x_t‖^power over counted tokens, per sequence: [B] float64.
at::Tensor normsPerSequence(const at::Tensor &x_BTD, const at::Tensor &counted_BT, double power)
{
    const at::Tensor squares_BT = x_BTD.to(at::kDouble).square().sum(-1);
    const at::Tensor norms_BT = power == 2.0 ? squares_BT : squares_BT.sqrt();
    return norms_BT.masked_fill(counted_BT.logical_not(), 0.0).sum(1).cpu();
}

/// The form's value of each sequence, as distillation::outputLossSums and outputLossDenominator give it for one: [B] float64.
at::Tensor residualPerSequence(OutputLoss form, const at::Tensor &error_BTD, const at::Tensor &target_BTD, const at::Tensor &counted_BT)
{
    const auto width = static_cast<double>(error_BTD.size(-1));
    const at::Tensor tokens_B = counted_BT.sum(1).to(at::kDouble).cpu();
    const auto meanSquare = [&](const at::Tensor &x_BTD) { return normsPerSequence(x_BTD, counted_BT, 2.0) / (tokens_B * width); };
    const auto rms = [&] { return normsPerSequence(error_BTD, counted_BT, 1.0) / (tokens_B * std::sqrt(width)); };
    switch (form) {
    case OutputLoss::RelativeMse:
        return normsPerSequence(error_BTD, counted_BT, 2.0) / normsPerSequence(target_BTD, counted_BT, 2.0);
    case OutputLoss::Rms:
        return rms();
    case OutputLoss::Squared:
        return normsPerSequence(error_BTD, counted_BT, 2.0) / tokens_B;
    case OutputLoss::MeanSquare:
        return meanSquare(error_BTD);
    case OutputLoss::RmsScaled:
        break;
    }
    return rms() / meanSquare(target_BTD).sqrt();
}

/// Into `aligned`: a layer may have several mixers.
std::map<std::size_t, std::vector<std::size_t>> indicesByLayer(const std::vector<distillation::AlignedLayer> &aligned)
{
    std::map<std::size_t, std::vector<std::size_t>> indices;
    for (std::size_t i = 0; i < aligned.size(); ++i)
        indices[static_cast<std::size_t>(aligned[i].layer)].push_back(i);
    return indices;
}

}  // namespace

std::vector<LayerResidual> heldOutResiduals(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned,
                                            const std::vector<distillation::Batch> &heldOut, const ResidualOptions &options)
{
    const c10::NoGradGuard noGradients;
    std::vector<std::vector<double>> perSequence(aligned.size());
    const auto byLayer = indicesByLayer(aligned);
    std::int64_t done = 0;
    for (const distillation::Batch &batch : heldOut) {
        nn::ResidualStream stream(teacher, batch.ids_BT, distillation::placesOf(batch, teacher.device()), options.computeType, options.stop);
        const at::Tensor counted_BT = distillation::countedTokens(batch).to(teacher.device());
        for (const auto &[layer, indices] : byLayer) {
            const nn::MixerValues teachers = stream.through(layer);
            for (const std::size_t i : indices) {
                const at::Tensor error_BTD = aligned[i].mixer->forward(teachers.x_BTD, stream.places(), nullptr) - teachers.y_BTD;
                const at::Tensor residual_B = residualPerSequence(options.form, error_BTD, teachers.y_BTD, counted_BT);
                perSequence[i].insert(perSequence[i].end(), residual_B.const_data_ptr<double>(), residual_B.const_data_ptr<double>() + residual_B.numel());
            }
        }
        if (options.progress)
            options.progress(++done, std::ssize(heldOut));
    }
    std::vector<LayerResidual> residuals;
    for (std::size_t i = 0; i < aligned.size(); ++i) {
        const analysis::Estimate residual = analysis::estimate(perSequence[i]);
        residuals.push_back({aligned[i].layer, residual.mean, residual.se, residual.n, std::move(perSequence[i])});
    }
    return residuals;
}

std::int64_t residualBytes(const nn::Transformer &teacher, const nn::Transformer &linear, at::ScalarType computeType, std::int64_t sequences, std::int64_t length, bool documents)
{
    const auto element = static_cast<std::int64_t>(at::elementSize(computeType)), wide = static_cast<std::int64_t>(at::elementSize(at::kDouble));
    const std::int64_t channels = sequences * length * teacher.head_VD.size(1);
    const auto pass = [&](const nn::Transformer &model) { return distillation::forwardBytes(model, computeType, sequences, length, documents); };
    return 3 * channels * element + std::max({pass(teacher), pass(linear), channels * (element + 2 * wide)});
}

}  // namespace stillroom::selection
