// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/recallbatches.h"

#include "error.h"
#include "seed.h"

#include <ATen/ATen.h>

namespace stillroom::procedures {

distillation::Batch recallBatch(const std::vector<text::RecallSequence> &sequences)
{
    std::vector<at::Tensor> rows;
    for (const text::RecallSequence &sequence : sequences)
        rows.push_back(at::tensor(sequence.ids, at::TensorOptions(at::kLong)));
    distillation::Batch batch;
    batch.ids_BT = at::stack(rows);
    return batch;
}

RecallBatches::RecallBatches(text::RecallMix task, std::int64_t batchSize, std::uint64_t seed)
    : m_task(std::move(task)), m_batchSize(batchSize), m_seed(seedFor(seed, "recall training"))
{
}

distillation::Batch RecallBatches::batch(std::int64_t step)
{
    if (step < 0)
        throw Error(ErrorCode::Usage, "there is no step " + std::to_string(step));
    std::vector<text::RecallSequence> sequences;
    for (std::int64_t row = 0; row < m_batchSize; ++row)
        sequences.push_back(m_task.sequence(m_seed, step * m_batchSize + row));
    return recallBatch(sequences);
}

std::string RecallBatches::description() const
{
    return "recall task, seed " + std::to_string(m_seed);
}

}  // namespace stillroom::procedures
