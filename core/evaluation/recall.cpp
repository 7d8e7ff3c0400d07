// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/recall.h"

#include "analysis/intervals.h"
#include "error.h"
#include "evaluation/likeliest.h"
#include "evaluation/sequenceloss.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <span>

namespace stillroom::evaluation {
namespace {

using text::RecallSequence;
using text::RecallTarget;

struct Counts {
    std::int64_t right = 0, all = 0;
    [[nodiscard]] double share() const { return all > 0 ? static_cast<double>(right) / static_cast<double>(all) : 0.0; }
};

struct Totals {
    Counts recall, filler;
    std::vector<double> recallPerSequence;
};

/// Adds one batch of sequences.
void addBatch(Totals &totals, const nn::Transformer &model, std::span<const RecallSequence> sequences, at::ScalarType computeType, const std::stop_token &stop)
{
    std::vector<at::Tensor> rows;
    std::vector<std::int64_t> positions;
    for (const RecallSequence &sequence : sequences) {
        const auto rowStart = static_cast<std::int64_t>(rows.size() * sequence.ids.size());
        for (std::size_t t = 0; t + 1 < sequence.ids.size(); ++t)
            if (sequence.targets[t] != RecallTarget::None)
                positions.push_back(rowStart + static_cast<std::int64_t>(t));
        rows.push_back(at::tensor(sequence.ids, at::TensorOptions(at::kLong)));
    }
    if (positions.empty())
        return;
    const at::Tensor predicted_N = likeliestNext(model, at::stack(rows), at::tensor(positions, at::TensorOptions(at::kLong)), computeType, stop);
    const std::int64_t *predicted = predicted_N.const_data_ptr<std::int64_t>();
    for (const RecallSequence &sequence : sequences) {
        Counts own;
        for (std::size_t t = 0; t + 1 < sequence.ids.size(); ++t) {
            if (sequence.targets[t] == RecallTarget::None)
                continue;
            Counts &counts = sequence.targets[t] == RecallTarget::Recall ? own : totals.filler;
            ++counts.all;
            counts.right += *predicted++ == sequence.ids[t + 1] ? 1 : 0;
        }
        totals.recall.all += own.all;
        totals.recall.right += own.right;
        if (own.all > 0)
            totals.recallPerSequence.push_back(own.share());
    }
}

RecallAccuracy measured(const nn::Transformer &model, const std::vector<RecallSequence> &sequences, at::ScalarType computeType, std::int64_t batchSize, const std::stop_token &stop)
{
    const c10::NoGradGuard noGradients;
    for (const RecallSequence &sequence : sequences)
        if (sequence.ids.size() != sequences.front().ids.size() || sequence.targets.size() != sequence.ids.size())
            throw Error(ErrorCode::Usage, "recall sequences must have one length, with a target for each token");
    Totals totals;
    const auto step = static_cast<std::size_t>(std::max<std::int64_t>(batchSize, 1));
    for (std::size_t first = 0; first < sequences.size(); first += step)
        addBatch(totals, model, std::span(sequences).subspan(first, std::min(step, sequences.size() - first)), computeType, stop);
    if (totals.recall.all == 0)
        throw Error(ErrorCode::Usage, "the recall sequences ask for nothing: give more or longer ones");
    return {totals.recall.share(), analysis::estimate(totals.recallPerSequence).se, totals.filler.share(), totals.recall.all, totals.filler.all, std::ssize(totals.recallPerSequence)};
}

/// -100 where nothing is asked. \return undefined, where there is no answer
at::Tensor answerLabels(const RecallSequence &sequence)
{
    at::Tensor labels_T = at::full({static_cast<std::int64_t>(sequence.ids.size())}, -100, at::TensorOptions(at::kLong));
    bool any = false;
    for (std::size_t t = 0; t + 1 < sequence.ids.size(); ++t) {
        if (sequence.targets.at(t) != RecallTarget::Recall)
            continue;
        labels_T.data_ptr<std::int64_t>()[t] = sequence.ids[t + 1];
        any = true;
    }
    return any ? labels_T : at::Tensor();
}

Perplexity measuredAnswers(const nn::Transformer &model, const std::vector<RecallSequence> &sequences, at::ScalarType computeType, std::int64_t batchSize, const std::stop_token &stop)
{
    const c10::NoGradGuard noGradients;
    std::vector<at::Tensor> rows, labels;
    for (const RecallSequence &sequence : sequences)
        if (const at::Tensor labels_T = answerLabels(sequence); labels_T.defined()) {
            rows.push_back(at::tensor(sequence.ids, at::TensorOptions(at::kLong)));
            labels.push_back(labels_T);
        }
    if (rows.empty())
        throw Error(ErrorCode::Usage, "the recall sequences ask for nothing: give more or longer ones");
    Perplexity result{.natsPerToken = 0.0, .tokens = 0, .convention = "answers of the recall task alone"};
    const at::Tensor ids_NT = at::stack(rows), labels_NT = at::stack(labels);
    nn::ForwardOptions forward;
    forward.stop = stop;
    const std::int64_t step = std::max<std::int64_t>(batchSize, 1), total = ids_NT.size(0);
    for (std::int64_t first = 0; first < total; first += step) {
        const std::int64_t count = std::min(step, total - first);
        const at::Tensor hidden_BTD = model.forward(ids_NT.narrow(0, first, count).to(model.device()), {}, computeType, forward).hidden_BTD;
        const SequenceLosses losses = sequenceLosses(hidden_BTD, model.head_VD, labels_NT.narrow(0, first, count));
        for (std::size_t row = 0; row < losses.nats.size(); ++row) {
            result.natsPerToken += losses.nats[row] * static_cast<double>(losses.tokens[row]);
            result.tokens += losses.tokens[row];
        }
    }
    result.natsPerToken /= static_cast<double>(result.tokens);
    return result;
}

}  // namespace

Perplexity answerPerplexity(const nn::Transformer &model, const std::vector<text::RecallSequence> &sequences, at::ScalarType computeType, std::int64_t batchSize, std::stop_token stop)
{
    return nn::asStillroomError("Measuring perplexity", [&] { return measuredAnswers(model, sequences, computeType, batchSize, stop); });
}

RecallAccuracy recallAccuracy(const nn::Transformer &model, const std::vector<RecallSequence> &sequences, at::ScalarType computeType, std::int64_t batchSize, std::stop_token stop)
{
    return nn::asStillroomError("Measuring recall", [&] { return measured(model, sequences, computeType, batchSize, stop); });
}

}  // namespace stillroom::evaluation
