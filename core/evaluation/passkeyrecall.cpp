// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/passkeyrecall.h"

#include "analysis/intervals.h"
#include "error.h"
#include "evaluation/likeliest.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <span>

namespace stillroom::evaluation {
namespace {

using text::PasskeyDocument;

/// The places of one passkey's tokens are neighbours; other text stands between two passkeys.
bool startsPasskey(const PasskeyDocument &document, std::size_t t) { return document.answers[t] != 0 && (t == 0 || document.answers[t - 1] == 0); }

struct PasskeyTotals {
    std::int64_t passkeys = 0, recalled = 0, tokens = 0, rightTokens = 0;
    std::vector<double> shares;       ///< by document
};

/// \param predicted  after each place of an answer, in order; read on from where the last document ended
void addDocument(PasskeyTotals &totals, const PasskeyDocument &document, const std::int64_t *&predicted)
{
    std::int64_t asked = 0, recalled = 0;
    bool whole = false;
    for (std::size_t t = 0; t + 1 < document.ids.size(); ++t) {
        if (document.answers[t] == 0)
            continue;
        if (startsPasskey(document, t)) {
            ++asked;
            whole = true;
        }
        const bool right = *predicted++ == document.ids[t + 1];
        ++totals.tokens;
        totals.rightTokens += right ? 1 : 0;
        whole = whole && right;
        if (whole && (t + 2 >= document.ids.size() || document.answers[t + 1] == 0))
            ++recalled;
    }
    totals.passkeys += asked;
    totals.recalled += recalled;
    if (asked > 0)
        totals.shares.push_back(static_cast<double>(recalled) / static_cast<double>(asked));
}

void addDocuments(PasskeyTotals &totals, const nn::Transformer &model, std::span<const PasskeyDocument> documents, at::ScalarType computeType, const std::stop_token &stop)
{
    std::vector<at::Tensor> rows;
    std::vector<std::int64_t> positions;
    for (const PasskeyDocument &document : documents) {
        const auto rowStart = static_cast<std::int64_t>(rows.size() * document.ids.size());
        for (std::size_t t = 0; t + 1 < document.ids.size(); ++t)
            if (document.answers[t] != 0)
                positions.push_back(rowStart + static_cast<std::int64_t>(t));
        rows.push_back(at::tensor(document.ids, at::TensorOptions(at::kLong)));
    }
    if (positions.empty())
        return;
    const at::Tensor predicted_N = likeliestNext(model, at::stack(rows), at::tensor(positions, at::TensorOptions(at::kLong)), computeType, stop);
    const std::int64_t *predicted = predicted_N.const_data_ptr<std::int64_t>();
    for (const PasskeyDocument &document : documents)
        addDocument(totals, document, predicted);
}

PasskeyRecall measuredPasskeys(const nn::Transformer &model, const std::vector<PasskeyDocument> &documents, at::ScalarType computeType, std::int64_t batchSize, const std::stop_token &stop)
{
    const c10::NoGradGuard noGradients;
    for (const PasskeyDocument &document : documents)
        if (document.ids.size() != documents.front().ids.size() || document.answers.size() != document.ids.size())
            throw Error(ErrorCode::Usage, "passkey documents must have one length, with a mark for each token");
    PasskeyTotals totals;
    const auto step = static_cast<std::size_t>(std::max<std::int64_t>(batchSize, 1));
    for (std::size_t first = 0; first < documents.size(); first += step)
        addDocuments(totals, model, std::span(documents).subspan(first, std::min(step, documents.size() - first)), computeType, stop);
    if (totals.passkeys == 0)
        throw Error(ErrorCode::Usage, "the passkey documents ask for nothing");
    return {static_cast<double>(totals.recalled) / static_cast<double>(totals.passkeys), analysis::estimate(totals.shares).se,
            static_cast<double>(totals.rightTokens) / static_cast<double>(totals.tokens), totals.passkeys, static_cast<std::int64_t>(documents.size())};
}

}  // namespace

PasskeyRecall passkeyRecall(const nn::Transformer &model, const std::vector<PasskeyDocument> &documents, at::ScalarType computeType, std::int64_t batchSize, std::stop_token stop)
{
    return nn::asStillroomError("Measuring recall", [&] { return measuredPasskeys(model, documents, computeType, batchSize, stop); });
}

}  // namespace stillroom::evaluation
