// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/packedbatches.h"

#include "error.h"
#include "seed.h"

#include <ATen/ATen.h>

namespace stillroom::procedures {

distillation::Batch readSequences(const text::PackedTokens &tokens, const std::vector<std::int64_t> &sequences, bool isolateDocuments)
{
    const auto rows = static_cast<std::int64_t>(sequences.size());
    const std::int64_t length = tokens.sequenceLength();
    distillation::Batch batch;
    batch.ids_BT = at::empty({rows, length}, at::TensorOptions(at::kLong));
    batch.documents_BT = at::empty({rows, length}, at::TensorOptions(at::kLong));
    const auto row = [&](const at::Tensor &matrix, std::int64_t r) {
        return std::span(matrix.data_ptr<std::int64_t>() + r * length, static_cast<std::size_t>(length));
    };
    for (std::int64_t r = 0; r < rows; ++r)
        tokens.read(sequences[static_cast<std::size_t>(r)], row(batch.ids_BT, r), row(batch.documents_BT, r));
    if (!isolateDocuments)
        batch.documents_BT.clamp_max_(0);
    return batch;
}

PackedBatches::PackedBatches(text::PackedTokens tokens, std::int64_t batchSize, std::uint64_t seed, bool isolateDocuments, std::string contentHash)
    : m_tokens(std::move(tokens)), m_batchSize(batchSize), m_seed(seed), m_isolateDocuments(isolateDocuments), m_contentHash(std::move(contentHash))
{
    if (batchSize < 1)
        throw Error(ErrorCode::Usage, "batch_sequences must be at least 1");
}

distillation::Batch PackedBatches::batch(std::int64_t step)
{
    if (step < 0)
        throw Error(ErrorCode::Usage, "there is no step " + std::to_string(step));
    const std::int64_t size = m_tokens.numSequences();
    const std::uint64_t order = seedFor(m_seed, "batch-order");
    std::vector<std::int64_t> sequences;
    for (std::int64_t i = step * m_batchSize; i < (step + 1) * m_batchSize; ++i)
        sequences.push_back(text::shuffledIndex(order, i / size, i % size, size));
    return readSequences(m_tokens, sequences, m_isolateDocuments);
}

std::string PackedBatches::description() const
{
    return "packed corpus " + m_contentHash + ", seed " + std::to_string(m_seed);
}

}  // namespace stillroom::procedures
