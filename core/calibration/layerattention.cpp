// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/layerattention.h"

#include "calibration/documentrows.h"
#include "calibration/headbins.h"
#include "error.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

namespace stillroom::calibration {

namespace {

/// The ratios n/d whose moments are kept.
enum Ratio : std::int64_t { Distance, VersusUniform, Sink, Entropy, RelativeEntropy, ContextRms, ContextSquare, OutputSquare, numRatios };

/// Σ_r p[h, r, first + r − lag] for the lags 0 … first + R − 1: [H, first + R]. Probabilities right of a row's own key must be zero.
at::Tensor sumsByLag(const at::Tensor &p_HRS, std::int64_t first)
{
    // A lag's elements lie S + 1 apart: one row down, one key right. Where a row has no such key, the place is in the row above, right of that row's own
    // key, and holds zero. Lags above `first` begin in the second row, so that no place lies before the block.
    const std::int64_t heads = p_HRS.size(0), rows = p_HRS.size(1), keys = p_HRS.size(2);
    const at::Tensor near_HL = p_HRS.as_strided({heads, rows, first + 1}, {rows * keys, keys + 1, 1}).sum(1);
    if (rows == 1)
        return near_HL.flip(1);
    const at::Tensor far_HL = p_HRS.as_strided({heads, rows - 1, rows - 1}, {rows * keys, keys + 1, 1}, p_HRS.storage_offset() + keys + 2 - rows).sum(1);
    return at::cat({far_HL, near_HL}, 1).flip(1);
}

/// What one sequence adds.
struct SequenceSums {
    at::Tensor ratios_2PH;                        ///< numerators and denominators, float64
    at::Tensor lags_HL, entropies_HL, rows_HL;    ///< by bin, float64

    SequenceSums(std::int64_t heads, at::Device device)
    {
        const auto wide = at::TensorOptions(at::kDouble).device(device);
        ratios_2PH = at::zeros({2, numRatios, heads}, wide);
        lags_HL = at::zeros({heads, mostBins}, wide);
        entropies_HL = at::zeros_like(lags_HL);
        rows_HL = at::zeros_like(lags_HL);
    }

    void add(Ratio ratio, const at::Tensor &numerator_HR, const at::Tensor &denominator_HR)
    {
        ratios_2PH[0][ratio] += numerator_HR.to(at::kDouble).sum(-1);
        ratios_2PH[1][ratio] += denominator_HR.to(at::kDouble).sum(-1);
    }
};

/// Reads one document's attention off its rows.
class DocumentAttention {
public:
    DocumentAttention(const DocumentRows &rows, const AttentionOptions &options, at::Device device)
        : m_rows(rows), m_options(options), m_bin_N(at::tensor(binsOf(rows.count()), at::TensorOptions(at::kLong)).to(device))
    {
    }

    /// \return the contexts of rows first … first + count − 1, [H,R,V], if they are wanted.
    at::Tensor addRows(SequenceSums &sums, std::int64_t first, std::int64_t count) const
    {
        at::Tensor p_HRS = m_rows.probabilities(first, count);
        at::Tensor context_HRV;
        if (m_options.context)
            context_HRV = m_rows.weighted(p_HRS);
        const at::Tensor one_HR = p_HRS.new_ones({m_rows.numHeads(), count});
        sums.add(Sink, p_HRS.select(2, 0), one_HR);
        const at::Tensor counts_HR = dropKeys(p_HRS);
        addDistances(sums, p_HRS, counts_HR, first);
        addEntropies(sums, p_HRS, counts_HR, first);
        if (m_options.lagHistogram)
            sums.lags_HL.index_add_(1, m_bin_N.narrow(0, 0, first + count), sumsByLag(p_HRS, first).to(at::kDouble));
        return context_HRV;
    }

private:
    /// Takes the first keys out of p and renormalises it in place. \return 1 for rows that count, [H,R]: those with mass on another key.
    [[nodiscard]] at::Tensor dropKeys(at::Tensor &p_HRS) const
    {
        if (m_options.droppedKeys == 0)
            return p_HRS.new_ones({p_HRS.size(0), p_HRS.size(1)});
        p_HRS.narrow(2, 0, std::min(m_options.droppedKeys, p_HRS.size(2))).zero_();
        const at::Tensor kept_HR = p_HRS.sum(-1);
        const at::Tensor counts_HR = kept_HR.gt(0);
        p_HRS.div_(at::where(counts_HR, kept_HR, at::ones({}, kept_HR.options())).unsqueeze(-1));
        return counts_HR.to(p_HRS.scalar_type());
    }

    void addDistances(SequenceSums &sums, const at::Tensor &p_HRS, const at::Tensor &counts_HR, std::int64_t first) const
    {
        const std::int64_t rows = p_HRS.size(1), keys = p_HRS.size(2);
        // Σ_s A (t − s) = t − Σ_s A s, both counted from the block's first row, so that near keys make small numbers.
        const at::Tensor key_S = at::arange(-first, rows, p_HRS.options()), row_R = at::arange(rows, p_HRS.options());
        const at::Tensor own_HR = p_HRS.narrow(2, first, rows).diagonal(0, 1, 2);
        const at::Tensor distance_HR = (row_R * counts_HR - at::matmul(p_HRS.view({-1, keys}), key_S).view_as(counts_HR)).to(at::kDouble) + own_HR.to(at::kDouble) * 0.5;
        const at::Tensor seen_R = m_rows.keysSeen(first, rows, m_options.droppedKeys);
        const at::Tensor uniform_R = (seen_R - 1.0) / 2.0 + 0.5 / seen_R.clamp_min(1.0);
        sums.add(Distance, distance_HR, counts_HR);
        sums.add(VersusUniform, distance_HR, counts_HR * uniform_R);
    }

    void addEntropies(SequenceSums &sums, const at::Tensor &p_HRS, const at::Tensor &counts_HR, std::int64_t first) const
    {
        const std::int64_t rows = p_HRS.size(1);
        const at::Tensor entropy_HR = at::special_entr(p_HRS).sum(-1).to(at::kDouble);
        const at::Tensor seen_R = m_rows.keysSeen(first, rows, m_options.droppedKeys), several_R = seen_R.ge(2.0).to(at::kDouble);
        sums.add(Entropy, entropy_HR, counts_HR);
        sums.add(RelativeEntropy, entropy_HR * several_R / seen_R.clamp_min(2.0).log(), counts_HR * several_R);
        const at::Tensor bin_R = m_bin_N.narrow(0, first, rows);
        sums.entropies_HL.index_add_(1, bin_R, entropy_HR);
        sums.rows_HL.index_add_(1, bin_R, counts_HR.to(at::kDouble));
    }

    const DocumentRows &m_rows;
    const AttentionOptions &m_options;
    at::Tensor m_bin_N;
};

/// RMS of contexts, and of what each head's columns of the output projection make of them.
void addContexts(SequenceSums &sums, const at::Tensor &context_HNV, const at::Tensor &wo_DHK)
{
    const std::int64_t heads = context_HNV.size(0), width = wo_DHK.size(0);
    const at::Tensor square_HN = context_HNV.square().mean(-1);
    const at::Tensor one_HN = at::ones_like(square_HN);
    sums.add(ContextRms, square_HN.sqrt(), one_HN);
    sums.add(ContextSquare, square_HN, one_HN);
    // ‖W_h y‖² = yᵀ (W_hᵀ W_h) y: no [H,N,D] is made.
    const at::Tensor columns_HDV = wo_DHK.to(context_HNV.scalar_type()).view({width, heads, -1}).transpose(0, 1);
    const at::Tensor gram_HVV = at::matmul(columns_HDV.transpose(1, 2), columns_HDV);
    sums.add(OutputSquare, (at::matmul(context_HNV, gram_HVV) * context_HNV).sum(-1), one_HN);
}

Estimate ratioOf(const at::Tensor &moments_5PH, Ratio ratio, std::int64_t head, std::int64_t numSequences)
{
    const auto moment = [&](std::int64_t which) { return moments_5PH[which][ratio][head].item<double>(); };
    const double denominator = moment(1);
    Estimate estimate;
    if (!(denominator > 0.0))
        return estimate;
    estimate.value = moment(0) / denominator;
    if (numSequences > 1) {
        const double m = static_cast<double>(numSequences);
        const double squares = std::max(moment(2) - 2.0 * estimate.value * moment(3) + estimate.value * estimate.value * moment(4), 0.0);
        estimate.standardError = std::sqrt(squares * m / (m - 1.0)) / denominator;
    }
    return estimate;
}

/// √ of a mean square; its error by the slope of the root.
Estimate rootOf(const Estimate &square, double scale)
{
    const double root = std::sqrt(std::max(square.value, 0.0) * scale);
    return {root, root > 0.0 ? square.standardError * scale / (2.0 * root) : square.standardError};
}

std::vector<double> usedBins(const at::Tensor &values_L, std::int64_t count)
{
    const at::Tensor kept_L = values_L.narrow(0, 0, count).contiguous();
    return {kept_L.const_data_ptr<double>(), kept_L.const_data_ptr<double>() + count};
}

}  // namespace

double LayerAttention::contextRms() const
{
    double sum = 0.0;
    for (const HeadAttention &head : heads)
        sum += head.contextRms.value;
    return heads.empty() ? 0.0 : sum / static_cast<double>(heads.size());
}

double LayerAttention::contextRootMeanSquare() const
{
    double sum = 0.0;
    for (const HeadAttention &head : heads)
        sum += head.contextSquare.value;
    return heads.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(heads.size()));
}

std::vector<double> concentrations(const std::vector<double> &entropies_H, double leastSpreadNats)
{
    if (entropies_H.empty())
        return {};
    const auto [least, most] = std::minmax_element(entropies_H.begin(), entropies_H.end());
    const double spread = std::max(*most - *least, leastSpreadNats), lowest = *least;
    std::vector<double> result;
    for (const double entropy : entropies_H)
        result.push_back(1.0 - (entropy - lowest) / spread);
    return result;
}

LayerAttentionSums::LayerAttentionSums(int layer, AttentionOptions options)
    : m_layer(layer), m_options(options)
{
    if (options.droppedKeys < 0 || options.droppedKeys > 1024)
        throw Error(ErrorCode::Usage, "Attention statistics cannot leave out the first " + std::to_string(options.droppedKeys) + " keys; give 0 to 1024.");
}

at::Tensor LayerAttentionSums::add(const nn::SoftmaxMixer &mixer, const at::Tensor &x_1TD, const nn::TokenPlaces &places, const std::stop_token &stop)
{
    return nn::asStillroomError("Measuring attention", [&] {
        const c10::NoGradGuard noGrad;
        const at::ScalarType type = x_1TD.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        const std::int64_t numTokens = x_1TD.size(1), heads = mixer.options().numHeads;
        const nn::SoftmaxMixer::Qkv qkv = mixer.project(x_1TD, places);
        SequenceSums sums(heads, x_1TD.device());
        at::Tensor context_1THV;
        if (m_options.context)
            context_1THV = at::zeros({1, numTokens, heads, mixer.options().headDim}, x_1TD.options().dtype(type));
        std::int64_t counted = 0;
        for (const Document &document : documentsOf(places, numTokens, x_1TD.device())) {
            const DocumentRows rows(mixer, document, qkv, type);
            const DocumentAttention attention(rows, m_options, x_1TD.device());
            std::vector<at::Tensor> contexts_HRV;
            const std::int64_t step = rows.rowsPerBlock();
            for (std::int64_t first = 0; first < document.count; first += step) {
                nn::throwIfStopped(stop);
                contexts_HRV.push_back(attention.addRows(sums, first, std::min(step, document.count - first)));
            }
            counted += document.count;
            if (!m_options.context)
                continue;
            const at::Tensor context_HNV = at::cat(contexts_HRV, 1);
            addContexts(sums, context_HNV, mixer.weights().wo_DHK);
            context_1THV[0].index_copy_(0, document.index_N, context_HNV.transpose(0, 1));
        }
        if (counted == 0)
            return context_1THV;   // nothing but padding
        const at::Tensor ratios_2PH = sums.ratios_2PH.to(at::kCPU), n_PH = ratios_2PH[0], d_PH = ratios_2PH[1];
        const at::Tensor moments_5PH = at::stack({n_PH, d_PH, n_PH * n_PH, n_PH * d_PH, d_PH * d_PH});
        const auto added = [](const at::Tensor &sum, const at::Tensor &term) { return sum.defined() ? sum + term.to(at::kCPU) : term.to(at::kCPU); };
        m_moments_5PH = added(m_moments_5PH, moments_5PH);
        m_lags_HL = added(m_lags_HL, sums.lags_HL);
        m_entropies_HL = added(m_entropies_HL, sums.entropies_HL);
        m_rows_HL = added(m_rows_HL, sums.rows_HL);
        m_width = static_cast<double>(mixer.options().hiddenSize);
        m_numTokens += counted;
        ++m_numSequences;
        return context_1THV;
    });
}

LayerAttention LayerAttentionSums::result() const
{
    LayerAttention layer{m_layer, m_numSequences, m_numTokens, {}};
    if (!m_moments_5PH.defined())
        return layer;
    const std::int64_t heads = m_moments_5PH.size(2);
    const at::Tensor usedBin = m_rows_HL.sum(0).gt(0).nonzero();
    const std::int64_t bins = usedBin.numel() == 0 ? 0 : usedBin.max().item<std::int64_t>() + 1;
    std::vector<double> entropies;
    for (std::int64_t h = 0; h < heads; ++h) {
        const auto estimate = [&](Ratio ratio) { return ratioOf(m_moments_5PH, ratio, h, m_numSequences); };
        HeadAttention head;
        head.meanDistanceTokens = estimate(Distance);
        head.distanceVersusUniform = estimate(VersusUniform);
        head.sinkMass = estimate(Sink);
        head.entropyNats = estimate(Entropy);
        head.relativeEntropy = estimate(RelativeEntropy);
        head.contextRms = estimate(ContextRms);
        head.contextSquare = estimate(ContextSquare);
        head.outputRms = rootOf(estimate(OutputSquare), 1.0 / m_width);
        if (m_options.lagHistogram)
            head.lagShare = usedBins(m_lags_HL[h] / m_rows_HL[h].sum(), bins);
        head.entropyByPosition = usedBins(m_entropies_HL[h] / m_rows_HL[h], bins);
        entropies.push_back(head.entropyNats.value);
        layer.heads.push_back(std::move(head));
    }
    const std::vector<double> concentration = concentrations(entropies);
    for (std::size_t h = 0; h < layer.heads.size(); ++h)
        layer.heads[h].concentration = concentration[h];
    return layer;
}

}  // namespace stillroom::calibration
