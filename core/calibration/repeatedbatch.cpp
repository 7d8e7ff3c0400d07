// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/repeatedbatch.h"

#include "error.h"

#include <utility>

namespace stillroom::calibration {

RepeatedBatch::RepeatedBatch(distillation::Batch sequences, std::string description)
    : m_sequences(std::move(sequences)), m_description(std::move(description))
{
}

distillation::Batch RepeatedBatch::batch(std::int64_t step)
{
    if (step < 0)
        throw Error(ErrorCode::Usage, "There is no batch of step " + std::to_string(step) + '.');
    return m_sequences;
}

}  // namespace stillroom::calibration
