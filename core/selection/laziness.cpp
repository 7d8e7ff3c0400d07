// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/laziness.h"

#include "analysis/intervals.h"
#include "distillation/batchplaces.h"
#include "error.h"
#include "experiment/score.h"
#include "nn/residualstream.h"
#include "nn/softmaxmixer.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

// Shape legend: B sequences, T tokens, D width, H query heads, G key/value heads, K head dim; of one document: N tokens, R of its last queries.
namespace stillroom::selection {
namespace {

/// A document's tokens in their row, ascending (they need not be neighbours).
struct Document {
    std::int64_t row = 0;
    at::Tensor index_N;   ///< on the model's device
};

std::vector<Document> documentsOf(const distillation::Batch &batch, at::Device device)
{
    const std::int64_t rows = batch.ids_BT.size(0), length = batch.ids_BT.size(1);
    std::vector<Document> documents;
    for (std::int64_t row = 0; row < rows; ++row) {
        std::map<std::int64_t, std::vector<std::int64_t>> byId;
        const at::Tensor ids_T = batch.documents_BT.defined() ? batch.documents_BT[row].contiguous() : at::zeros({length}, at::kLong);
        for (std::int64_t t = 0; t < length; ++t)
            if (const std::int64_t id = ids_T.const_data_ptr<std::int64_t>()[t]; id >= 0)
                byId[id].push_back(t);
        if (byId.empty())
            throw Error(ErrorCode::Usage, "a sequence holds nothing but padding, so no query's attention can be measured: leave it out");
        for (const auto &[id, index] : byId)
            documents.push_back({row, at::tensor(index, at::kLong).to(device)});
    }
    return documents;
}

/// 0 where a query may look, -inf where not: [R,N], by the tokens' places in the row, as the model itself masks.
at::Tensor maskOf(const at::Tensor &query_R, const at::Tensor &key_N, std::int64_t window, at::ScalarType type)
{
    const at::Tensor query_R1 = query_R.unsqueeze(1);
    at::Tensor hidden_RN = key_N.gt(query_R1);
    if (window > 0)
        hidden_RN = hidden_RN.logical_or(key_N.le(query_R1 - window));
    return at::zeros(hidden_RN.sizes(), at::TensorOptions(type).device(key_N.device())).masked_fill_(hidden_RN, -std::numeric_limits<double>::infinity());
}

/// Σ over heads and the given queries of their mass on the first and the most recent keys: a float64 scalar on the device.
at::Tensor massOfQueries(const nn::SoftmaxMixer &mixer, const at::Tensor &q_HRK, const at::Tensor &k_GNK, const at::Tensor &query_R, const at::Tensor &key_N,
                         const LazinessOptions &options)
{
    const std::int64_t heads = q_HRK.size(0), rows = q_HRK.size(1), keyHeads = k_GNK.size(0), keys = k_GNK.size(1);
    // Heads of a group are queries of one key/value head: no key is copied.
    const at::Tensor scores_GXN = at::matmul(q_HRK.reshape({keyHeads, heads / keyHeads * rows, q_HRK.size(2)}), k_GNK.transpose(1, 2));
    const at::Tensor mask_RN = maskOf(query_R, key_N, mixer.options().slidingWindow, k_GNK.scalar_type());
    const at::Tensor p_HRN = at::softmax(scores_GXN.view({heads, rows, keys}) + mask_RN, -1);
    const std::int64_t first = std::min(options.sinkTokens, keys), last = std::min(options.recentTokens, keys - first), between = keys - first - last;
    const auto sumOf = [&](std::int64_t start, std::int64_t count) { return p_HRN.narrow(2, start, count).sum(-1, false, at::kDouble); };
    const at::Tensor inside_HR = sumOf(0, first) + sumOf(keys - last, last);
    // Over both parts, so that rounding of the softmax cancels: exactly 1 where nothing lies between.
    return (inside_HR / (inside_HR + sumOf(first, between))).sum();
}

/// Queries of a document whose probabilities are held at once.
std::int64_t queriesAtOnce(const LazinessOptions &options, std::int64_t heads, std::int64_t numTokens, std::int64_t numQueries)
{
    return std::clamp<std::int64_t>(options.blockElements / (heads * numTokens), 1, numQueries);
}

at::Tensor massOfDocument(const nn::SoftmaxMixer &mixer, const nn::SoftmaxMixer::Qkv &qkv, const Document &document, const LazinessOptions &options)
{
    const at::ScalarType type = qkv.q_BHTK.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const std::int64_t numTokens = document.index_N.numel(), numQueries = std::min(options.lastQueries, numTokens);
    const at::Tensor query_R = document.index_N.narrow(0, numTokens - numQueries, numQueries);
    const at::Tensor q_HRK = qkv.q_BHTK[document.row].index_select(1, query_R).to(type) / std::sqrt(static_cast<double>(mixer.options().headDim));
    const at::Tensor k_GNK = qkv.k_BGTK[document.row].index_select(1, document.index_N).to(type);
    const std::int64_t step = queriesAtOnce(options, q_HRK.size(0), numTokens, numQueries);
    at::Tensor sum = at::zeros({}, q_HRK.options().dtype(at::kDouble));
    for (std::int64_t first = 0; first < numQueries; first += step) {
        nn::throwIfStopped(options.stop);
        const std::int64_t count = std::min(step, numQueries - first);
        sum = sum + massOfQueries(mixer, q_HRK.narrow(1, first, count), k_GNK, query_R.narrow(0, first, count), document.index_N, options);
    }
    return sum;
}

const nn::SoftmaxMixer &softmaxOf(const nn::Transformer &teacher, std::size_t layer)
{
    const auto *mixer = dynamic_cast<const nn::SoftmaxMixer *>(teacher.blocks[layer].mixer.get());
    if (!mixer)
        throw Error(ErrorCode::Usage, "layer " + std::to_string(layer) + " is " + std::string(teacher.blocks[layer].mixer->kind()) + " and not softmax: laziness is measured on a teacher whose layers all are softmax");
    return *mixer;
}

/// r of one layer for each row of a batch.
std::vector<double> lazinessOfRows(const nn::SoftmaxMixer &mixer, const at::Tensor &x_BTD, const nn::TokenPlaces &places, const std::vector<Document> &documents,
                                   const LazinessOptions &options)
{
    const nn::SoftmaxMixer::Qkv qkv = mixer.project(x_BTD, places);
    const auto rows = static_cast<std::size_t>(x_BTD.size(0));
    std::vector<at::Tensor> mass_B(rows);
    std::vector<std::int64_t> numQueries_B(rows, 0);
    for (const Document &document : documents) {
        const auto row = static_cast<std::size_t>(document.row);
        const at::Tensor mass = massOfDocument(mixer, qkv, document, options);
        mass_B[row] = mass_B[row].defined() ? mass_B[row] + mass : mass;
        numQueries_B[row] += std::min(options.lastQueries, document.index_N.numel());
    }
    const at::Tensor home_B = at::stack(mass_B).to(at::kCPU).contiguous();   // the layer's one sync
    std::vector<double> laziness_B;
    for (std::size_t row = 0; row < rows; ++row)
        laziness_B.push_back(home_B.const_data_ptr<double>()[row] / static_cast<double>(numQueries_B[row] * mixer.options().numHeads));
    return laziness_B;
}

void addBatch(LazinessScores &scores, const nn::Transformer &teacher, const distillation::Batch &batch, const LazinessOptions &options)
{
    distillation::checkBatch(batch, teacher.embedding_VD.size(0));
    const nn::TokenPlaces places = distillation::placesOf(batch, teacher.device());
    const std::vector<Document> documents = documentsOf(batch, teacher.device());
    nn::ResidualStream stream(teacher, batch.ids_BT, places, options.computeType, options.stop);
    for (std::size_t layer = 0; layer < teacher.blocks.size(); ++layer) {
        const std::vector<double> laziness_B = lazinessOfRows(softmaxOf(teacher, layer), stream.through(layer).x_BTD, places, documents, options);
        for (const double one : laziness_B)
            if (!std::isfinite(one))
                throw Error(ErrorCode::NonFinite, "the attention of layer " + std::to_string(layer) + " is not finite: check the teacher, or compute in float32");
        scores.perSequence_LN[layer].insert(scores.perSequence_LN[layer].end(), laziness_B.begin(), laziness_B.end());
    }
    for (const Document &document : documents) {
        scores.tokens += document.index_N.numel();
        scores.longDocuments += document.index_N.numel() > options.sinkTokens + options.recentTokens ? 1 : 0;
    }
}

void check(const nn::Transformer &teacher, const std::vector<distillation::Batch> &sequences, const LazinessOptions &options)
{
    if (options.lastQueries < 1 || options.sinkTokens < 0 || options.recentTokens < 0)
        throw Error(ErrorCode::Usage, "laziness is measured with " + std::to_string(options.lastQueries) + " last queries, " + std::to_string(options.sinkTokens) + " first and " +
                                          std::to_string(options.recentTokens) + " recent keys: give at least one query, and keys of 0 or more");
    if (sequences.empty())
        throw Error(ErrorCode::Usage, "there is no sequence to measure laziness on: give at least one");
    for (std::size_t layer = 0; layer < teacher.blocks.size(); ++layer)
        (void)softmaxOf(teacher, layer);
}

}  // namespace

double LazinessScores::mean(int layer) const
{
    // The sum first, as other scores do: the mean of ones is exactly 1.
    const std::vector<double> &values = perSequence_LN.at(static_cast<std::size_t>(layer));
    return values.empty() ? 0.0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double LazinessScores::se(int layer) const { return analysis::estimate(perSequence_LN.at(static_cast<std::size_t>(layer))).se; }

std::vector<double> LazinessScores::lazyShare_L(int keep) const
{
    const std::size_t numLayers = perSequence_LN.size(), numSequences = numLayers == 0 ? 0 : perSequence_LN.front().size();
    if (keep < 0 || keep > static_cast<int>(numLayers) || numSequences == 0)
        throw Error(ErrorCode::Usage, "K is " + std::to_string(keep) + ", but of " + std::to_string(numLayers) + " measured layers 0 to all can be kept");
    std::vector<double> share_L(numLayers, 0.0);
    for (std::size_t sequence = 0; sequence < numSequences; ++sequence) {
        std::vector<double> laziness_L;
        for (const std::vector<double> &layer : perSequence_LN)
            laziness_L.push_back(layer[sequence]);
        const experiment::Ranking leastLazyFirst = experiment::rank(laziness_L, false);
        for (auto lazy = leastLazyFirst.begin() + keep; lazy != leastLazyFirst.end(); ++lazy)
            share_L[static_cast<std::size_t>(*lazy)] += 1.0 / static_cast<double>(numSequences);
    }
    return share_L;
}

LazinessScores scoreLaziness(const nn::Transformer &teacher, const std::vector<distillation::Batch> &sequences, const LazinessOptions &options)
{
    return nn::asStillroomError("Measuring laziness", [&] {
        const at::NoGradGuard noGrad;
        check(teacher, sequences, options);
        LazinessScores scores;
        scores.perSequence_LN.resize(teacher.blocks.size());
        for (std::size_t index = 0; index < sequences.size(); ++index) {
            addBatch(scores, teacher, sequences[index], options);
            if (options.onBatch)
                options.onBatch(scores);
            if (options.progress)
                options.progress(static_cast<std::int64_t>(index) + 1, static_cast<std::int64_t>(sequences.size()));
        }
        return scores;
    });
}

std::int64_t lazinessBytes(const nn::Transformer &teacher, const LazinessOptions &options, std::int64_t sequences, std::int64_t length)
{
    const checkpoint::ModelConfig &config = teacher.config;
    const auto element = static_cast<std::int64_t>(at::elementSize(options.computeType)), score = static_cast<std::int64_t>(at::elementSize(options.computeType == at::kDouble ? at::kDouble : at::kFloat));
    const std::int64_t heads = config.numHeads, numQueries = std::min(options.lastQueries, length);
    // Each of the queries and keys stands beside itself unturned.
    const std::int64_t qkv = sequences * length * config.headDim * (2 * heads + 3 * std::int64_t{config.numKvHeads}) * element;
    return qkv + 3 * heads * queriesAtOnce(options, heads, length, numQueries) * length * score;
}

}  // namespace stillroom::selection
