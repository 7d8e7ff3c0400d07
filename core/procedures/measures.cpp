// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/measures.h"

#include "analysis/intervals.h"
#include "distillation/batchplaces.h"
#include "error.h"
#include "evaluation/hiddencosine.h"
#include "evaluation/passkeyrecall.h"
#include "evaluation/perplexity.h"
#include "evaluation/recall.h"
#include "procedures/heldoutrecall.h"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace stillroom::procedures {
namespace {

constexpr std::int64_t numRecallSequences = 128;
constexpr std::int64_t leastPasskeyTokens = 256;      // shorter sequences have little room beside four statements and questions

void measureKl(nlohmann::json &measures, const nn::Transformer &model, const TrainingData &data, const MeasureRequest &request)
{
    if (!request.teacher)
        throw Error(ErrorCode::Usage, "KL needs a teacher to compare with: name one in the spec");
    distillation::HeldOutOptions options;
    options.computeType = request.settings.computeType;
    options.headBudgetBytes = request.headBudgetBytes;
    options.stop = request.stop;
    measures.update(klMeasures(distillation::HeldOutSet(*request.teacher, data.heldOut, options).measure(model)));
}

/// How far the student's own states turn away from the teacher's, by depth.
void measureHiddenCosine(nlohmann::json &measures, const nn::Transformer &model, const TrainingData &data, const MeasureRequest &request)
{
    if (!request.teacher)
        throw Error(ErrorCode::Usage, "hidden-cosine needs a teacher to compare with: name one in the spec");
    evaluation::HiddenCosines cosines;
    for (const distillation::Batch &batch : data.heldOut)
        cosines.append(evaluation::hiddenCosines(*request.teacher, model, batch.ids_BT, distillation::placesOf(batch, request.teacher->device()),
                                                 distillation::countedTokens(batch), request.settings.computeType, request.stop));
    const analysis::Estimate final = analysis::estimate(cosines.final);
    measures["hidden_cosine"] = final.mean;
    measures["hidden_cosine_se"] = final.se;
    measures["hidden_cosine_sequences"] = final.n;
    measures["hidden_cosine_by_layer"] = nlohmann::json::array();
    for (const std::vector<double> &layer : cosines.afterBlock)
        measures["hidden_cosine_by_layer"].push_back(analysis::estimate(layer).mean);
}

/// The held-out sequences as one text, padding left out.
std::vector<std::int64_t> heldOutIds(const TrainingData &data)
{
    std::vector<std::int64_t> ids;
    for (const distillation::Batch &batch : data.heldOut) {
        const at::Tensor valid = batch.ids_BT.masked_select(distillation::countedTokens(batch)).contiguous();
        ids.insert(ids.end(), valid.const_data_ptr<std::int64_t>(), valid.const_data_ptr<std::int64_t>() + valid.numel());
    }
    return ids;
}

void putPerplexity(nlohmann::json &measures, const evaluation::Perplexity &result)
{
    measures["perplexity"] = result.perplexity();
    measures["nats_per_token"] = result.natsPerToken;
    measures["perplexity_tokens"] = result.tokens;
    measures["convention"] = result.convention;
}

void measurePerplexity(nlohmann::json &measures, const nn::Transformer &model, const TrainingData &data, const MeasureRequest &request)
{
    evaluation::PerplexityOptions options;
    options.window = request.window;
    options.stride = request.stride;
    options.computeType = request.settings.computeType;
    options.stop = request.stop;
    const std::vector<std::int64_t> ids = heldOutIds(data);
    putPerplexity(measures, evaluation::perplexity(model, ids, options));
    if (std::string warning = checkpoint::contextWarning(model.config, std::min<std::int64_t>(request.window, std::ssize(ids))); !warning.empty() && request.warn)
        request.warn(std::move(warning));
}

/// Of the answers: recall sequences are independent of each other, and joined to one text they would say nothing.
void measureAnswerPerplexity(nlohmann::json &measures, const nn::Transformer &model, const TrainingData &data, const MeasureRequest &request)
{
    putPerplexity(measures, evaluation::answerPerplexity(model, heldOutRecallSequences(data, numRecallSequences), request.settings.computeType, 16, request.stop));
}

void measureRecall(nlohmann::json &measures, const nn::Transformer &model, const TrainingData &data, const MeasureRequest &request)
{
    const evaluation::RecallAccuracy accuracy = evaluation::recallAccuracy(model, heldOutRecallSequences(data, numRecallSequences), request.settings.computeType, 16, request.stop);
    measures["recall"] = accuracy.recall;
    measures["recall_se"] = accuracy.recallSe;
    measures["recall_sequences"] = accuracy.numSequences;
    measures["filler_accuracy"] = accuracy.filler;
    measures["recall_task"] = "mqar-mix";
}

void measurePasskeys(nlohmann::json &measures, const nn::Transformer &model, const TrainingData &data, const MeasureRequest &request)
{
    if (data.sequenceLength < leastPasskeyTokens)
        return;
    const evaluation::PasskeyRecall recall = evaluation::passkeyRecall(model, heldOutPasskeys(data), request.settings.computeType, 8, request.stop);
    measures["recall"] = recall.recall;
    measures["recall_se"] = recall.recallSe;
    measures["recall_sequences"] = recall.numDocuments;      // each asks for passkeys
    measures["recall_token_accuracy"] = recall.tokenAccuracy;
    measures["recall_n"] = recall.numPasskeys;
    measures["recall_task"] = "passkeys, " + std::to_string(heldOutPasskeyPairs) + " in " + std::to_string(data.sequenceLength) + " tokens";
}

/// Why the data have no recall that could be measured; empty where they have.
std::string whyNoRecall(const nlohmann::json &data)
{
    if (data.at("source") == "tokens")
        return "recall hides passkeys in text, and data.source is tokens: give text or the recall task";
    const auto length = data.at("sequence_length").get<std::int64_t>();
    if (data.at("source") == "text" && length < leastPasskeyTokens)
        return "recall hides passkeys in sequences of " + std::to_string(leastPasskeyTokens) + " tokens at least, and data.sequence_length is " + std::to_string(length) + ": give longer ones";
    return {};
}

}  // namespace

void checkMeasures(const nlohmann::json &spec, const checkpoint::ModelFiles &model)
{
    const nlohmann::json &data = spec.at("data");
    auto measures = spec.at("measures").get<std::vector<std::string>>();
    if (!spec.contains("teacher"))
        std::erase(measures, "kl");
    if (std::find(measures.begin(), measures.end(), "recall") == measures.end())
        return;
    const std::string whyNot = whyNoRecall(data);
    if (!whyNot.empty() && std::erase(measures, "recall") > 0 && measures.empty())
        throw Error(ErrorCode::Usage, "nothing would be measured, for " + whyNot + ", or ask for another measure, say perplexity");
    if (whyNot.empty() && data.at("source") == "text")
        requirePasskeyRoom(data, model);
}

nlohmann::json klMeasures(const distillation::HeldOutKl &kl)
{
    return {{"kl_nats", kl.mean()}, {"se_nats", kl.se()}, {"n", kl.klNats.size()}, {"kl_tokens", kl.totalTokens()}};
}

nlohmann::json measure(const nn::Transformer &model, const TrainingData &data, const MeasureRequest &request)
{
    const auto wanted = [&](const char *name) { return std::find(request.measures.begin(), request.measures.end(), name) != request.measures.end(); };
    nlohmann::json measures = nlohmann::json::object();
    if (wanted("kl"))
        measureKl(measures, model, data, request);
    if (wanted("hidden-cosine"))
        measureHiddenCosine(measures, model, data, request);
    if (wanted("perplexity"))
        (data.recall ? measureAnswerPerplexity : measurePerplexity)(measures, model, data, request);
    if (wanted("recall") && data.recall)
        measureRecall(measures, model, data, request);
    if (wanted("recall") && data.tokenizer)
        measurePasskeys(measures, model, data, request);
    return measures;
}

}  // namespace stillroom::procedures
