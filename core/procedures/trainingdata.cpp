// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/trainingdata.h"

#include "error.h"
#include "folders.h"
#include "nn/tensorfile.h"
#include "procedures/modelargument.h"
#include "procedures/packedbatches.h"
#include "procedures/recallbatches.h"
#include "procedures/tokenfile.h"
#include "procedures/trainedrecall.h"
#include "seed.h"
#include "text/corpus.h"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace stillroom::procedures {
namespace fs = std::filesystem;
namespace {

constexpr double mostUnknown = 0.5;           // of a text's tokens; with more, nothing that is measured says anything of the model
constexpr std::int64_t mostTokensLookedAt = 1 << 20;     // before a corpus is packed

std::vector<fs::path> paths(const nlohmann::json &list)
{
    std::vector<fs::path> made;
    for (const nlohmann::json &one : list)
        made.emplace_back(one.get<std::string>());
    return made;
}

text::CorpusOptions corpusOptions(const nlohmann::json &data)
{
    text::CorpusOptions options;
    options.inputs = paths(data.at("files"));
    options.heldOutInputs = paths(data.at("held_out_files"));
    options.jsonField = data.at("text_field").get<std::string>();
    options.sequenceLength = data.at("sequence_length").get<std::int64_t>();
    options.heldOutFraction = options.heldOutInputs.empty() ? data.at("held_out_fraction").get<double>() : 0.0;
    return options;
}

/// Padding is not counted.
double shareOf(text::TokenId id, const std::vector<distillation::Batch> &batches)
{
    std::int64_t found = 0, all = 0;
    for (const distillation::Batch &batch : batches) {
        const at::Tensor valid_BT = batch.documents_BT.defined() ? batch.documents_BT.ge(0) : at::ones_like(batch.ids_BT, at::kBool);
        found += batch.ids_BT.eq(id).logical_and(valid_BT).sum().item<std::int64_t>();
        all += valid_BT.sum().item<std::int64_t>();
    }
    return all == 0 ? 0.0 : static_cast<double>(found) / static_cast<double>(all);
}

/// The same of tokens that follow each other.
double shareOf(text::TokenId id, const std::vector<text::TokenId> &tokens)
{
    return tokens.empty() ? 0.0 : static_cast<double>(std::count(tokens.begin(), tokens.end(), id)) / static_cast<double>(tokens.size());
}

/// A tokenizer of words or of few letters turns another language into one token, over and over. \param heldOut  batches, or tokens
template <typename HeldOut>
double unknownShare(const text::Tokenizer &tokenizer, const HeldOut &heldOut)
{
    const auto unknown = tokenizer.unknownId();
    const double share = unknown ? shareOf(*unknown, heldOut) : 0.0;
    if (share > mostUnknown)
        throw Error(ErrorCode::Usage, "the model's tokenizer cannot spell " + std::to_string(std::lround(100.0 * share)) + " % of the held-out text, which becomes \"" + tokenizer.tokenOf(*unknown) +
                                          "\": give text that it was made for (stillroom-cli tokenize shows what becomes of a text)");
    return share;
}

std::shared_ptr<const text::Tokenizer> fittingTokenizer(const checkpoint::ModelFiles &teacher, std::int64_t vocabSize)
{
    auto tokenizer = tokenizerOf(teacher);
    if (tokenizer->vocabSize() > vocabSize)
        throw Error(ErrorCode::Usage, "the tokenizer has " + std::to_string(tokenizer->vocabSize()) + " tokens, but the model only " + std::to_string(vocabSize) + ": give the tokenizer that belongs to the model");
    return tokenizer;
}

/// Its symbols are counted before the task is made, whose tables grow with them.
text::RecallMix fittingRecall(const nlohmann::json &data, const checkpoint::ModelFiles &teacher, std::int64_t vocabSize)
{
    checkTrainedRecall(data, teacher);
    std::int64_t symbols = 0;
    for (const char *kind : {"num_keys", "num_values", "num_fillers"})
        symbols += data.at("recall").at(kind).get<std::int64_t>();
    if (symbols > vocabSize)
        throw Error(ErrorCode::Usage, "the recall task has " + std::to_string(symbols) + " symbols, but the model only " + std::to_string(vocabSize) + ": give fewer keys, values or fillers");
    return recallTask(data);
}

/// Every stage measures on what is held out.
void requireHeldOut(const nlohmann::json &data)
{
    if (data.at("held_out_files").empty() && data.at("held_out_fraction").get<double>() == 0.0)
        throw Error(ErrorCode::Usage, "data.held_out_fraction is 0 and data.held_out_files names no text: give one of them, for everything is measured on text that is held out");
}

TrainingData openTexts(const nlohmann::json &data, const checkpoint::ModelFiles &teacher, const DataRequest &request)
{
    requireHeldOut(data);
    const auto tokenizer = fittingTokenizer(teacher, request.vocabSize);
    const text::PackedCorpus corpus = text::packCorpus(corpusOptions(data), *tokenizer, cacheFolder() / "packed", request.packingProgress, request.stop);
    const bool isolate = data.at("isolate_documents").get<bool>();
    TrainingData made;
    made.tokenizer = tokenizer;
    made.training = std::make_unique<PackedBatches>(corpus.training, request.batchSequences, request.seed, isolate, corpus.contentHash);
    const std::int64_t wanted = std::min(data.at("held_out_sequences").get<std::int64_t>(), corpus.heldOut.numSequences());
    for (std::int64_t first = 0; first < wanted; first += heldOutRows) {
        std::vector<std::int64_t> rows;
        for (std::int64_t row = first; row < std::min(wanted, first + heldOutRows); ++row)
            rows.push_back(row);
        made.heldOut.push_back(readSequences(corpus.heldOut, rows, isolate));
    }
    made.unknownShare = unknownShare(*tokenizer, made.heldOut);
    return made;
}

TrainingData openRecall(const nlohmann::json &data, const checkpoint::ModelFiles &teacher, const DataRequest &request)
{
    TrainingData made;
    made.recall = fittingRecall(data, teacher, request.vocabSize);
    made.training = std::make_unique<RecallBatches>(*made.recall, request.batchSequences, request.seed);
    const auto wanted = data.at("held_out_sequences").get<std::int64_t>();
    for (std::int64_t first = 0; first < wanted; first += heldOutRows) {
        std::vector<text::RecallSequence> rows;
        for (std::int64_t row = first; row < std::min(wanted, first + heldOutRows); ++row)
            rows.push_back(heldOutRecall(*made.recall, row));
        made.heldOut.push_back(recallBatch(rows));
    }
    return made;
}

distillation::Batch cutRows(const TokenFile &tokens, std::int64_t length, const fs::path &file)
{
    if (tokens.ids_BT.size(1) < length)
        throw Error(ErrorCode::Usage, file.string() + " has rows of " + std::to_string(tokens.ids_BT.size(1)) + " tokens, but data.sequence_length is " + std::to_string(length) + ": make it as short, or write longer rows");
    const std::int64_t perRow = tokens.ids_BT.size(1) / length;
    const auto cut = [&](const at::Tensor &matrix) { return matrix.narrow(1, 0, perRow * length).reshape({-1, length}).contiguous(); };
    distillation::Batch batch;
    batch.ids_BT = cut(tokens.ids_BT);
    if (tokens.mask_BT.defined())
        batch.documents_BT = cut(tokens.mask_BT) - 1;   // 0 valid, -1 padding
    return batch;
}

distillation::Batch readTokenBatch(const nlohmann::json &files, std::int64_t length, std::int64_t vocabSize)
{
    std::vector<at::Tensor> ids, documents;
    bool masked = false;
    for (const fs::path &file : paths(files)) {
        const distillation::Batch one = cutRows(readTokenFile(file, vocabSize), length, file);
        ids.push_back(one.ids_BT);
        documents.push_back(one.documents_BT.defined() ? one.documents_BT : at::zeros_like(one.ids_BT));
        masked = masked || one.documents_BT.defined();
    }
    distillation::Batch all;
    all.ids_BT = at::cat(ids);
    if (masked)
        all.documents_BT = at::cat(documents);
    return all;
}

TrainingData openTokens(const nlohmann::json &data, const DataRequest &request)
{
    if (data.at("files").empty())
        throw Error(ErrorCode::Usage, "data.files names no token file: give safetensors files with input_ids");
    const auto length = data.at("sequence_length").get<std::int64_t>();
    distillation::Batch training = readTokenBatch(data.at("files"), length, request.vocabSize);
    std::int64_t wanted = data.at("held_out_sequences").get<std::int64_t>();
    distillation::Batch heldOut;
    if (!data.at("held_out_files").empty()) {
        heldOut = readTokenBatch(data.at("held_out_files"), length, request.vocabSize);
        wanted = std::min(wanted, heldOut.ids_BT.size(0));
    } else {
        // The last rows of the file, never trained on.
        const std::int64_t rows = training.ids_BT.size(0);
        if (rows < 2)
            throw Error(ErrorCode::Usage, "the token files hold one sequence only: name others in data.held_out_files, or give at least two sequences");
        const auto share = static_cast<std::int64_t>(static_cast<double>(rows) * data.at("held_out_fraction").get<double>());
        wanted = std::clamp(share, std::int64_t{1}, std::min(wanted, rows - 1));
        heldOut = distillation::rowsOf(training, rows - wanted, wanted);
        training = distillation::rowsOf(training, 0, rows - wanted);
    }
    TrainingData made;
    for (std::int64_t first = 0; first < wanted; first += heldOutRows)
        made.heldOut.push_back(distillation::rowsOf(heldOut, first, std::min(heldOutRows, wanted - first)));
    made.training = std::make_unique<distillation::TensorBatchSource>(std::move(training), request.batchSequences, request.seed);
    return made;
}

}  // namespace

text::RecallSequence heldOutRecall(const text::RecallMix &task, std::int64_t index)
{
    return task.sequence(seedFor(task.options().chainSeed, "held-out recall"), index);
}

text::RecallMix recallTask(const nlohmann::json &data)
{
    const nlohmann::json &recall = data.at("recall");
    text::RecallMixOptions options;
    options.numKeys = recall.at("num_keys").get<std::int64_t>();
    options.numValues = recall.at("num_values").get<std::int64_t>();
    options.numFillers = recall.at("num_fillers").get<std::int64_t>();
    options.pairs = recall.at("pairs").get<std::int64_t>();
    options.length = data.at("sequence_length").get<std::int64_t>();
    options.queryProbability = recall.at("query_probability").get<double>();
    options.fillerRunMinimum = recall.at("filler_run_minimum").get<std::int64_t>();
    options.fillerRunMaximum = recall.at("filler_run_maximum").get<std::int64_t>();
    options.likelyProbability = recall.at("filler_likely_probability").get<double>();
    options.chainSeed = recall.at("chain_seed").get<std::uint64_t>();
    return text::RecallMix(options);
}

TrainingData openData(const nlohmann::json &data, const checkpoint::ModelFiles &teacher, const DataRequest &request)
{
    const auto source = data.at("source").get<std::string>();
    TrainingData made = source == "text" ? openTexts(data, teacher, request) : source == "tokens" ? openTokens(data, request) : openRecall(data, teacher, request);
    made.hashes = dataHashes(data, teacher, request.stop);
    made.sequenceLength = data.at("sequence_length").get<std::int64_t>();
    return made;
}

void checkData(const nlohmann::json &data, const checkpoint::ModelFiles &teacher, const std::stop_token &stop)
{
    const auto source = data.at("source").get<std::string>();
    const std::int64_t vocabSize = teacher.config.vocabSize;
    if (source == "recall-task") {
        (void)fittingRecall(data, teacher, vocabSize);
    } else if (source == "tokens") {
        (void)dataHashes(data, teacher, stop);      // as a stage begins: it says of a file that is not there what the stage would
        (void)openTokens(data, {1, 0, vocabSize, {}, stop});
    } else {
        requireHeldOut(data);
        text::checkCorpus(corpusOptions(data));
        const auto tokenizer = fittingTokenizer(teacher, vocabSize);
        const std::int64_t heldOutTokens = data.at("held_out_sequences").get<std::int64_t>() * data.at("sequence_length").get<std::int64_t>();
        (void)unknownShare(*tokenizer, text::beginningOfHeldOut(corpusOptions(data), *tokenizer, std::min(heldOutTokens, mostTokensLookedAt), stop));
    }
}

std::vector<std::string> dataHashes(const nlohmann::json &data, const checkpoint::ModelFiles &teacher, const std::stop_token &stop)
{
    const auto source = data.at("source").get<std::string>();
    if (source == "text")
        return {text::corpusHash(corpusOptions(data), *tokenizerOf(teacher), stop)};
    std::vector<std::string> hashes;
    if (source == "tokens")
        for (const char *list : {"files", "held_out_files"}) {
            hashes.emplace_back(list);
            for (const fs::path &file : paths(data.at(list)))
                hashes.push_back(checkpoint::fileHash(file, stop));
        }
    return hashes;
}

}  // namespace stillroom::procedures
