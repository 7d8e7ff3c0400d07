// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/branches.h"

#include "error.h"
#include "evaluation/sequenceloss.h"
#include "experiment/score.h"
#include "nn/zeromixer.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stillroom::selection {
namespace {

std::vector<int> chosenLayers(const BranchOptions &options, std::size_t numLayers)
{
    if (!options.layers.empty())
        return experiment::validLayerSet(options.layers, static_cast<int>(numLayers));
    std::vector<int> all(numLayers);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// Mean of (a - b)² over counted tokens and channels, by row, summed in float64.
std::vector<double> hiddenErrors(const at::Tensor &a_BTD, const at::Tensor &b_BTD, const at::Tensor &counted_BT)
{
    const at::Tensor squares_BT = (a_BTD.to(at::kDouble) - b_BTD.to(at::kDouble)).square().mean(-1).cpu();
    const at::Tensor mean_B = squares_BT.masked_fill(counted_BT.logical_not(), 0.0).sum(1) / counted_BT.sum(1);
    std::vector<double> errors(mean_B.const_data_ptr<double>(), mean_B.const_data_ptr<double>() + mean_B.numel());
    if (!std::all_of(errors.begin(), errors.end(), [](double error) { return std::isfinite(error); }))
        throw Error(ErrorCode::NonFinite, "the hidden states of a student are not finite: try float32 as compute type");
    return errors;
}

/// Students measured on one batch. What is not KL needs no waiting: each is measured as it comes.
class BatchMeasures final {
public:
    BatchMeasures(const distillation::HeldOutSet &heldOut, std::size_t index, HeldOutMeasure measure) : m_heldOut(heldOut), m_index(index), m_measure(measure), m_together(heldOut, index) {}

    /// \param into  gets the batch's sequences, at the latest in `finish`; must stay where it is until then.
    void add(std::vector<double> &into, const at::Tensor &hidden_BTD, const at::Tensor &head_VD)
    {
        const distillation::Batch &batch = m_heldOut.batch(m_index);
        if (m_measure == HeldOutMeasure::Kl) {
            m_waiting.push_back({&into, std::make_unique<distillation::HeldOutKl>()});
            m_together.add(*m_waiting.back().second, hidden_BTD, head_VD);
        } else if (m_measure == HeldOutMeasure::Loss) {
            append(into, evaluation::sequenceLosses(hidden_BTD, head_VD, distillation::nextTokenLabels(batch)).nats);
        } else {
            append(into, hiddenErrors(hidden_BTD, m_heldOut.teacherHidden(m_index), distillation::countedTokens(batch)));
        }
    }
    void finish()
    {
        m_together.finish();
        for (const auto &[into, kl] : m_waiting)
            append(*into, kl->klNats);
    }
    [[nodiscard]] std::int64_t headEvaluations() const { return m_together.headEvaluations(); }
    /// Tokens behind each sequence's mean.
    [[nodiscard]] std::vector<std::int64_t> tokens() const
    {
        const distillation::Batch &batch = m_heldOut.batch(m_index);
        const at::Tensor counted_BT = m_measure == HeldOutMeasure::Loss ? distillation::nextTokenLabels(batch).ge(0) : distillation::countedTokens(batch);
        const at::Tensor tokens_B = counted_BT.sum(1).contiguous();
        return {tokens_B.const_data_ptr<std::int64_t>(), tokens_B.const_data_ptr<std::int64_t>() + tokens_B.numel()};
    }

private:
    static void append(std::vector<double> &into, const std::vector<double> &more) { into.insert(into.end(), more.begin(), more.end()); }

    const distillation::HeldOutSet &m_heldOut;
    std::size_t m_index;
    HeldOutMeasure m_measure;
    distillation::StudentsOnBatch m_together;
    std::vector<std::pair<std::vector<double> *, std::unique_ptr<distillation::HeldOutKl>>> m_waiting;
};

/// What is known of the base when it is the teacher: without a pass of its own.
void addTeacher(BranchScores &scores, const nn::Transformer &teacher, const distillation::HeldOutSet &heldOut, std::size_t index, HeldOutMeasure measure)
{
    if (measure != HeldOutMeasure::Loss) {
        scores.base.resize(scores.tokens.size(), 0.0);
        return;
    }
    const auto losses = evaluation::sequenceLosses(heldOut.teacherHidden(index), teacher.head_VD, distillation::nextTokenLabels(heldOut.batch(index))).nats;
    scores.base.insert(scores.base.end(), losses.begin(), losses.end());
}

/// The pass of the base over one batch, and what branches off it.
void scoreBatch(BranchScores &scores, const nn::Transformer &base, const nn::Transformer &other, const distillation::HeldOutSet &heldOut, std::size_t index, const BranchOptions &options)
{
    const std::size_t numLayers = base.blocks.size();
    nn::ForwardOptions forward;
    forward.stop = options.stop;
    const nn::TokenPlaces places = heldOut.places(index);
    BatchMeasures measures(heldOut, index, options.measure);
    at::Tensor prefix_BTD = base.embed(heldOut.batch(index).ids_BT.to(base.device()), heldOut.options().computeType);   // of the base, up to `layer`
    const std::size_t end = options.base == BranchBase::Measured ? numLayers : static_cast<std::size_t>(scores.layers.back());
    scores.blockEvaluations = static_cast<std::int64_t>(end);
    for (std::size_t layer = 0; layer < numLayers; ++layer) {
        if (const auto scored = std::find(scores.layers.begin(), scores.layers.end(), static_cast<int>(layer)); scored != scores.layers.end()) {
            at::Tensor h_BTD = other.runBlocks(prefix_BTD, places, layer, layer + 1, forward);
            h_BTD = base.runBlocks(h_BTD, places, layer + 1, numLayers, forward);
            measures.add(scores.branches[static_cast<std::size_t>(scored - scores.layers.begin())], base.normFinal(h_BTD), base.head_VD);
            scores.blockEvaluations += static_cast<std::int64_t>(numLayers - layer);
        }
        if (layer < end)
            prefix_BTD = base.runBlocks(prefix_BTD, places, layer, layer + 1, forward);
    }
    if (options.base == BranchBase::Measured)
        measures.add(scores.base, base.normFinal(prefix_BTD), base.head_VD);
    measures.finish();
    scores.headEvaluations = measures.headEvaluations();
    const std::vector<std::int64_t> tokens = measures.tokens();
    scores.tokens.insert(scores.tokens.end(), tokens.begin(), tokens.end());
    if (options.base == BranchBase::Teacher)
        addTeacher(scores, base, heldOut, index, options.measure);
}

}  // namespace

BranchScores scoreBranches(const nn::Transformer &base, const nn::Transformer &other, const distillation::HeldOutSet &heldOut, const BranchOptions &options)
{
    const c10::NoGradGuard noGradients;
    if (base.blocks.size() != other.blocks.size())
        throw Error(ErrorCode::Usage, "models that differ in one layer must have equally many layers");
    BranchScores scores;
    scores.layers = chosenLayers(options, base.blocks.size());
    scores.branches.resize(scores.layers.size());
    for (std::size_t index = 0; index < heldOut.numBatches(); ++index) {
        scoreBatch(scores, base, other, heldOut, index, options);
        if (options.onBatch)
            options.onBatch(scores);
        if (options.progress)
            options.progress(static_cast<std::int64_t>(index) + 1, static_cast<std::int64_t>(heldOut.numBatches()));
    }
    return scores;
}

std::vector<double> measureHeldOut(const nn::Transformer &student, const distillation::HeldOutSet &heldOut, HeldOutMeasure measure, std::stop_token stop)
{
    const c10::NoGradGuard noGradients;
    nn::ForwardOptions forward;
    forward.stop = std::move(stop);
    std::vector<double> values;
    for (std::size_t index = 0; index < heldOut.numBatches(); ++index) {
        BatchMeasures measures(heldOut, index, measure);
        measures.add(values, student.forward(heldOut.batch(index).ids_BT, heldOut.places(index), heldOut.options().computeType, forward).hidden_BTD, student.head_VD);
        measures.finish();
    }
    return values;
}

std::int64_t measureBytes(const nn::Transformer &teacher, HeldOutMeasure measure, const distillation::HeldOutOptions &options, std::int64_t sequences, std::int64_t length, std::int64_t students)
{
    const std::int64_t channels = sequences * length * teacher.head_VD.size(1);
    if (measure == HeldOutMeasure::Loss)
        return evaluation::sequenceLossBytes(length, teacher.head_VD, options.computeType);
    if (measure == HeldOutMeasure::HiddenError)
        return 4 * channels * static_cast<std::int64_t>(at::elementSize(at::kDouble));
    // Only shape, type and device matter: one number, expanded.
    const at::Tensor hidden_ND = at::empty({1, 1}, teacher.head_VD.options().dtype(options.computeType).requires_grad(false)).expand({sequences * length, teacher.head_VD.size(1)});
    const distillation::Head head{hidden_ND, teacher.head_VD};
    const distillation::KlHeadBytes one = distillation::klPerTokenBytes(head, head, options.headBudgetBytes);
    const std::int64_t bytes = channels * static_cast<std::int64_t>(at::elementSize(options.computeType)), waiting = std::min(students, distillation::mostWaiting(bytes, options));
    return one.total() + waiting * bytes + (waiting - 1) * (one.results + one.castsPerStudent);
}

nn::Transformer withoutAttention(const nn::Transformer &teacher)
{
    nn::Transformer silent = teacher;
    for (nn::Block &block : silent.blocks)
        block.mixer = std::make_shared<nn::ZeroMixer>();
    return silent;
}

}  // namespace stillroom::selection
