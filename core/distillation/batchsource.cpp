// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/batchsource.h"

#include "error.h"
#include "seed.h"

#include <numeric>
#include <random>
#include <utility>

#include <ATen/ATen.h>

namespace stillroom::distillation {
namespace {

void checkMember(const at::Tensor &member, const at::Tensor &ids, at::ScalarType type, const char *name)
{
    if (!member.defined())
        return;
    if (member.scalar_type() != type || member.sizes() != ids.sizes() || !member.device().is_cpu())
        throw Error(ErrorCode::Usage, std::string("A batch's ") + name + " must lie on the CPU in the shape of its ids, " + (type == at::kLong ? "as int64." : "as bool."));
}

void checkShapes(const Batch &batch)
{
    if (!batch.ids_BT.defined() || batch.ids_BT.dim() != 2 || batch.ids_BT.scalar_type() != at::kLong || !batch.ids_BT.device().is_cpu() || batch.ids_BT.numel() == 0)
        throw Error(ErrorCode::Usage, "A batch's ids must be a non-empty int64 matrix [sequences, tokens] on the CPU.");
    checkMember(batch.documents_BT, batch.ids_BT, at::kLong, "documents");
    checkMember(batch.lossMask_BT, batch.ids_BT, at::kBool, "loss mask");
}

at::Tensor rows(const at::Tensor &member, std::int64_t first, std::int64_t count)
{
    return member.defined() ? member.narrow(0, first, count) : member;
}

at::Tensor pick(const at::Tensor &member, const at::Tensor &index)
{
    return member.defined() ? member.index_select(0, index) : member;
}

}  // namespace

TensorBatchSource::TensorBatchSource(Batch sequences, std::int64_t batchSize, std::uint64_t seed)
    : m_sequences(std::move(sequences)), m_batchSize(batchSize), m_seed(seed)
{
    checkShapes(m_sequences);
    if (batchSize < 1)
        throw Error(ErrorCode::Usage, "The batch size is " + std::to_string(batchSize) + " sequences; give 1 or more.");
}

void TensorBatchSource::shuffleFor(std::int64_t pass)
{
    if (pass == m_pass)
        return;
    m_order.resize(static_cast<std::size_t>(m_sequences.ids_BT.size(0)));
    std::iota(m_order.begin(), m_order.end(), std::int64_t{0});
    // Fisher-Yates by hand: std::shuffle's use of the generator differs between standard libraries. The modulo's bias is below 2^-32 here.
    std::mt19937_64 random(seedFor(m_seed, "batch-order", 0, pass));
    for (std::size_t i = m_order.size(); i > 1; --i)
        std::swap(m_order[i - 1], m_order[random() % i]);
    m_pass = pass;
}

Batch TensorBatchSource::batch(std::int64_t step)
{
    if (step < 0)
        throw Error(ErrorCode::Usage, "There is no batch for step " + std::to_string(step) + ".");
    const std::int64_t numSequences = m_sequences.ids_BT.size(0);
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < m_batchSize; ++i) {
        const std::int64_t position = step * m_batchSize + i;
        shuffleFor(position / numSequences);
        chosen.push_back(m_order[static_cast<std::size_t>(position % numSequences)]);
    }
    const at::Tensor index = at::tensor(chosen, at::kLong);
    return {pick(m_sequences.ids_BT, index), pick(m_sequences.documents_BT, index), pick(m_sequences.lossMask_BT, index)};
}

std::string TensorBatchSource::description() const
{
    return std::to_string(m_sequences.ids_BT.size(0)) + " sequences of " + std::to_string(m_sequences.ids_BT.size(1)) + " tokens in memory, "
        + std::to_string(m_batchSize) + " a step, seed " + std::to_string(m_seed);
}

at::Tensor countedTokens(const Batch &batch)
{
    at::Tensor counted_BT = batch.lossMask_BT.defined() ? batch.lossMask_BT : at::ones_like(batch.ids_BT, at::kBool);
    if (batch.documents_BT.defined())
        counted_BT = counted_BT.logical_and(batch.documents_BT.ge(0));
    return counted_BT;
}

at::Tensor nextTokenLabels(const Batch &batch)
{
    at::Tensor labels_BT = at::full_like(batch.ids_BT, -100);
    const std::int64_t last = batch.ids_BT.size(1) - 1;
    if (last == 0)
        return labels_BT;
    at::Tensor valid = countedTokens(batch).narrow(1, 0, last);
    if (batch.documents_BT.defined())
        valid = valid.logical_and(batch.documents_BT.narrow(1, 0, last).eq(batch.documents_BT.narrow(1, 1, last)));
    labels_BT.narrow(1, 0, last).copy_(at::where(valid, batch.ids_BT.narrow(1, 1, last), labels_BT.narrow(1, 0, last)));
    return labels_BT;
}

Batch rowsOf(const Batch &batch, std::int64_t first, std::int64_t count)
{
    return {rows(batch.ids_BT, first, count), rows(batch.documents_BT, first, count), rows(batch.lossMask_BT, first, count)};
}

void checkBatch(const Batch &batch, std::int64_t vocabSize)
{
    checkShapes(batch);
    const at::Tensor &ids_BT = batch.ids_BT;
    if (ids_BT.min().item<std::int64_t>() < 0 || ids_BT.max().item<std::int64_t>() >= vocabSize)
        throw Error(ErrorCode::Usage, "A batch holds a token id outside the vocabulary of " + std::to_string(vocabSize) + "; tokenize the data with the teacher's own tokenizer.");
}

}  // namespace stillroom::distillation
