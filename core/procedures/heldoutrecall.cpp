// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/heldoutrecall.h"

#include "error.h"
#include "procedures/modelargument.h"
#include "procedures/passkeybatches.h"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::procedures {
namespace {

constexpr std::uint64_t passkeySeed = 1;
constexpr std::size_t rowsInBatch = 8;
constexpr std::int64_t noLabel = -100;

text::PasskeyDocuments passkeyDocuments(std::shared_ptr<const text::Tokenizer> tokenizer)
{
    return {{.pairs = heldOutPasskeyPairs}, std::move(tokenizer)};
}

/// Whether four passkeys have room, and about how many tokens they are asked for with, depends on the tokenizer and the length alone.
text::PasskeyDocument anyDocument(const nlohmann::json &data, const checkpoint::ModelFiles &model)
{
    return passkeyDocuments(tokenizerOf(model)).document(std::vector<text::TokenId>{0}, data.at("sequence_length").get<std::int64_t>(), 0, 0);
}

/// Labels of the held-out set of the recall task.
AnswerBatches recallAnswers(const TrainingData &data)
{
    AnswerBatches made{data.heldOut, {}};
    std::int64_t sequence = 0;
    for (const distillation::Batch &batch : data.heldOut) {
        at::Tensor labels_BT = at::full_like(batch.ids_BT, noLabel);
        for (std::int64_t row = 0; row < labels_BT.size(0); ++row) {
            const text::RecallSequence recall = heldOutRecall(*data.recall, sequence++);
            std::int64_t *const labels_T = labels_BT.data_ptr<std::int64_t>() + row * labels_BT.size(1);
            for (std::size_t t = 0; t + 1 < recall.ids.size(); ++t)
                if (recall.targets[t] == text::RecallTarget::Recall)
                    labels_T[t] = recall.ids[t + 1];
        }
        made.labels_BT.push_back(std::move(labels_BT));
    }
    return made;
}

AnswerBatches passkeyAnswers(const TrainingData &data)
{
    const std::vector<text::PasskeyDocument> documents = heldOutPasskeys(data);
    AnswerBatches made;
    for (std::size_t first = 0; first < documents.size(); first += rowsInBatch) {
        const auto rows = static_cast<std::int64_t>(std::min(rowsInBatch, documents.size() - first));
        distillation::Batch batch;
        batch.ids_BT = at::empty({rows, data.sequenceLength}, at::kLong);
        at::Tensor labels_BT = at::full({rows, data.sequenceLength}, noLabel, at::kLong);
        for (std::int64_t row = 0; row < rows; ++row) {
            const text::PasskeyDocument &document = documents[first + static_cast<std::size_t>(row)];
            std::copy(document.ids.begin(), document.ids.end(), batch.ids_BT.data_ptr<std::int64_t>() + row * data.sequenceLength);
            std::int64_t *const labels_T = labels_BT.data_ptr<std::int64_t>() + row * data.sequenceLength;
            for (std::size_t t = 0; t + 1 < document.ids.size(); ++t)
                if (document.answers[t] != 0)
                    labels_T[t] = document.ids[t + 1];
        }
        made.batches.push_back(std::move(batch));
        made.labels_BT.push_back(std::move(labels_BT));
    }
    return made;
}

}  // namespace

void checkRecallSource(const nlohmann::json &spec, const std::string &subject)
{
    const nlohmann::json &source = spec.at("data").at("source");
    if (source != "recall-task" && source != "text")
        throw Error(ErrorCode::Usage, subject + ", which needs data.source to be recall-task, or text to hide passkeys in.");
}

void requirePasskeyRoom(const nlohmann::json &data, const checkpoint::ModelFiles &model) { (void)anyDocument(data, model); }

void checkPasskeyRoom(const ScoringPlan &plan)
{
    if (plan.spec.at("data").at("source") == "text")
        requirePasskeyRoom(plan.spec.at("data"), plan.files);
}

std::int64_t askedTokens(const ScoringPlan &plan)
{
    if (plan.spec.at("data").at("source") != "text") {
        const text::RecallSequence sequence = heldOutRecall(recallTask(plan.spec.at("data")), 0);
        return std::count_if(sequence.targets.begin(), sequence.targets.end(), [](text::RecallTarget target) { return target != text::RecallTarget::None; });
    }
    const text::PasskeyDocument document = anyDocument(plan.spec.at("data"), plan.files);
    return std::count(document.answers.begin(), document.answers.end(), 1);
}

std::vector<text::RecallSequence> heldOutRecallSequences(const TrainingData &data, std::int64_t count)
{
    std::vector<text::RecallSequence> sequences;
    for (std::int64_t i = 0; i < count; ++i)
        sequences.push_back(heldOutRecall(*data.recall, i));
    return sequences;
}

std::vector<text::PasskeyDocument> heldOutPasskeys(const TrainingData &data)
{
    const text::PasskeyDocuments passkeys = passkeyDocuments(data.tokenizer);
    std::vector<text::PasskeyDocument> documents;
    for (const distillation::Batch &batch : data.heldOut)
        for (std::int64_t row = 0; row < batch.ids_BT.size(0); ++row)
            documents.push_back(passkeys.document(tokensWithoutPadding(batch, row), data.sequenceLength, passkeySeed, static_cast<std::int64_t>(documents.size())));
    return documents;
}

AnswerBatches answerBatches(const TrainingData &data)
{
    return data.recall ? recallAnswers(data) : passkeyAnswers(data);
}

}  // namespace stillroom::procedures
