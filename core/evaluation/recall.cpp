// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/recall.h"

#include "error.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

namespace stillroom::evaluation {
namespace {

using text::RecallSequence;
using text::RecallTarget;

struct Counts {
    std::int64_t right = 0, all = 0;
    [[nodiscard]] double share() const { return all > 0 ? static_cast<double>(right) / static_cast<double>(all) : 0.0; }
};

/// Likeliest next token at every position of some sequences, [B,T] on the CPU.
at::Tensor likeliest(const nn::Transformer &model, const std::vector<RecallSequence> &sequences, std::size_t first, std::size_t last, at::ScalarType computeType, const std::stop_token &stop)
{
    std::vector<at::Tensor> rows;
    for (std::size_t i = first; i < last; ++i)
        rows.push_back(at::tensor(sequences[i].ids, at::TensorOptions(at::kLong)));
    nn::ForwardOptions options;
    options.stop = stop;
    const at::Tensor hidden_BTD = model.forward(at::stack(rows).to(model.device()), {}, computeType, options).hidden_BTD;
    return model.logits(hidden_BTD).to(at::kFloat).argmax(-1).cpu();
}

void count(const RecallSequence &sequence, const std::int64_t *predicted, Counts &recall, Counts &filler)
{
    for (std::size_t t = 0; t + 1 < sequence.ids.size(); ++t) {
        if (sequence.targets[t] == RecallTarget::None)
            continue;
        Counts &counts = sequence.targets[t] == RecallTarget::Recall ? recall : filler;
        ++counts.all;
        counts.right += predicted[t] == sequence.ids[t + 1] ? 1 : 0;
    }
}

double standardError(const std::vector<double> &values)
{
    const auto n = static_cast<double>(values.size());
    if (values.size() < 2)
        return 0.0;
    double mean = 0.0, squares = 0.0;
    for (const double value : values)
        mean += value / n;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return std::sqrt(squares / (n - 1.0) / n);
}

}  // namespace

RecallAccuracy recallAccuracy(const nn::Transformer &model, const std::vector<RecallSequence> &sequences, at::ScalarType computeType, std::int64_t batchSize, std::stop_token stop)
{
    const c10::NoGradGuard noGradients;
    for (const RecallSequence &sequence : sequences)
        if (sequence.ids.size() != sequences.front().ids.size() || sequence.targets.size() != sequence.ids.size())
            throw Error(ErrorCode::Usage, "recall sequences must have one length, with a target for each token");
    Counts recall, filler;
    std::vector<double> perSequence;
    const auto step = static_cast<std::size_t>(std::max<std::int64_t>(batchSize, 1));
    for (std::size_t first = 0; first < sequences.size(); first += step) {
        const std::size_t last = std::min(sequences.size(), first + step);
        const at::Tensor predicted_BT = likeliest(model, sequences, first, last, computeType, stop);
        for (std::size_t i = first; i < last; ++i) {
            Counts own;
            count(sequences[i], predicted_BT[static_cast<std::int64_t>(i - first)].const_data_ptr<std::int64_t>(), own, filler);
            recall.right += own.right;
            recall.all += own.all;
            if (own.all > 0)
                perSequence.push_back(own.share());
        }
    }
    if (recall.all == 0)
        throw Error(ErrorCode::Usage, "the recall sequences ask for nothing: give more or longer ones");
    return {recall.share(), standardError(perSequence), filler.share(), recall.all, filler.all, static_cast<std::int64_t>(sequences.size())};
}

}  // namespace stillroom::evaluation
