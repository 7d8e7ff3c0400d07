// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/taylorerror.h"

#include "calibration/documentrows.h"
#include "calibration/softmaxlayers.h"
#include "distillation/batchplaces.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

namespace stillroom::calibration {

namespace {

/// What is summed over rows, per head; the entries of the second order follow those of the first.
enum TaylorSum : std::int64_t { exactSquares, errorSquares, errorSquaresOfTwo, products, productsOfTwo, squares, squaresOfTwo, secondMoment, thirdMoment, scorePairs, clampedRows, allRows, numTaylorSums };

constexpr double leastWeightPerKey = 1e-6;

void addRows(at::Tensor &sums_QH, const DocumentRows &rows, std::int64_t first, std::int64_t count, bool centred)
{
    const auto add = [&](std::int64_t which, const at::Tensor &values) { sums_QH[which] += values.to(at::kDouble).flatten(1).sum(1); };
    const at::Tensor exact_HRV = rows.weighted(rows.probabilities(first, count)), visible_RS = rows.visible(first, count);
    const at::Tensor scores_HRS = rows.scores(first, count), seen_R1 = rows.keysSeen(first, count, 0).unsqueeze(1).to(scores_HRS.scalar_type());
    const at::Tensor mean_HR1 = (scores_HRS * visible_RS).sum(-1, true) / seen_R1;
    const at::Tensor fromMean_HRS = (scores_HRS - mean_HR1) * visible_RS;
    add(secondMoment, fromMean_HRS.square());
    add(thirdMoment, fromMean_HRS.pow(3));
    add(exactSquares, exact_HRV.square());
    sums_QH[scorePairs] += seen_R1.sum(at::kDouble);
    sums_QH[allRows] += static_cast<double>(count);

    const at::Tensor s_HRS = centred ? fromMean_HRS : scores_HRS * visible_RS;
    at::Tensor weights_HRS = visible_RS.to(s_HRS.scalar_type()) + s_HRS;
    for (const std::int64_t order : {0, 1}) {
        if (order == 1)
            weights_HRS = weights_HRS + s_HRS.square() / 2.0;
        const at::Tensor total_HR1 = weights_HRS.sum(-1, true), least_R1 = seen_R1 * leastWeightPerKey;
        const at::Tensor approximate_HRV = rows.weighted(weights_HRS) / at::maximum(total_HR1, least_R1);
        add(errorSquares + order, (approximate_HRV - exact_HRV).square());
        add(products + order, approximate_HRV * exact_HRV);
        add(squares + order, approximate_HRV.square());
        if (order == 0)
            add(clampedRows, total_HR1 < least_R1);
    }
}

}  // namespace

void LayerTaylorSums::add(const nn::SoftmaxMixer &mixer, const at::Tensor &x_1TD, const nn::TokenPlaces &places, const std::stop_token &stop)
{
    nn::asStillroomError("Measuring the Taylor expansion", [&] {
        const c10::NoGradGuard noGrad;
        const nn::SoftmaxMixer::Qkv qkv = mixer.project(x_1TD, places);
        const at::ScalarType type = x_1TD.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        at::Tensor sums_QH = at::zeros({numTaylorSums, mixer.options().numHeads}, at::TensorOptions(at::kDouble).device(x_1TD.device()));
        for (const Document &document : documentsOf(places, x_1TD.size(1), x_1TD.device())) {
            const DocumentRows rows(mixer, document, qkv, type);
            const std::int64_t step = rows.rowsPerBlock();
            for (std::int64_t first = 0; first < document.count; first += step) {
                nn::throwIfStopped(stop);
                addRows(sums_QH, rows, first, std::min(step, document.count - first), m_options.centred);
            }
        }
        m_sums_QH = m_sums_QH.defined() ? m_sums_QH + sums_QH.to(at::kCPU) : sums_QH.to(at::kCPU);
    });
}

std::vector<HeadTaylor> LayerTaylorSums::result() const
{
    std::vector<HeadTaylor> heads;
    for (std::int64_t h = 0; m_sums_QH.defined() && h < m_sums_QH.size(1); ++h) {
        const auto sum = [&](std::int64_t which) { return m_sums_QH[which][h].item<double>(); };
        HeadTaylor head;
        for (const std::int64_t order : {0, 1}) {
            const double lengths = std::sqrt(sum(exactSquares)) * std::sqrt(sum(squares + order));
            head.errorOfOrder[order] = sum(exactSquares) > 0.0 ? sum(errorSquares + order) / sum(exactSquares) : 0.0;
            head.cosineOfOrder[order] = lengths > 0.0 ? sum(products + order) / lengths : 0.0;
        }
        const double pairs = std::max(sum(scorePairs), 1.0);
        head.scoreRms = std::sqrt(sum(secondMoment) / pairs);
        head.gamma = sum(secondMoment) > 0.0 ? std::sqrt(std::max(1.0 + sum(thirdMoment) / (2.0 * sum(secondMoment)), 0.0)) : 1.0;
        head.clampedShare = sum(clampedRows) / std::max(sum(allRows), 1.0);
        heads.push_back(head);
    }
    return heads;
}

std::vector<LayerTaylor> taylorErrors(const nn::Transformer &teacher, const distillation::Batch &sequences, at::ScalarType computeType, const std::function<void(std::int64_t)> &onSequence,
                                      const std::stop_token &stop, TaylorOptions options)
{
    return nn::asStillroomError("Measuring the Taylor error", [&] {
        const c10::NoGradGuard noGrad;
        std::vector<LayerTaylorSums> sums(teacher.blocks.size(), LayerTaylorSums(options));
        for (std::int64_t row = 0; row < sequences.ids_BT.size(0); ++row) {
            const distillation::Batch one = distillation::rowsOf(sequences, row, 1);
            const nn::TokenPlaces places = distillation::placesOf(one, teacher.device());
            visitSoftmaxLayers(teacher, one.ids_BT, places, computeType, stop,
                               [&](std::size_t layer, const nn::SoftmaxMixer &mixer, const at::Tensor &x_1TD) { sums[layer].add(mixer, x_1TD, places, stop); });
            if (onSequence)
                onSequence(row + 1);
        }
        std::vector<LayerTaylor> layers;
        for (std::size_t layer = 0; layer < teacher.blocks.size(); ++layer)
            if (softmaxMixerOf(teacher.blocks[layer]) != nullptr)
                layers.push_back({static_cast<int>(layer), sums[layer].result()});
        return layers;
    });
}

}  // namespace stillroom::calibration
